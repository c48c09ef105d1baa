// Method pgs: projected Gauss–Seidel, z_i ← max(0, z_i − w_i / M_ii) with w = M z + q kept current.
#include <fmt/format.h>

#include <algorithm>

#include "lcp/methods.hpp"

namespace stiction::detail {

void solve_by_pgs(const Lcp& problem, const LcpSettings& settings, LcpResult& result) {
  const auto n = std::size_t(problem.n);
  for (std::size_t i = 0; i < n; ++i) {
    if (problem.M[i * n + i] > 0) continue;
    result.message = fmt::format("pgs needs a positive diagonal, M[{}, {}] is {:g}", i, i, problem.M[i * n + i]);
    return;
  }
  const int limit = settings.max_iterations > 0 ? settings.max_iterations : 10000;
  constexpr int kBetweenChecks = 10;
  while (result.iterations < limit) {
    for (std::size_t i = 0; i < n; ++i) {
      double w = problem.q[i];
      for (std::size_t j = 0; j < n; ++j) w += problem.M[i * n + j] * result.z[j];
      result.z[i] = std::max(0.0, result.z[i] - w / problem.M[i * n + i]);
    }
    ++result.iterations;
    if (result.iterations % kBetweenChecks != 0) continue;
    judge_lcp(problem, result);
    // A residual that is no number means that the sweeps diverged.
    if (!(result.certificate.residual() > settings.tolerance)) return;
  }
}

}  // namespace stiction::detail
