#include "solvers/pgs.hpp"

#include "solvers/gauss_seidel.hpp"

namespace stiction {

IslandResult solve_pgs(const ContactProblem& problem, int island, const SolverSettings& settings, SolverScratch& s,
                       Solution& solution) {
  if (!begin_island(problem, island, settings, solution, IslandForm::kTrees, s)) return s.result;
  const double tolerance = settings.tolerance * s.island.scale;
  // Half of it: the certificate scales a little differently, and sweeps are dear near the end.
  gauss_seidel(0.5 * tolerance, settings.max_iterations, s, &s.result.sweeps);
  s.result.solved = s.best.residual <= tolerance;
  finish_island(s, solution);
  return s.result;
}

}  // namespace stiction
