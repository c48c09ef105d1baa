// Vectors and 3×3 matrices for host and device. The order of operations is written out, so that CPU and GPU agree
// bit by bit (both are compiled without contraction into fused multiply-adds).
#pragma once

#include <cmath>

#include "host_device.hpp"

namespace stiction {

// The number after or before k in the circle 0, 1, 2. As choices they would be branches that are taken at random.
STICTION_HD constexpr int next_of_three(int k) {
  return (1 << k) & 3;
}
STICTION_HD constexpr int previous_of_three(int k) {
  return 3 - k - next_of_three(k);
}

template <class T>
struct Vec3T {
  T x{}, y{}, z{};

  STICTION_HD T& operator[](int i) { return i == 0 ? x : (i == 1 ? y : z); }
  STICTION_HD const T& operator[](int i) const { return i == 0 ? x : (i == 1 ? y : z); }

  STICTION_HD Vec3T& operator+=(const Vec3T& b) { return *this = *this + b; }
  STICTION_HD Vec3T& operator-=(const Vec3T& b) { return *this = *this - b; }
  STICTION_HD Vec3T& operator*=(T s) { return *this = *this * s; }

  friend STICTION_HD Vec3T operator+(const Vec3T& a, const Vec3T& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
  friend STICTION_HD Vec3T operator-(const Vec3T& a, const Vec3T& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
  friend STICTION_HD Vec3T operator-(const Vec3T& a) { return {-a.x, -a.y, -a.z}; }
  friend STICTION_HD Vec3T operator*(const Vec3T& a, T s) { return {a.x * s, a.y * s, a.z * s}; }
  friend STICTION_HD Vec3T operator*(T s, const Vec3T& a) { return {a.x * s, a.y * s, a.z * s}; }
  friend STICTION_HD Vec3T operator/(const Vec3T& a, T s) { return {a.x / s, a.y / s, a.z / s}; }
  friend STICTION_HD bool operator==(const Vec3T& a, const Vec3T& b) { return a.x == b.x && a.y == b.y && a.z == b.z; }
};

template <class T>
STICTION_HD T dot(const Vec3T<T>& a, const Vec3T<T>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

template <class T>
STICTION_HD Vec3T<T> cross(const Vec3T<T>& a, const Vec3T<T>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

template <class T>
STICTION_HD T norm_squared(const Vec3T<T>& a) {
  return dot(a, a);
}

template <class T>
STICTION_HD T norm(const Vec3T<T>& a) {
  using std::sqrt;
  return sqrt(dot(a, a));
}

// a / |a|; the x axis where a is zero, so that callers never see NaN.
template <class T>
STICTION_HD Vec3T<T> normalized(const Vec3T<T>& a) {
  const T length = norm(a);
  return length > T(0) ? a / length : Vec3T<T>{T(1), T(0), T(0)};
}

// Component-wise product.
template <class T>
STICTION_HD Vec3T<T> scaled(const Vec3T<T>& a, const Vec3T<T>& b) {
  return {a.x * b.x, a.y * b.y, a.z * b.z};
}

template <class T>
STICTION_HD Vec3T<T> abs(const Vec3T<T>& a) {
  return {a.x < T(0) ? -a.x : a.x, a.y < T(0) ? -a.y : a.y, a.z < T(0) ? -a.z : a.z};
}

template <class T>
STICTION_HD Vec3T<T> min(const Vec3T<T>& a, const Vec3T<T>& b) {
  return {a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y, a.z < b.z ? a.z : b.z};
}

template <class T>
STICTION_HD Vec3T<T> max(const Vec3T<T>& a, const Vec3T<T>& b) {
  return {a.x > b.x ? a.x : b.x, a.y > b.y ? a.y : b.y, a.z > b.z ? a.z : b.z};
}

template <class T>
STICTION_HD bool is_finite(const Vec3T<T>& a) {
  using std::isfinite;
  return isfinite(a.x) && isfinite(a.y) && isfinite(a.z);
}

// Two unit tangents t1, t2 with (n, t1, t2) right-handed and orthonormal. The axis least aligned with n is used;
// ties go to the lower index, so the frame is a function of n alone.
template <class T>
STICTION_HD void tangent_frame(const Vec3T<T>& n, Vec3T<T>& t1, Vec3T<T>& t2) {
  const Vec3T<T> a = abs(n);
  Vec3T<T> axis{T(1), T(0), T(0)};
  if (a.y < a.x && a.y <= a.z)
    axis = {T(0), T(1), T(0)};
  else if (a.z < a.x && a.z < a.y)
    axis = {T(0), T(0), T(1)};
  t1 = normalized(axis - n * dot(axis, n));
  t2 = cross(n, t1);
}

using Vec3 = Vec3T<double>;

}  // namespace stiction
