// Rows that are not contacts, as they enter the problem: one candidate for each limit, dry friction, equality and motor
// of the model, rebuilt in every step at its start. Limits enter as contacts do, when they are near or close at the
// velocity in question; all others are always in. Those of hinges, slides and tendons in reduced coordinates become
// candidates only then (limit_list.hpp).
#pragma once

#include <stiction/problem.hpp>
#include <stiction/state.hpp>

#include "problem/limit_list.hpp"

namespace stiction {

struct Workspace;

struct ConstraintRow {
  ConstraintKind kind = ConstraintKind::kJointLimit;
  int element = 0, part = 0;
  Law law = Law::kBox;
  double lower = 0, upper = 0, compliance = 0;  // of a box
  // The Jacobian: `sign` times one degree of freedom, or entries in ConstraintRows::jacobian for one or two trees.
  int dof = -1;
  double sign = 1;
  int tree_a = -1, tree_b = -1, jacobian_a = 0, jacobian_b = 0;
  double gap = 0;          // limit: distance; equality: error at the start of the step [m or rad]
  double rest = 0;         // equality: the error that this step leaves [m or rad]
  double bias = 0;         // b [m/s or rad/s]; of a limit from when it is selected
  double target = 0;       // row of a bilateral contact: b without the proximal term [m/s]
  double share = 0;        // equality as a spring: a k_p h (model/spring_presets.hpp); 0: it is rigid
  double force = 0;        // λ: the warm start, then the solution [N or N m]
  Vec3 turn, parent_turn;  // held joints: turns of the bodies at which J is taken (problem/lead.hpp) [rad]
  bool selected = false;   // in the problem

  // Nonlinear over the step: its bias is linearised at a trial velocity.
  bool is_linearised() const {
    return kind == ConstraintKind::kEquality || kind == ConstraintKind::kHeldJoint ||
           kind == ConstraintKind::kJointInertia;
  }
  // New bias of an equality whose error would be C at the end of the step with the velocity v = J u of the row.
  // Returns what the step would leave undone [m or rad]: the error of a rigid row, of a spring only what was not
  // foreseen of it.
  double relinearise(double timestep, double C, double v);
  bool is_limit() const { return kind == ConstraintKind::kJointLimit || kind == ConstraintKind::kTendonLimit; }
};

// What a key of the warm start stands for.
struct RowIdentity {
  ConstraintKind kind;
  int element, part;
};
RowIdentity row_identity(std::uint64_t key);
std::uint64_t row_key(ConstraintKind kind, int element, int part);

struct ConstraintRows {
  std::vector<ConstraintRow> list;
  std::vector<int> in_problem;  // rows of the list, in their order: those of the last blocks
  std::vector<double> jacobian;
  LimitList limits;
};

// All candidates at the start of the step, none of the limits selected, with forces of zero.
void build_constraint_rows(const Model& model, const Options& options, const Control& control, const State& state,
                           Workspace& workspace);

// J u of a row.
double row_velocity(const ContactProblem& problem, const ConstraintRows& rows, const ConstraintRow& row,
                    const std::vector<double>& u);

// Selects the limits that are near or close at the velocity u; returns how many are new.
int select_closing_limits(const Model& model, const Options& options, const std::vector<double>& u,
                          Workspace& workspace);
// Selects the limits that the record holds; false if it holds a row that is no candidate or lacks one that must be.
bool select_recorded(const Model& model, const Options& options, const Constraints& recorded, Workspace& workspace);
// Largest speed with which a limit that was left out closes beyond it at the velocity u; 0 if none does.
double omitted_limit_violation(const Options& options, const std::vector<double>& u, const Workspace& workspace);

// Appends the selected rows behind the contacts: sizes, then blocks from the given block, row and Jacobian entry on.
void count_constraint_rows(Workspace& workspace, ContactProblem& problem);
void write_constraint_rows(Workspace& workspace, int block, int row, int entry, ContactProblem& problem);
// Hands new biases of the same rows to the problem.
void write_biases(const ConstraintRows& rows, ContactProblem& problem);

// Forces of the rows: from the state's warm start (returns how many rows were recognised), to the multipliers behind
// the contacts', from the solution, and to the next state.
int read_row_warm_start(const State& state, ConstraintRows& rows);
void read_row_warm_start(const State& state, const Constraints& constraints, const ContactProblem& problem,
                         std::vector<double>& lambda);  // the same for the rows of a step that was taken
void multipliers_from_rows(const ConstraintRows& rows, const ContactProblem& problem, std::vector<double>& lambda);
void forces_from_solution(const ContactProblem& problem, const Solution& solution, ConstraintRows& rows);
void write_row_warm_start(const Constraints& constraints, State& next);

// What the user sees of the selected rows.
void report_constraints(const ContactProblem& problem, const Solution& solution, const ConstraintRows& rows,
                        Constraints& constraints);

}  // namespace stiction
