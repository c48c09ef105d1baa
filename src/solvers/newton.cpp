// The default solver. On every island, as far as needed:
//   (a) semismooth Newton from the warm start, as long as it contracts;
//   (b) an interior-point path to the neighbourhood of the solution. As soon as the pieces of the law (open, stick,
//       slide) towards which the path moves have settled, a Newton step on those pieces and (a) from there; if that
//       does not contract, the path goes on. A path that ends early is followed again, closer to its centre.
#include "solvers/newton.hpp"

#include <algorithm>
#include <cmath>

#include "solvers/interior_point.hpp"
#include "solvers/natural_newton.hpp"
#include "solvers/scratch.hpp"

namespace stiction {
namespace {

constexpr double kMargin = 0.1;  // the chain aims at this fraction of the tolerance
constexpr int kWarmIterations = 6;
constexpr int kCrossoverIterations = 8;
constexpr int kPathIterations = 40;
constexpr int kFirstCrossover = 2;        // iterations of the path before the pieces say anything
constexpr double kCrossoverBound = 1e-2;  // residual after the step on the pieces, relative, above which it has failed
// The pieces need not have settled where the predictor runs almost to the end and τ is small.
constexpr double kLongStep = 0.85, kSmallParameter = 1e-3;
// Twice in a row below it, the path has ended: it turns back, or rounding hides it.
constexpr double kShortStep = 0.05;

void copy_iterate(const Iterate& from, Iterate& to) {
  to.p = from.p;
  to.u = from.u;
  to.v = from.v;
  to.residual = from.residual;
}

// From the path to the solution; leaves current as it was if that fails.
bool crossover(double target, SolverScratch& s) {
  copy_iterate(s.current, s.trial);
  if (newton_step_on_pieces(s) && s.current.residual < kCrossoverBound * s.island.scale &&
      natural_newton({.target = target, .max_iterations = kCrossoverIterations}, s))
    return true;
  copy_iterate(s.trial, s.current);
  return false;
}

bool interior_with_crossover(double target, const InteriorSettings& settings, SolverScratch& s) {
  s.result.used_interior = true;
  interior_start(settings, s);
  int short_steps = 0;
  for (int iteration = 0; iteration < kPathIterations; ++iteration) {
    std::swap(s.pieces, s.pieces_before);
    if (interior_step(settings, s) == InteriorStatus::kStalled) return false;
    if (s.current.residual <= target) return true;
    short_steps = s.path_step < kShortStep ? short_steps + 1 : 0;
    if (short_steps == 2) return false;
    if (iteration < kFirstCrossover) continue;
    const bool near_end =
        s.path_step > kLongStep && s.path_parameter < kSmallParameter * s.island.scale * s.island.scale;
    if ((near_end || s.pieces == s.pieces_before) && crossover(target, s)) return true;
  }
  return false;
}

bool run_chain(double target, SolverScratch& s) {
  if (natural_newton({.target = target, .max_iterations = kWarmIterations}, s)) return true;
  for (const InteriorSettings& path :
       {InteriorSettings{.start = 1, .boundary = 0.99}, InteriorSettings{.start = 3, .boundary = 0.9}})
    if (interior_with_crossover(target, path, s)) return true;
  return false;
}

}  // namespace

IslandResult solve_newton(const ContactProblem& problem, int island, const SolverSettings& settings, SolverScratch& s,
                          Solution& solution) {
  if (!begin_island(problem, island, settings, solution, s)) return s.result;
  const double tolerance = settings.tolerance * s.island.scale;
  run_chain(kMargin * tolerance, s);
  s.result.solved = s.best.residual <= tolerance;
  finish_island(s, solution);
  return s.result;
}

}  // namespace stiction
