// The default solver `newton`: a chain of methods on one island, each of which leaves its best iterate to the next.
#pragma once

#include "solvers/solver.hpp"

namespace stiction {

IslandResult solve_newton(const ContactProblem& problem, int island, const SolverSettings& settings,
                          SolverScratch& scratch, Solution& solution);

}  // namespace stiction
