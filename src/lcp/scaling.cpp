// Source: Ruiz, "A scaling algorithm to equilibrate both rows and columns norms in matrices" (2001).
#include "lcp/scaling.hpp"

#include <algorithm>
#include <cmath>

namespace stiction::detail {
namespace {

constexpr int kRounds = 8;

// The power of two next to x, 1 for 0.
double power_of_two(double x) {
  return x > 0 && std::isfinite(x) ? std::exp2(std::round(std::log2(x))) : 1.0;
}

}  // namespace

void scale_lcp(const Lcp& problem, ScaledLcp& out) {
  const auto n = std::size_t(problem.n);
  out.M = problem.M;
  out.q = problem.q;
  out.row.assign(n, 1);
  out.column.assign(n, 1);
  std::vector<double>&row = out.row_round, &column = out.column_round;
  row.resize(n);
  column.resize(n);
  for (int round = 0; round < kRounds; ++round) {
    std::fill(row.begin(), row.end(), 0);
    std::fill(column.begin(), column.end(), 0);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) {
        row[i] = std::max(row[i], std::abs(out.M[i * n + j]));
        column[j] = std::max(column[j], std::abs(out.M[i * n + j]));
      }
    for (std::size_t i = 0; i < n; ++i) {
      row[i] = power_of_two(std::sqrt(1 / row[i]));
      column[i] = power_of_two(std::sqrt(1 / column[i]));
      out.row[i] *= row[i];
      out.column[i] *= column[i];
    }
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) out.M[i * n + j] *= row[i] * column[j];
  }
  double largest = 0;
  for (std::size_t i = 0; i < n; ++i) largest = std::max(largest, std::abs(out.row[i] * problem.q[i]));
  out.right = power_of_two(1 / largest);
  for (std::size_t i = 0; i < n; ++i) out.q[i] = problem.q[i] * out.row[i] * out.right;
}

}  // namespace stiction::detail
