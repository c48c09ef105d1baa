// Iterative solvers of the Newton system A δv + B δp = r of the paper's method, whose A and B are diagonal, without a
// matrix: with A > 0 it is the symmetric (W + E) δp = g, E = B/A, g = r/A, and W x = J M⁻¹ Jᵀ x is three passes over
// the contacts. Where A vanishes (an open contact) it is bounded away from zero: E is then so large that the row
// decouples.
//
//   pcg           conjugate gradients       } with the diagonal D of W + E as preconditioner
//   pcr           conjugate residuals       }
//   jacobi        x ← x + ω D⁻¹ (g − (W + E) x), ω halved where that grows
//   gauss-seidel  row after row, forth and back
//
// They stop at ‖g − (W + E) x‖_D⁻¹ ≤ η ‖g‖_D⁻¹ with the forcing term η = min(0.1, residual/scale) of an inexact Newton
// method, or after the iterations that the settings allow. Source: Macklin et al. 2019, section 7.
#pragma once

#include "solvers/scratch.hpp"

namespace stiction {

// δp, δu and δv of scratch from A, B and r; true if they are finite. Counts its iterations in result.linear_iterations.
bool solve_iteratively(const SolverSettings& settings, SolverScratch& scratch);

}  // namespace stiction
