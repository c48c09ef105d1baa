#include "problem/adhesion.hpp"

#include "dynamics/mechanism.hpp"
#include "math/tree_cholesky.hpp"

#include <algorithm>

namespace stiction {
namespace {

bool touches(const Options& options, const Contacts& contacts, std::size_t c, int body) {
  return (contacts.body_a[c] == body || contacts.body_b[c] == body) && contacts.gap[c] <= options.contact_margin;
}

// Adds the pull of one actuator to `row`; false if there is none.
bool add_pull(const Model& model, const Options& options, const Workspace& w, std::size_t actuator, double* row) {
  const Contacts& contacts = w.candidates;
  const int body = model.actuator_target_index[actuator];
  int count = 0;
  for (std::size_t c = 0; c < std::size_t(contacts.ncontact); ++c) count += touches(options, contacts, c, body);
  const double force = w.mechanism.actuator_force[actuator];
  if (count == 0 || force == 0) return false;
  for (std::size_t c = 0; c < std::size_t(contacts.ncontact); ++c) {
    if (!touches(options, contacts, c, body)) continue;
    // Normals point from a to b.
    const Vec3 pull = contacts.normal[c] * (force / count);
    add_wrench(model, w, contacts.body_a[c], contacts.point[c], pull, {}, row);
    add_wrench(model, w, contacts.body_b[c], contacts.point[c], -pull, {}, row);
  }
  return true;
}

}  // namespace

void add_adhesion(const Model& model, const Options& options, Workspace& w) {
  ContactProblem& p = w.problem;
  double* row = w.mechanism.row_scratch.data();
  bool pulls = false;
  for (std::size_t a = 0; a < std::size_t(model.nactuator); ++a)
    if (model.actuator_target[a] == ActuatorTarget::kBody) pulls |= add_pull(model, options, w, a, row);
  if (!pulls) return;
  for (std::size_t d = 0; d < std::size_t(p.nv); ++d) {
    w.applied_force[d] += row[d];
    w.force[d] += row[d];
    row[d] *= options.timestep;
  }
  for (int t = 0; t < p.ntree; ++t) {
    const int first = p.tree_dof[std::size_t(t)];
    solve_tree(p.inertia_factor.data() + p.tree_inertia[std::size_t(t)], p.tree_size(t), row + first);
  }
  for (std::size_t d = 0; d < std::size_t(p.nv); ++d) p.free_velocity[d] += row[d];
  std::fill(row, row + p.nv, 0.0);
}

}  // namespace stiction
