#include "lcp/lemke.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace stiction::detail {
namespace {

// Entries of a scaled tableau below this are rounding errors.
constexpr double kZeroPivot = 1e-10;
constexpr double kTie = 1e-13;

}  // namespace

double Lemke::column_entry(int variable, int row) const {
  if (variable < n_) return variable == row ? 1 : 0;
  if (variable < 2 * n_) return -M_[std::size_t(row) * std::size_t(n_) + std::size_t(variable - n_)];
  return variable == 2 * n_ ? -cover_[std::size_t(row)] : q_[std::size_t(row)];
}

void Lemke::start() {
  tableau_.resize(std::size_t(n_) * std::size_t(width_));
  basis_.resize(std::size_t(n_));
  for (int i = 0; i < n_; ++i) {
    basis_[std::size_t(i)] = i;
    for (int k = 0; k < width_; ++k) at(i, k) = column_entry(k, i);
  }
}

// x with Σ_k x_k (column of basic variable k) = right, refined once.
bool Lemke::solve_basis(std::span<const double> right, std::vector<double>& values) {
  values.assign(right.begin(), right.end());
  lu_.solve(values.data());
  residual_.resize(std::size_t(n_));
  for (int i = 0; i < n_; ++i) {
    double sum = right[std::size_t(i)];
    for (int k = 0; k < n_; ++k) sum -= column_entry(basis_[std::size_t(k)], i) * values[std::size_t(k)];
    residual_[std::size_t(i)] = sum;
  }
  lu_.solve(residual_.data());
  bool finite = true;
  for (int k = 0; k < n_; ++k) {
    values[std::size_t(k)] += residual_[std::size_t(k)];
    finite = finite && std::isfinite(values[std::size_t(k)]);
  }
  return finite;
}

bool Lemke::rebuild() {
  double* matrix = lu_.resize(n_);
  for (int i = 0; i < n_; ++i)
    for (int k = 0; k < n_; ++k) matrix[i * lu_.stride() + k] = column_entry(basis_[std::size_t(k)], i);
  if (!lu_.factor()) return false;
  right_.resize(std::size_t(n_));
  for (int column = 0; column < width_; ++column) {
    for (int i = 0; i < n_; ++i) right_[std::size_t(i)] = column_entry(column, i);
    if (!solve_basis(right_, values_)) return false;
    for (int i = 0; i < n_; ++i) at(i, column) = values_[std::size_t(i)];
  }
  return true;
}

// The row that z₀ takes: the lexicographically smallest (q_i, e_i) / d_i. Of equal q_i / d_i that is the last.
int Lemke::first_row() const {
  int best = 0;
  for (int i = 1; i < n_; ++i) {
    const double a = q_[std::size_t(i)] / cover_[std::size_t(i)], b = q_[std::size_t(best)] / cover_[std::size_t(best)];
    if (a <= b) best = i;
  }
  return best;
}

// Whether (right side, B⁻¹) / pivot of the row is lexicographically smaller than that of the best so far. z₀ goes first
// wherever it may: that ends the path.
bool Lemke::comes_before(int row, int best, int entering) const {
  const double a = at(row, entering), b = at(best, entering);
  for (int k = -1; k < n_; ++k) {
    const int column = k < 0 ? width_ - 1 : k;
    const double x = at(row, column) / a, y = at(best, column) / b;
    if (std::abs(x - y) > kTie * (1 + std::max(std::abs(x), std::abs(y)))) return x < y;
    if (k < 0 && basis_[std::size_t(row)] == 2 * n_) return true;
    if (k < 0 && basis_[std::size_t(best)] == 2 * n_) return false;
  }
  return false;
}

// −1: none, the entering variable may grow for ever.
int Lemke::leaving_row(int entering) const {
  int best = -1;
  for (int i = 0; i < n_; ++i)
    if (at(i, entering) > kZeroPivot && (best < 0 || comes_before(i, best, entering))) best = i;
  return best;
}

void Lemke::pivot(int row, int entering) {
  const double inverse = 1 / at(row, entering);
  double* source = &at(row, 0);
  for (int k = 0; k < width_; ++k) source[k] *= inverse;
  source[entering] = 1;
  for (int i = 0; i < n_; ++i) {
    if (i == row) continue;
    double* target = &at(i, 0);
    const double factor = target[entering];
    if (factor == 0) continue;
    for (int k = 0; k < width_; ++k) target[k] -= factor * source[k];
    target[entering] = 0;
    // The right side is lexicographically positive; what is below zero is rounding.
    target[width_ - 1] = std::max(target[width_ - 1], 0.0);
  }
  basis_[std::size_t(row)] = entering;
}

void Lemke::read_values(int entering) {
  const auto n = std::size_t(n_);
  z_.assign(n, 0);
  direction_.assign(n, 0);
  z0_ = direction0_ = 0;
  const auto add = [&](int variable, double value, double slope) {
    if (variable == 2 * n_) {
      z0_ = value;
      direction0_ = slope;
    } else if (variable >= n_) {
      z_[std::size_t(variable - n_)] = value;
      direction_[std::size_t(variable - n_)] = slope;
    }
  };
  for (int i = 0; i < n_; ++i) {
    const double slope = entering < 0 || std::abs(at(i, entering)) < kZeroPivot ? 0 : -at(i, entering);
    add(basis_[std::size_t(i)], std::max(at(i, width_ - 1), 0.0), slope);
  }
  if (entering >= 0) add(entering, 0, 1);
}

LemkeEnd Lemke::solve(std::span<const double> M, std::span<const double> q, std::span<const double> cover,
                      int max_pivots) {
  M_ = M;
  q_ = q;
  cover_ = cover;
  n_ = int(q.size());
  width_ = 2 * n_ + 2;
  pivots_ = 0;
  start();
  if (std::all_of(q.begin(), q.end(), [](double x) { return x >= 0; })) {
    read_values(-1);
    return LemkeEnd::kSolved;
  }
  int row = first_row(), entering = 2 * n_, since_rebuild = 0;
  const int period = std::max(64, n_);
  while (true) {
    const int leaving = basis_[std::size_t(row)];
    pivot(row, entering);
    ++pivots_;
    if (++since_rebuild >= period) {
      if (!rebuild()) return LemkeEnd::kLimit;
      since_rebuild = 0;
    }
    const bool arrived = leaving == 2 * n_;
    entering = leaving < n_ ? leaving + n_ : leaving - n_;
    row = arrived ? -1 : leaving_row(entering);
    if (!arrived && row >= 0 && pivots_ < max_pivots) continue;
    // Values, and a ray, from M and q rather than from the pivots.
    const bool fresh = rebuild();
    if (!arrived && row < 0 && fresh) {
      row = leaving_row(entering);
      if (row >= 0 && pivots_ < max_pivots) continue;
    }
    read_values(arrived || row >= 0 ? -1 : entering);
    if (arrived) return LemkeEnd::kSolved;
    return row < 0 ? LemkeEnd::kRay : LemkeEnd::kLimit;
  }
}

}  // namespace stiction::detail
