// Method lemke: the path of lcp/lemke.hpp on the scaled problem. Where it ends on a ray, a proof that the problem is
// infeasible is looked for; without one, paths from other covering vectors are tried, since for a matrix that is not
// copositive one path may miss what another finds.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lcp/feasible.hpp"
#include "lcp/methods.hpp"
#include "lcp/scaling.hpp"

namespace stiction::detail {
namespace {

constexpr int kPaths = 16;

// Ones, then numbers between ½ and 3⁄2 that no two problems of the same size share a symmetry with.
std::vector<double> covering_vector(std::size_t n, int path) {
  std::vector<double> out(n, 1);
  constexpr double kGolden = 0.6180339887498949;
  for (std::size_t i = 0; path > 0 && i < n; ++i) {
    const double x = kGolden * double((i + 1) * std::size_t(path)) + 0.37 * double(i * i % 7);
    out[i] = 0.5 + x - std::floor(x);
  }
  return out;
}

LcpRay unscaled_ray(const ScaledLcp& scaled, const Lemke& lemke, const std::vector<double>& cover) {
  LcpRay ray;
  const std::size_t n = cover.size();
  ray.z.resize(n);
  ray.direction.resize(n);
  ray.cover.resize(n);
  ray.z0 = lemke.z0() / scaled.right;
  ray.direction0 = lemke.direction0() / scaled.right;
  for (std::size_t i = 0; i < n; ++i) {
    ray.z[i] = scaled.z(i, lemke.z()[i]);
    ray.direction[i] = scaled.z(i, std::max(lemke.direction()[i], 0.0));
    ray.cover[i] = cover[i] / scaled.row[i];
  }
  return ray;
}

double largest_entry(const std::vector<double>& values) {
  double out = 0;
  for (const double value : values) out = std::max(out, std::abs(value));
  return out;
}

}  // namespace

bool prove_infeasible(const Lcp& problem, const LcpSettings& settings, LcpResult& result) {
  ScaledLcp scaled;
  scale_lcp(problem, scaled);
  Feasibility feasibility;
  if (feasibility.solve(scaled.M, scaled.q, problem.n) != Feasibility::Answer::kInfeasible) return false;
  // Mᵀ y ≤ 0 of the scaled problem: (R M C)ᵀ y ≤ 0, so R y is the vector of the problem itself.
  std::vector<double> y(feasibility.point().begin(), feasibility.point().end());
  const double largest = largest_entry(y);
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = y[i] < 1e-13 * largest ? 0 : y[i] * scaled.row[i];
  const double bound = infeasible_below(problem, y);
  // Solutions so large that M z is 1/tolerance times q are none in floating-point numbers.
  const bool beyond = bound * largest_entry(problem.M) * settings.tolerance >= largest_entry(problem.q);
  if (!std::isinf(bound) && !beyond) return false;
  result.farkas = std::move(y);
  result.no_solution_below = bound;
  result.status = LcpStatus::kInfeasible;
  result.message = std::isinf(bound) ? "infeasible: no z ≥ 0 has M z + q ≥ 0"
                                     : fmt::format("infeasible: z ≥ 0 with M z + q ≥ 0 has ‖z‖₁ above {:.1e}", bound);
  return true;
}

void solve_by_lemke(const Lcp& problem, const LcpSettings& settings, LcpResult& result) {
  ScaledLcp scaled;
  scale_lcp(problem, scaled);
  const auto n = std::size_t(problem.n);
  const int limit = settings.max_iterations > 0 ? settings.max_iterations : 1000 + 50 * problem.n;
  Lemke lemke;
  for (int path = 0; path < kPaths; ++path) {
    const std::vector<double> cover = covering_vector(n, path);
    const LemkeEnd end = lemke.solve(scaled.M, scaled.q, cover, limit);
    result.iterations += lemke.pivots();
    for (std::size_t i = 0; i < n; ++i) result.z[i] = scaled.z(i, lemke.z()[i]);
    if (end == LemkeEnd::kSolved) return;
    if (path > 0) continue;
    if (end == LemkeEnd::kLimit) {
      result.message = fmt::format("lemke stopped after {} pivots", lemke.pivots());
      return;
    }
    result.status = LcpStatus::kRay;
    result.ray = unscaled_ray(scaled, lemke, cover);
    result.ray_residual = certify_ray(problem, result.ray);
    result.message = fmt::format("lemke ended on a ray after {} pivots", lemke.pivots());
    if (prove_infeasible(problem, settings, result)) return;
  }
}

}  // namespace stiction::detail
