// Preconditioners D of the iterative linear solvers: the diagonal of W + E, or its diagonal blocks, one for each
// contact, by their Cholesky factors. W_cc and E_c are given for every block c.
#pragma once

#include <algorithm>
#include <cmath>

#include "math/cholesky.hpp"
#include "solvers/flat_island.hpp"

namespace stiction {

template <class T>
class DiagonalPreconditioner {
 public:
  // compliance: E, one entry per row.
  void prepare(const FlatIsland<T>& island, LinearPreconditioner kind, const std::vector<T>& compliance) {
    island_ = &island;
    blocks_ = kind == LinearPreconditioner::kBlockDiagonal;
    diagonal_.resize(compliance.size());
    for (std::size_t i = 0; i < compliance.size(); ++i) {
      diagonal_[i] = island.own[i] + compliance[i];
      if (!(diagonal_[i] > T(0))) diagonal_[i] = T(1);  // nothing moves the row
    }
    if (!blocks_) return;
    factor_.resize(island.own_block.size());
    for (int c = 0; c < island.nblock; ++c) factor_block(c);
  }
  bool by_blocks() const { return blocks_; }
  T diagonal(int row) const { return diagonal_[std::size_t(row)]; }

  // x ← D_c⁻¹ x, rows of block c.
  void solve_block(int c, T* x) const { cholesky_solve(factor_of(c), island_->block_size(c), x); }

  // out = D⁻¹ a.
  void solve(const std::vector<T>& a, std::vector<T>& out) const {
    if (!blocks_) {
      for (std::size_t i = 0; i < a.size(); ++i) out[i] = a[i] / diagonal_[i];
      return;
    }
    out = a;
    for (int c = 0; c < island_->nblock; ++c) solve_block(c, out.data() + island_->row[std::size_t(c)]);
  }
  // aᵀ D⁻¹ a = ‖L⁻¹ a‖².
  T squared(const std::vector<T>& a) const {
    T sum = T(0);
    if (!blocks_) {
      for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * a[i] / diagonal_[i];
      return sum;
    }
    for (int c = 0; c < island_->nblock; ++c) {
      const int n = island_->block_size(c);
      T x[kMostBlockRows];
      std::copy_n(a.data() + island_->row[std::size_t(c)], n, x);
      cholesky_forward(factor_of(c), n, x);
      for (int k = 0; k < n; ++k) sum += x[k] * x[k];
    }
    return sum;
  }

 private:
  const T* factor_of(int c) const { return factor_.data() + island_->square[std::size_t(c)]; }

  // Where W_cc + E_c is not positive definite to rounding (directions in which nothing moves), its diagonal alone.
  void factor_block(int c) {
    const int n = island_->block_size(c), first = island_->row[std::size_t(c)];
    T block[kMostBlockRows * kMostBlockRows];
    std::copy_n(island_->own_block.data() + island_->square[std::size_t(c)], n * n, block);
    for (int k = 0; k < n; ++k) block[(n + 1) * k] = diagonal_[std::size_t(first + k)];
    T* L = factor_.data() + island_->square[std::size_t(c)];
    if (cholesky_factor(block, n, L)) return;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) L[n * i + j] = i == j ? std::sqrt(block[(n + 1) * i]) : T(0);
  }

  const FlatIsland<T>* island_ = nullptr;
  bool blocks_ = false;
  std::vector<T> diagonal_;
  std::vector<T> factor_;  // L of D_c = L Lᵀ, from entry square[c] on
};

}  // namespace stiction
