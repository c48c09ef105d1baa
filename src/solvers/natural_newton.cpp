#include "solvers/natural_newton.hpp"

#include <algorithm>
#include <cmath>

#include "laws/coulomb.hpp"
#include "laws/unilateral.hpp"

namespace stiction {
namespace {

constexpr double kSufficient = 1e-4;  // Armijo's constant
constexpr double kLeastStep = 1.0 / 64;
constexpr double kContraction = 0.9;  // of the merit, below which an iteration counts as progress

// ε W_ii of a block's rows.
Vec3 proximal_weight(const SolverScratch& s, int c, double epsilon) {
  const BlockScale<double>& w = s.scale[std::size_t(c)];
  return {epsilon * w.normal, epsilon * w.tangent, epsilon * w.tangent};
}

struct Merit {
  double squared = 0;  // Σ ‖F_c‖² [m²/s²]
  double largest = 0;  // max ‖F_c‖ [m/s]
};

// Merit at (v + a δv, p + a δp), with the proximal term.
Merit merit_at(const SolverScratch& s, double a, double epsilon) {
  Merit merit;
  for (int c = 0; c < s.island.nblock; ++c) {
    const Vec3 p = s.rows(s.current.p, c) + s.rows(s.delta_p, c) * a;
    Vec3 v = s.rows(s.current.v, c) + s.rows(s.delta_v, c) * a;
    if (epsilon > 0) v += scaled(proximal_weight(s, c, epsilon), p - s.rows(s.centre, c));
    const double squared = norm_squared(natural_map(s, c, v, p));
    merit.squared += squared;
    merit.largest = std::max(merit.largest, squared);
  }
  merit.largest = std::sqrt(merit.largest);
  return merit;
}

void linearise(double epsilon, SolverScratch& s) {
  for (int c = 0; c < s.island.nblock; ++c) {
    const auto i = std::size_t(c);
    const Vec3 p = s.rows(s.current.p, c);
    Vec3 v = s.rows(s.current.v, c);
    const Vec3 weight = proximal_weight(s, c, epsilon);
    if (epsilon > 0) v += scaled(weight, p - s.rows(s.centre, c));
    const BlockSystem<double> block = s.island.block_size(c) == 1
                                          ? UnilateralLaw::linearise(v, p, 0.0, s.scale[i])
                                          : CoulombLaw::linearise(v, p, s.island.friction[i], s.scale[i]);
    for (int k = 0; k < 3; ++k)
      for (int l = 0; l < 3; ++l) {
        s.A[9 * i + std::size_t(3 * k + l)] = block.A(k, l);
        s.B[9 * i + std::size_t(3 * k + l)] = block.B(k, l) + block.A(k, l) * weight[l];
      }
    s.set_rows(s.r, c, block.r);
  }
}

}  // namespace

bool natural_newton(const NaturalNewtonSettings& settings, SolverScratch& s) {
  const double epsilon = settings.proximal;
  std::fill(s.delta_p.begin(), s.delta_p.end(), 0.0);
  std::fill(s.delta_v.begin(), s.delta_v.end(), 0.0);
  Merit merit = merit_at(s, 0, epsilon);
  int idle = 0;
  for (int iteration = 0; merit.largest > settings.target; ++iteration) {
    if (iteration == settings.max_iterations || idle == 2) return false;
    linearise(epsilon, s);
    if (!factor_system(s) || !solve_system(s)) return false;
    double step = 1;
    Merit next = merit_at(s, step, epsilon);
    while (!(next.squared <= (1 - 2 * kSufficient * step) * merit.squared) && step > kLeastStep)
      next = merit_at(s, step *= 0.5, epsilon);
    for (std::size_t i = 0; i < s.current.p.size(); ++i) s.current.p[i] += step * s.delta_p[i];
    evaluate(s, s.current);
    keep_best(s);
    idle = next.squared <= kContraction * kContraction * merit.squared ? 0 : idle + 1;
    std::fill(s.delta_p.begin(), s.delta_p.end(), 0.0);
    std::fill(s.delta_v.begin(), s.delta_v.end(), 0.0);
    merit = merit_at(s, 0, epsilon);
    if (!std::isfinite(merit.squared)) return false;
  }
  return true;
}

}  // namespace stiction
