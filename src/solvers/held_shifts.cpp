#include "solvers/held_shifts.hpp"

#include <algorithm>
#include <cmath>

#include "solvers/natural_newton.hpp"

namespace stiction {
namespace {

constexpr int kPatience = 10;             // rounds without progress: at first the residual may grow on the way
constexpr double kProgress = 0.9;         // of the least residual of a round
constexpr double kInnerReduction = 0.01;  // of the exact residual, to which each convex problem is solved
constexpr int kConvexIterations = 40, kCrossoverIterations = 8, kCrossoverPatience = 2;

// Relaxed laws with the shifts that current has, or none at first; evaluates it so.
void relax(bool first, SolverScratch& s) {
  s.kept_law = s.island.law;
  s.kept_bias = s.island.bias;
  for (int c = 0; c < s.island.nblock; ++c) {
    const auto i = std::size_t(c);
    if (s.island.law[i] != Law::kCoulomb) continue;
    s.island.law[i] = Law::kRelaxed;
    if (!first) s.island.bias[std::size_t(s.island.row[i])] += s.island.friction[i] * s.tangential(s.current.v, c);
  }
  evaluate(s, s.current);
  s.best.copy(s.current);
}

// The exact laws again, at the convex problem's best iterate; best is that of the exact law.
void return_to_coulomb(SolverScratch& s) {
  s.island.law = s.kept_law;
  s.island.bias = s.kept_bias;
  s.current.copy(s.best);
  evaluate(s, s.current);
  s.best.copy(s.kept_best);
}

bool solve_convex(double target, SolverScratch& s) {
  if (natural_newton({.target = target, .accept = target, .max_iterations = kConvexIterations}, s)) return true;
  return follow_path({target, target}, {}, s);
}

}  // namespace

bool hold_shifts(const Targets& targets, int factorisations, SolverScratch& s) {
  const int last = s.result.factorisations + factorisations;
  SolveTrace* const trace = s.trace;
  return_to_zero(s);
  double least = INFINITY;
  int idle = 0;
  for (int round = 0; idle < kPatience && s.may_factor() && s.result.factorisations < last; ++round) {
    const double target = std::max(targets.accept, kInnerReduction * s.current.residual);
    s.kept_best.copy(s.best);
    s.trace = nullptr;  // of the exact law only
    relax(round == 0, s);
    const bool solved = solve_convex(target, s);
    return_to_coulomb(s);
    s.trace = trace;
    keep_best(s);
    if (!solved) break;
    idle = s.current.residual < kProgress * least ? 0 : idle + 1;
    least = std::min(least, s.current.residual);
    s.trial.copy(s.current);
    natural_newton({.target = targets.aim,
                    .accept = targets.accept,
                    .max_iterations = kCrossoverIterations,
                    .patience = kCrossoverPatience},
                   s);
    if (s.best.residual <= targets.accept) return true;
    s.current.copy(s.trial);
  }
  return s.best.residual <= targets.accept;
}

}  // namespace stiction
