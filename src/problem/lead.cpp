#include "problem/lead.hpp"

#include "problem/dof_rows.hpp"
#include "problem/equality.hpp"
#include "problem/trial_pose.hpp"

#include <algorithm>

namespace stiction {
namespace {

constexpr double kNear = 0.3, kFar = 0.6;  // turn of a body in a step from which rows go ahead, and with which wholly
constexpr double kSome = 0.05;  // turn from which they go wholly where the joints do not close otherwise [rad]
constexpr int kPatience = 2;    // rounds without progress after which that is so

// The turns in the step of a body that is held and of the one that holds it.
struct Turns {
  Vec3 body, parent;
  double size = 0;  // the larger of them by the angular velocity, beyond half a circle too
};

// First degree of freedom of the free body that carries a body; -1 if it is not free.
int free_dof(const Model& model, const Workspace& w, int body) {
  if (model.body_tree[std::size_t(body)] < 0) return -1;
  const Link& link = w.plan.link[std::size_t(w.plan.body_link[std::size_t(body)])];
  return link.type == JointType::kFree ? link.dof : -1;
}

Turns turns_of(const TrialPoses& poses, const Options& options, const std::vector<double>& u, int body, int parent) {
  Turns turns;
  const auto take = [&](int of, Vec3& turn) {
    const int dof = free_dof(poses.model, poses.w, of);
    if (dof < 0) return;
    turn = rotation_vector(normalized(poses(of).q * conjugate(poses.w.body_pose[std::size_t(of)].q)));
    const double* omega = u.data() + dof + 3;
    turns.size = std::max(turns.size, options.timestep * norm(Vec3{omega[0], omega[1], omega[2]}));
  };
  take(body, turns.body);
  take(parent, turns.parent);
  return turns;
}

// The share a after so many rounds without progress; it only grows within a step.
double share_of(const Turns& turns, double before, int halts) {
  if (halts >= kPatience && turns.size > kSome) return 1;
  return std::clamp((turns.size - kNear) / (kFar - kNear), before, 1.0);
}

// Halfway where rounds make no progress: forces that follow the levers can overshoot.
void turn_row(const Turns& turns, double share, int halts, ConstraintRow& row) {
  const double weight = halts > 0 ? 0.5 : 1;
  row.turn += (turns.body * share - row.turn) * weight;
  row.parent_turn += (turns.parent * share - row.parent_turn) * weight;
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

// Calls visit(row) for the rows of all points and frames that are tied to each other.
template <class Visit>
void each_tied_row(const Model& model, Workspace& w, Visit&& visit) {
  for (ConstraintRow& row : w.constraint_rows.list) {
    if (row.kind != ConstraintKind::kEquality) continue;
    const EqualityType type = model.equality_type[std::size_t(row.element)];
    if (type == EqualityType::kConnect || type == EqualityType::kWeld) visit(row);
  }
}

bool is_ahead(const ConstraintRow& row) {
  return norm(row.turn) > 0 || norm(row.parent_turn) > 0;
}

}  // namespace

bool lead_joints(const Model& model, const Options& options, const State& state, const std::vector<double>& u,
                 int halts, Workspace& w) {
  const TrialPoses poses{model, w, &w.next.q};
  bool any = false;
  each_held_body(w, [&](HeldBody& body, ConstraintRow* rows) {
    const Turns turns = turns_of(poses, options, u, body.body, body.carrier);
    body.lead = share_of(turns, body.lead, halts);
    if (!(body.lead > 0)) return;
    for (int k = 0; k < 6 - body.dofs; ++k) turn_row(turns, body.lead, halts, rows[k]);
    write_rows(model, body, rows, w);
    any = true;
  });
  each_tied_row(model, w, [&](ConstraintRow& row) {
    const auto e = std::size_t(row.element);
    const Turns turns = turns_of(poses, options, u, model.equality_b[e], model.equality_a[e]);
    const double whole = norm(turns.body) + norm(turns.parent);
    const double before = whole > 0 ? std::min(1.0, (norm(row.turn) + norm(row.parent_turn)) / whole) : 0;
    const double share = share_of(turns, before, halts);
    if (!(share > 0)) return;
    turn_row(turns, share, halts, row);
    turn_equality_row(model, state, w, row);
    any = true;
  });
  return any;
}

void recall_leads(const Model& model, const State& state, Workspace& w) {
  each_held_body(w, [&](HeldBody& body, ConstraintRow* rows) {
    if (is_ahead(*rows)) write_rows(model, body, rows, w);
  });
  each_tied_row(model, w, [&](ConstraintRow& row) {
    if (is_ahead(row)) turn_equality_row(model, state, w, row);
  });
}

}  // namespace stiction
