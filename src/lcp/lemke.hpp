// Lemke's method: complementary pivoting along w = M z + d z₀ + q from large z₀ to z₀ = 0.
// Source: Cottle, Pang, Stone (1992), algorithms 4.4.1 and 4.4.5 (scheme I); the lexicographic ratio test of 4.9 cannot
// cycle. Where we depart: the tableau is built anew from M and q now and then, and the values at the end always are, so
// that rounding errors of the pivots do not stay in the answer.
#pragma once

#include <span>
#include <vector>

#include "solvers/dense_lu.hpp"

namespace stiction::detail {

enum class LemkeEnd { kSolved, kRay, kLimit };

// Memory is kept between calls.
class Lemke {
 public:
  // M is n × n, row-major; entries should be about 1 in size (lcp/scaling.hpp); cover > 0.
  LemkeEnd solve(std::span<const double> M, std::span<const double> q, std::span<const double> cover, int max_pivots);

  int pivots() const { return pivots_; }
  // Of the end of the path; the direction only after kRay.
  std::span<const double> z() const { return z_; }
  double z0() const { return z0_; }
  std::span<const double> direction() const { return direction_; }
  double direction0() const { return direction0_; }

 private:
  // Variables by number: w_i is i, z_i is n + i, z₀ is 2n.
  void start();
  bool rebuild();
  int first_row() const;
  int leaving_row(int entering) const;
  bool comes_before(int row, int best, int entering) const;
  void pivot(int row, int entering);
  double column_entry(int variable, int row) const;
  void read_values(int entering);
  bool solve_basis(std::span<const double> right, std::vector<double>& values);
  double& at(int row, int column) { return tableau_[std::size_t(row) * std::size_t(width_) + std::size_t(column)]; }
  double at(int row, int column) const {
    return tableau_[std::size_t(row) * std::size_t(width_) + std::size_t(column)];
  }

  int n_ = 0, width_ = 0, pivots_ = 0;
  std::span<const double> M_, q_, cover_;
  std::vector<double> tableau_;  // B⁻¹ [I, −M, −d, q]
  std::vector<int> basis_;       // variable of each row
  std::vector<double> z_, direction_, values_, residual_, right_;
  double z0_ = 0, direction0_ = 0;
  DenseLu lu_;
};

}  // namespace stiction::detail
