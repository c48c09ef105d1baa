// Inertia and forces of the step: dynamics/kinematics.hpp.
#include "dynamics/kinematics.hpp"
#include "dynamics/tree_crba.hpp"
#include "dynamics/tree_rnea.hpp"
#include "math/tree_cholesky.hpp"

#include <algorithm>

namespace stiction {
namespace {

// Wrenches act at the centres of mass of their bodies, in the world frame.
void add_wrenches(const Model& model, const Control& control, Workspace& w) {
  const auto is_zero = [](const Spatial& f) { return norm_squared(f.linear) + norm_squared(f.angular) == 0; };
  if (std::all_of(control.wrench.begin(), control.wrench.end(), is_zero)) return;
  for (const int t : w.articulated) {
    const TreeView view = w.plan.view(t);
    std::fill(w.links.force + view.begin, w.links.force + view.end, Spatial{});
  }
  for (std::size_t b = 1; b < std::size_t(model.nbody); ++b) {
    const int tree = model.body_tree[b];
    if (tree < 0) continue;
    const Spatial& wrench = control.wrench[b];
    const Vec3 com = w.body_pose[b] * model.body_com[b];
    if (!w.tree_free[std::size_t(tree)]) {
      Spatial& sum = w.links.force[w.plan.body_link[b]];
      sum = sum + force_at(wrench, w.links.origin[w.plan.origin_of(int(b))] - com);
      continue;
    }
    const auto root = std::size_t(model.tree_root[std::size_t(tree)]);
    const FreeBody body = w.free_body(tree);
    // Move the torque to the centre of mass of the tree.
    const Vec3 arm = com - w.body_pose[root] * body.com;
    free_body_force(body, w.body_rotation[root], wrench.linear, wrench.angular + cross(arm, wrench.linear),
                    w.applied_force.data() + model.tree_dof[std::size_t(tree)]);
  }
  for (const int t : w.articulated) {
    const TreeView view = w.plan.view(t);
    tree_collect_forces(view, w.links, w.scratch.data());
    for (int d = view.dof_begin; d < view.dof_end; ++d) w.applied_force[std::size_t(d)] += w.scratch[std::size_t(d)];
  }
}

// Springs, dampers and servos with their change over the step: with x the deflection and K, D the diagonals,
//   M (u⁺ − u) = h (f − K (x + h u⁺) − D u⁺)   ⇔   (M + h D + h² K) (u⁺ − u) = h (f − K x − D u − h K u)
void apply_forces(const Model& model, const Options& options, const Control& control, const State& state,
                  Workspace& w) {
  Mechanism& m = w.mechanism;
  const double h = options.timestep;
  for (std::size_t d = 0; d < std::size_t(model.nv); ++d) {
    w.applied_force[d] = control.generalized_force[d] + m.actuator_joint_force[d] - m.row_joint_force[d] +
                         m.passive_force[d] - h * m.stiffness[d] * state.u[d];
    m.implicit_inertia[d] = h * m.damping[d] + h * h * m.stiffness[d];
  }
}

// Adds h D + h² K to the diagonal of a tree's inertia.
void add_implicit(const Model& model, const Workspace& w, int tree, double* M) {
  const int first = model.tree_dof[std::size_t(tree)], n = model.tree_dof[std::size_t(tree) + 1] - first;
  for (int d = 0; d < n; ++d) M[d * n + d] += w.mechanism.implicit_inertia[std::size_t(first + d)];
}

}  // namespace

void compute_inertia_and_force(const Model& model, const Options& options, const Control& control, const State& state,
                               Workspace& w) {
  compute_tendons(model, state, w);
  compute_transmissions(model, state, w);
  compute_passive_force(model, options, state, w);
  add_fluid_forces(model, options, state, w);
  compute_actuation(model, options, control, state, w);
  apply_forces(model, options, control, state, w);
  add_held_forces(w, w.applied_force);
  add_wrenches(model, control, w);
  w.force = w.applied_force;
  for (int t = 0; t < model.ntree; ++t) {
    const auto i = std::size_t(t);
    double* M = w.problem.inertia.data() + w.problem.tree_inertia[i];
    if (w.tree_free[i]) {
      const auto root = std::size_t(model.tree_root[i]);
      const FreeBody body = w.free_body(t);
      free_body_inertia(body, w.body_rotation[root], M);
      free_body_force(body, w.body_rotation[root], options.gravity * body.mass, {}, w.force.data() + model.tree_dof[i]);
      add_implicit(model, w, t, M);
      continue;
    }
    const TreeView view = w.plan.view(t);
    tree_crba(view, w.links, w.mass_rows.data());
    for (int d = view.dof_begin; d < view.dof_end; ++d)
      w.mass_rows[std::size_t(view.row[d + 1] - 1)] += w.mechanism.implicit_inertia[std::size_t(d)];
    // Outside of the pattern nothing was ever written.
    scatter_mass(view, w.mass_rows.data(), view.dof_begin, view.dof_end - view.dof_begin, M);
    tree_rnea<double>(view, state.u.data(), nullptr, options.gravity, w.links, w.scratch.data());
    for (int d = view.dof_begin; d < view.dof_end; ++d) w.force[std::size_t(d)] -= w.scratch[std::size_t(d)];
  }
  w.links_u = state.u;
  add_geometric_inertia(model, options.timestep, state, w);
  if (w.stiff.added.empty()) return;
  for (const int t : w.articulated) {
    const TreeView view = w.plan.view(t);
    gather_mass(view, w.problem.inertia.data() + w.problem.tree_inertia[std::size_t(t)], view.dof_begin,
                view.dof_end - view.dof_begin, w.mass_rows.data());
  }
}

// ū = (u + ũ)/2,   ũ ← u + h M⁻¹ (τ − bias(q, ū))
void centre_coriolis_force(const Model& model, const Options& options, const State& state, Workspace& w) {
  if (w.articulated.empty()) return;
  ContactProblem& p = w.problem;
  std::vector<double>& mean = w.mean_velocity;
  mean.resize(std::size_t(model.nv));
  for (std::size_t d = 0; d < mean.size(); ++d) mean[d] = 0.5 * (state.u[d] + p.free_velocity[d]);
  // The links keep the velocities that they have at u.
  TreeData at_mean = w.links;
  at_mean.velocity = w.trial_links.velocity;
  at_mean.acceleration = w.trial_links.acceleration;
  at_mean.force = w.trial_links.force;
  for (const int t : w.articulated) {
    const TreeView view = w.plan.view(t);
    tree_rnea<double>(view, mean.data(), nullptr, options.gravity, at_mean, w.scratch.data());
    for (auto d = std::size_t(view.dof_begin); d < std::size_t(view.dof_end); ++d) {
      w.force[d] = w.applied_force[d] - w.scratch[d];
      p.free_velocity[d] = options.timestep * w.force[d];
    }
    solve_tree(p.inertia_factor.data() + p.tree_inertia[std::size_t(t)], p.tree_size(t),
               p.free_velocity.data() + view.dof_begin);
    for (auto d = std::size_t(view.dof_begin); d < std::size_t(view.dof_end); ++d) p.free_velocity[d] += state.u[d];
  }
}

}  // namespace stiction
