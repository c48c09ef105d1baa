// Iterative solvers of the Newton system a δv + b δp = r of the paper's method, row by row, without a matrix: with a >
// 0 it is the symmetric (W + E) δp = g, E = b/a, g = r/a, and W x = J M⁻¹ Jᵀ x is three passes over the contacts. Where
// a vanishes (an open contact) it is bounded away from zero: E is then so large that the row decouples.
//
//   pcg           conjugate gradients       } with the diagonal D of W + E as preconditioner
//   pcr           conjugate residuals       }
//   jacobi        x ← x + ω D⁻¹ (g − (W + E) x), ω halved where that grows
//   gauss-seidel  row after row, forth and back
//
// They stop at ‖g − (W + E) x‖_D⁻¹ ≤ η ‖g‖_D⁻¹ with a forcing term η, at rounding, or after `iterations`. Scalars are
// float or double. Source: Macklin et al. 2019, section 7.
#pragma once

#include "solvers/flat_island.hpp"

namespace stiction {

// One entry per row each, but the velocities u, one per degree of freedom.
template <class T>
struct LinearScratch {
  std::vector<T> a, b, r;  // the system
  std::vector<T> delta_p;  // its solution
  std::vector<T> compliance, diagonal, right, residual, product, direction, preconditioned, image, u;

  void resize(const FlatIsland<T>& island);
};

struct LinearLimits {
  LinearSolver solver = LinearSolver::kPcr;
  double forcing = 0.1;                    // η
  int iterations = 1000;                   // at most
  std::vector<double>* history = nullptr;  // ‖residual‖ / ‖g‖ after 0, 1, 2, … of them
};

// delta_p of `scratch` from its a, b and r. Returns the iterations it took.
template <class T>
int solve_iteratively(FlatIsland<T>& island, const LinearLimits& limits, LinearScratch<T>& scratch);

extern template struct LinearScratch<float>;
extern template struct LinearScratch<double>;

}  // namespace stiction
