// Semismooth Newton on the natural map of the exact law (Alart–Curnier), with a line search on the residual. Quadratic
// at the end; it gives up as soon as it does not contract, since another method then gets there sooner.
#pragma once

#include "solvers/scratch.hpp"

namespace stiction {

struct NaturalNewtonSettings {
  double target = 0;          // residual to reach [m/s]
  int max_iterations = 0;     // factorisations of this run
  bool at_least_one = false;  // take a step even if the target is met already
  double proximal = 0;        // ε: v is replaced by v + ε W_ii (p − centre)
};

// Works on scratch.current and keeps the best iterate. True if the target was reached; with a proximal term, if the
// proximal problem's residual was.
bool natural_newton(const NaturalNewtonSettings& settings, SolverScratch& scratch);

// One full step on the pieces in scratch.pieces, whatever the natural map selects.
bool newton_step_on_pieces(SolverScratch& scratch);

}  // namespace stiction
