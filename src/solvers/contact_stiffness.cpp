#include "solvers/contact_stiffness.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "solvers/block_law.hpp"

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
    const double* W = delassus + island.square[std::size_t(c)];
    double* own = compliance_.data() + island.row[std::size_t(c)];
    double largest = 0;
    for (int i = 0; i < rows; ++i) largest = std::max(largest, own[i] = W[(rows + 1) * i]);
    if (largest == 0) largest = 1;  // no tree moves this block: any compliance will do
    for (int i = 0; i < rows; ++i) own[i] = std::max(own[i], kLeastShare * largest);
  }
  for (auto* rows : {&to_velocity_, &scale_, &inverse_}) rows->resize(std::size_t(island.nrow));
  exchanged_.resize(std::size_t(island.nrow));
  for (auto* squares : {&stiffness_, &entry_}) squares->resize(std::size_t(island.square.back()));
}

bool ContactStiffness::factor(const double* A, const double* B, double shift) {
  A_ = A;
  B_ = B;
  for (int c = 0; c < island_->nblock; ++c) {
    // C = D⁻¹ A
    const double* a = A + island_->square[std::size_t(c)];
    double* stiffness = stiffness_.data() + island_->square[std::size_t(c)];
    const bool regular = with_rows(island_->block_size(c), [&](auto rows) {
      fill_block<rows>(c, shift);
      if (!factor_block<rows>(c)) return false;
      solve_block<rows, rows>(c, a, stiffness);
      return true;
    });
    if (!regular) return false;
  }
  return true;
}

// D = B + R A diag(W_cc), and the scale of its rows.
template <int N>
void ContactStiffness::fill_block(int block, double shift) {
  const int first = island_->row[std::size_t(block)];
  const double* own = compliance_.data() + first;
  const double* a = A_ + island_->square[std::size_t(block)];
  const double* b = B_ + island_->square[std::size_t(block)];
  double* entry = entry_.data() + island_->square[std::size_t(block)];
  for (int i = 0; i < N; ++i) {
    double a_largest = 0, aw_largest = 0, b_largest = 0, bw_largest = 0;
    for (int j = 0; j < N; ++j) {
      const double a_size = std::abs(a[N * i + j]), b_size = std::abs(b[N * i + j]);
      a_largest = std::max(a_largest, a_size);
      aw_largest = std::max(aw_largest, a_size * own[j]);
      b_largest = std::max(b_largest, b_size);
      bw_largest = std::max(bw_largest, b_size / own[j]);
    }
    to_velocity_[std::size_t(first + i)] = 1 / std::max(a_largest, bw_largest);
    const double raised = aw_largest > 0 ? std::max(shift, kLeastShift * b_largest / aw_largest) : shift;
    for (int j = 0; j < N; ++j) entry[N * i + j] = b[N * i + j] + raised * (a[N * i + j] * own[j]);
  }
}

// Rows are brought to the same size first: the caller may scale each row of [A B] as it likes.
template <int N>
bool ContactStiffness::factor_block(int block) {
  const int first = island_->row[std::size_t(block)];
  double* entry = entry_.data() + island_->square[std::size_t(block)];
  double* scale = scale_.data() + first;
  double* inverse = inverse_.data() + first;
  int* row = exchanged_.data() + first;
  for (int i = 0; i < N; ++i) {
    double largest = 0;
    for (int j = 0; j < N; ++j) largest = std::max(largest, std::abs(entry[N * i + j]));
    if (!(largest > 0) || !std::isfinite(largest)) return false;
    scale[i] = 1 / largest;
    row[i] = i;
    for (int j = 0; j < N; ++j) entry[N * i + j] *= scale[i];
  }
  for (int k = 0; k < N; ++k) {
    int best = k;
    for (int i = k + 1; i < N; ++i)
      if (std::abs(entry[N * i + k]) > std::abs(entry[N * best + k])) best = i;
    if (best != k) {
      std::swap_ranges(entry + N * k, entry + N * (k + 1), entry + N * best);
      std::swap(row[k], row[best]);
    }
    const double pivot = entry[N * k + k];
    if (!(std::abs(pivot) > std::numeric_limits<double>::min())) return false;
    inverse[k] = 1 / pivot;
    for (int i = k + 1; i < N; ++i) {
      const double l = entry[N * i + k] * inverse[k];
      entry[N * i + k] = l;
      for (int j = k + 1; j < N; ++j) entry[N * i + j] -= l * entry[N * k + j];
    }
  }
  return true;
}

// x = D⁻¹ b for Columns right-hand sides, N rows of Columns entries each.
template <int N, int Columns>
void ContactStiffness::solve_block(int block, const double* b, double* x) const {
  const int first = island_->row[std::size_t(block)];
  const double* entry = entry_.data() + island_->square[std::size_t(block)];
  const double* scale = scale_.data() + first;
  const double* inverse = inverse_.data() + first;
  const int* exchanged = exchanged_.data() + first;
  double y[N][Columns];
  for (int i = 0; i < N; ++i) {
    const int row = exchanged[i];
    for (int k = 0; k < Columns; ++k) y[i][k] = b[row * Columns + k] * scale[row];
    for (int j = 0; j < i; ++j)
      for (int k = 0; k < Columns; ++k) y[i][k] -= entry[N * i + j] * y[j][k];
  }
  for (int i = N - 1; i >= 0; --i)
    for (int k = 0; k < Columns; ++k) {
      for (int j = i + 1; j < N; ++j) y[i][k] -= entry[N * i + j] * y[j][k];
      x[i * Columns + k] = y[i][k] *= inverse[i];
    }
}

void ContactStiffness::solve(double* x) const {
  for (int c = 0; c < island_->nblock; ++c) {
    double* own = x + island_->row[std::size_t(c)];
    with_rows(island_->block_size(c), [&](auto rows) { solve_block<rows, 1>(c, own, own); });
  }
}

void ContactStiffness::subtract_rows(const double* v, const double* p, double* r) const {
  for (int c = 0; c < island_->nblock; ++c) {
    const int first = island_->row[std::size_t(c)];
    const double* a = A_ + island_->square[std::size_t(c)];
    const double* b = B_ + island_->square[std::size_t(c)];
    with_rows(island_->block_size(c), [&](auto rows) {
      for (int i = 0; i < rows; ++i) {
        double sum = r[first + i];
        for (int j = 0; j < rows; ++j) sum -= a[rows * i + j] * v[first + j] + b[rows * i + j] * p[first + j];
        r[first + i] = sum;
      }
    });
  }
}

void ContactStiffness::subtract_stiffness(const double* v, double* p) const {
  for (int c = 0; c < island_->nblock; ++c) {
    const int first = island_->row[std::size_t(c)];
    const double* C = stiffness(c);
    with_rows(island_->block_size(c), [&](auto rows) {
      for (int i = 0; i < rows; ++i) {
        double sum = p[first + i];
        for (int j = 0; j < rows; ++j) sum -= C[rows * i + j] * v[first + j];
        p[first + i] = sum;
      }
    });
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
