#include "problem/lead.hpp"

#include "problem/dof_rows.hpp"
#include "problem/trial_pose.hpp"

#include <algorithm>

namespace stiction {
namespace {

constexpr double kNear = 0.3, kFar = 0.6;  // turn of a body in a step from which rows go ahead, and with which wholly
constexpr double kSome = 0.05;  // turn from which they go wholly where the joints do not close otherwise [rad]
constexpr int kPatience = 2;    // rounds without progress after which that is so

// The turns of a body with held joints and of its carrier in the step.
struct Turns {
  Vec3 body, parent;
  double size = 0;  // the larger of them by the angular velocity, beyond half a circle too
};

Turns turns_of(const TrialPoses& poses, const Options& options, const std::vector<double>& u, const HeldBody& body) {
  Turns turns;
  const auto take = [&](int of, int dof, Vec3& turn) {
    if (dof < 0) return;
    turn = rotation_vector(normalized(poses(of).q * conjugate(poses.w.body_pose[std::size_t(of)].q)));
    const double* omega = u.data() + dof + 3;
    turns.size = std::max(turns.size, options.timestep * norm(Vec3{omega[0], omega[1], omega[2]}));
  };
  take(body.body, body.dof, turns.body);
  take(body.carrier, body.parent_dof, turns.parent);
  return turns;
}

// Writes the rows of a body's joints with the turns that are in them.
void write_rows(const Model& model, HeldBody& body, const ConstraintRow* rows, Workspace& w) {
  turn_forbidden_rows(model, rows->turn, rows->parent_turn, w, body);
  for (int k = 0; k < 6 - body.dofs; ++k) {
    const ConstraintRow& row = rows[k];
    const int trees[] = {row.tree_a, row.tree_b}, first[] = {row.jacobian_a, row.jacobian_b};
    for (int side = 0; side < 2; ++side)
      if (trees[side] >= 0)
        std::fill_n(w.constraint_rows.jacobian.begin() + first[side], w.problem.tree_size(trees[side]), 0.0);
    add_held_row(model, body, body.forbidden[row.part], 1, row, w.constraint_rows);
  }
}

// Calls visit(body, its first row) for all held bodies.
template <class Visit>
void each_held_body(Workspace& w, Visit&& visit) {
  std::vector<ConstraintRow>& rows = w.constraint_rows.list;
  auto row = std::find_if(rows.begin(), rows.end(),
                          [](const ConstraintRow& r) { return r.kind == ConstraintKind::kHeldJoint; });
  for (HeldBody& body : w.held.bodies) {
    if (body.dofs == 6) continue;
    visit(body, &*row);
    row += 6 - body.dofs;
  }
}

}  // namespace

bool lead_joints(const Model& model, const Options& options, const std::vector<double>& u, int halts, Workspace& w) {
  const TrialPoses poses{model, w, &w.next.q};
  const double weight = halts > 0 ? 0.5 : 1;  // forces that follow the levers can overshoot
  bool any = false;
  each_held_body(w, [&](HeldBody& body, ConstraintRow* rows) {
    const Turns turns = turns_of(poses, options, u, body);
    body.lead = std::clamp((turns.size - kNear) / (kFar - kNear), body.lead, 1.0);
    if (halts >= kPatience && turns.size > kSome) body.lead = 1;
    if (!(body.lead > 0)) return;
    for (int k = 0; k < 6 - body.dofs; ++k) {
      rows[k].turn += (turns.body * body.lead - rows[k].turn) * weight;
      rows[k].parent_turn += (turns.parent * body.lead - rows[k].parent_turn) * weight;
    }
    write_rows(model, body, rows, w);
    any = true;
  });
  return any;
}

void recall_leads(const Model& model, Workspace& w) {
  each_held_body(w, [&](HeldBody& body, ConstraintRow* rows) {
    if (norm(rows->turn) > 0 || norm(rows->parent_turn) > 0) write_rows(model, body, rows, w);
  });
}

}  // namespace stiction
