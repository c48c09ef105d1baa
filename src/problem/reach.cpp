#include "problem/reach.hpp"

#include "dynamics/kinematics.hpp"

#include <algorithm>

namespace stiction {
namespace {

// (gap + turn) / h + v_n: negative if the candidate closes beyond touch within the step [m/s].
double clearance(const Model& model, const Options& options, const Workspace& w, std::size_t c,
                 const std::vector<double>& u) {
  const Contacts& k = w.candidates;
  const Vec3 velocity =
      point_velocity(model, w, k.body_b[c], k.point[c], u) - point_velocity(model, w, k.body_a[c], k.point[c], u);
  return (k.gap[c] + k.turn[c]) / options.timestep + dot(k.normal[c], velocity);
}

}  // namespace

int select_closing(const Model& model, const Options& options, const std::vector<double>& u, Workspace& w) {
  compute_link_velocities(u, w);
  const Contacts& k = w.candidates;
  const auto same_pair = [&](std::size_t a, std::size_t b) {
    return k.shape_a[a] == k.shape_a[b] && k.shape_b[a] == k.shape_b[b];
  };
  const auto n = std::size_t(k.ncontact);
  int added = 0;
  // At first also those that an impact could close: it can give others about the speed that it has itself.
  double reach = 0;  // [m/s]
  const bool first_time = std::find(w.selected.begin(), w.selected.end(), 1) == w.selected.end();
  w.clearance.resize(n);
  for (std::size_t c = 0; c < n; ++c) {
    if (w.selected[c] || (!first_time && k.gap[c] <= options.contact_margin)) continue;
    w.clearance[c] = clearance(model, options, w, c, u);
    if (first_time) reach = std::max(reach, k.gap[c] / options.timestep - w.clearance[c]);
  }
  for (std::size_t first = 0, last; first < n; first = last) {
    bool closing = false;
    for (last = first; last < n && same_pair(first, last); ++last)
      closing = closing || (!w.selected[last] && (k.gap[last] <= options.contact_margin || w.clearance[last] < reach));
    if (!closing) continue;
    for (std::size_t c = first; c < last; ++c) {
      added += !w.selected[c];
      w.selected[c] = 1;
    }
  }
  return added + select_closing_limits(options, u, w);
}

double omitted_violation(const Model& model, const Options& options, const std::vector<double>& u, Workspace& w) {
  compute_link_velocities(u, w);
  double worst = omitted_limit_violation(options, u, w);
  for (std::size_t c = 0; c < std::size_t(w.candidates.ncontact); ++c)
    if (!w.selected[c]) worst = std::max(worst, -clearance(model, options, w, c, u));
  return worst;
}

void copy_contact(const Contacts& from, std::size_t row, Contacts& to, std::size_t at) {
#define STICTION_COPY_ROW(type, name, count, unit, meaning) to.name[at] = from.name[row];
  STICTION_CONTACTS_ARRAYS(STICTION_COPY_ROW)
#undef STICTION_COPY_ROW
}

void gather_selected(const Workspace& w, Contacts& contacts) {
  contacts.ncontact = int(std::count(w.selected.begin(), w.selected.end(), 1));
  contacts.resize();
  std::size_t to = 0;
  for (std::size_t c = 0; c < std::size_t(w.candidates.ncontact); ++c)
    if (w.selected[c]) copy_contact(w.candidates, c, contacts, to++);
}

void return_forces(const Contacts& contacts, Workspace& w) {
  std::size_t from = 0;
  for (std::size_t c = 0; c < std::size_t(w.candidates.ncontact); ++c) {
    if (!w.selected[c]) continue;
    w.candidates.force[c] = contacts.force[from];
    w.candidates.torque[c] = contacts.torque[from++];
  }
}

}  // namespace stiction
