// Primal-dual interior point on De Saxcé's form of contact with friction,
//
//   K ∋ p ⊥ z ∈ K*,   z = v + μ ‖z_t‖ n,   v = W p + q,
//
// with Nesterov–Todd scaling and Mehrotra's predictor and corrector. The derivative of the shift μ ‖z_t‖ is kept, so
// the path leads to the exact Coulomb law and not to its convex relaxation; the matrix is unsymmetric for it.
//
// Cone variables of a block, both velocities in the standard second-order cone:
//   x = w (μ p_n, p_t),   y = (z_n / μ, z_t),   w: the block's inverse effective mass,
// and the path is x ∘ y = τ e. Weighting impulses by w makes the path blind to mass ratios. Where μ = 0, and for
// one-row blocks, the cone is a ray (x = w p_n, y = z_n) and p_t = 0. Box rows are in interior_box.hpp.
//
// With friction the problem is not monotone and a path can turn back before it arrives (the determinant of its matrix
// changes sign there). Other weights w give another path, which need not.
#include "solvers/interior_point.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "laws/second_order_cone.hpp"
#include "solvers/block_law.hpp"
#include "solvers/scratch.hpp"

namespace stiction {
namespace {

// Towards the end S⁻² vanishes for the blocks that carry load, and with redundant contacts the matrix becomes singular.
// A compliance relative to the block's inverse mass keeps it regular; it changes the step, not the problem.
constexpr double kCompliance = 1e-9;
constexpr double kEnough = 1e-9;     // relative residual of the linear system in contact space
constexpr double kLeastStep = 1e-4;  // a step below it means that the path has ended

template <int N>
using Rows = VecN<double, N>;

// Calls f(block, its number, its number of rows) for all cones, and g(block, its number) for all boxes.
template <class Cone, class Box>
void each_block(SolverScratch& s, Cone&& f, Box&& g) {
  for (int c = 0; c < s.island.nblock; ++c) {
    InteriorBlock& b = s.interior.block[std::size_t(c)];
    if (b.is_box)
      g(b, c);
    else
      with_rows(s.island.block_size(c), [&](auto rows) { f(b, c, rows); });
  }
}

// D_p δp and D_z δz: steps in cone variables.
template <int N>
Rows<N> impulse_step(const InteriorBlock& b, const Rows<N>& dp) {
  Rows<N> out;
  if (b.ray) {
    out[0] = b.w * dp[0];
    return out;
  }
  out[0] = b.w * b.mu * dp[0];
  for (int i = 1; i < N; ++i) out[i] = b.w * dp[i];
  return out;
}
template <int N>
Rows<N> velocity_step(const InteriorBlock& b, const Rows<N>& dz) {
  Rows<N> out;
  if (b.ray) {
    out[0] = dz[0];
    return out;
  }
  out = dz;
  out[0] = dz[0] / b.mu;
  return out;
}
// (1 − μ n dᵀ) D_z⁻¹ a: from cone variables to the velocity v.
template <int N>
Rows<N> to_velocity(const InteriorBlock& b, const Rows<N>& direction, const Rows<N>& a) {
  Rows<N> out;
  if (b.ray) {
    out[0] = a[0];
    return out;
  }
  out = a;
  for (int i = 1; i < N; ++i) out[0] -= direction[i] * a[i];
  out[0] = b.mu * out[0];
  return out;
}

template <int N>
NesterovTodd<double, N> scaling_of(const SolverScratch& s, const InteriorBlock& b, int c) {
  return {b.beta, s.rows<N>(s.interior.scaling, c)};
}

// Weight of a block on a variant of the path, a fixed function of both between 0.1 and 10.
double path_weight(int variant, int c) {
  if (variant == 0) return 1;
  auto bits = std::uint64_t(c + 1) * 0x9E3779B97F4A7C15u + std::uint64_t(variant) * 0xD1B54A32D192ED03u;
  bits = (bits ^ (bits >> 31)) * 0xBF58476D1CE4E5B9u;
  bits ^= bits >> 29;
  const double uniform = double(bits >> 11) / 9007199254740992.0;  // 2⁵³
  return std::pow(10.0, 2 * uniform - 1);
}

InteriorBlock cone_of(const SolverScratch& s, int c, int variant) {
  InteriorBlock b;
  const BlockScale<double>& scale = s.scale[std::size_t(c)];
  b.mu = s.island.friction[std::size_t(c)];
  b.ray = !(b.mu > 0);
  b.sliding_ray = b.ray && s.island.block_size(c) > 1;
  b.is_box = s.island.law[std::size_t(c)] == Law::kBox;
  b.relaxed = s.island.law[std::size_t(c)] == Law::kRelaxed;
  b.w = path_weight(variant, c) * (b.ray ? scale.normal : (scale.normal + 2 * scale.tangent) / 3);
  return b;
}

template <int N>
void set_cone(const InteriorSettings& settings, int c, InteriorBlock& b, SolverScratch& s) {
  const Rows<N> v = s.rows<N>(s.current.v, c), z = s.rows<N>(s.z, c);
  const Rows<N> x = impulse_step(b, s.rows<N>(s.current.p, c)), y = velocity_step(b, z);
  const auto S = NesterovTodd<double, N>::from(x, y);
  b.beta = S.beta;
  const double speed = b.ray || b.relaxed || settings.relaxed ? 0.0 : tail_norm(z);
  Rows<N> direction, gap;
  if (speed > 0)
    for (int i = 1; i < N; ++i) direction[i] = z[i] / speed;
  if (b.ray) {
    gap[0] = v[0] - z[0];
  } else {
    gap = v;
    gap[0] += b.mu * speed;
    gap = gap - z;
  }
  s.set_rows(s.interior.x, c, x);
  s.set_rows(s.interior.y, c, y);
  s.set_rows(s.interior.lambda, c, S.apply(y));
  s.set_rows(s.interior.scaling, c, S.w);
  s.set_rows(s.interior.direction, c, direction);
  s.set_rows(s.interior.gap, c, gap);
  s.set_rows(s.interior.dx, c, Rows<N>{});
  s.set_rows(s.interior.dy, c, Rows<N>{});
}

void set_blocks(const InteriorSettings& settings, SolverScratch& s) {
  for (int c = 0; c < s.island.nblock; ++c) s.interior.block[std::size_t(c)] = cone_of(s, c, settings.variant);
  each_block(
      s, [&](InteriorBlock& b, int c, auto rows) { set_cone<rows>(settings, c, b, s); },
      [&](InteriorBlock& b, int c) {
        b.box = interior_box(s.island.box[std::size_t(c)], b.w, s.normal(s.current.v, c), s.normal(s.current.p, c),
                             s.normal(s.z, c), s.normal(s.upper_dual, c));
      });
}

// δv + (1 − μ n dᵀ) D_z⁻¹ S⁻² D_p δp = …
template <int N>
void fill_cone(const InteriorBlock& b, int c, SolverScratch& s) {
  double* A = s.A.data() + s.island.square[std::size_t(c)];
  double* B = s.B.data() + s.island.square[std::size_t(c)];
  std::fill(A, A + N * N, 0.0);
  std::fill(B, B + N * N, 0.0);
  const MatN<double, N> inner = scaling_of<N>(s, b, c).inverse_squared();
  if (b.ray) {  // p_t = 0
    A[0] = 1;
    B[0] = b.w * (inner(0, 0) + kCompliance);
    for (int i = 1; i < N; ++i) B[(N + 1) * i] = b.w;
    return;
  }
  const Rows<N> direction = s.rows<N>(s.interior.direction, c);
  for (int l = 0; l < N; ++l) {
    const Rows<N> column = to_velocity(b, direction, inner.column(l)) * (l == 0 ? b.w * b.mu : b.w);
    for (int k = 0; k < N; ++k) B[N * k + l] = column[k];
    B[(N + 1) * l] += kCompliance * b.w;
    A[(N + 1) * l] = 1;
  }
}

void fill_matrix(SolverScratch& s) {
  each_block(
      s, [&](const InteriorBlock& b, int c, auto rows) { fill_cone<rows>(b, c, s); },
      [&](const InteriorBlock& b, int c) {
        const auto entry = std::size_t(s.island.square[std::size_t(c)]);
        s.A[entry] = b.box.fixed ? 0.0 : 1.0;
        s.B[entry] = b.box.fixed ? b.w : b.box.compliance + b.box.stiffness() + kCompliance * b.w;
      });
}

// … = (1 − μ n dᵀ) D_z⁻¹ S⁻¹ d − gap; then δz = (1 + μ n dᵀ)(δv + gap).
template <int N>
void set_right_side(SolverScratch& s, const InteriorBlock& b, int c, const Rows<N>& d) {
  Rows<N> r = to_velocity(b, s.rows<N>(s.interior.direction, c), scaling_of<N>(s, b, c).apply_inverse(d)) -
              s.rows<N>(s.interior.gap, c);
  if (b.ray) {
    const Rows<N> p = s.rows<N>(s.current.p, c);
    for (int i = 1; i < N; ++i) r[i] = -b.w * p[i];
  }
  s.set_rows(s.r, c, r);
}

template <int N>
void set_step(const InteriorBlock& b, int c, SolverScratch& s) {
  Rows<N> dz = s.rows<N>(s.delta_v, c) + s.rows<N>(s.interior.gap, c);
  const Rows<N> direction = s.rows<N>(s.interior.direction, c);
  double along = 0;
  for (int i = 1; i < N; ++i) along += direction[i] * dz[i];
  dz[0] += b.mu * along;
  s.set_rows(s.delta_z, c, dz);
  s.set_rows(s.interior.dx, c, impulse_step(b, s.rows<N>(s.delta_p, c)));
  s.set_rows(s.interior.dy, c, velocity_step(b, dz));
}

// tau, second: what the right sides of the box rows were made of.
bool solve_step(SolverScratch& s, double tau, bool second) {
  double largest = 0;
  for (double r : s.r) largest = std::max(largest, std::abs(r));
  if (!solve_system(s, s.island.condensed ? kEnough * largest : 0.0)) return false;
  each_block(
      s, [&](const InteriorBlock& b, int c, auto rows) { set_step<rows>(b, c, s); },
      [&](InteriorBlock& b, int c) {
        b.box.set_step(s.normal(s.delta_v, c), s.normal(s.delta_p, c), tau, second);
        s.set_normal(s.delta_z, c, b.box.dy[0]);
      });
  return true;
}

double largest_step(SolverScratch& s, double limit) {
  each_block(
      s,
      [&](const InteriorBlock&, int c, auto rows) {
        constexpr int N = rows;
        const InteriorBlocks& i = s.interior;
        limit = step_to_boundary(s.rows<N>(i.x, c), s.rows<N>(i.dx, c), limit);
        limit = step_to_boundary(s.rows<N>(i.y, c), s.rows<N>(i.dy, c), limit);
      },
      [&](const InteriorBlock& b, int) { limit = b.box.largest_step(limit); });
  return limit;
}

// Mean of x·y over the pairs after a step of that length; 0 if there is no pair.
double mean_product(SolverScratch& s, double step) {
  double sum = 0;
  int pairs = 0;
  each_block(
      s,
      [&](const InteriorBlock&, int c, auto rows) {
        constexpr int N = rows;
        const InteriorBlocks& i = s.interior;
        sum += dot(s.rows<N>(i.x, c) + s.rows<N>(i.dx, c) * step, s.rows<N>(i.y, c) + s.rows<N>(i.dy, c) * step);
        ++pairs;
      },
      [&](const InteriorBlock& b, int) {
        sum += b.box.product(step);
        pairs += b.box.pairs();
      });
  return pairs > 0 ? sum / double(pairs) : 0.0;
}

// The piece of the law towards which the predictor moves a block. An eigenvalue that belongs to the solution keeps its
// size on the last stretch of the path, its partner vanishes with τ; so the one that shrinks less decides (El-Bakry,
// Tapia and Zhang 1994). This sees the right piece long before the values themselves do, whatever their scales.
template <int N>
ContactPiece predict_piece(const InteriorBlock& b, const InteriorBlocks& i, int c, const SolverScratch& s) {
  const Rows<N> x = s.rows<N>(i.x, c), y = s.rows<N>(i.y, c);
  const Rows<N> next_x = x + s.rows<N>(i.dx, c), next_y = y + s.rows<N>(i.dy, c);
  const double impulse = std::abs(cone_upper(next_x) / cone_upper(x)),
               apart = std::abs(cone_interior(next_y) / cone_interior(y));
  if (impulse < apart) return ContactPiece::kOpen;
  if (b.ray) return b.sliding_ray ? ContactPiece::kSlide : ContactPiece::kStick;
  const double reserve = std::abs(cone_interior(next_x) / cone_interior(x)),
               speed = std::abs(cone_upper(next_y) / cone_upper(y));
  return reserve < speed ? ContactPiece::kSlide : ContactPiece::kStick;
}

// Right sides of the predictor, towards x ∘ y = 0 …
void predict(SolverScratch& s) {
  each_block(
      s,
      [&](const InteriorBlock& b, int c, auto rows) {
        set_right_side<rows>(s, b, c, -s.rows<rows>(s.interior.lambda, c));
      },
      [&](const InteriorBlock& b, int c) { s.set_normal(s.r, c, b.box.right_side(0, false)); });
}

// … and of the corrector, towards x ∘ y = τ e with the products of the predictor's steps.
void correct(SolverScratch& s, double tau) {
  each_block(
      s,
      [&](const InteriorBlock& b, int c, auto rows) {
        constexpr int N = rows;
        const NesterovTodd<double, N> S = scaling_of<N>(s, b, c);
        const Rows<N> lambda = s.rows<N>(s.interior.lambda, c);
        Rows<N> d;
        d[0] = tau;
        d = d - jordan_product(lambda, lambda) -
            jordan_product(S.apply_inverse(s.rows<N>(s.interior.dx, c)), S.apply(s.rows<N>(s.interior.dy, c)));
        set_right_side<N>(s, b, c, jordan_divide(d, lambda));
      },
      [&](const InteriorBlock& b, int c) { s.set_normal(s.r, c, b.box.right_side(tau, true)); });
}

// On the path: x y = size² for each bound.
void start_box(SolverScratch& s, int c, double w, double size) {
  const double p = interior_box_start(s.island.box[std::size_t(c)], w, size);
  const InteriorBox b = interior_box(s.island.box[std::size_t(c)], w, 0, p, 0, 0);
  s.set_normal(s.current.p, c, p);
  s.set_normal(s.z, c, b.finite[0] ? size * size / b.x[0] : 0);
  s.set_normal(s.upper_dual, c, b.finite[1] ? size * size / b.x[1] : 0);
}

}  // namespace

void InteriorBlocks::resize(int blocks, int rows) {
  block.resize(std::size_t(blocks));
  for (auto* list : {&x, &y, &lambda, &scaling, &direction, &gap, &dx, &dy}) list->resize(std::size_t(rows));
}

double largest_gap(const SolverScratch& s) {
  double largest = 0;
  for (int c = 0; c < s.island.nblock; ++c) {
    const InteriorBlock& b = s.interior.block[std::size_t(c)];
    largest = std::max(largest, b.is_box ? std::abs(b.box.gap) : with_rows(s.island.block_size(c), [&](auto rows) {
                         return norm(s.rows<rows>(s.interior.gap, c));
                       }));
  }
  return largest;
}

void interior_start(const InteriorSettings& settings, SolverScratch& s) {
  const double size = settings.start * s.island.scale;
  s.interior.resize(s.island.nblock, s.island.nrow);
  for (int c = 0; c < s.island.nblock; ++c) {
    const InteriorBlock b = cone_of(s, c, settings.variant);
    if (b.is_box) {
      start_box(s, c, b.w, size);
      continue;
    }
    for (int i = 0; i < s.island.block_size(c); ++i) {
      const auto row = std::size_t(s.island.row[std::size_t(c)] + i);
      const double load = settings.loaded ? std::abs(s.current.p[row]) : 0;
      s.current.p[row] = i == 0 ? std::max(size / b.w, load) : 0;
      s.z[row] = i == 0 ? size : 0;
    }
  }
  evaluate(s, s.current);
}

InteriorStatus interior_step(const InteriorSettings& settings, SolverScratch& s) {
  set_blocks(settings, s);
  const double tau = mean_product(s, 0);
  fill_matrix(s);
  if (!factor_system(s, false)) return InteriorStatus::kStalled;

  predict(s);
  if (!solve_step(s, 0, false)) return InteriorStatus::kStalled;
  each_block(
      s,
      [&](const InteriorBlock& b, int c, auto rows) {
        s.pieces[std::size_t(c)] = predict_piece<rows>(b, s.interior, c, s);
      },
      [&](const InteriorBlock& b, int c) { s.pieces[std::size_t(c)] = b.box.predict_piece(); });
  const double affine = largest_step(s, 1.0);
  const double ratio = tau > 0 ? mean_product(s, affine) / tau : 0.0;
  const double centring = std::clamp(ratio * ratio * ratio, 0.0, 1.0);

  correct(s, centring * tau);
  if (!solve_step(s, centring * tau, true)) return InteriorStatus::kStalled;
  s.path_step = affine;
  s.path_parameter = tau;
  const double step = std::min(1.0, settings.boundary * largest_step(s, 2.0));
  if (!(step > kLeastStep)) return InteriorStatus::kStalled;
  for (int c = 0; c < s.island.nblock; ++c) {
    const InteriorBlock& b = s.interior.block[std::size_t(c)];
    if (b.is_box) s.set_normal(s.upper_dual, c, b.box.y[1] + step * b.box.dy[1]);
  }
  for (std::size_t i = 0; i < s.z.size(); ++i) {
    s.current.p[i] += step * s.delta_p[i];
    s.z[i] += step * s.delta_z[i];
  }
  evaluate(s, s.current);
  keep_best(s);
  return std::isfinite(s.current.residual) ? InteriorStatus::kMoved : InteriorStatus::kStalled;
}

}  // namespace stiction
