// Algebra of the second-order cone Q = {x_0 ≥ ‖(x_1, …, x_k)‖} for interior-point methods: Jordan product, step to the
// boundary and Nesterov–Todd scaling. A ray (one row) is the cone with k = 0.
// Source: Nesterov and Todd 1997; the closed form of the scaling for this cone as in Vandenberghe, The CVXOPT linear
// and quadratic cone program solvers, 2010, section 4.
#pragma once

#include <cmath>

#include "math/vecn.hpp"

namespace stiction {

// xᵀ diag(1, −1, …, −1) y
template <class T, int N>
STICTION_HD T hyperbolic_product(const VecN<T, N>& x, const VecN<T, N>& y) {
  T sum = x[0] * y[0];
  for (int i = 1; i < N; ++i) sum -= x[i] * y[i];
  return sum;
}

// (x_0, −x_t)
template <class T, int N>
STICTION_HD VecN<T, N> reflected(const VecN<T, N>& x) {
  VecN<T, N> out = -x;
  out[0] = x[0];
  return out;
}

// x ∘ y = (xᵀy, x_0 y_t + y_0 x_t).
template <class T, int N>
STICTION_HD VecN<T, N> jordan_product(const VecN<T, N>& x, const VecN<T, N>& y) {
  VecN<T, N> out;
  out[0] = dot(x, y);
  for (int i = 1; i < N; ++i) out[i] = x[0] * y[i] + y[0] * x[i];
  return out;
}

// x_0² − ‖x_t‖², as a product so that it does not cancel near the boundary.
template <class T, int N>
STICTION_HD T cone_determinant(const VecN<T, N>& x) {
  const T length = tail_norm(x);
  return (x[0] - length) * (x[0] + length);
}

// The smaller of the two eigenvalues, x_0 − ‖x_t‖; positive inside the cone.
template <class T, int N>
STICTION_HD T cone_interior(const VecN<T, N>& x) {
  return x[0] - tail_norm(x);
}

// The larger eigenvalue, x_0 + ‖x_t‖.
template <class T, int N>
STICTION_HD T cone_upper(const VecN<T, N>& x) {
  return x[0] + tail_norm(x);
}

// y with x ∘ y = d, for x inside the cone.
template <class T, int N>
STICTION_HD VecN<T, N> jordan_divide(const VecN<T, N>& d, const VecN<T, N>& x) {
  VecN<T, N> out;
  out[0] = hyperbolic_product(x, d) / cone_determinant(x);
  for (int i = 1; i < N; ++i) out[i] = (d[i] - out[0] * x[i]) / x[0];
  return out;
}

// Largest step a ≤ limit with x + a dx in the cone, for x inside it.
template <class T, int N>
STICTION_HD T step_to_boundary(const VecN<T, N>& x, const VecN<T, N>& dx, T limit) {
  using std::sqrt;
  // det(x + a dx) = c + 2 b a + e a²; its smallest positive root is c / (−b + √(b² − e c)).
  const T c = cone_determinant(x), b = hyperbolic_product(x, dx), e = hyperbolic_product(dx, dx);
  if (e >= T(0) && b >= T(0)) return limit;
  const T discriminant = b * b - e * c;
  // On a ray the root is a double one, and rounding decides the sign of the discriminant.
  if (discriminant < T(-1e-6) * b * b) return limit;
  const T root = c / ((discriminant > T(0) ? sqrt(discriminant) : T(0)) - b);
  return root < limit ? root : limit;
}

// The symmetric positive-definite S with S y = S⁻¹ x.
template <class T, int N>
struct NesterovTodd {
  T beta{};        // (det x / det y)^¼
  VecN<T, N> w{};  // S² = β² (2 w wᵀ − diag(1, −1, …, −1)), det w = 1

  static STICTION_HD NesterovTodd from(const VecN<T, N>& x, const VecN<T, N>& y) {
    using std::sqrt;
    const T gx = sqrt(cone_determinant(x)), gy = sqrt(cone_determinant(y));
    const VecN<T, N> xn = x / gx, yn = y / gy;
    const T gamma = sqrt((T(1) + dot(xn, yn)) / T(2));
    NesterovTodd out;
    out.beta = sqrt(gx / gy);
    out.w = (xn + reflected(yn)) / (T(2) * gamma);
    return out;
  }

  STICTION_HD VecN<T, N> apply(const VecN<T, N>& a) const { return boost(w, a) * beta; }
  STICTION_HD VecN<T, N> apply_inverse(const VecN<T, N>& a) const { return boost(reflected(w), a) / beta; }

  // S⁻² = (2 w̃ w̃ᵀ − diag(1, −1, …, −1)) / β² with w̃ = (w_0, −w_t).
  STICTION_HD MatN<T, N> inverse_squared() const {
    const VecN<T, N> m = reflected(w);
    const T scale = T(1) / (beta * beta);
    MatN<T, N> out;
    for (int i = 0; i < N; ++i)
      for (int j = 0; j < N; ++j) {
        const T diagonal = i != j ? T(0) : (i == 0 ? T(1) : T(-1));
        out(i, j) = (m[j] * m[i] * T(2) - diagonal) * scale;
      }
    return out;
  }

 private:
  // [m_0, m_tᵀ; m_t, 1 + m_t m_tᵀ / (1 + m_0)] a
  static STICTION_HD VecN<T, N> boost(const VecN<T, N>& m, const VecN<T, N>& a) {
    T tangential{};
    for (int i = 1; i < N; ++i) tangential += m[i] * a[i];
    const T factor = a[0] + tangential / (T(1) + m[0]);
    VecN<T, N> out;
    out[0] = m[0] * a[0] + tangential;
    for (int i = 1; i < N; ++i) out[i] = a[i] + factor * m[i];
    return out;
  }
};

}  // namespace stiction
