// The default solver. On every island, as far as needed:
//   (a) semismooth Newton from the warm start, as long as it contracts;
//   (b) an interior-point path to the neighbourhood of the solution. As soon as the pieces of the law (open, stick,
//       slide) towards which the path moves have settled, a Newton step on those pieces and (a) from there; if that
//       does not contract, the path goes on. A path that ends early is followed again, cautiously;
//   (c) Gauss–Seidel sweeps from the best iterate so far, which settle pieces that the path left open, and (a) again;
//   (d) proximal continuation;
//   (e) the test whether a solution exists; where none does, less push-out and the chain again.
// What was measured: docs/solvers.md.
#include "solvers/newton.hpp"

#include <algorithm>
#include <cmath>

#include "solvers/existence.hpp"
#include "solvers/gauss_seidel.hpp"
#include "solvers/interior_point.hpp"
#include "solvers/natural_newton.hpp"
#include "solvers/proximal.hpp"
#include "solvers/scratch.hpp"

namespace stiction {
namespace {

constexpr double kMargin = 0.1;  // the chain aims at this fraction of the tolerance
// A warm start is taken as it is only where it is better than that by this factor: what it leaves would add up over
// the steps of a scene at rest.
constexpr double kWarmMargin = 1e-3;
constexpr int kWarmIterations = 6;
constexpr int kReductions = 4;  // of the push-out

constexpr int kPathIterations = 40;
constexpr int kFirstCrossover = 2;  // iterations of the path before the pieces say anything
constexpr int kCrossoverIterations = 8;
constexpr double kCrossoverBound = 1e-2;  // residual after the step on the pieces, relative, above which it has failed
// The pieces need not have settled where the predictor goes far and τ is small, relative to the scale squared.
constexpr double kLongStep = 0.6, kSmallParameter = 1e-6;
constexpr int kSweepRounds = 12, kSweeps = 50, kSweptIterations = 8;
// Twice in a row below it, the path has ended: it turns back, or rounding hides it.
constexpr double kShortStep = 0.05;

// From the path to the solution; leaves current as it was if that fails.
bool crossover(double target, SolverScratch& s) {
  s.trial.copy(s.current);
  if (newton_step_on_pieces(s) && s.current.residual < kCrossoverBound * s.island.scale &&
      natural_newton({.target = target, .max_iterations = kCrossoverIterations}, s))
    return true;
  s.current.copy(s.trial);
  return false;
}

bool follow_path(double target, const InteriorSettings& settings, SolverScratch& s) {
  s.result.used_interior = true;
  const double small = kSmallParameter * s.island.scale * s.island.scale;
  int short_steps = 0;
  for (int iteration = 0; iteration < kPathIterations; ++iteration) {
    std::swap(s.pieces, s.pieces_before);
    if (interior_step(settings, s) == InteriorStatus::kStalled) return false;
    if (s.current.residual <= target) return true;
    short_steps = s.path_step < kShortStep ? short_steps + 1 : 0;
    if (short_steps == 2 && !settings.cautious) return false;
    if (iteration < kFirstCrossover) continue;
    const bool near_end = s.path_step > kLongStep && s.path_parameter < small;
    if ((near_end || s.pieces == s.pieces_before) && crossover(target, s)) return true;
  }
  return false;
}

// Sweeps and Newton in turn, from the best iterate; rounds go on while they bring the residual down.
bool sweep_and_newton(double target, SolverScratch& s) {
  s.current.copy(s.best);
  for (int round = 0; round < kSweepRounds && s.may_factor(); ++round) {
    if (gauss_seidel(target, kSweeps, s)) return true;
    s.trial.copy(s.current);
    if (natural_newton({.target = target, .max_iterations = kSweptIterations}, s)) return true;
    if (s.current.residual > s.trial.residual) s.current.copy(s.trial);
  }
  return false;
}

bool run_chain(double target, SolverScratch& s) {
  if (s.current.residual <= kWarmMargin * target) return true;
  if (natural_newton({.target = target, .max_iterations = kWarmIterations, .at_least_one = true}, s)) return true;
  for (const InteriorSettings& path :
       {InteriorSettings{.start = 1, .boundary = 0.99}, InteriorSettings{.start = 3, .boundary = 0.9},
        InteriorSettings{.start = 1, .boundary = 0.99, .cautious = true}}) {
    interior_start(path, s);
    if (follow_path(target, path, s)) return true;
  }
  return sweep_and_newton(target, s);
}

}  // namespace

IslandResult solve_newton(const ContactProblem& problem, int island, const SolverSettings& settings, SolverScratch& s,
                          Solution& solution) {
  if (!begin_island(problem, island, settings, solution, s)) return s.result;
  const double tolerance = settings.tolerance * s.island.scale, target = kMargin * tolerance;
  bool done = run_chain(target, s) || s.best.residual <= tolerance;
  for (int round = 0; !done; ++round) {
    const Existence existence = round < kReductions ? reduce_push_out(s, solution) : Existence::kNotRefuted;
    if (existence == Existence::kReduced) {
      s.result.reduced = true;
      done = run_chain(target, s) || s.best.residual <= tolerance;
      continue;
    }
    if (existence == Existence::kNotRefuted) proximal_continuation(target, s);
    done = true;
  }
  s.result.solved = s.best.residual <= tolerance;
  finish_island(s, solution);
  return s.result;
}

}  // namespace stiction
