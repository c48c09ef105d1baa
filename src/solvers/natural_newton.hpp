// Damped semismooth Newton on the map of Alart and Curnier: full steps, no line search. The residual need not fall from
// one step to the next: with redundant contacts it does not on the way to the right pieces, and a method that insists
// on it stops at the first kink.
#pragma once

#include "solvers/scratch.hpp"

namespace stiction {

// Blocks above which an island is large: more damping at first, and its hard parts are searched by themselves.
constexpr int kSmallIsland = 60;

struct NaturalNewtonSettings {
  double target = 0;          // residual to reach [m/s]
  double accept = 0;          // residual at which it ends as soon as a step does not improve it
  int max_iterations = 0;     // factorisations of this run
  int patience = 16;          // iterations without progress after which it gives up
  bool damped = false;        // from the first step on
  bool at_least_one = false;  // take a step even if the target is met already
  bool from_before = false;   // the first step follows what has changed since the step before, where that is known
  int sweeps = 0;             // of Gauss and Seidel before the second step, where the first one made no progress
  double proximal = 0;        // ε: v is replaced by v + ε W_ii (p − centre)
};

// Works on scratch.current and keeps the best iterate. True if the target was reached; with a proximal term, if the
// proximal problem's residual was.
bool natural_newton(const NaturalNewtonSettings& settings, SolverScratch& scratch);

// Largest natural map of current with that proximal term [m/s].
double proximal_residual(double proximal, const SolverScratch& scratch);

// Newton's equation of all blocks at current in scratch.A, B and r, with a compliance relative to the inverse masses.
void linearise_blocks(double compliance, SolverScratch& scratch);

// One full step on the pieces in scratch.pieces, whatever the natural map selects.
bool newton_step_on_pieces(SolverScratch& scratch);

}  // namespace stiction
