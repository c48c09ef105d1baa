// The existence test. A solution is guaranteed if some motion u has J u + b inside K* for all blocks (Acary, Cadoux,
// Lemaréchal, Malick 2011). By Farkas' lemma there is none if and only if some p ≠ 0 in K has Jᵀp = 0 and bᵀp ≤ 0: a
// set of impulses that cancel each other while the demanded push-out would make them do work. The convex relaxation of
// the problem finds it: its impulses grow without bound along such a p.
#pragma once

#include "solvers/scratch.hpp"

namespace stiction {

// Looks for such a p and reduces the push-out of the blocks in it, in the solution and in scratch.island, to half of
// what p allows; current and best start anew then. False if none was found, or none of its blocks has a push-out.
bool reduce_push_out(SolverScratch& scratch, Solution& solution);

// Whether the step of impulses from `before` to scratch.current, which goes to scratch.drift, is such a p.
bool refutes(const Iterate& before, SolverScratch& scratch);

// Takes all push-out away, in the solution and in scratch.island: then u = 0 satisfies every block.
void drop_push_out(SolverScratch& scratch, Solution& solution);

}  // namespace stiction
