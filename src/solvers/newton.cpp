#include "solvers/newton.hpp"

#include <algorithm>
#include <cmath>

#include "solvers/interior_point.hpp"
#include "solvers/natural_newton.hpp"
#include "solvers/scratch.hpp"

namespace stiction {
namespace {

constexpr double kMargin = 0.1;  // the chain aims at this fraction of the tolerance
constexpr int kNewtonIterations = 6;

// (a) the warm-started semismooth Newton.
bool newton_from_here(double target, SolverScratch& s) {
  return natural_newton({.target = target, .max_iterations = kNewtonIterations}, s);
}

void copy_iterate(const Iterate& from, Iterate& to) {
  to.p = from.p;
  to.u = from.u;
  to.v = from.v;
  to.residual = from.residual;
}

// (b) interior point down to 1e-2, 1e-3 … of the scale, each time with a crossover to (a).
bool interior_with_crossover(double target, SolverScratch& s) {
  s.result.used_interior = true;
  interior_start(s);
  for (double level = 1e-2; level > 1e-9; level *= 0.1) {
    if (!interior_point(level * s.island.scale, s)) return false;
    copy_iterate(s.current, s.trial);
    if (newton_from_here(target, s)) return true;
    copy_iterate(s.trial, s.current);
  }
  return false;
}

}  // namespace

IslandResult solve_newton(const ContactProblem& problem, int island, const SolverSettings& settings, SolverScratch& s,
                          Solution& solution) {
  if (!begin_island(problem, island, settings, solution, s)) return s.result;
  const double tolerance = settings.tolerance * s.island.scale, target = kMargin * tolerance;
  if (!newton_from_here(target, s)) interior_with_crossover(target, s);
  s.result.solved = s.best.residual <= tolerance;
  finish_island(s, solution);
  return s.result;
}

}  // namespace stiction
