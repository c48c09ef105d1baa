#include "problem/held_rows.hpp"

#include "problem/dof_rows.hpp"
#include "problem/trial_pose.hpp"

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

double largest_of(const Spatial& v) {
  double largest = 0;
  for (int i = 0; i < 3; ++i) largest = std::max({largest, std::abs(v.linear[i]), std::abs(v.angular[i])});
  return largest;
}

// Velocity of a free body about the origin of the world, at the trial positions and velocities in workspace.next.
Spatial trial_velocity(const TrialPoses& poses, int body, int dof) {
  if (dof < 0) return {};
  const Transform pose = poses(body);
  const double* u = poses.w.next.u.data() + dof;
  const Vec3 omega = rotate(pose.q, Vec3{u[3], u[4], u[5]});
  return {omega, Vec3{u[0], u[1], u[2]} - cross(omega, pose.p)};
}

}  // namespace

void add_held_inertia_rows(const Model& model, const Options& options, const State& state, Workspace& w) {
  w.held_rate.assign(state.u.begin() + model.tree_dofs(), state.u.end());
  for (int dof = model.tree_dofs(); dof < model.nv; ++dof) {
    const auto d = std::size_t(dof);
    const double inertia = model.dof_armature[d] + w.mechanism.implicit_inertia[d];
    if (!(inertia > 0)) continue;
    const int joint = model.dof_joint[d];
    ConstraintRow row =
        dof_row(model, w, ConstraintKind::kJointInertia, joint, dof - model.joint_dof[std::size_t(joint)], dof, 1);
    row.lower = -INFINITY;
    row.upper = INFINITY;
    row.compliance = options.timestep / inertia;
    row.bias = -state.u[d];
    row.selected = true;
    w.constraint_rows.list.push_back(row);
  }
}

void add_held_joint_rows(const Model& model, const Options& options, Workspace& w) {
  const double most = options.timestep * options.push_out_speed;
  for (const HeldBody& body : w.held.bodies) {
    // What a bounded correction leaves of an old error.
    const double size = std::sqrt(dot(body.error, body.error)), left = size > most ? 1 - most / size : 0;
    for (int k = 0; k < 6 - body.dofs; ++k) {
      ConstraintRow row;
      row.kind = ConstraintKind::kHeldJoint;
      row.element = body.body;
      row.part = k;
      row.lower = -INFINITY;
      row.upper = INFINITY;
      row.tree_a = body.tree;
      row.tree_b = body.parent_tree == body.tree ? -1 : body.parent_tree;
      add_entries(w.problem, row, w.constraint_rows);
      add_held_row(model, body, body.forbidden[k], 1, row, w.constraint_rows);
      row.gap = dot(body.forbidden[k].wrench, body.error);
      row.rest = left * row.gap;
      row.selected = true;
      w.constraint_rows.list.push_back(row);
    }
  }
}

double linearise_held_joints(const Model& model, const Options& options, const std::vector<double>& u, Workspace& w) {
  if (w.held.bodies.empty()) return 0;
  const TrialPoses poses{model, w, &w.next.q};
  std::vector<ConstraintRow>& rows = w.constraint_rows.list;
  const auto first_of = [&](ConstraintKind kind) {
    return std::find_if(rows.begin(), rows.end(), [&](const ConstraintRow& r) { return r.kind == kind; });
  };
  auto inertia = first_of(ConstraintKind::kJointInertia), row = first_of(ConstraintKind::kHeldJoint);
  w.held_trial = w.held.q;
  double largest = 0;
  for (const HeldBody& body : w.held.bodies) {
    const int parent_body = model.body_parent[std::size_t(body.body)];
    const Transform parent = poses(parent_body), child = poses(body.body);
    const Spatial error = fit_held_joints(model, body, parent, child, w.held_trial.data());
    w.equality_drift = std::max(w.equality_drift, largest_of(error));
    double rates[6];
    const auto dof_of = [&](const ConstraintRow& r) { return model.joint_dof[std::size_t(r.element)] + r.part; };
    for (bool known = false; inertia != rows.end() && inertia->kind == ConstraintKind::kJointInertia &&
                             model.joint_body[std::size_t(inertia->element)] == body.body;
         ++inertia) {
      if (!known)
        held_rates(model, body, parent, child, trial_velocity(poses, body.carrier, body.parent_dof),
                   trial_velocity(poses, body.body, body.dof), w.held_trial.data(), rates);
      known = true;
      const int dof = dof_of(*inertia);
      const double bias = rates[dof - body.first_dof] - row_velocity(w.problem, w.constraint_rows, *inertia, u) -
                          w.held_rate[std::size_t(dof - model.tree_dofs())];
      largest = std::max(largest, options.timestep * std::abs(bias - inertia->bias));
      inertia->bias = bias;
    }
    for (; row != rows.end() && row->kind == ConstraintKind::kHeldJoint && row->element == body.body; ++row) {
      const double C = dot(body.forbidden[row->part].wrench, error);
      const double v = row_velocity(w.problem, w.constraint_rows, *row, u);
      largest = std::max(largest, row->relinearise(options.timestep, C, v));
    }
  }
  return largest;
}

}  // namespace stiction
