#include "lcp/feasible.hpp"

#include <algorithm>

namespace stiction::detail {

Feasibility::Answer Feasibility::solve(std::span<const double> G, std::span<const double> g, int columns) {
  const auto k = std::size_t(columns), m = g.size(), n = k + m;
  M_.assign(n * n, 0);
  q_.assign(n, 0);
  cover_.assign(n, 1);
  for (std::size_t i = 0; i < m; ++i) {
    q_[k + i] = g[i];
    for (std::size_t j = 0; j < k; ++j) {
      M_[(k + i) * n + j] = G[i * k + j];
      M_[j * n + k + i] = -G[i * k + j];
    }
  }
  const LemkeEnd end = lemke_.solve(M_, q_, cover_, 1000 + 50 * int(n));
  if (end == LemkeEnd::kLimit) return Answer::kUnknown;
  const bool solved = end == LemkeEnd::kSolved;
  const std::span<const double> from = solved ? lemke_.z().subspan(0, k) : lemke_.direction().subspan(k, m);
  point_.assign(from.begin(), from.end());
  for (double& value : point_) value = std::max(value, 0.0);
  return solved ? Answer::kFeasible : Answer::kInfeasible;
}

}  // namespace stiction::detail
