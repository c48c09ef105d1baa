// What the certificate asks of islands with compliant blocks (docs/contact-models.md). With w = J u⁺ + b + e λ of every
// row and A = h J M⁻¹ Jᵀ + e, λ minimises ½ λᵀ A λ − bᵀ λ or ½ ‖A λ − b‖² over the pyramids and bounds if it does not
// change when a step along the gradient, w or A w, is projected on them. A w is divided by the largest entry of the
// diagonal of A in the block, so that it is a velocity too.
#pragma once

#include <stiction/problem.hpp>

namespace stiction {

// Whether a block of the problem has a compliant law.
bool has_compliant_blocks(const ContactProblem& problem);

// The gradient of all rows that are in islands with compliant blocks, as velocities; `islands` says which islands have
// some (1) and which of them are least squares (2).
void compliant_gradient(const ContactProblem& problem, const Solution& solution, std::vector<int>& islands,
                        std::vector<double>& gradient);

struct PyramidStep {
  double normal = 0, tangential = 0;  // what the projected step changes, as velocities [m/s]
  double cone = 0;                    // largest |λ_i| − μ λ_n, likewise
};

// Of one compliant block; delassus: diagonal of J M⁻¹ Jᵀ of its rows.
PyramidStep pyramid_step(const ContactProblem& problem, const Solution& solution, int block, const double* delassus,
                         const double* gradient);

}  // namespace stiction
