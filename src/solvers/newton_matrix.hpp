// The linear system of one Newton iteration on an island, whatever the method (semismooth, interior point, proximal):
//
//   A_c δv_c + B_c δp_c = r_c  for every block c,   δv = J δu,   M δu = Jᵀ δp.
//
// A and B are block-diagonal, given row-major block after block (Island::square). Two ways to solve it, the same
// answer:
//   contact space:  (A W + B) δp = r with the dense Delassus matrix W = J M⁻¹ Jᵀ and a pivoted LU;
//   body space:     δp = (B + A Ε)⁻¹ (r − A J δu), so (M + Jᵀ C J) δu = Jᵀ (B + A Ε)⁻¹ r with C = (B + A Ε)⁻¹ A,
//                   a sparse block LU over the trees; never larger than the bodies however redundant the contacts are.
// Ε = shift · diag(W_cc) is a small compliance inside the linear solve only; iterative refinement against the
// unshifted system takes it out again.
#pragma once

#include <memory>

#include "problem/island.hpp"

namespace stiction {

// Dense, contact space: for condensed islands, whose u stands for W p.
struct ContactSpaceMatrix {
  struct Storage;
  ContactSpaceMatrix();
  ~ContactSpaceMatrix();

  // Takes W from the island, which must outlive the solves.
  void prepare(const Island& island, const double* delassus_blocks);
  // False if the matrix is numerically singular even with the shift.
  bool factor(const double* A, const double* B, double shift);
  // δp and δu from r, refined until the residual ‖A δv + B δp − r‖∞ is `enough` or refinement gains nothing. Returns
  // the residual relative to ‖r‖∞ that was reached.
  double solve(const double* r, double enough, double* delta_p, double* delta_u);
  // δv = J δu of the last solution.
  const double* velocity() const;
  void respond(int block, const double* impulse, double* delta_u);

 private:
  std::unique_ptr<Storage> storage_;
};

// Sparse, body space. Same calls; the shift that serves best is 1e-9 (docs/performance.md).
struct BodySpaceMatrix {
  struct Storage;
  BodySpaceMatrix();
  ~BodySpaceMatrix();

  // Pattern and fill-reducing order of the trees, once per island and step; the order is kept while the pattern stays.
  // The island must outlive the solves, and so must A and B.
  void prepare(const Island& island, const double* delassus_blocks);
  // How many patterns were ordered so far.
  int orders() const;
  // symmetric: C = C_cᵀ ≥ 0 for all blocks, as for diagonal A, B ≥ 0; LDLᵀ with half the work of the LU.
  bool factor(const double* A, const double* B, double shift, bool symmetric = false);
  void respond(int block, const double* impulse, double* delta_u);
  // The residual is measured in rows scaled to velocities, |r_i| / max_j(|A_ij|, |B_ij| / W_jj), so it does not depend
  // on how the caller scales his rows. Infinity if something is not finite.
  double solve(const double* r, double enough, double* delta_p, double* delta_u);
  const double* velocity() const;

 private:
  std::unique_ptr<Storage> storage_;
};

// The one that the form of the island asks for (solvers/contact_space.hpp). With compliant contacts, δv = J δu + E δp:
// it solves A J δu + (B + A E) δp = r. In contact space W has E already.
struct NewtonMatrix {
  void prepare(const Island& island, const double* delassus_blocks);
  // may_be_singular: whether redundant contacts can make the system singular, so that it needs the shift. A system with
  // a compliance of its own on every row is solved as it is. symmetric: as in body space; in contact space W need not
  // be symmetric itself, and the LU stays.
  bool factor(const double* A, const double* B, bool may_be_singular, bool symmetric = false);
  double solve(const double* r, double enough, double* delta_p, double* delta_u);
  const double* velocity() const { return body_space_ ? body_.velocity() : contact_.velocity(); }
  // δu that follows from an impulse in the rows of a block whose A is zero, so that it does not respond itself. Without
  // refinement.
  void respond(int block, const double* impulse, double* delta_u);

 private:
  const Island* island_ = nullptr;
  bool body_space_ = false;
  std::vector<double> compliant_;  // B + A E with the compliances E of contacts
  ContactSpaceMatrix contact_;
  BodySpaceMatrix body_;
};

}  // namespace stiction
