// Unit quaternions (w, x, y, z), the order of MJCF, and rigid transforms, for host and device.
#pragma once

#include "mat3.hpp"

namespace stiction {

template <class T>
struct QuatT {
  T w{T(1)}, x{}, y{}, z{};

  // Hamilton's product: rotating by b, then by a.
  friend STICTION_HD QuatT operator*(const QuatT& a, const QuatT& b) {
    return {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
            a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
  }
};

template <class T>
STICTION_HD QuatT<T> conjugate(const QuatT<T>& q) {
  return {q.w, -q.x, -q.y, -q.z};
}

// q / |q|; the identity where q is zero.
template <class T>
STICTION_HD QuatT<T> normalized(const QuatT<T>& q) {
  using std::sqrt;
  const T length = sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
  if (!(length > T(0))) return {};
  return {q.w / length, q.x / length, q.y / length, q.z / length};
}

// 1 + 2 w r̂ + 2 r̂², r the vector part.
template <class T>
STICTION_HD Mat3T<T> rotation_matrix(const QuatT<T>& q) {
  const T x2 = q.x + q.x, y2 = q.y + q.y, z2 = q.z + q.z;
  const T xx = q.x * x2, yy = q.y * y2, zz = q.z * z2;
  const T xy = q.x * y2, xz = q.x * z2, yz = q.y * z2;
  const T wx = q.w * x2, wy = q.w * y2, wz = q.w * z2;
  return {{{T(1) - (yy + zz), xy - wz, xz + wy},
           {xy + wz, T(1) - (xx + zz), yz - wx},
           {xz - wy, yz + wx, T(1) - (xx + yy)}}};
}

// R(q) v = v + 2 w (r × v) + 2 r × (r × v), r the vector part.
template <class T>
STICTION_HD Vec3T<T> rotate(const QuatT<T>& q, const Vec3T<T>& v) {
  const Vec3T<T> r{q.x, q.y, q.z};
  const Vec3T<T> t = cross(r, v) * T(2);
  return v + t * q.w + cross(r, t);
}

template <class T>
STICTION_HD Vec3T<T> rotate_inverse(const QuatT<T>& q, const Vec3T<T>& v) {
  return rotate(conjugate(q), v);
}

// The rotation by the angle |θ| about θ.
template <class T>
STICTION_HD QuatT<T> quat_from_rotation_vector(const Vec3T<T>& theta) {
  using std::cos;
  using std::sin;
  const T angle = norm(theta), half = angle / T(2);
  // sin(a/2)/a = 1/2 − a²/48 + …: the next term is below rounding for a < 1e-4.
  const T s = angle < T(1e-4) ? T(0.5) - angle * angle / T(48) : sin(half) / angle;
  return {cos(half), theta.x * s, theta.y * s, theta.z * s};
}

// θ with the rotation of the unit quaternion q, |θ| ≤ π.
template <class T>
STICTION_HD Vec3T<T> rotation_vector(const QuatT<T>& q) {
  using std::atan2;
  using std::sqrt;
  const T sign = q.w < T(0) ? T(-1) : T(1);
  const Vec3T<T> v = Vec3T<T>{q.x, q.y, q.z} * sign;
  const T sine = norm(v);
  // a / sin(a/2) = 2 + a²/12 + … with a/2 ≈ sin(a/2) below 1e-4
  const T factor = sine < T(1e-4) ? T(2) + sine * sine / T(3) : T(2) * atan2(sine, sign * q.w) / sine;
  return v * factor;
}

// X_AB: the pose of frame B in frame A.
template <class T>
struct TransformT {
  Vec3T<T> p{};
  QuatT<T> q{};

  friend STICTION_HD TransformT operator*(const TransformT& a, const TransformT& b) {
    return {a.p + rotate(a.q, b.p), a.q * b.q};
  }
  friend STICTION_HD Vec3T<T> operator*(const TransformT& a, const Vec3T<T>& v) { return a.p + rotate(a.q, v); }
};

template <class T>
STICTION_HD TransformT<T> inverse(const TransformT<T>& a) {
  return {-rotate_inverse(a.q, a.p), conjugate(a.q)};
}

using Quat = QuatT<double>;
using Transform = TransformT<double>;

}  // namespace stiction
