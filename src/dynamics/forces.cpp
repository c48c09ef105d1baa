// Inertia and forces of the step: dynamics/kinematics.hpp.
#include "dynamics/kinematics.hpp"
#include "dynamics/tree_crba.hpp"
#include "dynamics/tree_rnea.hpp"
#include "model/motor.hpp"
#include "model/tree.hpp"

#include <algorithm>

namespace stiction {
namespace {

// A motor pushes along its gear, scaled by the input: for a free joint force (world frame) and torque (body frame).
void add_actuators(const Model& model, const Control& control, std::vector<double>& force) {
  for (std::size_t a = 0; a < std::size_t(model.nactuator); ++a) {
    if (is_motor_row(model, int(a))) continue;  // a row of the problem
    const auto joint = std::size_t(model.actuator_target_index[a]);
    double input = control.input[a];
    if (model.actuator_control_limited[a])
      input = std::clamp(input, model.actuator_control_lower[a], model.actuator_control_upper[a]);
    double push = model.actuator_gain_parameters[a][0] * input;
    if (model.actuator_bias[a] == ActuatorBias::kAffine) push += model.actuator_bias_parameters[a][0];
    if (model.actuator_force_limited[a])
      push = std::clamp(push, model.actuator_force_lower[a], model.actuator_force_upper[a]);
    const Spatial& gear = model.actuator_gear[a];
    for (int k = 0; k < detail::dof_count(model.joint_type[joint]); ++k)
      force[std::size_t(model.joint_dof[joint] + k)] += (k < 3 ? gear.linear[k] : gear.angular[k - 3]) * push;
  }
}

// Wrenches act at the centres of mass of their bodies, in the world frame.
void add_wrenches(const Model& model, const Control& control, Workspace& w) {
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
      sum = sum + force_at(wrench, w.links.origin[tree] - com);
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

}  // namespace

void compute_inertia_and_force(const Model& model, const Options& options, const Control& control,
                               const std::vector<double>& u, Workspace& w) {
  std::copy(control.generalized_force.begin(), control.generalized_force.end(), w.applied_force.begin());
  add_actuators(model, control, w.applied_force);
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
      continue;
    }
    const TreeView view = w.plan.view(t);
    tree_crba(view, w.links, w.mass_rows.data());
    mass_block(view, w.mass_rows.data(), view.dof_begin, view.dof_end - view.dof_begin, M);
    tree_rnea<double>(view, u.data(), nullptr, options.gravity, w.links, w.scratch.data());
    for (int d = view.dof_begin; d < view.dof_end; ++d) w.force[std::size_t(d)] -= w.scratch[std::size_t(d)];
  }
}

}  // namespace stiction
