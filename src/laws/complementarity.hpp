// Scalar complementarity functions: φ(a, b) = 0 ⇔ 0 ≤ a ⊥ b ≥ 0, with a generalised derivative (∂φ/∂a, ∂φ/∂b).
// Source: Macklin et al. 2019, Non-Smooth Newton Methods for Deformable Multi-Body Dynamics, eqs. (18)–(27).
#pragma once

#include <cmath>

#include "math/host_device.hpp"

namespace stiction {

template <class T>
struct Complementarity {
  T value{};    // φ
  T slope_a{};  // ∂φ/∂a, in [0, 1]
  T slope_b{};  // ∂φ/∂b, in [0, 1]
};

// φ = min(a, b), eq. (18).
struct MinimumMap {
  template <class T>
  static STICTION_HD Complementarity<T> evaluate(T a, T b) {
    return a <= b ? Complementarity<T>{a, T(1), T(0)} : Complementarity<T>{b, T(0), T(1)};
  }
};

// φ = a + b − √(a² + b²), eqs. (23)–(27). Where both arguments have the same sign the difference is written as a
// quotient, 2ab / (a + b + √(a² + b²)) for positive ones, since the sum cancels near a solution.
struct FischerBurmeister {
  template <class T>
  static STICTION_HD Complementarity<T> evaluate(T a, T b) {
    using std::sqrt;
    const T length = sqrt(a * a + b * b);
    if (!(length > T(0))) return {T(0), T(0), T(1)};  // eqs. (26), (27): "inactive"
    const T sum = a + b;
    const T value = sum > T(0) ? T(2) * a * b / (sum + length) : sum - length;
    return {value, T(1) - a / length, T(1) - b / length};
  }
};

}  // namespace stiction
