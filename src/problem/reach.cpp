#include "problem/reach.hpp"

#include <algorithm>

namespace stiction {
namespace {

// Velocity of the point p of a body; zero if it is fixed to the world.
Vec3 point_velocity(const Model& model, const Workspace& w, int body, const Vec3& p, const std::vector<double>& u) {
  const int tree = model.body_tree[std::size_t(body)];
  if (tree < 0) return {};
  const auto root = std::size_t(model.tree_root[std::size_t(tree)]);
  const double* x = u.data() + model.tree_dof[std::size_t(tree)];
  const Vec3 omega = w.body_rotation[root] * Vec3{x[3], x[4], x[5]};
  return Vec3{x[0], x[1], x[2]} + cross(omega, p - w.body_pose[root].p);
}

// gap / h + v_n: negative if the candidate closes beyond touch within the step [m/s].
double clearance(const Model& model, const Options& options, const Workspace& w, std::size_t c,
                 const std::vector<double>& u) {
  const Contacts& k = w.candidates;
  const Vec3 velocity =
      point_velocity(model, w, k.body_b[c], k.point[c], u) - point_velocity(model, w, k.body_a[c], k.point[c], u);
  return k.gap[c] / options.timestep + dot(k.normal[c], velocity);
}

}  // namespace

int select_closing(const Model& model, const Options& options, const std::vector<double>& u, Workspace& w) {
  int added = 0;
  for (std::size_t c = 0; c < std::size_t(w.candidates.ncontact); ++c) {
    if (w.selected[c]) continue;
    w.selected[c] = w.candidates.gap[c] <= options.contact_margin || clearance(model, options, w, c, u) < 0;
    added += w.selected[c];
  }
  return added;
}

double omitted_violation(const Model& model, const Options& options, const std::vector<double>& u, const Workspace& w) {
  double worst = 0;
  for (std::size_t c = 0; c < std::size_t(w.candidates.ncontact); ++c)
    if (!w.selected[c]) worst = std::max(worst, -clearance(model, options, w, c, u));
  return worst;
}

void gather_selected(const Workspace& w, Contacts& contacts) {
  contacts.ncontact = int(std::count(w.selected.begin(), w.selected.end(), 1));
  contacts.resize();
  std::size_t to = 0;
  for (std::size_t c = 0; c < std::size_t(w.candidates.ncontact); ++c) {
    if (!w.selected[c]) continue;
#define STICTION_COPY_ROW(type, name, count, unit, meaning) contacts.name[to] = w.candidates.name[c];
    STICTION_CONTACTS_ARRAYS(STICTION_COPY_ROW)
#undef STICTION_COPY_ROW
    ++to;
  }
}

void return_forces(const Contacts& contacts, Workspace& w) {
  std::size_t from = 0;
  for (std::size_t c = 0; c < std::size_t(w.candidates.ncontact); ++c)
    if (w.selected[c]) w.candidates.force[c] = contacts.force[from++];
}

}  // namespace stiction
