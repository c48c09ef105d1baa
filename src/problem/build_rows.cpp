// Candidates of joints: limits and dry friction.
//
//   limit of a hinge or slide:  gap = q − lower or upper − q, less the margin,  J = ± of its degree of freedom
//   limit of a ball:            gap = upper − θ, θ the angle of q,  J = −a, a the axis of the turn (dθ/dt = a·ω)
//   dry friction f:             ∓f on the velocity of each degree of freedom
#include "problem/contact_rows.hpp"
#include "problem/dof_rows.hpp"
#include "problem/equality.hpp"
#include "problem/held_rows.hpp"
#include "problem/motor.hpp"
#include "problem/springs.hpp"
#include "problem/tendon_rows.hpp"

#include "model/tree.hpp"

#include <fmt/format.h>

#include <cmath>

namespace stiction {
namespace {

void set_limit(double gap, ConstraintRow& row) {
  row.law = Law::kUnilateral;
  row.gap = gap;
}

void add_ball_limit(const Model& model, const State& state, int joint, Workspace& w) {
  const auto j = std::size_t(joint);
  const double* x = state.q.data() + model.joint_q[j];
  const Vec3 turn = rotation_vector(normalized(Quat{x[0], x[1], x[2], x[3]}));
  const double angle = norm(turn);
  const Vec3 axis = angle > 0 ? turn / angle : Vec3{1, 0, 0};
  const int first = model.joint_dof[j], dofs[] = {first, first + 1, first + 2};
  const double factors[] = {axis.x, axis.y, axis.z};
  ConstraintRow row = dofs_row(model, w, ConstraintKind::kJointLimit, joint, 1, dofs, factors, -1);
  set_limit(model.joint_upper[j] - angle - model.joint_margin[j], row);
  w.constraint_rows.list.push_back(row);
}

void add_joint_limits(const Model& model, const State& state, Workspace& w) {
  for (int joint = 0; joint < model.njoint; ++joint) {
    const auto j = std::size_t(joint);
    if (!model.joint_limited[j] || model.joint_type[j] == JointType::kFree || lists_joint(model, joint)) continue;
    if (model.joint_type[j] == JointType::kBall) {
      add_ball_limit(model, state, joint, w);
      continue;
    }
    const double q = state.q[std::size_t(model.joint_q[j])];
    for (int side = 0; side < 2; ++side) {
      const double gap = (side == 0 ? q - model.joint_lower[j] : model.joint_upper[j] - q) - model.joint_margin[j];
      ConstraintRow row =
          dof_row(model, w, ConstraintKind::kJointLimit, joint, side, model.joint_dof[j], side == 0 ? 1 : -1);
      set_limit(gap, row);
      w.constraint_rows.list.push_back(row);
    }
  }
}

void add_joint_friction(const Model& model, Workspace& w) {
  if (!w.mechanism.has_joint_friction) return;
  for (int joint = 0; joint < model.njoint; ++joint) {
    const auto j = std::size_t(joint);
    for (int k = 0; k < detail::dof_count(model.joint_type[j]); ++k) {
      const int dof = model.joint_dof[j] + k;
      const double friction = model.dof_friction[std::size_t(dof)];
      if (!(friction > 0)) continue;
      ConstraintRow row = dof_row(model, w, ConstraintKind::kJointFriction, joint, k, dof, 1);
      row.lower = -friction;
      row.upper = friction;
      row.selected = true;
      w.constraint_rows.list.push_back(row);
    }
  }
}

}  // namespace

void build_constraint_rows(const Model& model, const Options& options, const Control& control, const State& state,
                           Workspace& w) {
  ConstraintRows& rows = w.constraint_rows;
  rows.list.clear();
  rows.jacobian.clear();
  rows.limits.measure(state, w.mechanism);
  add_joint_limits(model, state, w);
  add_joint_friction(model, w);
  add_tendon_rows(model, w);
  add_equality_rows(model, options, state, w);
  add_motor_rows(model, options, control, state, w);
  add_held_inertia_rows(model, options, state, w);
  add_held_joint_rows(model, options, w);
  if (!make_springs(options, w)) soften_loops(model, w);
  add_contact_rows(model, options, state, w);
  // Limits that become rows later do not allocate.
  rows.list.reserve(rows.list.size() + rows.limits.size());
  rows.jacobian.reserve(rows.jacobian.size() + rows.limits.tendons() * std::size_t(model.nv));
}

std::string constraint_name(const Model& model, ConstraintKind kind, int element) {
  const auto i = std::size_t(element);
  switch (kind) {
    case ConstraintKind::kJointLimit:
      return fmt::format("limit of joint '{}'", model.joint_name[i]);
    case ConstraintKind::kJointFriction:
      return fmt::format("friction of joint '{}'", model.joint_name[i]);
    case ConstraintKind::kMotor:
      return fmt::format("motor '{}'", model.actuator_name[i]);
    case ConstraintKind::kTendonLimit:
      return fmt::format("limit of tendon '{}'", model.tendon_name[i]);
    case ConstraintKind::kTendonFriction:
      return fmt::format("friction of tendon '{}'", model.tendon_name[i]);
    case ConstraintKind::kJointInertia:
      return fmt::format("inertia of joint '{}'", model.joint_name[i]);
    case ConstraintKind::kHeldJoint:
      return fmt::format("joints of body '{}'", model.body_name[i]);
    case ConstraintKind::kContact:
      return fmt::format("contact {}", element);
    case ConstraintKind::kEquality:
      break;
  }
  return fmt::format("equality '{}'", model.equality_name[i]);
}

}  // namespace stiction
