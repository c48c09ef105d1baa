// Equalities (connect, weld, joint, tendon) as rows of the problem, held at position level at the end of the step:
//
//   C(q ⊕ h u⁺) = C*,   linearised at a trial velocity u*:   v = J u⁺ + b,   b = (C(q ⊕ h u*) − C*) / h − J u*
//
// with J at the start of the step. The first trial is the velocity before the step, the next ones those that were
// solved for, until C is met: bilateral rows do not drift. C* is zero; of an old error more than h · push_out_speed it
// is what this bounded speed leaves.
#pragma once

#include "problem/constraint_rows.hpp"

namespace stiction {

// Appends the rows of all active equalities. Of rows that the trees cannot tell apart (a planar loop that is closed in
// space) only a largest independent set enters.
void add_equality_rows(const Model& model, const Options& options, const State& state, Workspace& workspace);

// Writes a row of a connect or weld anew, with its levers turned by the turns that are in it (problem/lead.hpp).
void turn_equality_row(const Model& model, const State& state, Workspace& workspace, ConstraintRow& row);

// Largest |C| of an equality at the poses of the workspace and the positions of joints in the state [m or rad].
double equality_size(const Model& model, int equality, const State& state, Workspace& workspace);

// Loops of held joints say some things twice (a planar loop closes in space without help), and then forces have no
// single value: each row gets a compliance e, a small share of h J M⁻¹ Jᵀ, with which they have. So that joints hold
// all the same, a round takes e λ of the round before from the bias.
void soften_loops(const Model& model, Workspace& workspace);

// Linearises all equalities and held joints at the velocity u: new biases of the rows. Returns the largest |C(q ⊕ h u)
// − C*| of a row [m or rad] and sets workspace.equality_drift to the largest |C(q ⊕ h u)| of all of them.
double linearise_equalities(const Model& model, const Options& options, const State& state,
                            const std::vector<double>& u, Workspace& workspace);

}  // namespace stiction
