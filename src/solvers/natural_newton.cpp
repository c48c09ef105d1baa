#include "solvers/natural_newton.hpp"

#include <algorithm>
#include <cmath>

#include "solvers/block_law.hpp"

namespace stiction {
namespace {

constexpr double kSufficient = 1e-4;      // Armijo's constant
constexpr double kLeastStep = 1.0 / 8;    // shorter steps cost more factorisations than they gain
constexpr double kContraction = 0.9;      // of the residual, below which an iteration counts as progress
constexpr double kFastContraction = 0.3;  // of the residual, which buys an iteration beyond the limit
constexpr int kMostIterations = 12;
constexpr double kExplosion = 10;  // growth of the residual at the shortest step, from which there is no way back

// Redundant contacts make the system singular, and where its right side is inconsistent the step runs off along the
// null space. A step that finds no decrease is therefore repeated with a compliance on all rows, which grows while
// steps fail and fades while they succeed.
constexpr double kFirstDamping = 1e-6, kDampingGrowth = 100, kDampingDecay = 0.1, kLeastDamping = 1e-7;
// The same for a step on given pieces: a guess of the pieces is seldom consistent to the last digit.
constexpr double kPieceDamping = 1e-8;

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
    Vec3 p = s.rows(s.current.p, c), v = s.rows(s.current.v, c);
    if (a > 0) {
      p += s.rows(s.delta_p, c) * a;
      v += s.rows(s.delta_v, c) * a;
    }
    if (epsilon > 0) v += scaled(proximal_weight(s, c, epsilon), p - s.rows(s.centre, c));
    const double squared = norm_squared(natural_map(s, c, v, p));
    merit.squared += squared;
    merit.largest = std::max(merit.largest, squared);
  }
  merit.largest = std::sqrt(merit.largest);
  return merit;
}

void set_block(SolverScratch& s, int c, const BlockSystem<double>& block, const Vec3& compliance) {
  for (int k = 0; k < 3; ++k)
    for (int l = 0; l < 3; ++l) {
      const std::size_t entry = 9 * std::size_t(c) + std::size_t(3 * k + l);
      s.A[entry] = block.A(k, l);
      s.B[entry] = block.B(k, l) + block.A(k, l) * compliance[l];
    }
  s.set_rows(s.r, c, block.r);
}

void linearise(double epsilon, double damping, SolverScratch& s) {
  for (int c = 0; c < s.island.nblock; ++c) {
    const Vec3 p = s.rows(s.current.p, c);
    Vec3 v = s.rows(s.current.v, c);
    if (epsilon > 0) v += scaled(proximal_weight(s, c, epsilon), p - s.rows(s.centre, c));
    set_block(s, c, linearise(s.island, c, v, p, s.scale[std::size_t(c)]), proximal_weight(s, c, epsilon + damping));
  }
}

}  // namespace

bool newton_step_on_pieces(SolverScratch& s) {
  for (int c = 0; c < s.island.nblock; ++c) {
    const auto i = std::size_t(c);
    const Vec3 p = s.rows(s.current.p, c), v = s.rows(s.current.v, c);
    BlockScale<double> w = s.scale[i];
    if (s.pieces[i] == ContactPiece::kSlide && s.island.law[i] == Law::kCoulomb) {
      // The direction of sliding comes from v_t as much as from p_t: ‖v_t‖ ≥ 2 W μ p_n.
      const double speed = std::sqrt(v.y * v.y + v.z * v.z), radius = s.island.friction[i] * std::max(p.x, 0.0);
      if (speed < 2 * w.tangent * radius) w.tangent = std::max(0.5 * speed / radius, 1e-12 * w.tangent);
    }
    set_block(s, c, linearise(s.island, c, s.pieces[i], v, p, w), proximal_weight(s, c, kPieceDamping));
  }
  if (!factor_system(s, true) || !solve_system(s)) return false;
  for (std::size_t i = 0; i < s.current.p.size(); ++i) s.current.p[i] += s.delta_p[i];
  evaluate(s, s.current);
  keep_best(s);
  return std::isfinite(s.current.residual);
}

bool natural_newton(const NaturalNewtonSettings& settings, SolverScratch& s) {
  const double epsilon = settings.proximal;
  double damping = 0;
  int idle = 0;
  double ratio = 1;
  Merit merit = merit_at(s, 0, epsilon);
  for (int iteration = 0; merit.largest > settings.target || (settings.at_least_one && iteration == 0); ++iteration) {
    if (iteration >= settings.max_iterations && !(ratio < kFastContraction)) return false;
    if (iteration == kMostIterations || idle == 2) return false;
    linearise(epsilon, damping, s);
    if (!factor_system(s, true) || !solve_system(s)) return false;
    double step = 1;
    Merit next = merit_at(s, step, epsilon);
    while (!(next.squared <= (1 - 2 * kSufficient * step) * merit.squared) && step > kLeastStep)
      next = merit_at(s, step *= 0.5, epsilon);
    ratio = std::sqrt(next.squared / merit.squared);
    if (ratio > kExplosion) return false;
    if (!(ratio < 1)) {
      damping = std::max(damping, kFirstDamping / kDampingGrowth) * kDampingGrowth;
      ++idle;
      continue;
    }
    idle = ratio <= kContraction ? 0 : idle + 1;
    if (step == 1) damping = damping > kLeastDamping ? kDampingDecay * damping : 0.0;
    for (std::size_t i = 0; i < s.current.p.size(); ++i) s.current.p[i] += step * s.delta_p[i];
    evaluate(s, s.current);
    keep_best(s);
    merit = merit_at(s, 0, epsilon);
    if (!std::isfinite(merit.squared)) return false;
  }
  return true;
}

}  // namespace stiction
