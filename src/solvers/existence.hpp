// The existence test. A solution is guaranteed if some motion u has J u + b inside K* for all blocks (Acary, Cadoux,
// Lemaréchal, Malick 2011). By Farkas' lemma there is none if and only if some p ≠ 0 in K has Jᵀp = 0 and bᵀp ≤ 0: a
// set of impulses that cancel each other while the demanded push-out would make them do work. The convex relaxation of
// the problem finds it: its impulses grow without bound along such a p.
#pragma once

#include "solvers/scratch.hpp"

namespace stiction {

// Looks for such a p, which goes to scratch.witness. False if none was found.
bool find_contradiction(SolverScratch& scratch);

// Whether more push-out than `least` [m/s] is left to a block. Where none is, nothing can be reduced.
bool has_push_out(const SolverScratch& scratch, const Solution& solution, double least);

// Reduces the push-out of the blocks in the p of scratch.witness, in the solution and in scratch.island, to half of
// what p allows; current and best start anew then. False if none of its blocks has a push-out.
bool reduce_push_out(SolverScratch& scratch, Solution& solution);

// Whether the step of impulses from `before` to scratch.current, which goes to scratch.drift, leads to such a p, which
// goes to scratch.witness. At most one factorisation.
bool refutes(const Iterate& before, SolverScratch& scratch);

// Takes away all push-out that is known as such, in the solution and in scratch.island: in a step u = 0 then satisfies
// every block. False if there is no more of it than `least` [m/s].
bool drop_push_out(double least, SolverScratch& scratch, Solution& solution);

}  // namespace stiction
