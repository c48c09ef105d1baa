#include "solvers/proximal.hpp"

#include <algorithm>

#include "solvers/existence.hpp"
#include "solvers/natural_newton.hpp"

namespace stiction {
namespace {

constexpr double kFirstShift = 1e-2, kLargestShift = 1, kLeastShift = 1e-12;
constexpr double kShrink = 0.2, kGrow = 3;
constexpr int kInnerIterations = 8, kRetryIterations = 5;
constexpr double kInnerReduction = 0.6;  // of the residual, by which each problem is solved
// A step that took at most so many iterations is followed by a longer one; after one that failed, not before so many.
constexpr int kQuickIterations = 6, kHold = 4;
// Residual, relative, up to which the prolonged drift is taken as a start even if the old place has a smaller one.
constexpr double kPredicted = 1e-4;

// Moves current by the last drift times a factor, if Newton may start there.
void predict(double shift, double factor, SolverScratch& s) {
  const double bound = std::max(proximal_residual(shift, s), kPredicted * s.island.scale);
  for (std::size_t i = 0; i < s.centre.size(); ++i) s.current.p[i] += factor * s.drift[i];
  evaluate(s, s.current);
  if (proximal_residual(shift, s) < bound) return;
  s.current.p = s.centre;
  evaluate(s, s.current);
}

}  // namespace

bool proximal_continuation(double target, int factorisations, SolverScratch& s) {
  s.current.copy(s.best);
  return proximal_from_current(target, factorisations, s);
}

bool proximal_from_current(double target, int factorisations, SolverScratch& s) {
  s.result.used_proximal = true;
  const int last = s.result.factorisations + factorisations;
  double shift = kFirstShift, drift_shift = 0;
  int hold = 0;
  bool failed = false;
  while (s.may_factor() && s.result.factorisations < last) {
    s.centre = s.current.p;
    s.trial.copy(s.current);
    const int first = s.result.factorisations;
    const double before = s.current.residual;
    const double inner_target = std::max(target, kInnerReduction * before);
    if (drift_shift > 0) predict(shift, drift_shift / shift, s);
    const bool solved = natural_newton(
        {.target = inner_target, .max_iterations = failed ? kRetryIterations : kInnerIterations, .proximal = shift}, s);
    if (s.best.residual <= target) return true;
    // The longest step, as predicted and for nothing: impulses of equalities that contradict each other drift for ever.
    const bool predicted = solved && s.result.factorisations == first;
    if (predicted && shift == kLeastShift && !(s.current.residual < before)) return false;
    if (solved) {
      if (refutes(s.trial, s)) return false;  // sets the drift
      drift_shift = shift;
      if (hold > 0)
        --hold;
      else if (s.result.factorisations - first <= kQuickIterations)
        shift = std::max(kLeastShift, kShrink * shift);
    } else {
      if (shift == kLargestShift) return false;
      // At a fold of the flow only short steps lead on: the second failure in a row shortens more than the first.
      shift = std::min(kLargestShift, (failed ? kGrow * kGrow : kGrow) * shift);
      hold = kHold;
      s.current.p = s.centre;
      evaluate(s, s.current);
    }
    failed = !solved;
  }
  return false;
}

}  // namespace stiction
