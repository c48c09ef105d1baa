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

#include "solvers/scratch.hpp"

namespace stiction {
namespace {

// Towards the end S⁻² vanishes for the blocks that carry load, and with redundant contacts the matrix becomes singular.
// A compliance relative to the block's inverse mass keeps it regular; it changes the step, not the problem.
constexpr double kCompliance = 1e-9;
constexpr double kLeastStep = 1e-4;  // a step below it means that the path has ended
// The share of the shift's derivative on a cautious path: at the start, after steps below and above the two bounds.
constexpr double kFirstSlope = 0.5, kLeastSlope = 0.05, kSlopeShrink = 0.7, kSlopeGrow = 1.3;
constexpr double kShortStep = 0.4, kLongStep = 0.7;

// D_p δp and D_z δz: steps in cone variables.
Vec3 impulse_step(const InteriorBlock& b, const Vec3& dp) {
  if (b.ray) return {b.w * dp.x, 0, 0};
  return {b.w * b.mu * dp.x, b.w * dp.y, b.w * dp.z};
}
Vec3 velocity_step(const InteriorBlock& b, const Vec3& dz) {
  if (b.ray) return {dz.x, 0, 0};
  return {dz.x / b.mu, dz.y, dz.z};
}
// (1 − μ n dᵀ) D_z⁻¹ a: from cone variables to the velocity v.
Vec3 to_velocity(const InteriorBlock& b, const Vec3& a) {
  if (b.ray) return {a.x, 0, 0};
  return {b.mu * (a.x - b.direction.y * a.y - b.direction.z * a.z), a.y, a.z};
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
  b.sliding_ray = b.ray && s.island.block_size(c) == 3;
  b.is_box = s.island.law[std::size_t(c)] == Law::kBox;
  b.w = path_weight(variant, c) * (b.ray ? scale.normal : (scale.normal + 2 * scale.tangent) / 3);
  return b;
}

// The largest ‖gap‖ of a block [m/s].
double largest_gap(const SolverScratch& s) {
  double largest = 0;
  for (const InteriorBlock& b : s.interior) largest = std::max(largest, b.is_box ? std::abs(b.box.gap) : norm(b.gap));
  return largest;
}

InteriorBlock block_at(const SolverScratch& s, int c, const InteriorSettings& settings) {
  InteriorBlock b = cone_of(s, c, settings.variant);
  const Vec3 p = s.rows(s.current.p, c), v = s.rows(s.current.v, c), z = s.rows(s.z, c);
  if (b.is_box) {
    b.box = interior_box(s.island.box[std::size_t(c)], b.w, v.x, p.x, z.x, s.rows(s.upper_dual, c).x);
    return b;
  }
  b.x = impulse_step(b, p);
  b.y = velocity_step(b, z);
  b.S = NesterovTodd<double>::from(b.x, b.y);
  b.lambda = b.S.apply(b.y);
  const double speed = b.ray || settings.relaxed || settings.frozen ? 0.0 : std::sqrt(z.y * z.y + z.z * z.z);
  if (speed > 0) b.direction = Vec3{0, z.y / speed, z.z / speed} * s.path_slope;
  const double shift = settings.frozen ? s.shift[std::size_t(c)] : b.mu * speed;
  b.gap = b.ray ? Vec3{v.x - z.x, 0, 0} : v + Vec3{shift, 0, 0} - z;
  return b;
}

// δv + (1 − μ n dᵀ) D_z⁻¹ S⁻² D_p δp = …
void fill_matrix(SolverScratch& s) {
  for (int c = 0; c < s.island.nblock; ++c) {
    const auto i = std::size_t(c);
    const InteriorBlock& b = s.interior[i];
    double* A = s.A.data() + 9 * c;
    double* B = s.B.data() + 9 * c;
    if (b.is_box) {
      A[0] = b.box.fixed ? 0.0 : 1.0;
      B[0] = b.box.fixed ? b.w : b.box.compliance + b.box.stiffness() + kCompliance * b.w;
      continue;
    }
    const Mat3 inner = b.S.inverse_squared();
    for (int k = 0; k < 3; ++k)
      for (int l = 0; l < 3; ++l) A[3 * k + l] = k == l ? 1.0 : 0.0;
    if (b.ray) {  // p_t = 0
      A[4] = A[8] = 0;
      std::fill(B, B + 9, 0.0);
      B[0] = b.w * (inner(0, 0) + kCompliance);
      B[4] = B[8] = b.w;
      continue;
    }
    for (int l = 0; l < 3; ++l) {
      const Vec3 column = to_velocity(b, inner.column(l)) * (l == 0 ? b.w * b.mu : b.w);
      for (int k = 0; k < 3; ++k) B[3 * k + l] = column[k];
      B[4 * l] += kCompliance * b.w;
    }
  }
}

// … = (1 − μ n dᵀ) D_z⁻¹ S⁻¹ d − gap; then δz = (1 + μ n dᵀ)(δv + gap).
void set_right_side(SolverScratch& s, int c, const Vec3& d) {
  const InteriorBlock& b = s.interior[std::size_t(c)];
  Vec3 r = to_velocity(b, b.S.apply_inverse(d)) - b.gap;
  if (b.ray) {
    const Vec3 p = s.rows(s.current.p, c);
    r.y = -b.w * p.y;
    r.z = -b.w * p.z;
  }
  s.set_rows(s.r, c, r);
}

// tau, second: what the right sides of the box rows were made of.
bool solve_step(SolverScratch& s, double tau, bool second) {
  if (!solve_system(s)) return false;
  for (int c = 0; c < s.island.nblock; ++c) {
    InteriorBlock& b = s.interior[std::size_t(c)];
    if (b.is_box) {
      b.box.set_step(s.rows(s.delta_v, c).x, s.rows(s.delta_p, c).x, tau, second);
      s.set_rows(s.delta_z, c, {b.box.dy[0], 0, 0});
      continue;
    }
    Vec3 dz = s.rows(s.delta_v, c) + b.gap;
    dz.x += b.mu * (b.direction.y * dz.y + b.direction.z * dz.z);
    s.set_rows(s.delta_z, c, dz);
    b.dx = impulse_step(b, s.rows(s.delta_p, c));
    b.dy = velocity_step(b, dz);
  }
  return true;
}

double largest_step(const SolverScratch& s, double limit) {
  for (const InteriorBlock& b : s.interior)
    limit = b.is_box ? b.box.largest_step(limit) : step_to_boundary(b.y, b.dy, step_to_boundary(b.x, b.dx, limit));
  return limit;
}

// Mean of x·y over the pairs after a step of that length; 0 if there is no pair.
double mean_product(const SolverScratch& s, double step) {
  double sum = 0;
  int pairs = 0;
  for (const InteriorBlock& b : s.interior) {
    sum += b.is_box ? b.box.product(step) : dot(b.x + b.dx * step, b.y + b.dy * step);
    pairs += b.is_box ? b.box.pairs() : 1;
  }
  return pairs > 0 ? sum / double(pairs) : 0.0;
}

// The piece of the law towards which the predictor moves a block. An eigenvalue that belongs to the solution keeps its
// size on the last stretch of the path, its partner vanishes with τ; so the one that shrinks less decides (El-Bakry,
// Tapia and Zhang 1994). This sees the right piece long before the values themselves do, whatever their scales.
ContactPiece predict_piece(const InteriorBlock& b) {
  if (b.is_box) return b.box.predict_piece();
  const Vec3 x = b.x + b.dx, y = b.y + b.dy;
  const double impulse = std::abs(cone_upper(x) / cone_upper(b.x)),
               apart = std::abs(cone_interior(y) / cone_interior(b.y));
  if (impulse < apart) return ContactPiece::kOpen;
  if (b.ray) return b.sliding_ray ? ContactPiece::kSlide : ContactPiece::kStick;
  const double reserve = std::abs(cone_interior(x) / cone_interior(b.x)),
               speed = std::abs(cone_upper(y) / cone_upper(b.y));
  return reserve < speed ? ContactPiece::kSlide : ContactPiece::kStick;
}

// On the path: x y = size² for each bound.
void start_box(SolverScratch& s, int c, double w, double size) {
  const double p = interior_box_start(s.island.box[std::size_t(c)], w, size);
  const InteriorBox b = interior_box(s.island.box[std::size_t(c)], w, 0, p, 0, 0);
  s.set_rows(s.current.p, c, {p, 0, 0});
  s.set_rows(s.z, c, {b.finite[0] ? size * size / b.x[0] : 0, 0, 0});
  s.set_rows(s.upper_dual, c, {b.finite[1] ? size * size / b.x[1] : 0, 0, 0});
}

}  // namespace

void interior_start(const InteriorSettings& settings, SolverScratch& s) {
  const double size = settings.start * s.island.scale;
  s.path_slope = settings.cautious ? kFirstSlope : 1.0;
  s.interior.resize(std::size_t(s.island.nblock));
  for (int c = 0; c < s.island.nblock; ++c) {
    const InteriorBlock b = cone_of(s, c, settings.variant);
    if (b.is_box) {
      start_box(s, c, b.w, size);
      continue;
    }
    s.set_rows(s.current.p, c, {size / b.w, 0, 0});
    s.set_rows(s.z, c, {size, 0, 0});
  }
  evaluate(s, s.current);
}

InteriorStatus interior_step(const InteriorSettings& settings, SolverScratch& s) {
  for (int c = 0; c < s.island.nblock; ++c) s.interior[std::size_t(c)] = block_at(s, c, settings);
  const double tau = mean_product(s, 0);
  fill_matrix(s);
  if (!factor_system(s, false)) return InteriorStatus::kStalled;

  for (int c = 0; c < s.island.nblock; ++c) {
    const InteriorBlock& b = s.interior[std::size_t(c)];
    if (b.is_box)
      s.set_rows(s.r, c, {b.box.right_side(0, false), 0, 0});
    else
      set_right_side(s, c, -b.lambda);
  }
  if (!solve_step(s, 0, false)) return InteriorStatus::kStalled;
  for (int c = 0; c < s.island.nblock; ++c) s.pieces[std::size_t(c)] = predict_piece(s.interior[std::size_t(c)]);
  const double affine = largest_step(s, 1.0);
  const double ratio = tau > 0 ? mean_product(s, affine) / tau : 0.0;
  const bool ahead = settings.cautious && largest_gap(s) > std::sqrt(tau);
  const double centring = ahead ? 1.0 : std::clamp(ratio * ratio * ratio, 0.0, 1.0);

  for (int c = 0; c < s.island.nblock; ++c) {
    const InteriorBlock& b = s.interior[std::size_t(c)];
    if (b.is_box) {
      s.set_rows(s.r, c, {b.box.right_side(centring * tau, true), 0, 0});
      continue;
    }
    const Vec3 product = jordan_product(b.S.apply_inverse(b.dx), b.S.apply(b.dy));
    const Vec3 d = Vec3{centring * tau, 0, 0} - jordan_product(b.lambda, b.lambda) - product;
    set_right_side(s, c, jordan_divide(d, b.lambda));
  }
  if (!solve_step(s, centring * tau, true)) return InteriorStatus::kStalled;
  s.path_step = affine;
  s.path_parameter = tau;
  const double step = std::min(1.0, settings.boundary * largest_step(s, 2.0));
  if (settings.cautious && step < kShortStep) s.path_slope *= kSlopeShrink;
  if (settings.cautious && step > kLongStep)
    s.path_slope = std::min(1.0, kSlopeGrow * std::max(s.path_slope, kLeastSlope));
  if (!(step > kLeastStep)) return InteriorStatus::kStalled;
  for (int c = 0; c < s.island.nblock; ++c) {
    const InteriorBlock& b = s.interior[std::size_t(c)];
    if (b.is_box) s.set_rows(s.upper_dual, c, {b.box.y[1] + step * b.box.dy[1], 0, 0});
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
