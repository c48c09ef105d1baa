#include "solvers/proximal.hpp"

#include <algorithm>

#include "solvers/natural_newton.hpp"

namespace stiction {
namespace {

constexpr double kFirstShift = 1e-2, kLargestShift = 1, kLeastShift = 1e-10;
constexpr double kShrink = 0.2, kGrow = 5;
constexpr int kInnerIterations = 8;
constexpr double kInnerReduction = 1e-2;  // of the residual, by which each problem is solved

}  // namespace

bool proximal_continuation(double target, SolverScratch& s) {
  s.result.used_proximal = true;
  double shift = kFirstShift;
  s.current.copy(s.best);
  while (s.may_factor()) {
    s.centre = s.current.p;
    const double before = s.current.residual;
    const bool solved = natural_newton(
        {.target = std::max(target, kInnerReduction * before), .max_iterations = kInnerIterations, .proximal = shift},
        s);
    if (s.current.residual <= target) return true;
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
