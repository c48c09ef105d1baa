#include "solvers/natural_newton.hpp"

#include <algorithm>
#include <cmath>

#include "solvers/block_law.hpp"
#include "solvers/gauss_seidel.hpp"

namespace stiction {
namespace {

// Damping of a step, as a compliance relative to the inverse masses: κ (F/scale)^0.7, F the root mean square of the
// natural map. It vanishes at the solution, so that the end stays superlinear, and bounds what redundant contacts with
// a contradiction can do to the step. κ shrinks while the residual falls and grows while it does not. It never vanishes
// altogether: what is left of the residual close to the solution lies where redundant contacts contradict themselves by
// rounding, and an undamped step would follow it far away.
constexpr double kFirstDamping = 0.1, kFirstOfFew = 0.01, kMostDamping = 3, kDampingPower = 0.7;
constexpr double kShrink = 0.5, kGrow = 4;
constexpr double kLeastDamping = 1e-9;
constexpr double kProgress = 0.7;  // of the best residual
// Residual of the linear system, of the target, or of the residual where damping makes the step inexact anyway: in
// large islands, and in contact space.
constexpr double kEnough = 1e-6, kEnoughOfFew = 1e-3;
constexpr double kExact = 10;  // of the target: a residual below it is evaluated from the impulses
constexpr int kWait = 3;       // iterations without progress before κ grows
// Any multiple of the tangential scale gives the same law. Between iterations without progress it changes: contacts
// that come in stick with the one and slide with the other, which ends cycles of closing, sticking and opening again.
constexpr double kSlip = 0.3;
// Compliance of a step on given pieces: a guess of the pieces is seldom consistent to the last digit.
constexpr double kPieceDamping = 1e-8;
constexpr double kLeastShare = 1e-8;  // of the tangential scale, for a direction that hardly moves
// Speed, relative to the island's, below which a contact stuck in the step before. Where contacts are redundant, some
// of them stick at the edges of their cones, and rounding would let them slide.
constexpr double kAtRest = 3e-5;

// ε W_ii of a block's rows. The two directions of sliding share the larger, others (torsion, rolling), whose W_ii is
// decades below it, have their own.
template <int N>
VecN<double, N> proximal_weight(const SolverScratch& s, int c, double epsilon) {
  const BlockScale<double>& w = s.scale[std::size_t(c)];
  VecN<double, N> out;
  out[0] = epsilon * w.normal;
  for (int i = 1; i < N; ++i) out[i] = epsilon * w.tangent;
  if constexpr (N > 3) {
    const double* own = s.delassus.data() + s.island.square[std::size_t(c)];
    for (int i = 1; i < N; ++i) out[i] = epsilon * std::max(own[(N + 1) * i], kLeastShare * w.tangent);
  }
  return out;
}

// v with the proximal term.
template <int N>
VecN<double, N> shifted_velocity(const SolverScratch& s, int c, const VecN<double, N>& p, double epsilon) {
  VecN<double, N> v = s.rows<N>(s.current.v, c);
  if (!(epsilon > 0)) return v;
  const VecN<double, N> weight = proximal_weight<N>(s, c, epsilon), away = p - s.rows<N>(s.centre, c);
  for (int i = 0; i < N; ++i) v[i] += weight[i] * away[i];
  return v;
}

struct Merit {
  double squared = 0;  // Σ ‖F_c‖² [m²/s²]
  double largest = 0;  // max ‖F_c‖ [m/s]
};

// Merit of current, with the proximal term.
Merit merit_of(const SolverScratch& s, double epsilon) {
  if (!(epsilon > 0)) return {s.current.squared, s.current.residual};
  Merit merit;
  for (int c = 0; c < s.island.nblock; ++c) {
    const double squared = with_law(s.island, c, [&](auto law, const auto& parameters) {
      constexpr int N = decltype(law)::kRows;
      const VecN<double, N> p = s.rows<N>(s.current.p, c), v = shifted_velocity<N>(s, c, p, epsilon);
      return norm_squared(s.moved(c, law.natural_map(v, p, parameters, s.scale[std::size_t(c)])));
    });
    merit.squared += squared;
    merit.largest = std::max(merit.largest, squared);
  }
  merit.largest = std::sqrt(merit.largest);
  return merit;
}

template <int N>
void set_block(SolverScratch& s, int c, const BlockSystem<double, N>& block, const VecN<double, N>& compliance) {
  double* A = s.A.data() + s.island.square[std::size_t(c)];
  double* B = s.B.data() + s.island.square[std::size_t(c)];
  for (int k = 0; k < N; ++k)
    for (int l = 0; l < N; ++l) {
      A[N * k + l] = block.A(k, l);
      B[N * k + l] = block.B(k, l) + block.A(k, l) * compliance[l];
    }
  s.set_rows(s.r, c, block.r);
}

void linearise(double epsilon, double damping, double slip, SolverScratch& s) {
  for (int c = 0; c < s.island.nblock; ++c) {
    BlockScale<double> scale = s.scale[std::size_t(c)];
    scale.tangent *= slip;
    with_law(s.island, c, [&](auto law, const auto& parameters) {
      constexpr int N = decltype(law)::kRows;
      const VecN<double, N> p = s.rows<N>(s.current.p, c), v = shifted_velocity<N>(s, c, p, epsilon);
      set_block(s, c, law.linearise(v, p, parameters, scale), proximal_weight<N>(s, c, epsilon + damping));
    });
  }
}

// The start from the impulses of the step before. At (v, p) all that has changed since acts on v alone and throws
// contacts out of their pieces; where that step ended, at (v₀, p), the law held. So contacts that carried a load are
// linearised there:
//   A (v + δv − v₀) + B δp = r(v₀, p)
void linearise_from_before(SolverScratch& s) {
  for (int c = 0; c < s.island.nblock; ++c) {
    const BlockScale<double>& scale = s.scale[std::size_t(c)];
    with_law(s.island, c, [&](auto law, const auto& parameters) {
      constexpr int N = decltype(law)::kRows;
      const VecN<double, N> p = s.rows<N>(s.current.p, c), v = s.rows<N>(s.current.v, c);
      if (s.island.law[std::size_t(c)] == Law::kBox || !(p[0] > 0))
        return set_block(s, c, law.linearise(v, p, parameters, scale), {});
      VecN<double, N> before = s.rows<N>(s.island.bias, c);
      add_tree_velocity(s.island, c, s.velocity_before.data(), &before[0]);
      before[0] = 0;
      ContactPiece piece = law.piece(before, p, parameters, scale);
      if (piece == ContactPiece::kSlide && tail_norm(before) < kAtRest * s.island.scale) piece = ContactPiece::kStick;
      BlockSystem<double, N> block = law.linearise(piece, before, p, parameters, scale);
      block.r += block.A * (before - v);
      set_block(s, c, block, {});
    });
  }
}

// p + δp. In contact space v + δv as well, which saves the product W p, until rounding could matter.
void take_step(double target, SolverScratch& s) {
  for (std::size_t i = 0; i < s.current.p.size(); ++i) s.current.p[i] += s.delta_p[i];
  if (!s.island.condensed) return evaluate(s, s.current);
  for (std::size_t i = 0; i < s.current.v.size(); ++i) {
    s.current.u[i] += s.delta_v[i];
    s.current.v[i] += s.delta_v[i];
  }
  evaluate_laws(s, s.current);
  if (s.current.residual <= kExact * target) evaluate(s, s.current);
}

}  // namespace

double proximal_residual(double epsilon, const SolverScratch& s) {
  return merit_of(s, epsilon).largest;
}

void linearise_blocks(double compliance, SolverScratch& s) {
  linearise(0, compliance, 1, s);
}

bool newton_step_on_pieces(SolverScratch& s) {
  for (int c = 0; c < s.island.nblock; ++c) {
    const auto i = std::size_t(c);
    BlockScale<double> w = s.scale[i];
    if (s.pieces[i] == ContactPiece::kSlide && has_friction(s.island.law[i]) && s.island.law[i] != Law::kRelaxed) {
      // The direction of sliding comes from v_t as much as from p_t: ‖v_t‖ ≥ 2 W μ p_n.
      const double speed = s.tangential(s.current.v, c);
      const double radius = s.island.friction[i] * std::max(s.normal(s.current.p, c), 0.0);
      if (speed < 2 * w.tangent * radius) w.tangent = std::max(0.5 * speed / radius, 1e-12 * w.tangent);
    }
    with_law(s.island, c, [&](auto law, const auto& parameters) {
      constexpr int N = decltype(law)::kRows;
      const VecN<double, N> p = s.rows<N>(s.current.p, c), v = s.rows<N>(s.current.v, c);
      set_block(s, c, law.linearise(s.pieces[i], v, p, parameters, w), proximal_weight<N>(s, c, kPieceDamping));
    });
  }
  if (!factor_system(s, true) || !solve_system(s)) return false;
  for (std::size_t i = 0; i < s.current.p.size(); ++i) s.current.p[i] += s.delta_p[i];
  evaluate(s, s.current);
  keep_best(s);
  return std::isfinite(s.current.residual);
}

bool natural_newton(const NaturalNewtonSettings& settings, SolverScratch& s) {
  const double epsilon = settings.proximal;
  const double first = s.island.nblock <= kSmallIsland ? kFirstOfFew : kFirstDamping;
  double kappa = settings.damped ? first / kShrink : 0, best = 0;
  int idle = 0, last_progress = 0;
  Merit merit = merit_of(s, epsilon);
  for (int iteration = 0; merit.largest > settings.target || (settings.at_least_one && iteration == 0); ++iteration) {
    if (iteration >= settings.max_iterations || iteration - last_progress > settings.patience) return false;
    if (iteration == 0 || merit.largest < kProgress * best) {
      kappa *= kShrink;
      idle = 0;
      last_progress = iteration;
    } else if (kappa == 0) {
      kappa = first;
      if (iteration == 1) {
        for (std::size_t i = 0; i < s.current.p.size(); ++i) s.current.p[i] -= s.delta_p[i];
        evaluate(s, s.current);
        if (settings.sweeps > 0 && gauss_seidel(settings.target, settings.sweeps, s)) return true;
        merit = merit_of(s, epsilon);
      }
    } else if (best <= settings.accept) {
      return true;
    } else if (++idle == kWait) {
      kappa = std::min(kMostDamping, kGrow * kappa);
      idle = 0;
    }
    best = iteration == 0 ? merit.largest : std::min(best, merit.largest);
    const double size = std::min(1.0, std::sqrt(merit.squared / s.island.nblock) / s.island.scale);
    const double damping = kappa > 0 ? std::clamp(kappa * std::pow(size, kDampingPower), kLeastDamping, 1.0) : 0.0;
    if (settings.from_before && iteration == 0 && kappa == 0 && !s.velocity_before.empty())
      linearise_from_before(s);
    else
      linearise(epsilon, damping, idle % 2 == 1 ? kSlip : 1.0, s);
    const double enough = (s.island.condensed ? kEnoughOfFew : kEnough) *
                          (kappa > 0 ? std::max(merit.largest, settings.target) : settings.target);
    if (!factor_system(s, true) || !solve_system(s, enough)) return false;
    take_step(settings.target, s);
    keep_best(s);
    merit = merit_of(s, epsilon);
    if (!std::isfinite(merit.squared)) return false;
  }
  return true;
}

}  // namespace stiction
