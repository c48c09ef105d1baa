// y ← y + Σ_k s_k a_k over rows of numbers, in whole vectors: the last numbers are those of a vector that ends with
// them, so that no row has a remainder. The sum of each number runs over the rows in order.
#pragma once

#include "lanes.hpp"

namespace stiction::detail {

// Rows of n numbers one after the other. y is none of them.
inline void add_rows_times(const double* s, const double* a, int rows, int n, double* y) {
  if (n < kLane) {
    for (int j = 0; j < n; ++j)
      for (int k = 0; k < rows; ++k) y[j] += s[k] * a[std::ptrdiff_t(k) * n + j];
    return;
  }
  const auto sum = [&](int j) {
    Pack x = load_pack(y + j);
    for (int k = 0; k < rows; ++k) x += s[k] * load_pack(a + std::ptrdiff_t(k) * n + j);
    return x;
  };
  const Pack last = sum(n - kLane);
  for (int j = 0; j + kLane < n; j += kLane) store_pack(y + j, sum(j));
  store_pack(y + n - kLane, last);
}

}  // namespace stiction::detail
