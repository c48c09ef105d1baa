// Algebra of the second-order cone Q = {x_0 ≥ ‖(x_1, x_2)‖} for interior-point methods: Jordan product, step to the
// boundary and Nesterov–Todd scaling. A ray (one row) is the cone with x_1 = x_2 = 0.
// Source: Nesterov and Todd 1997; the closed form of the scaling for this cone as in Vandenberghe, The CVXOPT linear
// and quadratic cone program solvers, 2010, section 4.
#pragma once

#include <cmath>

#include "math/mat3.hpp"

namespace stiction {

// x ∘ y = (xᵀy, x_0 y_t + y_0 x_t).
template <class T>
STICTION_HD Vec3T<T> jordan_product(const Vec3T<T>& x, const Vec3T<T>& y) {
  return {dot(x, y), x.x * y.y + y.x * x.y, x.x * y.z + y.x * x.z};
}

// x_0² − ‖x_t‖², as a product so that it does not cancel near the boundary.
template <class T>
STICTION_HD T cone_determinant(const Vec3T<T>& x) {
  using std::sqrt;
  const T length = sqrt(x.y * x.y + x.z * x.z);
  return (x.x - length) * (x.x + length);
}

// The smaller of the two eigenvalues, x_0 − ‖x_t‖; positive inside the cone.
template <class T>
STICTION_HD T cone_interior(const Vec3T<T>& x) {
  using std::sqrt;
  return x.x - sqrt(x.y * x.y + x.z * x.z);
}

// The larger eigenvalue, x_0 + ‖x_t‖.
template <class T>
STICTION_HD T cone_upper(const Vec3T<T>& x) {
  using std::sqrt;
  return x.x + sqrt(x.y * x.y + x.z * x.z);
}

// y with x ∘ y = d, for x inside the cone.
template <class T>
STICTION_HD Vec3T<T> jordan_divide(const Vec3T<T>& d, const Vec3T<T>& x) {
  const T first = (x.x * d.x - x.y * d.y - x.z * d.z) / cone_determinant(x);
  return {first, (d.y - first * x.y) / x.x, (d.z - first * x.z) / x.x};
}

// Largest step a ≤ limit with x + a dx in the cone, for x inside it.
template <class T>
STICTION_HD T step_to_boundary(const Vec3T<T>& x, const Vec3T<T>& dx, T limit) {
  using std::sqrt;
  // det(x + a dx) = c + 2 b a + e a²; its smallest positive root is c / (−b + √(b² − e c)).
  const T c = cone_determinant(x);
  const T b = x.x * dx.x - x.y * dx.y - x.z * dx.z;
  const T e = dx.x * dx.x - dx.y * dx.y - dx.z * dx.z;
  if (e >= T(0) && b >= T(0)) return limit;
  const T discriminant = b * b - e * c;
  // On a ray the root is a double one, and rounding decides the sign of the discriminant.
  if (discriminant < T(-1e-6) * b * b) return limit;
  const T root = c / ((discriminant > T(0) ? sqrt(discriminant) : T(0)) - b);
  return root < limit ? root : limit;
}

// The symmetric positive-definite S with S y = S⁻¹ x.
template <class T>
struct NesterovTodd {
  T beta{};      // (det x / det y)^¼
  Vec3T<T> w{};  // S² = β² (2 w wᵀ − diag(1, −1, −1)), det w = 1

  static STICTION_HD NesterovTodd from(const Vec3T<T>& x, const Vec3T<T>& y) {
    using std::sqrt;
    const T gx = sqrt(cone_determinant(x)), gy = sqrt(cone_determinant(y));
    const Vec3T<T> xn = x / gx, yn = y / gy;
    const T gamma = sqrt((T(1) + dot(xn, yn)) / T(2));
    NesterovTodd out;
    out.beta = sqrt(gx / gy);
    out.w = Vec3T<T>{xn.x + yn.x, xn.y - yn.y, xn.z - yn.z} / (T(2) * gamma);
    return out;
  }

  STICTION_HD Vec3T<T> apply(const Vec3T<T>& a) const { return hyperbolic(w, a) * beta; }
  STICTION_HD Vec3T<T> apply_inverse(const Vec3T<T>& a) const { return hyperbolic({w.x, -w.y, -w.z}, a) / beta; }

  // S⁻² = (2 w̃ w̃ᵀ − diag(1, −1, −1)) / β² with w̃ = (w_0, −w_t).
  STICTION_HD Mat3T<T> inverse_squared() const {
    const Vec3T<T> m{w.x, -w.y, -w.z};
    Mat3T<T> out = outer(m, m) * T(2) - Mat3T<T>::diagonal({T(1), T(-1), T(-1)});
    return out * (T(1) / (beta * beta));
  }

 private:
  // [w_0, w_tᵀ; w_t, 1 + w_t w_tᵀ / (1 + w_0)] a
  static STICTION_HD Vec3T<T> hyperbolic(const Vec3T<T>& m, const Vec3T<T>& a) {
    const T tangential = m.y * a.y + m.z * a.z;
    const T factor = a.x + tangential / (T(1) + m.x);
    return {m.x * a.x + tangential, a.y + factor * m.y, a.z + factor * m.z};
  }
};

}  // namespace stiction
