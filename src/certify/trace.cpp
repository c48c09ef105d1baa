// The certificate along a solve.
#include <stiction/report.hpp>

#include "certify/certify.hpp"

#include <algorithm>
#include <cstddef>

namespace stiction {
namespace {

constexpr double kSpacing = 1.02;  // of the iterations that are looked at, once there are many

// Writes what an island had into a solution.
void put(const ContactProblem& p, const TracePoint& point, Solution& solution) {
  const auto island = std::size_t(point.island);
  auto u = point.u.begin(), lambda = point.lambda.begin();
  for (int k = p.island_tree[island]; k < p.island_tree[island + 1]; ++k) {
    const auto tree = std::size_t(p.island_tree_list[std::size_t(k)]);
    for (int d = p.tree_dof[tree]; d < p.tree_dof[tree + 1]; ++d) solution.u[std::size_t(d)] = *u++;
  }
  for (int k = p.island_block[island]; k < p.island_block[island + 1]; ++k) {
    const auto block = std::size_t(p.island_block_list[std::size_t(k)]);
    for (int r = p.block_row[block]; r < p.block_row[block + 1]; ++r) solution.lambda[std::size_t(r)] = *lambda++;
  }
}

std::vector<int> iterations_of(const SolveTrace& trace) {
  std::vector<int> all;
  all.reserve(trace.points.size());
  for (const TracePoint& point : trace.points) all.push_back(point.iterations);
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  std::vector<int> out;
  for (int k : all)
    if (out.empty() || k == all.back() || k >= kSpacing * out.back()) out.push_back(k);
  return out;
}

}  // namespace

std::vector<Convergence> certify_trace(const ContactProblem& problem, const SolveTrace& trace,
                                       const Solution& solution) {
  std::vector<Convergence> out;
  CertifyScratch scratch;
  check_solution(problem, solution);
  Solution at = solution;
  at.push_out.assign(at.push_out.size(), 1.0);
  for (int iterations : iterations_of(trace)) {
    double seconds = 0;
    for (int island = 0; island < problem.nisland; ++island) {
      // The last point of the island up to there; its start if it has none.
      const TracePoint* found = nullptr;
      for (const TracePoint& point : trace.points)
        if (point.island == island && (found == nullptr || point.iterations <= iterations)) found = &point;
      if (found == nullptr) continue;
      put(problem, *found, at);
      seconds += found->seconds;
    }
    out.push_back({iterations, seconds, certify(problem, at, scratch).residual()});
  }
  return out;
}

}  // namespace stiction
