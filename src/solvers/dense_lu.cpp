#include "solvers/dense_lu.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace stiction {
namespace {

constexpr int kPanel = 16;  // columns eliminated together

// y −= s0 x0 + s1 x1 + s2 x2 + s3 x3, one pass over y.
void subtract_four(const double* __restrict x0, const double* __restrict x1, const double* __restrict x2,
                   const double* __restrict x3, const double* s, int n, double* __restrict y) {
  const double s0 = s[0], s1 = s[1], s2 = s[2], s3 = s[3];
  for (int j = 0; j < n; ++j) y[j] -= (s0 * x0[j] + s1 * x1[j]) + (s2 * x2[j] + s3 * x3[j]);
}

void subtract_one(const double* __restrict x, double s, int n, double* __restrict y) {
  for (int j = 0; j < n; ++j) y[j] -= s * x[j];
}

}  // namespace

double* DenseLu::resize(int n) {
  n_ = n;
  stride_ = (n + 7) / 8 * 8;
  matrix_.resize(std::size_t(n) * std::size_t(stride_));
  row_scale_.resize(std::size_t(n));
  pivot_.resize(std::size_t(n));
  return matrix_.data();
}

bool DenseLu::factor_panel(int first, int last) {
  double* a = matrix_.data();
  for (int k = first; k < last; ++k) {
    int best = k;
    for (int i = k + 1; i < n_; ++i)
      if (std::abs(a[i * stride_ + k]) > std::abs(a[best * stride_ + k])) best = i;
    pivot_[std::size_t(k)] = best;
    const double value = a[best * stride_ + k];
    if (!(std::abs(value) > 0) || !std::isfinite(value)) return false;
    if (best != k) std::swap_ranges(a + k * stride_, a + k * stride_ + n_, a + best * stride_);
    const double inverse = 1 / value;
    for (int i = k + 1; i < n_; ++i) {
      double* row = a + i * stride_;
      if (row[k] == 0) continue;
      row[k] *= inverse;
      subtract_one(a + k * stride_ + k + 1, row[k], last - k - 1, row + k + 1);
    }
  }
  return true;
}

void DenseLu::update_trailing(int first, int last) {
  double* a = matrix_.data();
  const int width = n_ - last;
  if (width == 0) return;
  // U rows of the panel: forward substitution with its unit lower triangle.
  for (int k = first + 1; k < last; ++k)
    for (int l = first; l < k; ++l)
      subtract_one(a + l * stride_ + last, a[k * stride_ + l], width, a + k * stride_ + last);
  for (int i = last; i < n_; ++i) {
    double* row = a + i * stride_;
    int k = first;
    for (; k + 4 <= last; k += 4) {
      const double* s = row + k;
      if (s[0] == 0 && s[1] == 0 && s[2] == 0 && s[3] == 0) continue;
      const double* u = a + k * stride_ + last;
      subtract_four(u, u + stride_, u + 2 * stride_, u + 3 * stride_, s, width, row + last);
    }
    for (; k < last; ++k) subtract_one(a + k * stride_ + last, row[k], width, row + last);
  }
}

bool DenseLu::factor() {
  double* a = matrix_.data();
  // Rows are scaled to a largest entry of one: laws differ in their units and sizes by many orders of magnitude.
  for (int i = 0; i < n_; ++i) {
    double* row = a + i * stride_;
    double largest = 0;
    for (int j = 0; j < n_; ++j) largest = std::max(largest, std::abs(row[j]));
    if (!(largest > 0) || !std::isfinite(largest)) return false;
    const double scale = row_scale_[std::size_t(i)] = 1 / largest;
    for (int j = 0; j < n_; ++j) row[j] *= scale;
  }
  for (int first = 0; first < n_; first += kPanel) {
    const int last = std::min(first + kPanel, n_);
    if (!factor_panel(first, last)) return false;
    update_trailing(first, last);
  }
  return true;
}

void DenseLu::solve(double* x) {
  const double* a = matrix_.data();
  for (int i = 0; i < n_; ++i) x[i] *= row_scale_[std::size_t(i)];
  for (int i = 0; i < n_; ++i) std::swap(x[i], x[pivot_[std::size_t(i)]]);
  for (int i = 1; i < n_; ++i) {
    double sum = x[i];
    for (int j = 0; j < i; ++j) sum -= a[i * stride_ + j] * x[j];
    x[i] = sum;
  }
  for (int i = n_ - 1; i >= 0; --i) {
    double sum = x[i];
    for (int j = i + 1; j < n_; ++j) sum -= a[i * stride_ + j] * x[j];
    x[i] = sum / a[i * stride_ + i];
  }
}

}  // namespace stiction
