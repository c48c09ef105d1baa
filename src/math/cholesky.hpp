// Cholesky factorisation M = L Lᵀ of small dense matrices, row-major, for host and device.
#pragma once

#include "math/host_device.hpp"

#include <cmath>

namespace stiction {

// Writes the lower factor (zeros above the diagonal); false if M is not positive definite or not finite.
template <class T>
STICTION_HD bool cholesky_factor(const T* M, int n, T* L) {
  using std::isfinite;
  using std::sqrt;
  for (int i = 0; i < n * n; ++i) L[i] = T(0);
  for (int j = 0; j < n; ++j) {
    for (int i = j; i < n; ++i) {
      T sum = M[i * n + j];
      for (int k = 0; k < j; ++k) sum -= L[i * n + k] * L[j * n + k];
      if (i > j) {
        L[i * n + j] = sum / L[j * n + j];
      } else {
        if (!(sum > T(0)) || !isfinite(sum)) return false;
        L[j * n + j] = sqrt(sum);
      }
    }
  }
  return true;
}

// x ← L⁻¹ x.
template <class T>
STICTION_HD void cholesky_forward(const T* L, int n, T* x) {
  for (int i = 0; i < n; ++i) {
    T sum = x[i];
    for (int j = 0; j < i; ++j) sum -= L[i * n + j] * x[j];
    x[i] = sum / L[i * n + i];
  }
}

// x ← L⁻ᵀ x.
template <class T>
STICTION_HD void cholesky_backward(const T* L, int n, T* x) {
  for (int i = n - 1; i >= 0; --i) {
    T sum = x[i];
    for (int j = i + 1; j < n; ++j) sum -= L[j * n + i] * x[j];
    x[i] = sum / L[i * n + i];
  }
}

// x ← M⁻¹ x.
template <class T>
STICTION_HD void cholesky_solve(const T* L, int n, T* x) {
  cholesky_forward(L, n, x);
  cholesky_backward(L, n, x);
}

}  // namespace stiction
