// Coulomb's law by a row of convex problems. With the shift s = μ ‖v_t‖ of De Saxcé's form held where it is,
//   K ∋ p ⊥ v + s n ∈ K*
// is the relaxed law (laws/relaxed.hpp) with another bias: convex, with one velocity. Solutions of Coulomb's law are
// the fixed points of s ← μ ‖v_t‖ (V. Acary, F. Cadoux, C. Lemaréchal, J. Malick, "A formulation of the linear discrete
// Coulomb friction problem via convex optimization", 2011, who show that there is one wherever all contacts can be
// satisfied at once). We depart in how it ends: near the solution a round gains a fifth of the residual or so, and
// Newton's method on the exact law is tried from every one of them. It begins without shifts, at the convex relaxation:
// where the other methods got stuck is often a fixed point that repels.
#pragma once

#include "solvers/newton_path.hpp"

namespace stiction {

// With so many factorisations at most. True if the exact law holds to targets.accept.
bool hold_shifts(const Targets& targets, int factorisations, SolverScratch& scratch);

}  // namespace stiction
