#include "problem/bias_rounds.hpp"

#include <algorithm>

namespace stiction {
namespace {

constexpr double kIndependent = 1e-8;  // square of the share of a change that must be new
// A change beyond so many times the error is none to learn from: what moves the error so little is a direction in which
// rows say things twice.
constexpr double kFarthest = 5;

double product(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

// y ← y − factor x
void subtract(double factor, const std::vector<double>& x, std::vector<double>& y) {
  for (std::size_t i = 0; i < x.size(); ++i) y[i] -= factor * x[i];
}

}  // namespace

void BiasRounds::start(const ConstraintRows& rows) {
  bias_.clear();
  for (const ConstraintRow& row : rows.list)
    if (row.is_linearised()) bias_.push_back(row.bias);
  best_ = before_ = error_ = error_before_ = next_ = bias_;
  for (Change* changes : {change_, direction_})  // a round allocates nothing
    for (int c = 0; c < kMemory; ++c) {
      changes[c].error.resize(bias_.size());
      changes[c].target.resize(bias_.size());
    }
  count_ = -1;
}

void BiasRounds::remember() {
  if (count_ == kMemory) std::rotate(change_, change_ + 1, change_ + count_--);
  Change& change = change_[count_++];
  for (std::size_t i = 0; i < bias_.size(); ++i) {
    change.error[i] = error_[i] - error_before_[i];
    change.target[i] = bias_[i] - before_[i] + change.error[i];
  }
}

// The least squares by Gram and Schmidt, the newest change first: what is done to ΔR is done to ΔB + ΔR, so that each
// direction can be taken off by itself.
void BiasRounds::mix() {
  int known = 0;
  for (int c = count_ - 1; c >= 0; --c) {
    Change& d = direction_[known];
    d = change_[c];
    const double size = product(d.error, d.error);
    for (int k = 0; k < known; ++k) {
      const Change& other = direction_[k];
      const double share = product(d.error, other.error) / product(other.error, other.error);
      subtract(share, other.error, d.error);
      subtract(share, other.target, d.target);
    }
    const double square = product(d.error, d.error);
    if (!(square > kIndependent * size)) continue;
    const double factor = product(error_, d.error) / square;
    ++known;
    if (factor * factor * product(d.target, d.target) > kFarthest * kFarthest * product(error_, error_)) continue;
    subtract(factor, d.target, next_);
  }
}

void BiasRounds::write(const std::vector<double>& bias, ConstraintRows& rows) {
  std::size_t i = 0;
  for (ConstraintRow& row : rows.list)
    if (row.is_linearised()) row.bias = bias[i++];
}

bool BiasRounds::return_to_best(ConstraintRows& rows) {
  if (count_ < 0 || !(4 * least_ < product(error_, error_))) return false;
  write(best_, rows);
  return true;
}

void BiasRounds::next(bool forget, ConstraintRows& rows) {
  if (bias_.empty()) return;
  std::size_t i = 0;
  for (const ConstraintRow& row : rows.list)
    if (row.is_linearised()) {
      error_[i] = row.bias - bias_[i];
      next_[i++] = row.bias;
    }
  if (forget) count_ = -1;
  if (const double square = product(error_, error_); count_ < 0 || square < least_) {
    least_ = square;
    best_ = bias_;
  }
  if (count_ >= 0) {
    remember();
    mix();
  } else {
    count_ = 0;
  }
  before_ = bias_;
  error_before_ = error_;
  bias_ = next_;
  write(bias_, rows);
}

}  // namespace stiction
