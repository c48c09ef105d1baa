// `pgs`: block Gauss–Seidel on the exact law (gauss_seidel.hpp), from the warm start until the tolerance is met. The
// method of most engines, here with the exact cone; for comparison.
#pragma once

#include "solvers/solver.hpp"

namespace stiction {

IslandResult solve_pgs(const ContactProblem& problem, int island, const SolverSettings& settings,
                       SolverScratch& scratch, Solution& solution);

}  // namespace stiction
