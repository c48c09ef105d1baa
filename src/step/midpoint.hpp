// The midpoint rule around the step (model/integrator.hpp): everything between move_to_midpoint and
// return_from_midpoint stands half a step ahead. With `euler` neither does anything.
//
// Every step looks from its midpoint to the next one, so that what a step ended with may drift for half a step. A state
// that was set by hand may not: nothing has looked yet at what lies within that half. Over it a step of `euler` is
// solved first. A tree that would pass a contact or limit there, or whose velocity contacts change by much more than
// forces do and by a large part (Painlevé's rod),
//
//   gap + (h/2) J_n u < 0    or    ‖u_s − ũ‖_M > 2 ‖ũ − u‖_M  and  > 0.05 ‖u‖_M
//
// u_s: solved for, ũ: without contacts, both over h/2, meets an impact, and with what it strikes drifts with u_s to the
// midpoint; all others drift with u, which is exact for constant forces. Of the solve nothing else is kept: the step
// itself starts from u.
#pragma once

#include "step/workspace.hpp"

namespace stiction {

// True where some tree was set by hand since the last step, or there was none; finds out which. Never with `euler`.
bool starts_anew(const Model& model, const Options& options, const State& state, Workspace& workspace);
// Poses of bodies, and held joints, at the positions of the state.
void place_bodies(const Model& model, Workspace& workspace, State& state);
// Whether a step asks for them before it moves to its midpoint.
bool needs_poses(const Options& options, const State& state, const Workspace& workspace);
// The options of the solve over the first half.
Options first_half(const Options& options);
// From workspace.problem and solution of that solve: which trees meet an impact, and the velocity after it.
void find_impacts(const Options& options, const State& state, Workspace& workspace);

// q ← q ⊕ (h/2) u, poses and held joints there; the state as it was is kept.
void move_to_midpoint(const Model& model, const Options& options, Workspace& workspace, State& state);
// The same backwards from the end of the step, where trees that were set by hand met an impact: for checks.
void move_back_to_midpoint(const Model& model, const Options& options, const State& next, Workspace& workspace,
                           State& state);
// The state as it was: the step is refused, or all that it needed the midpoint for is done.
void return_from_midpoint(const Options& options, const Workspace& workspace, State& state);
// The end of the step with the velocity that was solved for, into workspace.next: q_m ⊕ (h/2) u⁺, or q ⊕ h u⁺.
void integrate_step(const Model& model, const Options& options, const Control& control, const State& state,
                    Workspace& workspace);
// Marks the trees of the state with which a step ended.
void mark_end(const Options& options, const Workspace& workspace, State& next);

}  // namespace stiction
