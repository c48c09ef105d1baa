// `newton-fb` and `newton-minmap`: the non-smooth Newton method of Macklin et al. 2019, as printed up to its errata. A
// fast corrector, best on stacks; it has no globalisation and may fail, which it then says.
#pragma once

#include "solvers/solver.hpp"

namespace stiction {

IslandResult solve_newton_fb(const ContactProblem& problem, int island, const SolverSettings& settings,
                             SolverScratch& scratch, Solution& solution);
IslandResult solve_newton_minmap(const ContactProblem& problem, int island, const SolverSettings& settings,
                                 SolverScratch& scratch, Solution& solution);

}  // namespace stiction
