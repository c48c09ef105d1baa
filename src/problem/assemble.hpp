// From contacts to the ContactProblem: the only place that knows both Model and ContactProblem.
#pragma once

#include "step/workspace.hpp"

namespace stiction {

// Sizes and dof layout of the problem's trees; once per model.
void prepare_problem(const Model& model, Workspace& workspace);

// ũ = u + h M⁻¹ f. Returns the first tree whose inertia is not positive definite, or -1.
int compute_free_velocity(const Model& model, const Options& options, const State& state, Workspace& workspace);

// Rows, biases and laws of all contacts and, behind them, of the selected constraint rows; islands and scales.
void assemble_rows(const Model& model, const Options& options, const State& state, const Contacts& contacts,
                   Workspace& workspace);

// Normal bias b_n of a contact [m/s]: what v_n⁺ + b_n ≥ 0 asks for.
//   apart:        gap / h                       (position level: the gap may close, not more)
//   touching:     0, where |gap| ≤ touching_gap  (what steps leave over counts as nothing)
//   penetrating:  max(gap / h, −push_out_speed) (old penetration is pushed out at a bounded speed)
//   impact:       e v_n⁻ where e > 0, v_n⁻ < −restitution_speed and the gap would close within the step
// To this comes turn / h of the contact (step/turning.hpp).
// v_before: v_n⁻ = J_n u; v_free: J_n ũ.
double normal_bias(const Options& options, double gap, double restitution, double v_before, double v_free);

}  // namespace stiction
