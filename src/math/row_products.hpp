// Products along rows of numbers, for host and device. Sums run in four lanes, so that a row takes a few vector
// instructions; their order is a function of the length alone.
#pragma once

#include "host_device.hpp"

namespace stiction {

template <class T>
STICTION_HD T row_dot(const T* a, const T* b, int n) {
  T lane[4] = {};
  int i = 0;
  for (; i + 4 <= n; i += 4)
    for (int l = 0; l < 4; ++l) lane[l] += a[i + l] * b[i + l];
  // The last numbers go to lanes of their own: none waits for another.
  const T rest[3] = {i < n ? a[i] * b[i] : T(0), i + 1 < n ? a[i + 1] * b[i + 1] : T(0),
                     i + 2 < n ? a[i + 2] * b[i + 2] : T(0)};
  return ((lane[0] + lane[2]) + (lane[1] + lane[3])) + ((rest[0] + rest[2]) + rest[1]);
}

// y += s a
template <class T>
STICTION_HD void add_row_times(T s, const T* a, int n, T* y) {
  for (int i = 0; i < n; ++i) y[i] += s * a[i];
}

// Whether all numbers are finite: 0 · x is 0 for these alone.
template <class T>
STICTION_HD bool all_finite(const T* x, int n) {
  T lane[4] = {};
  int i = 0;
  for (; i + 4 <= n; i += 4)
    for (int l = 0; l < 4; ++l) lane[l] += x[i + l] * T(0);
  for (; i < n; ++i) lane[0] += x[i] * T(0);
  return (lane[0] + lane[2]) + (lane[1] + lane[3]) == T(0);
}

}  // namespace stiction
