// The way into the toolbox: checks of the input, the table of methods, the verdict from the certificate.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "lcp/methods.hpp"

namespace stiction {
namespace {

struct Method {
  const char* name;
  void (*solve)(const Lcp&, const LcpSettings&, LcpResult&);
};
constexpr Method kMethods[] = {
    {"lemke", detail::solve_by_lemke},
    {"pgs", detail::solve_by_pgs},
    {"newton-minmap", detail::solve_by_minimum_map},
    {"enumerate", detail::solve_by_enumeration},
};

void require_finite(const std::vector<double>& values, const char* name, int columns) {
  const auto bad = std::find_if(values.begin(), values.end(), [](double x) { return !std::isfinite(x); });
  if (bad == values.end()) return;
  const auto at = int(bad - values.begin());
  throw Error(columns > 1 ? fmt::format("LCP: {}[{}, {}] is {}", name, at / columns, at % columns, *bad)
                          : fmt::format("LCP: {}[{}] is {}", name, at, *bad));
}

void check(const Lcp& problem, const LcpSettings& settings) {
  if (problem.n < 0) throw Error(fmt::format("LCP: n is {}: it must be at least 0", problem.n));
  const auto n = std::size_t(problem.n);
  if (problem.q.size() != n) throw Error(fmt::format("LCP: q has {} entries, n is {}", problem.q.size(), n));
  if (problem.M.size() != n * n)
    throw Error(fmt::format("LCP: M has {} entries: it must be {} × {}, as q has {}", problem.M.size(), n, n, n));
  require_finite(problem.M, "M", std::max(problem.n, 2));
  require_finite(problem.q, "q", 1);
  if (!(settings.tolerance > 0))
    throw Error(fmt::format("LCP: tolerance is {}: it must be greater than 0", settings.tolerance));
  if (settings.max_iterations < 0)
    throw Error(fmt::format("LCP: max_iterations is {}: it must be at least 0 (0: a limit that grows with n)",
                            settings.max_iterations));
}

}  // namespace

const char* lcp_status_name(LcpStatus status) {
  switch (status) {
    case LcpStatus::kSolved:
      return "solved";
    case LcpStatus::kInfeasible:
      return "infeasible";
    case LcpStatus::kNoSolution:
      return "no solution";
    case LcpStatus::kRay:
      return "ray";
    case LcpStatus::kNotConverged:
      break;
  }
  return "not converged";
}

std::vector<std::string> lcp_methods() {
  std::vector<std::string> out;
  out.reserve(std::size(kMethods));
  for (const Method& method : kMethods) out.emplace_back(method.name);
  return out;
}

void detail::judge_lcp(const Lcp& problem, LcpResult& result) {
  const auto n = std::size_t(problem.n);
  result.w = problem.q;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) result.w[i] += problem.M[i * n + j] * result.z[j];
  result.certificate = certify_lcp(problem, result.z, result.w);
}

LcpResult solve_lcp(const Lcp& problem, std::string_view method, const LcpSettings& settings) {
  check(problem, settings);
  const auto* const entry = std::find_if(std::begin(kMethods), std::end(kMethods),
                                         [&](const Method& candidate) { return method == candidate.name; });
  if (entry == std::end(kMethods))
    throw Error(fmt::format("LCP: there is no method '{}'. Methods: {}", method, fmt::join(lcp_methods(), ", ")));
  LcpResult result;
  result.z.assign(problem.q.size(), 0);
  entry->solve(problem, settings, result);
  detail::judge_lcp(problem, result);
  if (result.certificate.residual() <= settings.tolerance) {
    result.status = LcpStatus::kSolved;
    result.message = fmt::format("solved by {} in {} iterations, residual {:.1e}", method, result.iterations,
                                 result.certificate.residual());
  } else if (result.message.empty()) {
    result.message = fmt::format("{} ended after {} iterations with a residual of {:.1e}", method, result.iterations,
                                 result.certificate.residual());
  }
  return result;
}

}  // namespace stiction
