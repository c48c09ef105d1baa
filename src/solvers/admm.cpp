#include "solvers/admm.hpp"

#include <algorithm>
#include <cmath>

#include "solvers/block_law.hpp"
#include "solvers/scratch.hpp"

namespace stiction {
namespace {

constexpr double kFirstWeight = 0.1;  // ρ
constexpr double kProximal = 1e-6;    // η
constexpr double kRatio = 10;         // of the two residuals, beyond which ρ changes …
constexpr double kChange = 3;         // … by this factor …
constexpr int kWait = 10;             // … at most once in so many iterations
constexpr double kLeastWeight = 1e-8, kMostWeight = 1e8;

// w_c: one for all rows of a block, so that the projection on its cone stays the orthogonal one.
double weight(const SolverScratch& s, int c) {
  return std::max(s.scale[std::size_t(c)].normal, s.scale[std::size_t(c)].tangent);
}

// s = μ ‖z_t‖ of Coulomb's law, with the norm that is dual to the base of a pyramid; the relaxed law has none.
double shift(const SolverScratch& s, int c) {
  const Law law = s.island.law[std::size_t(c)];
  if (law == Law::kCoulomb) return s.island.friction[std::size_t(c)] * s.tangential(s.z, c);
  if (law != Law::kPyramid) return 0;
  double largest = 0;
  for (int i = 1; i < s.island.block_size(c); ++i)
    largest = std::max(largest, std::abs(s.z[std::size_t(s.island.row[std::size_t(c)] + i)]));
  return s.island.friction[std::size_t(c)] * largest;
}

// W + c + (ρ + η) w
bool factor(double rho, SolverScratch& s) {
  for (int c = 0; c < s.island.nblock; ++c) {
    const int n = s.island.block_size(c), first = s.island.square[std::size_t(c)];
    std::fill_n(s.A.begin() + first, n * n, 0.0);
    std::fill_n(s.B.begin() + first, n * n, 0.0);
    const double compliance = s.island.law[std::size_t(c)] == Law::kBox ? s.island.box[std::size_t(c)].compliance : 0;
    for (int i = 0; i < n; ++i) {
      s.A[std::size_t(first + (n + 1) * i)] = 1;
      s.B[std::size_t(first + (n + 1) * i)] = (rho + kProximal) * weight(s, c) + compliance;
    }
  }
  return factor_system(s, false);
}

// η w p + ρ w y − z − q − s
void fill_right_side(double rho, SolverScratch& s) {
  for (int c = 0; c < s.island.nblock; ++c) {
    const double w = weight(s, c);
    const auto first = std::size_t(s.island.row[std::size_t(c)]);
    for (std::size_t i = first; i < first + std::size_t(s.island.block_size(c)); ++i)
      s.r[i] = kProximal * w * s.trial.p[i] + rho * w * s.centre[i] - s.z[i] - s.free_contact[i];
    s.r[first] -= shift(s, c);
  }
}

struct Residuals {
  double primal = 0, dual = 0;  // w ‖p − y‖, ρ w ‖δy‖ [m/s]
};

// y and z from the new p.
Residuals project(double rho, SolverScratch& s) {
  Residuals out;
  for (int c = 0; c < s.island.nblock; ++c) {
    const double w = weight(s, c);
    with_law(s.island, c, [&](auto law, const auto& parameters) {
      constexpr int N = decltype(law)::kRows;
      const VecN<double, N> p = s.rows<N>(s.trial.p, c), before = s.rows<N>(s.centre, c);
      VecN<double, N> z = s.rows<N>(s.z, c), target;
      for (int i = 0; i < N; ++i) target[i] = p[i] + z[i] / (rho * w);
      const VecN<double, N> y = law.project(target, parameters);
      for (int i = 0; i < N; ++i) z[i] += rho * w * (p[i] - y[i]);
      out.primal = std::max(out.primal, w * norm(p - y));
      out.dual = std::max(out.dual, rho * w * norm(y - before));
      s.set_rows(s.centre, c, y);
      s.set_rows(s.z, c, z);
    });
  }
  return out;
}

// y from the warm start, z = −(v + s) from its velocities, q = J ũ + b.
void start(SolverScratch& s) {
  std::fill(s.trial.p.begin(), s.trial.p.end(), 0.0);
  evaluate(s, s.trial);
  s.free_contact = s.trial.v;
  s.trial.p = s.current.p;
  for (int c = 0; c < s.island.nblock; ++c)
    with_law(s.island, c, [&](auto law, const auto& parameters) {
      constexpr int N = decltype(law)::kRows;
      s.set_rows(s.centre, c, law.project(s.rows<N>(s.current.p, c), parameters));
      VecN<double, N> z = -s.rows<N>(s.current.v, c);
      s.set_rows(s.z, c, z);
      s.set_normal(s.z, c, z[0] - shift(s, c));
    });
}

void iterate(double target, int limit, SolverScratch& s) {
  double rho = kFirstWeight;
  if (!factor(rho, s)) return;
  for (int waited = 0; s.current.residual > target && s.result.sweeps < limit; ++waited) {
    ++s.result.sweeps;
    fill_right_side(rho, s);
    if (!solve_system(s)) return;
    s.trial.p = s.delta_p;
    const Residuals residuals = project(rho, s);
    s.current.p = s.centre;
    evaluate(s, s.current);
    keep_best(s);
    if (!std::isfinite(s.current.residual)) return;
    const bool larger = residuals.primal > kRatio * residuals.dual && rho < kMostWeight;
    const bool smaller = residuals.dual > kRatio * residuals.primal && rho > kLeastWeight;
    if (waited < kWait || larger == smaller) continue;
    rho = larger ? kChange * rho : rho / kChange;
    waited = 0;
    if (!factor(rho, s)) return;
  }
}

}  // namespace

IslandResult solve_admm(const ContactProblem& problem, int island, const SolverSettings& settings, SolverScratch& s,
                        Solution& solution) {
  if (!begin_island(problem, island, settings, solution, IslandForm::kContactSpace, s)) return s.result;
  const double tolerance = settings.tolerance * s.island.scale;
  start(s);
  iterate(0.5 * tolerance, settings.max_iterations, s);
  s.result.solved = s.best.residual <= tolerance;
  finish_island(s, solution);
  return s.result;
}

}  // namespace stiction
