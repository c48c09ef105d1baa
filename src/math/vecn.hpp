// Small vectors and square matrices whose size is known at compile time, for host and device: the rows of one block of
// the contact problem. Sums run from the first entry to the last, as those of Vec3T do.
#pragma once

#include <cmath>

#include "host_device.hpp"

namespace stiction {

template <class T, int N>
struct VecN {
  T entry[N]{};

  STICTION_HD T& operator[](int i) { return entry[i]; }
  STICTION_HD const T& operator[](int i) const { return entry[i]; }

  STICTION_HD VecN& operator+=(const VecN& b) { return *this = *this + b; }
  STICTION_HD VecN& operator*=(T s) { return *this = *this * s; }

  friend STICTION_HD VecN operator+(const VecN& a, const VecN& b) {
    VecN c;
    for (int i = 0; i < N; ++i) c[i] = a[i] + b[i];
    return c;
  }
  friend STICTION_HD VecN operator-(const VecN& a, const VecN& b) {
    VecN c;
    for (int i = 0; i < N; ++i) c[i] = a[i] - b[i];
    return c;
  }
  friend STICTION_HD VecN operator-(const VecN& a) {
    VecN c;
    for (int i = 0; i < N; ++i) c[i] = -a[i];
    return c;
  }
  friend STICTION_HD VecN operator*(const VecN& a, T s) {
    VecN c;
    for (int i = 0; i < N; ++i) c[i] = a[i] * s;
    return c;
  }
  friend STICTION_HD VecN operator/(const VecN& a, T s) {
    VecN c;
    for (int i = 0; i < N; ++i) c[i] = a[i] / s;
    return c;
  }
};

template <class T, int N>
STICTION_HD T dot(const VecN<T, N>& a, const VecN<T, N>& b) {
  T sum = a[0] * b[0];
  for (int i = 1; i < N; ++i) sum += a[i] * b[i];
  return sum;
}

template <class T, int N>
STICTION_HD T norm_squared(const VecN<T, N>& a) {
  return dot(a, a);
}

template <class T, int N>
STICTION_HD T norm(const VecN<T, N>& a) {
  using std::sqrt;
  return sqrt(dot(a, a));
}

// Length of all entries but the first: the tangential part of a contact's rows.
template <class T, int N>
STICTION_HD T tail_norm(const VecN<T, N>& a) {
  using std::sqrt;
  if constexpr (N == 1) {
    return T(0);
  } else {
    T sum = a[1] * a[1];
    for (int i = 2; i < N; ++i) sum += a[i] * a[i];
    return sqrt(sum);
  }
}

// N×N, row-major.
template <class T, int N>
struct MatN {
  VecN<T, N> row[N]{};

  STICTION_HD T& operator()(int i, int j) { return row[i][j]; }
  STICTION_HD const T& operator()(int i, int j) const { return row[i][j]; }
  STICTION_HD VecN<T, N> column(int j) const {
    VecN<T, N> c;
    for (int i = 0; i < N; ++i) c[i] = row[i][j];
    return c;
  }
  friend STICTION_HD VecN<T, N> operator*(const MatN& a, const VecN<T, N>& v) {
    VecN<T, N> c;
    for (int i = 0; i < N; ++i) c[i] = dot(a.row[i], v);
    return c;
  }
};

}  // namespace stiction
