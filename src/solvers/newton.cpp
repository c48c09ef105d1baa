// The default solver. On every island, as far as needed:
//   (0) of few blocks from a cold start, sweeps of Gauss and Seidel;
//   (a) damped semismooth Newton from the warm start; where that is far and the bodies are many, after sweeps over
//       domains of the island;
//   (b) in large islands that started warm, a search in their hard parts, condensed; then in all an interior-point path
//       to the neighbourhood of the solution, with crossover to (a);
//   (c) where push-out is demanded, the test whether a solution exists; where none does, less push-out and again;
//   (d) in small islands paths with other weights; in all proximal continuation, which in small ones stops on its way
//       for convex problems with held shifts, and in large ones takes turns with sweeps; sweeps from zero;
//   (e) where a contradiction was found, or all of it ended by itself, the same without push-out: then there is a
//       solution;
//   (f) in islands that started warm, all of it again from zero: impulses of the step before can lead astray.
// Every method leaves its best iterate to the next. What was measured: docs/solvers.md.
#include "solvers/newton.hpp"

#include <algorithm>
#include <utility>

#include "solvers/block_sweeps.hpp"
#include "solvers/domain_sweeps.hpp"
#include "solvers/existence.hpp"
#include "solvers/gauss_seidel.hpp"
#include "solvers/held_shifts.hpp"
#include "solvers/natural_newton.hpp"
#include "solvers/newton_path.hpp"
#include "solvers/part_search.hpp"
#include "solvers/proximal.hpp"

namespace stiction {
namespace {

// The chain aims at the first of these fractions of the tolerance, and accepts the second where a method ends there.
constexpr double kAim = 0.3, kAccept = 0.9;
// A warm start is taken as it is only where it is better than the aim by this factor: what it leaves would add up over
// the steps of a scene at rest.
constexpr double kWarmMargin = 1e-3;
// Few blocks that start cold (a foot touches down) are swept first: that solves many of them before a matrix would be
// factored, and brings most others, relative to the scale, near enough for Newton.
constexpr int kFewBlocks = 4, kFirstSweeps = 32;
constexpr double kNear = 0.1;
// Residual, relative, from which Newton's method on all of a large island mostly arrives.
constexpr double kPiecesKnown = 1e-3;
constexpr int kReductions = 4;  // of the push-out
constexpr double kStuck = 0.1;  // share of the first residual that is left where Newton's method gained next to nothing
// Factorisations after which a solution with all push-out counts as not found.
constexpr int kFairTry = 750;
constexpr int kWarmTry = 300;        // factorisations of a large island from the step before
constexpr double kRounding = 1e-10;  // residual, relative, that no tolerance should be below
// Paths beside the central one. In a large island every path turns back somewhere, so others are of no use there.
constexpr int kVariants = 5;
// Factorisations of a small island: what is solved by proximal continuation at all mostly is by then.
constexpr int kFirstContinuation = 120, kShiftFactorisations = 200;
// Turns of a large island: factorisations of a continuation, sweeps between them, and how many continuations may end by
// themselves.
constexpr int kContinuation = 250, kSweepsBetween = 300, kEnds = 4;
// Sweeps where all else failed, and the largest islands in which they are the end.
constexpr int kLastSweeps = 1000, kSweptBlocks = 512;

// (0). Where it leads nowhere, current is zero again.
bool sweep_few(const Targets& targets, bool hand_over, SolverScratch& s) {
  if (s.island.condensed ? block_sweeps(targets.aim, kFirstSweeps, hand_over, s)
                         : gauss_seidel(targets.aim, kFirstSweeps, s))
    return true;
  if (!hand_over || !(s.current.residual < kNear * s.island.scale)) return_to_zero(s);
  return false;
}

// (a).
bool newton_and_domains(const Targets& targets, SolverScratch& s) {
  if (!has_domains(s.island)) return newton_from_start(targets, s);
  // In a further round of a step a few new contacts are solved where they are. From the step before all of the island
  // is solved: what is left below the aim would add up.
  const bool pieces_known = s.current.residual < kPiecesKnown * s.island.scale;
  const bool in_places = pieces_known && s.velocity_before.empty() && is_nearly_solved(targets.aim, s);
  if (pieces_known && !in_places && newton_from_start(targets, s)) return true;
  s.current.copy(s.best);
  if (domain_sweeps(targets.aim, s)) return true;
  s.current.copy(s.best);
  return newton_from_start(targets, s);
}

// (0), (a) and (b), and (c) before the path where Newton's method gained next to nothing and push-out may be reduced.
bool newton_and_path(const Targets& targets, bool may_reduce, SolverScratch& s, const Solution& solution) {
  const bool few = s.island.nblock <= kFewBlocks && is_cold(s);
  // From zero Newton shares a load evenly among redundant contacts; sweeps do not.
  const bool redundant = s.island.ntree > 0 && s.island.nrow > s.island.dof.back();
  if (few && !redundant && sweep_few(targets, true, s)) return true;
  const bool cold = is_cold(s);  // then nothing is known of the pieces, and a path is the better way to them
  const double at_start = s.current.residual;
  if (newton_and_domains(targets, s)) return true;
  if (few && redundant) {
    return_to_zero(s);
    if (sweep_few(targets, false, s)) return true;
  }
  if (!cold && s.island.nblock > kSmallIsland && search_parts(targets, s)) return true;
  const bool stuck = !cold && s.best.residual > kStuck * at_start;
  if (stuck && may_reduce && has_push_out(s, solution, targets.accept) && find_contradiction(s)) return false;
  return follow_path(targets, {}, s);
}

// (a) to (c).
bool solve_or_reduce(const Targets& targets, SolverScratch& s, Solution& solution) {
  for (int round = 0;; ++round) {
    const bool may_reduce = round < kReductions;
    if (newton_and_path(targets, may_reduce, s, solution)) return true;
    if (!may_reduce || !has_push_out(s, solution, targets.accept)) return false;
    if (!s.contradicted && !find_contradiction(s)) return false;
    if (!reduce_push_out(s, solution)) return false;
  }
}

// Proximal continuation of a large island. Where it ends by itself or has not arrived, it may from where sweeps lead:
// for the rest of the limit the two take turns, first from zero.
bool continue_with_sweeps(const Targets& targets, int limit, SolverScratch& s) {
  s.current.copy(s.best);
  bool swept = false;
  for (int ends = 0; ends < kEnds; swept = true) {
    const int last = std::min(swept ? s.result.factorisations + kContinuation : s.max_iterations / 3 * 2, limit);
    if (proximal_from_current(targets.accept, last - s.result.factorisations, s)) return true;
    if (s.result.factorisations >= limit) return false;
    if (s.result.factorisations < last) ++ends;
    if (!swept) return_to_zero(s);
    if (gauss_seidel(targets.aim, kSweepsBetween, s)) return true;
  }
  return false;
}

// (d).
bool other_ways(const Targets& targets, int limit, SolverScratch& s) {
  const auto continue_for = [&](int most) {
    return proximal_continuation(targets.accept, std::min(most, limit - s.result.factorisations), s);
  };
  const bool small = s.island.nblock <= kSmallIsland;
  if (small && (follow_variants(targets, kVariants, s) || continue_for(kFirstContinuation) ||
                hold_shifts(targets, kShiftFactorisations, s)))
    return true;
  const bool large = s.island.nblock > kSweptBlocks;
  if (large && s.max_iterations > kWarmTry) return continue_with_sweeps(targets, limit, s);
  if (continue_for(limit)) return true;
  if (large) return false;
  return_to_zero(s);
  return gauss_seidel(targets.aim, kLastSweeps, s);
}

// All of it.
bool solve_island(const Targets& targets, SolverScratch& s, Solution& solution) {
  if (solve_or_reduce(targets, s, solution)) return true;
  if (!has_push_out(s, solution, targets.accept)) return other_ways(targets, s.max_iterations, s);
  const int share = s.max_iterations / 3;
  if (!s.result.reduced && other_ways(targets, share, s)) return true;
  // That it ran out of iterations, or is up to rounding, says nothing about the push-out.
  const bool ran_out = s.result.factorisations >= share && share < kFairTry;
  const bool not_found = !ran_out && s.best.residual > kRounding * s.island.scale;
  if ((s.result.refuted || not_found) && drop_push_out(targets.accept, s, solution) &&
      newton_and_path(targets, false, s, solution))
    return true;
  return other_ways(targets, s.max_iterations, s);
}

// (f), with all push-out and without what is known of the step before. Returns to what was best before where that is no
// better.
void solve_from_zero(const Targets& targets, SolverScratch& s, Solution& solution) {
  const double residual = s.best.residual;
  const IslandResult before = s.result;
  s.kept = s.best.p;
  s.kept_push_out.resize(std::size_t(s.island.nblock));
  for (std::size_t c = 0; c < s.kept_push_out.size(); ++c)
    s.kept_push_out[c] = std::exchange(solution.push_out[std::size_t(s.island.block[c])], 1.0);
  s.result.reduced = s.result.refuted = false;
  s.velocity_before = {};
  std::fill(s.start.begin(), s.start.end(), 0.0);
  restart_island(solution, s);
  if (solve_island(targets, s, solution) || s.best.residual <= residual) return;
  for (std::size_t c = 0; c < s.kept_push_out.size(); ++c)
    solution.push_out[std::size_t(s.island.block[c])] = s.kept_push_out[c];
  s.result.reduced = before.reduced;
  s.result.refuted = before.refuted;
  s.start = s.kept;
  restart_island(solution, s);
}

}  // namespace

IslandResult solve_newton(const ContactProblem& problem, int island, const SolverSettings& settings, SolverScratch& s,
                          Solution& solution) {
  if (!begin_island(problem, island, settings, solution, IslandForm::kContactSpace, s)) return s.result;
  const double tolerance = settings.tolerance * s.island.scale;
  const Targets targets{kAim * tolerance, kAccept * tolerance};
  if (s.current.residual > kWarmMargin * targets.aim) {
    const bool again = !is_cold(s);
    const int half = settings.max_iterations / 2;
    if (again) s.max_iterations = s.island.nblock <= kSmallIsland ? half : std::min(half, kWarmTry);
    solve_island(targets, s, solution);
    s.max_iterations = settings.max_iterations;
    if (again && s.best.residual > tolerance) solve_from_zero(targets, s, solution);
  }
  s.result.solved = s.best.residual <= tolerance;
  finish_island(s, solution);
  return s.result;
}

}  // namespace stiction
