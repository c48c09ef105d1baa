// Search in the hard part of an island: the patches whose laws are not met, condensed (solvers/condense.hpp) and solved
// with every method there is. Blocks that leave their pieces by it join the part, which is then condensed anew.
#pragma once

#include "solvers/newton_path.hpp"

namespace stiction {

// From the best iterate. True if the island is solved.
bool search_parts(const Targets& targets, SolverScratch& scratch);

}  // namespace stiction
