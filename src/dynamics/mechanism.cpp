// Which degrees of freedom each tendon and actuator touches, and rows of wrenches.
#include "dynamics/mechanism.hpp"

#include "dynamics/kinematics.hpp"
#include "dynamics/tree_jacobian.hpp"
#include "model/motor.hpp"
#include "model/tree.hpp"
#include "step/workspace.hpp"

#include <algorithm>

namespace stiction {
namespace {

// The degrees of freedom that carry a body, from the nearest to the root.
void add_chain(const Model& model, int body, std::vector<int>& dofs) {
  while (body > 0 && model.body_joint_count[std::size_t(body)] == 0) body = model.body_parent[std::size_t(body)];
  if (body <= 0) return;
  const auto b = std::size_t(body);
  const auto joint = std::size_t(model.body_joint[b] + model.body_joint_count[b] - 1);
  int dof = model.joint_dof[joint] + detail::dof_count(model.joint_type[joint]) - 1;
  for (; dof >= 0; dof = model.dof_parent[std::size_t(dof)]) dofs.push_back(dof);
}

void add_joint(const Model& model, int joint, std::vector<int>& dofs) {
  const auto j = std::size_t(joint);
  for (int k = 0; k < detail::dof_count(model.joint_type[j]); ++k) dofs.push_back(model.joint_dof[j] + k);
}

void add_site(const Model& model, int site, std::vector<int>& dofs) {
  if (site >= 0) add_chain(model, model.site_body[std::size_t(site)], dofs);
}

void add_tendon(const Model& model, int tendon, std::vector<int>& dofs) {
  const auto t = std::size_t(tendon);
  for (int i = model.tendon_wrap[t]; i < model.tendon_wrap[t + 1]; ++i) {
    const auto w = std::size_t(i);
    switch (model.wrap_type[w]) {
      case WrapType::kJoint:
        add_joint(model, model.wrap_object[w], dofs);
        break;
      case WrapType::kSite:
        add_site(model, model.wrap_object[w], dofs);
        break;
      case WrapType::kSphere:
      case WrapType::kCylinder:
        add_chain(model, model.shape_body[std::size_t(model.wrap_object[w])], dofs);
        break;
      case WrapType::kPulley:
        break;
    }
  }
}

void add_actuator(const Model& model, int actuator, std::vector<int>& dofs) {
  const auto a = std::size_t(actuator);
  const int target = model.actuator_target_index[a];
  switch (model.actuator_target[a]) {
    case ActuatorTarget::kJoint:
    case ActuatorTarget::kJointInParent:
      return add_joint(model, target, dofs);
    case ActuatorTarget::kTendon:
      return add_tendon(model, target, dofs);
    case ActuatorTarget::kSite:
    case ActuatorTarget::kSliderCrank:
      add_site(model, target, dofs);
      return add_site(model, model.actuator_second_site[a], dofs);
    case ActuatorTarget::kBody:
      return;
  }
}

using AddDofs = void (*)(const Model&, int, std::vector<int>&);

SparseRows make_rows(const Model& model, int count, AddDofs add) {
  SparseRows rows;
  rows.row.push_back(0);
  std::vector<int> dofs;
  for (int i = 0; i < count; ++i) {
    dofs.clear();
    add(model, i, dofs);
    std::sort(dofs.begin(), dofs.end());
    dofs.erase(std::unique(dofs.begin(), dofs.end()), dofs.end());
    rows.dof.insert(rows.dof.end(), dofs.begin(), dofs.end());
    rows.row.push_back(rows.entries());
  }
  return rows;
}

}  // namespace

Mechanism::Mechanism(const Model& model)
    : tendon_rows(make_rows(model, model.ntendon, add_tendon)),
      actuator_rows(make_rows(model, model.nactuator, add_actuator)),
      nv(model.nv),
      ntendon(model.ntendon),
      nactuator(model.nactuator),
      nactivation(model.nactivation),
      ntendonentry(tendon_rows.entries()),
      nactuatorentry(actuator_rows.entries()) {
  STICTION_MECHANISM_ARRAYS(STICTION_RESIZE_ARRAY)
  is_row.resize(std::size_t(nactuator));
  for (int a = 0; a < nactuator; ++a) is_row[std::size_t(a)] = is_motor_row(model, a);
  for (const double share : model.body_gravity_compensation) has_compensation = has_compensation || share != 0;
  for (const int limited : model.joint_force_limited) has_joint_ranges = has_joint_ranges || limited;
  for (const double friction : model.dof_friction) has_joint_friction = has_joint_friction || friction > 0;
  for (const double k : model.joint_stiffness) has_springs = has_springs || k != 0;
  for (std::size_t t = 0; t < std::size_t(ntendon); ++t) {
    if (model.tendon_stiffness[t] == 0) continue;
    has_springs = true;
    has_spatial_springs = has_spatial_springs || model.tendon_type[t] == TendonType::kSpatial;
  }
}

void add_wrench(const Model& model, const Workspace& w, int body, const Vec3& p, const Vec3& f, const Vec3& torque,
                double* row) {
  const int tree = model.body_tree[std::size_t(body)];
  if (tree < 0) return;
  const auto t = std::size_t(tree);
  if (w.tree_free[t]) {
    const auto root = std::size_t(model.tree_root[t]);
    const Vec3 turn = transpose_times(w.body_rotation[root], torque + cross(p - w.body_pose[root].p, f));
    double* out = row + model.tree_dof[t];
    out[0] += f.x, out[1] += f.y, out[2] += f.z, out[3] += turn.x, out[4] += turn.y, out[5] += turn.z;
    return;
  }
  const TreeView view = w.plan.view(tree);
  Spatial wrench = point_wrench(p - w.links.origin[w.plan.origin_of(body)], f);
  wrench.angular += torque;
  add_row(view, w.links.motion, w.plan.body_link[std::size_t(body)], wrench, 1.0, 0, row);
}

void compute_mechanism(const Model& model, const Options& options, const Control& control, const State& state,
                       Workspace& w) {
  w.mocap_pose = control.mocap_pose;
  compute_poses(model, state.q, w);
  compute_tendons(model, state, w);
  compute_transmissions(model, state, w);
  compute_passive_force(model, options, state, w);
  add_fluid_forces(model, options, state, w);
  compute_actuation(model, options, control, state, w);
}

Transform site_pose(const Model& model, const Workspace& w, int site) {
  const auto s = std::size_t(site);
  return w.body_pose[std::size_t(model.site_body[s])] * model.site_pose[s];
}

}  // namespace stiction
