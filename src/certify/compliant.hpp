// What the certificate asks of islands with compliant blocks (docs/contact-models.md). With w = J u⁺ + b + e λ of every
// row and A = h J M⁻¹ Jᵀ + e, λ minimises ½ λᵀ A λ − bᵀ λ or ½ ‖S (A λ − b)‖² over the pyramids and bounds if it does
// not change when a step along the gradient, w or A S² w, is projected on them. S is 1, or for kCompliantForce 1/e over
// that of the stiffest row of the island. The step of row k goes to the least of the objective along it, w_k / A_kk or
// (A S² w)_k / ‖S A_k‖² with the column A_k of A, and the projection is that of the metric A_kk or ‖S A_k‖². A step of
// λ_k counts as the velocity that it gives the row, A_kk times it.
#pragma once

#include <stiction/problem.hpp>

namespace stiction {

// Whether a block of the problem has a compliant law.
bool has_compliant_blocks(const ContactProblem& problem);

// The steps of all rows that are in islands with compliant blocks, as velocities, and of least squares the metric;
// `islands` says which islands have some (1) and which of them are least squares of velocities (2) or forces (3).
void compliant_gradient(const ContactProblem& problem, const Solution& solution, std::vector<int>& islands,
                        std::vector<double>& gradient, std::vector<double>& metric);

struct PyramidStep {
  double normal = 0, tangential = 0;  // what the projected step changes, as velocities [m/s]
  double cone = 0;                    // largest |λ_i| − μ λ_n, likewise
};

// Of one compliant block; delassus: diagonal of J M⁻¹ Jᵀ of its rows.
PyramidStep pyramid_step(const ContactProblem& problem, const Solution& solution, int block, const double* delassus,
                         const double* gradient, const double* metric);

}  // namespace stiction
