#include "problem/reach.hpp"

#include "dynamics/kinematics.hpp"
#include "model/contact_model.hpp"

#include <algorithm>
#include <numbers>

namespace stiction {
namespace {

// The laws of K* ∋ v ⊥ λ ∈ K act before touch, where v_n is below μ ‖v_t‖ (relaxed) or μ Σ|v_i| ≤ √2 μ ‖v_t‖ (least
// energy): the factor of μ ‖v_t‖; 0 for the others.
double early_share(const Options& options) {
  const detail::ContactModel model = detail::contact_model(options);
  if (model == detail::ContactModel::kCompliantEnergy) return std::numbers::sqrt2;
  return model == detail::ContactModel::kRelaxed ? 1 : 0;
}

// (gap + turn) / h + v_n: negative if the candidate closes beyond touch within the step [m/s]. Of laws that act before
// that, a bound with the largest of its coefficients is taken off.
double clearance(const Model& model, const Options& options, double early, const Workspace& w, std::size_t c,
                 const std::vector<double>& u) {
  const Contacts& k = w.candidates;
  const Vec3 velocity = relative_velocity(model, w, k.body_a[c], k.body_b[c], k.point[c], u);
  const double normal = dot(k.normal[c], velocity), out = (k.gap[c] + k.turn[c]) / options.timestep + normal;
  if (early == 0) return out;
  const double friction = std::max(k.friction[c], k.friction_second[c]);
  const Vec3& turning = k.friction_torque[c];
  const Vec3 spin = angular_velocity(model, w, k.body_b[c], u) - angular_velocity(model, w, k.body_a[c], u);
  const Vec3 slip = velocity - k.normal[c] * normal + k.surface_velocity[c];
  const double turned = std::max({turning.x, turning.y, turning.z}) * norm(spin + k.surface_spin[c]);
  return out - early * (friction * norm(slip) + turned);
}

}  // namespace

// Contacts of least squares enter one by one, where they touch or would pass touch at a velocity that was solved for:
// least squares would draw to the other body what is only near (problem/springs.hpp).
int select_springs(const Model& model, const Options& options, const std::vector<double>& u, Workspace& w) {
  int added = 0;
  const bool solved = &u != &w.problem.free_velocity;  // ũ knows nothing of what holds the bodies
  for (std::size_t c = 0; c < std::size_t(w.candidates.ncontact); ++c) {
    if (w.selected[c]) continue;
    const bool touches = w.candidates.gap[c] <= 0;
    if (!touches && (!solved || clearance(model, options, 0, w, c, u) >= 0)) continue;
    w.selected[c] = 1;
    ++added;
  }
  return added;
}

int select_closing(const Model& model, const Options& options, const std::vector<double>& u, Workspace& w) {
  compute_link_velocities(u, w);
  if (detail::is_least_squares(detail::contact_model(options)))
    return select_springs(model, options, u, w) + select_closing_limits(model, options, u, w);
  const Contacts& k = w.candidates;
  const double early = early_share(options);
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
    w.clearance[c] = clearance(model, options, early, w, c, u);
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
  return added + select_closing_limits(model, options, u, w);
}

double omitted_violation(const Model& model, const Options& options, const std::vector<double>& u, Workspace& w) {
  compute_link_velocities(u, w);
  const double early = early_share(options);
  double worst = omitted_limit_violation(options, u, w);
  for (std::size_t c = 0; c < std::size_t(w.candidates.ncontact); ++c)
    if (!w.selected[c]) worst = std::max(worst, -clearance(model, options, early, w, c, u));
  return worst;
}

void copy_contact(const Contacts& from, std::size_t row, Contacts& to, std::size_t at) {
#define STICTION_COPY_ROW(type, name, count, unit, meaning) to.name[at] = from.name[row];
  STICTION_CONTACTS_ARRAYS(STICTION_COPY_ROW)
#undef STICTION_COPY_ROW
}

void insert_contact(const Contacts& from, std::size_t row, Contacts& to, std::size_t at) {
  ++to.ncontact;
  // What is inserted may stand in the list itself.
#define STICTION_INSERT_ROW(type, name, count, unit, meaning) \
  to.name.insert(to.name.begin() + std::ptrdiff_t(at), type(from.name[row]));
  STICTION_CONTACTS_ARRAYS(STICTION_INSERT_ROW)
#undef STICTION_INSERT_ROW
}

void append_contacts(const Contacts& from, std::size_t first, std::size_t last, Contacts& to) {
  to.ncontact += int(last - first);
#define STICTION_APPEND_ROWS(type, name, count, unit, meaning) \
  to.name.insert(to.name.end(), from.name.begin() + std::ptrdiff_t(first), from.name.begin() + std::ptrdiff_t(last));
  STICTION_CONTACTS_ARRAYS(STICTION_APPEND_ROWS)
#undef STICTION_APPEND_ROWS
}

void erase_contact(std::size_t row, Contacts& from) {
  --from.ncontact;
#define STICTION_ERASE_ROW(type, name, count, unit, meaning) from.name.erase(from.name.begin() + std::ptrdiff_t(row));
  STICTION_CONTACTS_ARRAYS(STICTION_ERASE_ROW)
#undef STICTION_ERASE_ROW
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
    w.candidates.push_out[c] = contacts.push_out[from];
    w.candidates.force[c] = contacts.force[from];
    w.candidates.torque[c] = contacts.torque[from++];
  }
}

}  // namespace stiction
