// Iterative solvers of the Newton system a δv + b δp = r of the paper's method, row by row, without a matrix: with a >
// 0 it is the symmetric (W + E) δp = g, E = b/a, g = r/a, and W x = J M⁻¹ Jᵀ x is three passes over the contacts. Where
// a vanishes (an open contact) it is bounded away from zero: E is then so large that the row decouples.
//
//   pcg           conjugate gradients       } with a preconditioner D, the diagonal of W + E or its diagonal blocks
//   pcr           conjugate residuals       }
//   jacobi        x ← x + ω D⁻¹ (g − (W + E) x), ω halved where that grows
//   gauss-seidel  row after row, or block after block, forth and back
//
// They stop at ‖g − (W + E) x‖_D⁻¹ ≤ η ‖g‖_D⁻¹ with a forcing term η, at rounding, or after `iterations`. They start at
// δp = 0: the impulses of the iteration before, which the residual g is taken at. Scalars are float or double. Source:
// Macklin et al. 2019, section 7.
#pragma once

#include "solvers/linear_preconditioner.hpp"

namespace stiction {

// One entry per row each, but the velocities u, one per degree of freedom.
template <class T>
struct LinearScratch {
  std::vector<T> a, b, r;  // the system
  std::vector<T> delta_p;  // its solution
  std::vector<T> compliance, right, residual, product, direction, preconditioned, image, u;
  DiagonalPreconditioner<T> preconditioner;

  void resize(const FlatIsland<T>& island);
};

struct LinearLimits {
  LinearSolver solver = LinearSolver::kPcr;
  double forcing = 0.1;   // η
  int iterations = 1000;  // at most
  LinearPreconditioner preconditioner = LinearPreconditioner::kDiagonal;
  std::vector<double>* history = nullptr;  // ‖residual‖ / ‖g‖ after 0, 1, 2, … of them
};

// delta_p of `scratch` from its a, b and r. Returns the iterations it took.
template <class T>
int solve_iteratively(FlatIsland<T>& island, const LinearLimits& limits, LinearScratch<T>& scratch);

// What `auto` stands for: a dense LU where the island is in contact space, LDLᵀ over its bodies, and no matrix where
// that would be too large (docs/performance.md) or the user wants single precision.
LinearSolver choose_linear_solver(const Island& island, Precision precision);

extern template struct LinearScratch<float>;
extern template struct LinearScratch<double>;

}  // namespace stiction
