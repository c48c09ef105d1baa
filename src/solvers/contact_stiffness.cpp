#include "solvers/contact_stiffness.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace stiction::detail {
namespace {

// A row whose own W_ii is smaller than this share of its block's largest (a tree that cannot move that way) is shifted
// as if it had that much; refinement takes the difference out.
constexpr double kLeastShare = 1e-8;
// Least shift of a row against its entries in B.
constexpr double kLeastShift = 4 * std::numeric_limits<double>::epsilon();

}  // namespace

void ContactStiffness::prepare(const Island& island, const double* delassus) {
  island_ = &island;
  compliance_.resize(std::size_t(island.nrow));
  for (int c = 0; c < island.nblock; ++c) {
    const int rows = island.block_size(c);
    double* own = compliance_.data() + island.row[std::size_t(c)];
    double largest = 0;
    for (int i = 0; i < rows; ++i) largest = std::max(largest, own[i] = delassus[9 * c + 4 * i]);
    if (largest == 0) largest = 1;  // no tree moves this block: any compliance will do
    for (int i = 0; i < rows; ++i) own[i] = std::max(own[i], kLeastShare * largest);
  }
  const auto blocks = std::size_t(island.nblock);
  to_velocity_.resize(std::size_t(island.nrow));
  stiffness_.resize(9 * blocks);
  factor_.resize(blocks);
}

bool ContactStiffness::factor(const double* A, const double* B, double shift) {
  A_ = A;
  B_ = B;
  for (int c = 0; c < island_->nblock; ++c) {
    Factor& f = factor_[std::size_t(c)];
    fill_block(c, shift, f);
    // C = D⁻¹ A
    const double* a = A + 9 * std::ptrdiff_t(c);
    double* stiffness = stiffness_.data() + 9 * std::ptrdiff_t(c);
    const bool one = island_->block_size(c) == 1;
    if (!(one ? factor_block<1>(f) : factor_block<3>(f))) return false;
    if (one)
      solve_block<1, 1>(f, a, stiffness);
    else
      solve_block<3, 3>(f, a, stiffness);
  }
  return true;
}

// D = B + R A diag(W_cc), and the scale of its rows.
void ContactStiffness::fill_block(int block, double shift, Factor& f) {
  const int n = island_->block_size(block), first = island_->row[std::size_t(block)];
  const double* own = compliance_.data() + first;
  const double* a = A_ + 9 * std::ptrdiff_t(block);
  const double* b = B_ + 9 * std::ptrdiff_t(block);
  for (int i = 0; i < n; ++i) {
    double a_largest = 0, aw_largest = 0, b_largest = 0, bw_largest = 0;
    for (int j = 0; j < n; ++j) {
      const double a_size = std::abs(a[3 * i + j]), b_size = std::abs(b[3 * i + j]);
      a_largest = std::max(a_largest, a_size);
      aw_largest = std::max(aw_largest, a_size * own[j]);
      b_largest = std::max(b_largest, b_size);
      bw_largest = std::max(bw_largest, b_size / own[j]);
    }
    to_velocity_[std::size_t(first + i)] = 1 / std::max(a_largest, bw_largest);
    const double raised = aw_largest > 0 ? std::max(shift, kLeastShift * b_largest / aw_largest) : shift;
    for (int j = 0; j < n; ++j) f.entry[3 * i + j] = b[3 * i + j] + raised * (a[3 * i + j] * own[j]);
  }
}

// Rows are brought to the same size first: the caller may scale each row of [A B] as it likes.
template <int N>
bool ContactStiffness::factor_block(Factor& f) {
  for (int i = 0; i < N; ++i) {
    double largest = 0;
    for (int j = 0; j < N; ++j) largest = std::max(largest, std::abs(f.entry[3 * i + j]));
    if (!(largest > 0) || !std::isfinite(largest)) return false;
    f.scale[i] = 1 / largest;
    f.row[i] = i;
    for (int j = 0; j < N; ++j) f.entry[3 * i + j] *= f.scale[i];
  }
  for (int k = 0; k < N; ++k) {
    int best = k;
    for (int i = k + 1; i < N; ++i)
      if (std::abs(f.entry[3 * i + k]) > std::abs(f.entry[3 * best + k])) best = i;
    if (best != k) {
      std::swap_ranges(f.entry + 3 * k, f.entry + 3 * k + N, f.entry + 3 * best);
      std::swap(f.row[k], f.row[best]);
    }
    const double pivot = f.entry[3 * k + k];
    if (!(std::abs(pivot) > std::numeric_limits<double>::min())) return false;
    f.inverse[k] = 1 / pivot;
    for (int i = k + 1; i < N; ++i) {
      const double l = f.entry[3 * i + k] * f.inverse[k];
      f.entry[3 * i + k] = l;
      for (int j = k + 1; j < N; ++j) f.entry[3 * i + j] -= l * f.entry[3 * k + j];
    }
  }
  return true;
}

// x = D⁻¹ b for Columns right-hand sides, N rows of Columns entries each.
template <int N, int Columns>
void ContactStiffness::solve_block(const Factor& f, const double* b, double* x) {
  double y[N][Columns];
  for (int i = 0; i < N; ++i) {
    const int row = f.row[i];
    for (int k = 0; k < Columns; ++k) y[i][k] = b[row * Columns + k] * f.scale[row];
    for (int j = 0; j < i; ++j)
      for (int k = 0; k < Columns; ++k) y[i][k] -= f.entry[3 * i + j] * y[j][k];
  }
  for (int i = N - 1; i >= 0; --i)
    for (int k = 0; k < Columns; ++k) {
      for (int j = i + 1; j < N; ++j) y[i][k] -= f.entry[3 * i + j] * y[j][k];
      x[i * Columns + k] = y[i][k] *= f.inverse[i];
    }
}

void ContactStiffness::solve(double* x) const {
  for (int c = 0; c < island_->nblock; ++c) {
    double* own = x + island_->row[std::size_t(c)];
    if (island_->block_size(c) == 1)
      solve_block<1, 1>(factor_[std::size_t(c)], own, own);
    else
      solve_block<3, 1>(factor_[std::size_t(c)], own, own);
  }
}

void ContactStiffness::subtract_rows(const double* v, const double* p, double* r) const {
  for (int c = 0; c < island_->nblock; ++c) {
    const int n = island_->block_size(c), first = island_->row[std::size_t(c)];
    const double* a = A_ + 9 * std::ptrdiff_t(c);
    const double* b = B_ + 9 * std::ptrdiff_t(c);
    for (int i = 0; i < n; ++i) {
      double sum = r[first + i];
      for (int j = 0; j < n; ++j) sum -= a[3 * i + j] * v[first + j] + b[3 * i + j] * p[first + j];
      r[first + i] = sum;
    }
  }
}

void ContactStiffness::subtract_stiffness(const double* v, double* p) const {
  for (int c = 0; c < island_->nblock; ++c) {
    const int n = island_->block_size(c), first = island_->row[std::size_t(c)];
    const double* C = stiffness(c);
    for (int i = 0; i < n; ++i) {
      double sum = p[first + i];
      for (int j = 0; j < n; ++j) sum -= C[3 * i + j] * v[first + j];
      p[first + i] = sum;
    }
  }
}

double ContactStiffness::norm(const double* r) const {
  double largest = 0;
  for (std::size_t i = 0; i < to_velocity_.size(); ++i) {
    const double size = std::abs(r[i]) * to_velocity_[i];
    if (!(size <= std::numeric_limits<double>::max())) return std::numeric_limits<double>::infinity();
    largest = std::max(largest, size);
  }
  return largest;
}

}  // namespace stiction::detail
