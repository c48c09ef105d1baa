// `lemke`: the linear complementarity problem of contact with a friction pyramid, by complementary pivoting.
// Source: Stewart and Trinkle 1996; Anitescu and Potra 1997, whose matrix is copositive, so that the path ends on a
// solution wherever u = 0 satisfies all rows. Impulses of a contact with the friction rows t_1 … t_k and D = (t, −t):
//
//   0 ≤ v_n           ⊥ p_n ≥ 0
//   0 ≤ Dᵀ v_t + σ e  ⊥ β ≥ 0,      p_t = D β
//   0 ≤ μ p_n − eᵀ β  ⊥ σ ≥ 0
//
// A contact with several facets (Law::kFacet) adds what facet_contacts.hpp says. Box rows without bounds are
// eliminated, those with two have a σ of their own. The pyramid stands for the cone of any law of contact: where that
// is another one the certificate says so.
#pragma once

#include "lcp/lemke.hpp"
#include "lcp/scaling.hpp"
#include "solvers/solver.hpp"

namespace stiction {

// p of a row is offset + Σ sign z over its variables; w of a variable is sign v, plus σ of its bound if it has one.
struct LemkeVariable {
  int row = 0;
  double sign = 1;
  int bound = -1;
};
// 0 ≤ range + μ z_normal − Σ z of its variables ⊥ σ ≥ 0.
struct LemkeBound {
  int normal = -1;
  double friction = 0, range = 0;
};

// Which facets have variables: all of them, coupled by the complementarity conditions of facet_contacts.hpp, or one of
// each contact.
enum class FacetChoice { kAll, kChosen };

// Memory that is kept between islands.
struct LemkeScratch {
  detail::Lemke lemke;
  Lcp problem;
  detail::ScaledLcp scaled;
  DenseLu equalities;
  std::vector<double> W;  // of the island, row-major, with the compliances of its boxes
  std::vector<double> q;  // w for p = offset
  std::vector<double> offset, column, generalized, cover;
  std::vector<int> free_rows;
  std::vector<LemkeVariable> variables;
  std::vector<LemkeBound> bounds;
  std::vector<int> normal_variable;  // of each block; −1: it has none
  std::vector<int> chosen;           // of each contact with facets: which of them acts
  std::vector<double> facet_rows;    // distances of the facets of a contact without forces [m/s]
};

// Lays out the variables of the island, solves, and makes a solution current; false: the path ended elsewhere.
bool follow_path(FacetChoice choice, SolverScratch& scratch, LemkeScratch& lemke);

IslandResult solve_lemke(const ContactProblem& problem, int island, const SolverSettings& settings,
                         SolverScratch& scratch, Solution& solution);

}  // namespace stiction
