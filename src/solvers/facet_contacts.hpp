// A vertex against a convex shape as one contact with the facets 1 … n near it, of which at most one acts.
// Source: Nguyen and Trinkle, "Modeling non-convex configuration space using linear complementarity problems", eqs. (9)
// to (11), in velocities: ψ_i is v_n of facet i, and every row of the forces has ψ_1, for c_2 + … + c_n + ψ_1 is max ψ:
//
//   0 ≤ c_k + … + c_2 + ψ_1 − ψ_k        ⊥ c_k ≥ 0,   k = 2 … n
//   0 ≤ d_i + ψ_i                        ⊥ d_i ≥ 0
//   0 ≤ d_i + c_2 + … + c_n + ψ_1        ⊥ p_i ≥ 0
//   0 ≤ c_2 + … + c_n + ψ_1 − e          ⊥ e ≥ 0      (α = 1)
//
// Friction is that of a pyramid on each facet. Where we go beyond the paper: (11) may have several solutions (a vertex
// that slides over flush shapes may be stopped by the side of the next one), and Lemke's path ends on a ray now and
// then, as its matrix is indefinite. A choice of one facet for each contact leaves the linear complementarity problem
// of half-spaces. The choice of those that are least penetrated at ũ is solved beside (11), and of two solutions the
// one with the smaller ‖u⁺ − ũ‖_M is taken; where both fail, choices are searched until the laws hold.
#pragma once

#include "solvers/lemke_contacts.hpp"

namespace stiction {

struct Iterate;

// What a contact with facets misses of its law at an iterate [m/s], as if block `c` stood for all of them; 0 for all
// but the first.
double facets_residual(const SolverScratch& scratch, const Iterate& iterate, int c);

// Rows and variables c, d, e of all contacts with several facets, behind those of the problem.
void add_facet_conditions(const Island& island, LemkeScratch& lemke);

// Unknowns of the complementarity problem of an island with all its facets (0: it has none), and how many are taken:
// its matrix is dense, and a path through so many takes some seconds.
int facet_unknowns(const ContactProblem& problem, int island);
constexpr int kMostFacetUnknowns = 800;

// Solves an island with facets as said above; true if the target is met by what is best then. Larger ones than that are
// left unsolved.
bool solve_facets(double target, SolverScratch& scratch, LemkeScratch& lemke);

}  // namespace stiction
