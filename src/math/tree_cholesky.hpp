// Factor M = Lᵀ L of the inertia of one tree, L lower triangular: the degrees of freedom are eliminated from the last
// to the first, from the leaves to the root, so that L has the zeros of M (Featherstone, Rigid Body Dynamics
// Algorithms, 2008, section 6.5). Dense rows, whose zeros are passed over; host and device. 1 / L_kk stands on the
// diagonal.
//
//   M⁻¹ = L⁻¹ L⁻ᵀ,   j M⁻¹ jᵀ = |L⁻ᵀ jᵀ|²
//
// Loops are written for six degrees of freedom (N = 6, a free body) and any number (N = 0).
#pragma once

#include "row_products.hpp"

#include <cmath>

namespace stiction {
namespace detail {

template <int N, class T>
STICTION_HD bool factor_rows(const T* M, int count, T* L) {
  using std::isfinite;
  using std::sqrt;
  const int n = N > 0 ? N : count;
  for (int k = 0; k < n; ++k)
    for (int j = 0; j <= k; ++j) L[k * n + j] = M[k * n + j];
  // The rows are scaled at the end: no pivot waits for a root.
  for (int k = n - 1; k >= 0; --k) {
    T* row = L + k * n;
    if (!(row[k] > T(0)) || !isfinite(row[k])) return false;
    row[k] = T(1) / row[k];
    for (int e = k - 1; e >= 0; --e) {
      if (row[e] == T(0)) continue;
      const T factor = row[e] * row[k];
      for (int j = 0; j <= e; ++j) L[e * n + j] -= factor * row[j];
    }
  }
  for (int k = 0; k < n; ++k) {
    const T root = sqrt(L[k * n + k]);
    for (int j = 0; j < k; ++j) L[k * n + j] *= root;
    L[k * n + k] = root;
  }
  return true;
}

// Rows of x, n numbers each, ← L⁻ᵀ x. Rows: how many are taken at a time.
template <int Rows, int N, class T>
STICTION_HD void whiten_rows(const T* L, int count, T* x) {
  const int n = N > 0 ? N : count;
  for (int k = n - 1; k >= 0; --k) {
    const T* row = L + k * n;
    T y[Rows];
    bool zero = true;
    for (int i = 0; i < Rows; ++i) {
      y[i] = x[i * n + k] * row[k];
      x[i * n + k] = y[i];
      zero = zero && y[i] == T(0);
    }
    if (zero) continue;
    for (int i = 0; i < Rows; ++i)
      for (int j = 0; j < k; ++j) x[i * n + j] -= y[i] * row[j];
  }
}

template <int N, class T>
STICTION_HD void unwhiten_row(const T* L, int count, T* x) {
  const int n = N > 0 ? N : count;
  for (int k = 0; k < n; ++k) x[k] = (x[k] - row_dot(L + k * n, x, k)) * L[k * n + k];
}

}  // namespace detail

// L of M, row-major; what stands above the diagonal is not touched. False if M is not positive definite or not finite.
template <class T>
STICTION_HD bool factor_tree(const T* M, int n, T* L) {
  return n == 6 ? detail::factor_rows<6>(M, n, L) : detail::factor_rows<0>(M, n, L);
}

// x ← L⁻ᵀ x of one vector, and of several one after the other.
template <class T>
STICTION_HD void whiten(const T* L, int n, T* x) {
  n == 6 ? detail::whiten_rows<1, 6>(L, n, x) : detail::whiten_rows<1, 0>(L, n, x);
}
template <class T>
STICTION_HD void whiten(const T* L, int n, int rows, T* x) {
  for (; rows >= 3; rows -= 3, x += 3 * n)
    n == 6 ? detail::whiten_rows<3, 6>(L, n, x) : detail::whiten_rows<3, 0>(L, n, x);
  for (; rows > 0; --rows, x += n) whiten(L, n, x);
}

// x ← L⁻¹ x.
template <class T>
STICTION_HD void unwhiten(const T* L, int n, T* x) {
  n == 6 ? detail::unwhiten_row<6>(L, n, x) : detail::unwhiten_row<0>(L, n, x);
}

// x ← M⁻¹ x.
template <class T>
STICTION_HD void solve_tree(const T* L, int n, T* x) {
  whiten(L, n, x);
  unwhiten(L, n, x);
}

}  // namespace stiction
