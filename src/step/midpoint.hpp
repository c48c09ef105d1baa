// The midpoint rule around the step (model/integrator.hpp): everything between move_to_midpoint and
// return_from_midpoint stands half a step ahead. With `euler` neither does anything.
#pragma once

#include "step/workspace.hpp"

namespace stiction {

// q ← q ⊕ (h/2) u, poses and held joints there; the state as it was is kept.
void move_to_midpoint(const Model& model, const Options& options, Workspace& workspace, State& state);
// The state as it was: the step is refused, or all that it needed the midpoint for is done.
void return_from_midpoint(const Options& options, const Workspace& workspace, State& state);
// The end of the step with the velocity that was solved for, into workspace.next: q_m ⊕ (h/2) u⁺, or q ⊕ h u⁺.
void integrate_step(const Model& model, const Options& options, const State& state, Workspace& workspace);

}  // namespace stiction
