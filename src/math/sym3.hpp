// Symmetric 3×3 matrices: six numbers, for host and device.
#pragma once

#include "mat3.hpp"

namespace stiction {

template <class T>
struct Sym3T {
  T xx{}, yy{}, zz{}, xy{}, xz{}, yz{};

  static STICTION_HD Sym3T from(const Mat3T<T>& a) {
    return {a.row[0].x, a.row[1].y, a.row[2].z, a.row[0].y, a.row[0].z, a.row[1].z};
  }

  STICTION_HD Mat3T<T> full() const { return {{{xx, xy, xz}, {xy, yy, yz}, {xz, yz, zz}}}; }

  friend STICTION_HD Sym3T operator+(const Sym3T& a, const Sym3T& b) {
    return {a.xx + b.xx, a.yy + b.yy, a.zz + b.zz, a.xy + b.xy, a.xz + b.xz, a.yz + b.yz};
  }
  friend STICTION_HD Sym3T operator-(const Sym3T& a, const Sym3T& b) {
    return {a.xx - b.xx, a.yy - b.yy, a.zz - b.zz, a.xy - b.xy, a.xz - b.xz, a.yz - b.yz};
  }
  friend STICTION_HD Vec3T<T> operator*(const Sym3T& a, const Vec3T<T>& v) {
    return {a.xx * v.x + a.xy * v.y + a.xz * v.z, a.xy * v.x + a.yy * v.y + a.yz * v.z,
            a.xz * v.x + a.yz * v.y + a.zz * v.z};
  }
};

// R S Rᵀ: the matrix seen in turned axes.
template <class T>
STICTION_HD Sym3T<T> turned(const Mat3T<T>& R, const Sym3T<T>& S) {
  const Vec3T<T> x = S * R.row[0], y = S * R.row[1], z = S * R.row[2];
  return {dot(R.row[0], x), dot(R.row[1], y), dot(R.row[2], z), dot(R.row[0], y), dot(R.row[0], z), dot(R.row[1], z)};
}

// m (|c|² 1 − c cᵀ): what the parallel-axis theorem adds at a distance c from the centre of mass.
template <class T>
STICTION_HD Sym3T<T> parallel_axis(T m, const Vec3T<T>& c) {
  const Vec3T<T> mc = c * m;
  const T xx = mc.x * c.x, yy = mc.y * c.y, zz = mc.z * c.z;
  return {yy + zz, xx + zz, xx + yy, -(mc.x * c.y), -(mc.x * c.z), -(mc.y * c.z)};
}

// a bᵀ where the product is known to be symmetric.
template <class T>
STICTION_HD Sym3T<T> symmetric_outer(const Vec3T<T>& a, const Vec3T<T>& b) {
  return {a.x * b.x, a.y * b.y, a.z * b.z, a.x * b.y, a.x * b.z, a.y * b.z};
}

// a⁻¹ by the adjugate; false, with nothing written, if a is not positive definite.
template <class T>
STICTION_HD bool invert_positive(const Sym3T<T>& a, Sym3T<T>& out) {
  const T xx = a.yy * a.zz - a.yz * a.yz, xy = a.xz * a.yz - a.xy * a.zz, xz = a.xy * a.yz - a.xz * a.yy;
  const T minor = a.xx * a.yy - a.xy * a.xy, det = a.xx * xx + a.xy * xy + a.xz * xz;
  if (!(a.xx > T(0) && minor > T(0) && det > T(0))) return false;
  const T s = T(1) / det;
  out = {xx * s, (a.xx * a.zz - a.xz * a.xz) * s, minor * s, xy * s, xz * s, (a.xy * a.xz - a.xx * a.yz) * s};
  return true;
}

using Sym3 = Sym3T<double>;

}  // namespace stiction
