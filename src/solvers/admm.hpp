// `admm`: alternating directions with a proximal term on De Saxcé's form, for comparison.
//
//   K ∋ p ⊥ W p + q + s(v) ∈ K*,   s_n = μ ‖v_t‖,
//
// is for a given shift s the optimality condition of min ½ pᵀ(W + c) p + (q + s)ᵀp over the cones and boxes. With a
// copy y of p that lies in them, a multiplier z of p = y and the weights w_c of the blocks:
//
//   p ← (W + c + (ρ + η) w)⁻¹ (η w p + ρ w y − z − q − s),   y ← Π(p + z / (ρ w)),   z ← z + ρ w (p − y),
//   s_n ← μ ‖z_t‖, since −z is v + s.
//
// ρ follows the ratio of ‖p − y‖ to the change of y, with a new factorisation each time it does. Source: the school of
// Carpentier, Le Lidec, Montaut, "From compliant to rigid contact simulation" 2024. Departures: blocks are weighted by
// their own W instead of by its spectrum, and what stops it is the natural map at y.
#pragma once

#include "solvers/solver.hpp"

namespace stiction {

IslandResult solve_admm(const ContactProblem& problem, int island, const SolverSettings& settings,
                        SolverScratch& scratch, Solution& solution);

}  // namespace stiction
