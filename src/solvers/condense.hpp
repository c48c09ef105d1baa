// A part of an island as an island of its own, small and dense.
//
// Near the solution almost every block stays on its piece of the law (open, stick, slide). Those follow the others
// linearly: Newton's equation on their pieces, A_g δv_g + B_g δp_g = r_g, eliminates them, and what is left is
//
//   v_P = W' p_P + q'   for the blocks P of the part,
//
// with the laws of the part untouched. W' is small, dense and, where others slide, unsymmetric. Whatever makes the part
// hard (redundant contacts at the edges of their cones) can be searched at the price of small factorisations.
#pragma once

namespace stiction {

struct SolverScratch;

// Condenses the island of `scratch` at its current iterate to the blocks in scratch.part and leaves it in
// scratch.local, with the impulses of the current iterate as start. One factorisation, and one solve for each row of
// the part. False if that fails.
bool condense_island(SolverScratch& scratch);

// The step of the whole island that belongs to the best impulses of the part: adds it to current.
bool extend_part(SolverScratch& scratch);

}  // namespace stiction
