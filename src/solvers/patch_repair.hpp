// Repair of an almost solved island, patch by patch. A patch is all blocks between the same two trees. What keeps a
// large island from its last digits are single patches: more rows than a pair of bodies can tell apart, gaps that do
// not quite fit together, and so sliding at a speed far below the scale, whose direction decides which corner carries
// the load. Within a patch that is a small problem, solved by all means there are; the rest of the island hardly feels
// it.
#pragma once

#include "solvers/newton_path.hpp"

namespace stiction {

// Rounds of patch repair and semismooth Newton on the whole island, from best. True if best is acceptable.
// The matrices of patches are small and not counted as factorisations.
bool repair_patches(const Targets& targets, SolverScratch& scratch);

}  // namespace stiction
