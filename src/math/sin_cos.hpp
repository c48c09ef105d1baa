// Sine and cosine of one angle together, in arithmetic that every machine rounds alike: the CPU and the GPU agree bit
// by bit, and a loop over many angles becomes vector instructions.
//
// The angle is brought to |r| ≤ π/4 by subtracting n π/2 in three parts, the first two short enough for n times the
// part to be exact; there the Taylor series to r¹⁷ and r¹⁶ err by less than half a unit in the last place of the
// result.
#pragma once

#include <cmath>

#include "host_device.hpp"

namespace stiction {

template <class T>
struct HalfTurn {
  static constexpr bool kDouble = sizeof(T) == 8;
  // π/2 in three parts; n up to kLargest / (π/2) multiplies the first two without rounding.
  static constexpr T kFirst = T(kDouble ? 1.5707963267341256 : 1.5703125);
  static constexpr T kSecond = T(kDouble ? 6.077100506303966e-11 : 0.0004837512969970703);
  static constexpr T kThird = T(kDouble ? 2.0222662487959506e-21 : 7.549789954891882e-08);
  static constexpr T kLargest = T(kDouble ? 1e6 : 1e3);  // [rad]
};

// For |x| ≤ HalfTurn<T>::kLargest.
template <class T>
STICTION_HD void sin_cos_reduced(T x, T& sine, T& cosine) {
  using std::floor;
  using Part = HalfTurn<T>;
  const T n = floor(x * T(0.6366197723675814) + T(0.5));
  const T r = ((x - n * Part::kFirst) - n * Part::kSecond) - n * Part::kThird;
  const T z = r * r;
  // Σ (−1)ᵏ r²ᵏ⁺¹ / (2k+1)!
  T s = T(1.0 / 355687428096000.0);
  s = s * z - T(1.0 / 1307674368000.0);
  s = s * z + T(1.0 / 6227020800.0);
  s = s * z - T(1.0 / 39916800.0);
  s = s * z + T(1.0 / 362880.0);
  s = s * z - T(1.0 / 5040.0);
  s = s * z + T(1.0 / 120.0);
  s = s * z - T(1.0 / 6.0);
  s = r + r * z * s;
  // Σ (−1)ᵏ r²ᵏ / (2k)!
  T c = T(1.0 / 20922789888000.0);
  c = c * z - T(1.0 / 87178291200.0);
  c = c * z + T(1.0 / 479001600.0);
  c = c * z - T(1.0 / 3628800.0);
  c = c * z + T(1.0 / 40320.0);
  c = c * z - T(1.0 / 720.0);
  c = c * z + T(1.0 / 24.0);
  c = (T(1) - T(0.5) * z) + z * z * c;
  // Quadrant n mod 4: odd ones exchange sine and cosine, signs follow.
  const T quarter = n * T(0.25) - floor(n * T(0.25));
  const bool odd = quarter == T(0.25) || quarter == T(0.75);
  const T swapped_sine = odd ? c : s, swapped_cosine = odd ? s : c;
  sine = quarter >= T(0.5) ? -swapped_sine : swapped_sine;
  cosine = quarter == T(0.25) || quarter == T(0.5) ? -swapped_cosine : swapped_cosine;
}

template <class T>
STICTION_HD void sin_cos(T x, T& sine, T& cosine) {
  using std::cos;
  using std::sin;
  // Also false for NaN, which the library functions hand on.
  if (x <= HalfTurn<T>::kLargest && x >= -HalfTurn<T>::kLargest) {
    sin_cos_reduced(x, sine, cosine);
  } else {
    sine = sin(x);
    cosine = cos(x);
  }
}

}  // namespace stiction
