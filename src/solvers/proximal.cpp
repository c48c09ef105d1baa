#include "solvers/proximal.hpp"

#include <algorithm>

#include "solvers/natural_newton.hpp"

namespace stiction {
namespace {

constexpr double kFirstShift = 1e-2, kLargestShift = 1, kLeastShift = 1e-10;
constexpr double kShrink = 0.2, kGrow = 5;
constexpr int kInnerIterations = 8;
constexpr double kInnerReduction = 1e-2;  // of the residual, by which each problem is solved
// It has come to rest where so many factorisations have not reduced the best residual by this factor.
constexpr int kPatience = 25;
constexpr double kProgress = 0.9;

}  // namespace

bool proximal_continuation(double target, SolverScratch& s) {
  s.result.used_proximal = true;
  double shift = kFirstShift, mark = s.best.residual;
  int marked_at = s.result.factorisations;
  s.current.copy(s.best);
  while (s.may_factor() && s.result.factorisations - marked_at < kPatience) {
    s.centre = s.current.p;
    const double before = s.current.residual;
    const bool solved = natural_newton(
        {.target = std::max(target, kInnerReduction * before), .max_iterations = kInnerIterations, .proximal = shift},
        s);
    if (s.current.residual <= target) return true;
    if (s.best.residual < kProgress * mark) {
      mark = s.best.residual;
      marked_at = s.result.factorisations;
    }
    if (solved) {
      shift = std::max(kLeastShift, kShrink * shift);
      continue;
    }
    if (shift == kLargestShift) return false;
    shift = std::min(kLargestShift, kGrow * shift);
    if (!(s.current.residual < before)) {
      s.current.p = s.centre;
      evaluate(s, s.current);
    }
  }
  return false;
}

}  // namespace stiction
