// Gauss–Seidel sweeps over an island in contact space in which every block is solved for itself, the others held
// (M. Jean, "The non-smooth contact dynamics method", 1999): one contact alone takes one sweep, a few of them on a
// robot some ten, where sweeps of projection steps (gauss_seidel.hpp) take several times as many.
#pragma once

#include "solvers/scratch.hpp"

namespace stiction {

// Sweeps on scratch.current, whose island must be condensed, until its residual is below the target [m/s], the sweeps
// are used up, or they contract so slowly that those left would not do; with hand_over also as soon as the pieces of
// the law have settled and Newton's method on all blocks would be the cheaper end. Keeps the best.
bool block_sweeps(double target, int sweeps, bool hand_over, SolverScratch& scratch);

}  // namespace stiction
