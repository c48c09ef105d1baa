// The compliant contact models: λ of all rows of an island from a quadratic programme. Source: Bharaj et al. 2015,
// supplement to "Computational Design of Walking Automata", eqs. (3) to (6), with J and not Jᵀ before q̇. In impulses,
//
//   w = A p − b = J u⁺ + bias + e λ,   A = J M⁻¹ Jᵀ + e/h,
//
//   minimise ½ ‖A p − b‖²   (an island with blocks kCompliant: the paper's eq. 6)
//   or       ½ ‖S (A p − b)‖², S = 1/e  (kCompliantForce: the same with the rows of eq. 1, λ + k_p C + k_d Ċ)
//   or       ½ pᵀ A p − bᵀ p (kCompliantEnergy: where no bound acts they agree, as A p = b)
//   subject to  p_n ≥ 0,  |p_i| ≤ μ p_n  of contacts, and the bounds of boxes.
//
// Rows without bounds (joints, loops) are eliminated first, by least squares or by the Schur complement: what is left
// is minimise ½ yᵀ H y + qᵀ y over the bounded rows. Its active set is sought from that of the warm start; where this
// cycles, ProxSuite finds it (src/lcp/qp.cpp), and the values come from the active set all the same.
#pragma once

#include "solvers/solver.hpp"

namespace stiction {

// Rows of an island with compliant blocks (0: it has none), and how many are taken: matrices are dense, and a step with
// so many takes some seconds. Larger ones are left unsolved.
int compliant_rows(const ContactProblem& problem, int island);
constexpr int kMostCompliantRows = 600;

IslandResult solve_compliant(const ContactProblem& problem, int island, const SolverSettings& settings,
                             SolverScratch& scratch, Solution& solution);

}  // namespace stiction
