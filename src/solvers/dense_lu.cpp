#include "solvers/dense_lu.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace stiction {

using detail::Entries;
using detail::kLane;
using detail::kPanel;

static_assert(kPanel % kLane == 0);

double* DenseLu::resize(int n) {
  n_ = n;
  stride_ = detail::padded(n, kPanel);
  matrix_.resize(std::size_t(n) * std::size_t(stride_));
  x_.resize(std::size_t(stride_));
  row_scale_.resize(std::size_t(n));
  inverse_.resize(std::size_t(n));
  pivot_.resize(std::size_t(n));
  return matrix_.data();
}

// Rows are scaled to an absolute sum of one: laws differ in their units and sizes by many orders of magnitude.
bool DenseLu::scale_rows() {
  for (int i = 0; i < n_; ++i) {
    double* row = matrix_.data() + i * stride_;
    std::fill(row + n_, row + stride_, 0.0);
    const double sum = detail::absolute_sum(row, stride_);
    if (!(sum > 0) || !std::isfinite(sum)) return false;
    const double scale = row_scale_[std::size_t(i)] = 1 / sum;
    for (int j = 0; j < stride_; j += kPanel)
      for (int l = 0; l < kPanel; ++l) row[j + l] *= scale;
  }
  return true;
}

// The rows U₁₂ beside a panel of n factored columns, and A₂₂ ← A₂₂ − L₂₁ U₁₂.
void DenseLu::update(int first, int n) {
  const auto at = [&](int i, int j) { return matrix_.data() + std::ptrdiff_t(i) * stride_ + j; };
  const int next = first + n, tail = stride_ - first - kPanel;
  if (tail == 0) return;
  const Entries lower{at(first, first), 1, stride_}, rest{at(next, first), 1, stride_};
  detail::substitute(at(first, next), stride_, tail, n, lower, nullptr);
  detail::subtract_product(at(next, next), stride_, n_ - next, tail, rest, at(first, next), stride_, n);
}

// kPanel columns: P A₁ = L₁ U₁, and what follows from them.
bool DenseLu::eliminate(int first) {
  const auto at = [&](int i, int j) { return matrix_.data() + std::ptrdiff_t(i) * stride_ + j; };
  const int n = std::min(kPanel, n_ - first), tail = stride_ - first - kPanel;
  constexpr double kLeast[kPanel] = {};
  int* pivot = pivot_.data() + first;
  if (!detail::factor_columns(at(first, first), stride_, n_ - first, n, kLeast, pivot, inverse_.data() + first))
    return false;
  for (int c = 0; c < n; ++c) {
    const int row = first + c, other = pivot[c] += first;
    if (row == other) continue;
    detail::swap_rows(at(row, 0), at(other, 0), first);
    detail::swap_rows(at(row, first + kPanel), at(other, first + kPanel), tail);
  }
  update(first, n);
  return true;
}

bool DenseLu::factor() {
  in_order_ = false;
  if (!scale_rows()) return false;
  for (int first = 0; first < n_; first += kPanel)
    if (!eliminate(first)) return false;
  return true;
}

bool DenseLu::factor_in_order() {
  in_order_ = true;
  for (int first = 0; first < n_; first += kPanel) {
    const int n = std::min(kPanel, n_ - first);
    double* panel = matrix_.data() + std::ptrdiff_t(first) * (stride_ + 1);
    if (!detail::factor_columns_in_order(panel, stride_, n_ - first, n, inverse_.data() + first)) return false;
    update(first, n);
  }
  return true;
}

void DenseLu::solve(double* x) {
  double* y = x_.data();
  std::fill(y + n_, y + stride_, 0.0);
  if (in_order_) {
    std::copy(x, x + n_, y);
  } else {
    for (int i = 0; i < n_; ++i) y[i] = x[i] * row_scale_[std::size_t(i)];
    for (int i = 0; i < n_; ++i) std::swap(y[i], y[pivot_[std::size_t(i)]]);
  }
  detail::solve_factored(matrix_.data(), stride_, n_, inverse_.data(), y);
  std::copy(y, y + n_, x);
}

}  // namespace stiction
