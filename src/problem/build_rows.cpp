// Candidates of joints: limits and dry friction.
//
//   limit of a hinge or slide:  gap = q − lower or upper − q, less the margin,  J = ± of its degree of freedom
//   limit of a ball:            gap = upper − θ, θ the angle of q,  J = −a, a the axis of the turn (dθ/dt = a·ω)
//   dry friction f:             ∓f on the velocity of each degree of freedom
#include "problem/assemble.hpp"
#include "problem/constraint_rows.hpp"
#include "problem/equality.hpp"
#include "problem/motor.hpp"
#include "problem/tendon_rows.hpp"

#include "model/tree.hpp"

#include <fmt/format.h>

#include <cmath>

namespace stiction {
namespace {

ConstraintRow dof_row(ConstraintKind kind, int element, int part, int tree, int dof, double sign) {
  ConstraintRow row;
  row.kind = kind;
  row.element = element;
  row.part = part;
  row.tree_a = tree;
  row.dof = dof;
  row.sign = sign;
  return row;
}

void set_limit(const Options& options, double gap, ConstraintRow& row) {
  row.law = Law::kUnilateral;
  row.gap = gap;
  row.bias = normal_bias(options, gap, 0, 0, 0);
}

void add_ball_limit(const Model& model, const Options& options, const State& state, int joint, ConstraintRows& rows) {
  const auto j = std::size_t(joint);
  const double* x = state.q.data() + model.joint_q[j];
  const Vec3 turn = rotation_vector(normalized(Quat{x[0], x[1], x[2], x[3]}));
  const double angle = norm(turn);
  const Vec3 axis = angle > 0 ? turn / angle : Vec3{1, 0, 0};
  const int tree = model.body_tree[std::size_t(model.joint_body[j])];
  const int first = model.tree_dof[std::size_t(tree)], size = model.tree_dof[std::size_t(tree) + 1] - first;
  ConstraintRow row = dof_row(ConstraintKind::kJointLimit, joint, 1, tree, -1, 1);
  row.jacobian_a = int(rows.jacobian.size());
  rows.jacobian.resize(rows.jacobian.size() + std::size_t(size), 0.0);
  for (int k = 0; k < 3; ++k) rows.jacobian[std::size_t(row.jacobian_a + model.joint_dof[j] - first + k)] = -axis[k];
  set_limit(options, model.joint_upper[j] - angle - model.joint_margin[j], row);
  rows.list.push_back(row);
}

void add_joint_limits(const Model& model, const Options& options, const State& state, ConstraintRows& rows) {
  for (int joint = 0; joint < model.njoint; ++joint) {
    const auto j = std::size_t(joint);
    if (!model.joint_limited[j] || model.joint_type[j] == JointType::kFree) continue;
    if (model.joint_type[j] == JointType::kBall) {
      add_ball_limit(model, options, state, joint, rows);
      continue;
    }
    const double q = state.q[std::size_t(model.joint_q[j])];
    const int tree = model.body_tree[std::size_t(model.joint_body[j])];
    for (int side = 0; side < 2; ++side) {
      const double gap = (side == 0 ? q - model.joint_lower[j] : model.joint_upper[j] - q) - model.joint_margin[j];
      ConstraintRow row =
          dof_row(ConstraintKind::kJointLimit, joint, side, tree, model.joint_dof[j], side == 0 ? 1 : -1);
      set_limit(options, gap, row);
      rows.list.push_back(row);
    }
  }
}

void add_joint_friction(const Model& model, ConstraintRows& rows) {
  for (int joint = 0; joint < model.njoint; ++joint) {
    const auto j = std::size_t(joint);
    const int tree = model.body_tree[std::size_t(model.joint_body[j])];
    for (int k = 0; k < detail::dof_count(model.joint_type[j]); ++k) {
      const int dof = model.joint_dof[j] + k;
      const double friction = model.dof_friction[std::size_t(dof)];
      if (!(friction > 0)) continue;
      ConstraintRow row = dof_row(ConstraintKind::kJointFriction, joint, k, tree, dof, 1);
      row.lower = -friction;
      row.upper = friction;
      row.selected = true;
      rows.list.push_back(row);
    }
  }
}

}  // namespace

void build_constraint_rows(const Model& model, const Options& options, const Control& control, const State& state,
                           Workspace& w) {
  ConstraintRows& rows = w.constraint_rows;
  rows.list.clear();
  rows.jacobian.clear();
  add_joint_limits(model, options, state, rows);
  add_joint_friction(model, rows);
  add_tendon_rows(model, options, w);
  add_equality_rows(model, options, state, w);
  add_motor_rows(model, options, control, state, w);
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
    case ConstraintKind::kEquality:
      break;
  }
  return fmt::format("equality '{}'", model.equality_name[i]);
}

}  // namespace stiction
