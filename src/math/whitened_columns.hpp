// X = L⁻ᵀ Jᵀ of many rows of J at once, for the factor M = Lᵀ L of one tree (tree_cholesky.hpp): one column for each
// row of J, so that whole vectors of rows are whitened and W = J M⁻¹ Jᵀ = Xᵀ X.
#pragma once

#include <algorithm>

#include "lanes.hpp"

namespace stiction::detail {

// X(d, c) ← rows[c][d] for d < n, with columns of zeros up to the stride, a multiple of kLane.
inline void gather_columns(const double* const* rows, int count, int n, double* X, int stride) {
  const int whole = n / kLane * kLane;
  for (int c = 0; c < stride; c += kLane) {
    const int m = std::min(kLane, count - c);
    for (int d = 0; d < whole; d += kLane) {
      Pack x[kLane];
      for (int i = 0; i < kLane; ++i) x[i] = i < m ? load_pack(rows[c + i] + d) : Pack{};
      exchange_lanes<1>(x);
      for (int i = 0; i < kLane; ++i) *packs(X + std::ptrdiff_t(d + i) * stride + c) = x[i];
    }
    for (int d = whole; d < n; ++d)
      for (int i = 0; i < kLane; ++i) X[std::ptrdiff_t(d) * stride + c + i] = i < m ? rows[c + i][d] : 0.0;
  }
}

// Columns are taken in strips of Packs vectors. What moves none of them is passed over.
template <int Packs>
inline void whiten_strip(const double* L, int n, double* X, int stride) {
  for (int k = n - 1; k >= 0; --k) {
    const double* row = L + std::ptrdiff_t(k) * n;
    Pack* own = packs(X + std::ptrdiff_t(k) * stride);
    Pack from[Packs];
    Pack size{};
    for (int i = 0; i < Packs; ++i) {
      own[i] = from[i] = own[i] * row[k];
      size += from[i] < 0 ? -from[i] : from[i];
    }
    if (lane_sum(size) == 0) continue;
    // What is whitened next comes first: it is there when it is asked for.
    for (int j = k - 1; j >= 0; --j) {
      if (row[j] == 0) continue;
      Pack* to = packs(X + std::ptrdiff_t(j) * stride);
      for (int i = 0; i < Packs; ++i) to[i] -= row[j] * from[i];
    }
  }
}

// X ← L⁻ᵀ X, n rows; stride: a multiple of kLane.
inline void whiten_columns(const double* L, int n, double* X, int stride) {
  int c = 0;
  for (; c + 2 * kLane <= stride; c += 2 * kLane) whiten_strip<2>(L, n, X + c, stride);
  if (c < stride) whiten_strip<1>(L, n, X + c, stride);
}

}  // namespace stiction::detail
