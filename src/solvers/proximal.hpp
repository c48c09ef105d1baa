// Proximal continuation: the exact law with the shifted velocity v + ε W_ii (p − centre), solved by semismooth Newton;
// the solution becomes the next centre and ε shrinks. Every such problem is better conditioned than the original and
// none has another solution than it, since at a fixed point the shift vanishes. Slow, but it moves where nothing else
// does; the last resort.
#pragma once

#include "solvers/scratch.hpp"

namespace stiction {

// Works from scratch.best. True if the natural map came down to target [m/s].
bool proximal_continuation(double target, SolverScratch& scratch);

}  // namespace stiction
