// The diagonal part of the Newton system in body space: for each block c of rows
//   D_c = B_c + R_c A_c diag(W_cc),   C_c = D_c⁻¹ A_c,
// so that A δv + B δp = r with the shift reads δp = D⁻¹ r − C δv.
//
// R_c is diagonal: the given shift, raised in rows where shift · A_c diag(W_cc) would drown in the rounding errors of
// B_c. An interior point hands in blocks B with eigenvalues 12 decades apart, whose smallest is rounding error of
// either sign; without the raise D_c would be singular by chance. The raise is a few units in the last place of its
// row.
#pragma once

#include <vector>

#include "problem/island.hpp"

namespace stiction::detail {

class ContactStiffness {
 public:
  // delassus: W_cc of each block, from entry square[c] of the island on, as are A and B.
  void prepare(const Island& island, const double* delassus);
  // False if some D_c is singular or not finite. A and B must outlive the solves.
  bool factor(const double* A, const double* B, double shift);

  // C_c, row-major.
  const double* stiffness(int block) const { return stiffness_.data() + island_->square[std::size_t(block)]; }
  // x ← D⁻¹ x for all rows.
  void solve(double* x) const;
  // p ← p − C v for all rows.
  void subtract_stiffness(const double* v, double* p) const;
  // r ← r − (A v + B p) for all rows.
  void subtract_rows(const double* v, const double* p, double* r) const;
  // Largest entry of r with each row scaled to a velocity: |r_i| / max_j(|A_ij|, |B_ij| / W_jj). Infinity where one is
  // not finite.
  double norm(const double* r) const;

 private:
  template <int N>
  void fill_block(int block, double shift);
  template <int N>
  bool factor_block(int block);
  template <int N, int Columns>
  void solve_block(int block, const double* b, double* x) const;

  const Island* island_ = nullptr;
  const double* A_ = nullptr;
  const double* B_ = nullptr;
  std::vector<double> compliance_;  // W_ii, bounded from below, per row
  std::vector<double> to_velocity_;
  std::vector<double> stiffness_;
  // LU of D_c with its row exchanges: entries, scales of the rows before elimination, inverse pivots, rows.
  std::vector<double> entry_, scale_, inverse_;
  std::vector<int> exchanged_;
};

}  // namespace stiction::detail
