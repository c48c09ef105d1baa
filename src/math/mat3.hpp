// 3×3 matrices, row-major, for host and device.
#pragma once

#include "vec3.hpp"

namespace stiction {

template <class T>
struct Mat3T {
  Vec3T<T> row[3];

  static STICTION_HD Mat3T identity() { return diagonal({T(1), T(1), T(1)}); }
  static STICTION_HD Mat3T diagonal(const Vec3T<T>& d) {
    return {{{d.x, T(0), T(0)}, {T(0), d.y, T(0)}, {T(0), T(0), d.z}}};
  }
  static STICTION_HD Mat3T from_columns(const Vec3T<T>& a, const Vec3T<T>& b, const Vec3T<T>& c) {
    return {{{a.x, b.x, c.x}, {a.y, b.y, c.y}, {a.z, b.z, c.z}}};
  }

  STICTION_HD T& operator()(int i, int j) { return row[i][j]; }
  STICTION_HD const T& operator()(int i, int j) const { return row[i][j]; }
  STICTION_HD Vec3T<T> column(int j) const { return {row[0][j], row[1][j], row[2][j]}; }

  friend STICTION_HD Mat3T operator+(const Mat3T& a, const Mat3T& b) {
    return {{a.row[0] + b.row[0], a.row[1] + b.row[1], a.row[2] + b.row[2]}};
  }
  friend STICTION_HD Mat3T operator-(const Mat3T& a, const Mat3T& b) {
    return {{a.row[0] - b.row[0], a.row[1] - b.row[1], a.row[2] - b.row[2]}};
  }
  friend STICTION_HD Mat3T operator*(const Mat3T& a, T s) { return {{a.row[0] * s, a.row[1] * s, a.row[2] * s}}; }
  friend STICTION_HD Vec3T<T> operator*(const Mat3T& a, const Vec3T<T>& v) {
    return {dot(a.row[0], v), dot(a.row[1], v), dot(a.row[2], v)};
  }
  friend STICTION_HD Mat3T operator*(const Mat3T& a, const Mat3T& b) {
    Mat3T c;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) c.row[i][j] = dot(a.row[i], b.column(j));
    return c;
  }
};

template <class T>
STICTION_HD Mat3T<T> transpose(const Mat3T<T>& a) {
  return {{a.column(0), a.column(1), a.column(2)}};
}

// aᵀ v without forming the transpose.
template <class T>
STICTION_HD Vec3T<T> transpose_times(const Mat3T<T>& a, const Vec3T<T>& v) {
  return a.row[0] * v.x + a.row[1] * v.y + a.row[2] * v.z;
}

// â with â b = a × b.
template <class T>
STICTION_HD Mat3T<T> skew(const Vec3T<T>& a) {
  return {{{T(0), -a.z, a.y}, {a.z, T(0), -a.x}, {-a.y, a.x, T(0)}}};
}

template <class T>
STICTION_HD Mat3T<T> outer(const Vec3T<T>& a, const Vec3T<T>& b) {
  return {{b * a.x, b * a.y, b * a.z}};
}

template <class T>
STICTION_HD T determinant(const Mat3T<T>& a) {
  return dot(a.row[0], cross(a.row[1], a.row[2]));
}

// a⁻¹ by the adjugate; the caller answers for a determinant away from zero.
template <class T>
STICTION_HD Mat3T<T> inverse(const Mat3T<T>& a) {
  const Vec3T<T> c0 = cross(a.row[1], a.row[2]), c1 = cross(a.row[2], a.row[0]), c2 = cross(a.row[0], a.row[1]);
  const T s = T(1) / dot(a.row[0], c0);
  return Mat3T<T>::from_columns(c0 * s, c1 * s, c2 * s);
}

using Mat3 = Mat3T<double>;

}  // namespace stiction
