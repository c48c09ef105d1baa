// Proximal continuation: the exact law with the shifted velocity v + ε W_ii (p − centre), solved by semismooth Newton;
// the solution becomes the next centre. Every such problem is better conditioned than the original, and none comes to
// rest anywhere but at a solution, since there alone the shift vanishes.
//
// Each problem is an implicit Euler step of length 1/ε along the flow dp/dτ = −F(p), the one that Gauss–Seidel sweeps
// follow. Where contacts are jammed, the impulses have to drift far along a direction in which next to nothing moves,
// with the same small residual all the way, until a contact slips or opens and sets the rest free: nothing that insists
// on a falling residual gets there. So the steps are as long as Newton can solve, whatever the residual does, and start
// from where the drift has led so far.
#pragma once

#include "solvers/scratch.hpp"

namespace stiction {

// Works from scratch.best, with at most that many factorisations. True if the natural map came down to target [m/s].
bool proximal_continuation(double target, int factorisations, SolverScratch& scratch);
// The same from scratch.current.
bool proximal_from_current(double target, int factorisations, SolverScratch& scratch);

}  // namespace stiction
