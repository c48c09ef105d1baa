// One suite for every law: projections, natural map, generalised derivative.
#include <gtest/gtest.h>

#include "laws/coulomb.hpp"
#include "laws/friction_compliance.hpp"
#include "laws/pyramid.hpp"
#include "laws/relaxed.hpp"
#include "laws/unilateral.hpp"
#include "support/random.hpp"

namespace stiction {
namespace {

template <class Law>
class LawTest : public testing::Test {
 protected:
  static constexpr int kRows = Law::kRows;
  using Vector = VecN<double, kRows>;
  test::Random random{7};

  Vector vector() {
    Vector x;
    for (int i = 0; i < kRows; ++i) x[i] = random.uniform(-1, 1);
    return x;
  }
  // A unit vector of the tangential directions; the first entry is zero.
  Vector direction() {
    Vector x = vector();
    x[0] = 0;
    return tail_norm(x) > 0.1 ? x / tail_norm(x) : direction();
  }
};

using Laws = testing::Types<UnilateralLaw, CoulombLaw<2>, CoulombLaw<3>, CoulombLaw<4>, CoulombLaw<5>, CoulombLaw<6>,
                            RelaxedLaw<2>, RelaxedLaw<3>, RelaxedLaw<6>, PyramidLaw<2>>;
TYPED_TEST_SUITE(LawTest, Laws);

// Moreau: x = Π_K(x) − Π_K*(−x), and the two parts are orthogonal; projecting twice changes nothing.
TYPED_TEST(LawTest, projections_decompose_orthogonally) {
  for (int i = 0; i < 1000; ++i) {
    const auto x = this->vector();
    const double mu = this->random.uniform(0, 2);
    const auto inside = TypeParam::project(x, mu), dual = TypeParam::project_dual(-x, mu);
    EXPECT_NEAR(norm(inside - dual - x), 0, 1e-14);
    EXPECT_NEAR(dot(inside, dual), 0, 1e-14);
    EXPECT_NEAR(norm(TypeParam::project(inside, mu) - inside), 0, 1e-14);
  }
}

// Pairs that obey the law by construction (open, stick, slide) have no residual; moved off it they have one.
TYPED_TEST(LawTest, natural_map_vanishes_exactly_on_the_law) {
  for (int i = 0; i < 1000; ++i) {
    const double mu = this->random.uniform(0.1, 2);
    const BlockScale<double> w{this->random.uniform(0.1, 10), this->random.uniform(0.1, 10)};
    typename TestFixture::Vector v, p;
    if (i % 3 == 0) {
      v = this->vector();
      v[0] = std::abs(v[0]);
    } else {
      p[0] = this->random.uniform(0.1, 1);
      if constexpr (TestFixture::kRows > 1) {
        const auto d = this->direction();
        const double speed = i % 3 == 1 ? 0 : this->random.uniform(0.1, 1);
        const double share = i % 3 == 1 ? this->random.uniform(0, 1) : 1;
        p += d * (-share * mu * p[0]);
        v += d * speed;
      }
    }
    // The relaxed law asks for v_n ≥ μ ‖v_t‖.
    if constexpr (TestFixture::kRows > 1)
      if (std::is_same_v<TypeParam, RelaxedLaw<TestFixture::kRows>>) v[0] += mu * tail_norm(v);
    EXPECT_NEAR(norm(TypeParam::natural_map(v, p, mu, w)), 0, 1e-13);
    v[0] = -0.5;
    EXPECT_GT(norm(TypeParam::natural_map(v, p, mu, w)), 1e-3);
  }
}

// A δv + B δp is the directional derivative of Newton's map where that is smooth (random points are, almost surely).
TYPED_TEST(LawTest, linearisation_is_the_derivative_of_newtons_map) {
  const double step = 1e-6;
  for (int i = 0; i < 1000; ++i) {
    const double mu = this->random.uniform(0.1, 2);
    const BlockScale<double> w{this->random.uniform(0.1, 10), this->random.uniform(0.1, 10)};
    const auto v = this->vector(), dv = this->vector(), dp = this->vector();
    auto p = this->vector();
    p[0] = std::abs(p[0]) + 0.1;  // loaded
    // An open contact is linearised as p = 0 in all rows, which is Newton's step but not the map's derivative.
    if (TypeParam::piece(v, p, mu, w) == ContactPiece::kOpen) continue;
    const auto up = TypeParam::newton_map(v + dv * step, p + dp * step, mu, w);
    const auto down = TypeParam::newton_map(v - dv * step, p - dp * step, mu, w);
    const auto centre = TypeParam::newton_map(v, p, mu, w);
    if (norm(up + down - centre * 2) > 1e-8) continue;  // a kink between the two points
    const auto system = TypeParam::linearise(v, p, mu, w);
    const auto derivative = system.A * dv + system.B * dp, difference = (up - down) / (2 * step);
    for (int k = 0; k < this->kRows; ++k) EXPECT_NEAR(derivative[k], difference[k], 2e-4 * (1 + norm(difference)));
    for (int k = 0; k < this->kRows; ++k) EXPECT_NEAR(system.r[k], -centre[k], 1e-12);
  }
}

// The pyramid's corners lie in the directions of the rows, so sliding pairs are made from a corner or an edge.
TEST(PyramidLaw, natural_map_vanishes_exactly_on_the_law) {
  test::Random random(8);
  constexpr int N = 6;
  for (int i = 0; i < 1000; ++i) {
    const double mu = random.uniform(0.1, 2), normal = random.uniform(0.1, 1), speed = random.uniform(0.1, 1);
    const BlockScale<double> w{random.uniform(0.1, 10), random.uniform(0.1, 10)};
    VecN<double, N> v, p;
    p[0] = normal;
    // The rows in `edge` share the largest speed and the whole force, the others are slower and carry none.
    double rest = mu * normal;
    for (int k = 1; k < N; ++k) {
      const bool edge = k == 1 || random.chance(0.4);
      const double sign = random.chance(0.5) ? 1 : -1;
      v[k] = sign * (edge ? speed : random.uniform(0, 0.9 * speed));
      const double share = edge ? random.uniform(0, rest) : 0;
      p[k] = -sign * share;
      rest -= share;
    }
    p[1] += v[1] > 0 ? -rest : rest;
    EXPECT_NEAR(norm(PyramidLaw<N>::natural_map(v, p, mu, w)), 0, 1e-13);
    v[2] += v[2] > 0 ? 0.3 * speed : -0.3 * speed;  // now faster than the others, or wrong by that
    if (std::abs(v[2]) > 1.1 * speed && std::abs(p[2]) < 0.9 * mu * normal) {
      EXPECT_GT(norm(PyramidLaw<N>::natural_map(v, p, mu, w)), 1e-4);
    }
  }
}

// The projection: inside the cone, and no sharper angle to any of its generators (1, ±μ e_k).
TEST(PyramidLaw, projections_decompose_orthogonally) {
  test::Random random(9);
  constexpr int N = 6;
  for (int i = 0; i < 1000; ++i) {
    const double mu = random.uniform(0.1, 2);
    VecN<double, N> x;
    for (int k = 0; k < N; ++k) x[k] = random.uniform(-1, 1);
    const VecN<double, N> inside = PyramidLaw<N>::project(x, mu), rest = x - inside;
    double sum = 0;
    for (int k = 1; k < N; ++k) sum += std::abs(inside[k]);
    EXPECT_LE(sum, mu * inside[0] + 1e-14);
    EXPECT_NEAR(dot(inside, rest), 0, 1e-14);
    for (int k = 1; k < N; ++k) EXPECT_LE(rest[0] + mu * std::abs(rest[k]), 1e-14);
  }
}

// As for the other laws, on the pieces of the projection.
TEST(PyramidLaw, linearisation_is_the_derivative_of_newtons_map) {
  test::Random random(10);
  constexpr int N = 4;
  const double step = 1e-6;
  int sliding = 0;
  for (int i = 0; i < 1000; ++i) {
    const double mu = random.uniform(0.1, 2);
    const BlockScale<double> w{random.uniform(0.1, 10), random.uniform(0.1, 10)};
    VecN<double, N> v, p, dv, dp;
    for (int k = 0; k < N; ++k) {
      v[k] = random.uniform(-1, 1);
      p[k] = random.uniform(-1, 1);
      dv[k] = random.uniform(-1, 1);
      dp[k] = random.uniform(-1, 1);
    }
    p[0] = std::abs(p[0]) + 0.1;
    if (PyramidLaw<N>::piece(v, p, mu, w) != ContactPiece::kSlide) continue;
    const auto up = PyramidLaw<N>::newton_map(v + dv * step, p + dp * step, mu, w);
    const auto down = PyramidLaw<N>::newton_map(v - dv * step, p - dp * step, mu, w);
    const auto centre = PyramidLaw<N>::newton_map(v, p, mu, w);
    if (norm(up + down - centre * 2) > 1e-8) continue;
    ++sliding;
    const auto system = PyramidLaw<N>::linearise(v, p, mu, w);
    const auto derivative = system.A * dv + system.B * dp, difference = (up - down) / (2 * step);
    for (int k = 1; k < N; ++k) EXPECT_NEAR(derivative[k], difference[k], 2e-4 * (1 + norm(difference)));
    for (int k = 1; k < N; ++k) EXPECT_NEAR(system.r[k], -centre[k], 1e-12);
  }
  EXPECT_GT(sliding, 200);
}

// Brute force in six rows: no point of the cone is nearer, and the way there makes no acute angle with the way to any
// of them, (x − Π x)·(y − Π x) ≤ 0, which says that Π x is the nearest.
TEST(CoulombLaw, projection_is_the_nearest_of_all_points_of_the_cone) {
  test::Random random(5);
  constexpr int N = 6;
  for (int i = 0; i < 30; ++i) {
    const double mu = random.uniform(0.2, 2);
    VecN<double, N> x;
    for (int k = 0; k < N; ++k) x[k] = random.uniform(-1, 1);
    const VecN<double, N> inside = CoulombLaw<N>::project(x, mu);
    EXPECT_LE(tail_norm(inside), mu * inside[0] * (1 + 1e-14));
    for (int draw = 0; draw < 2000; ++draw) {
      // Half of the draws are near the projection, half anywhere in the cone.
      VecN<double, N> y;
      const double spread = draw % 2 == 0 ? 0.05 : 2;
      for (int k = 0; k < N; ++k) y[k] = random.uniform(-spread, spread) + (draw % 2 == 0 ? inside[k] : 0);
      const double length = tail_norm(y);
      if (!(y[0] > 0)) y[0] = length / mu;
      if (length > mu * y[0])
        for (int k = 1; k < N; ++k) y[k] *= mu * y[0] / length;
      EXPECT_GE(norm(x - y), norm(x - inside) * (1 - 1e-12));
      EXPECT_LE(dot(x - inside, y - inside), 1e-14);
    }
  }
}

// Rows scaled by μ_i/μ turn the elliptic cone √(Σ (λ_i/μ_i)²) ≤ λ_n into the round one: for a velocity of sliding and
// spin, of all admissible forces the law's does the most work against it (checked over the ellipsoid's points).
TEST(CoulombLaw, scaled_rows_dissipate_most_over_the_ellipsoid) {
  test::Random random(6);
  constexpr int N = 6;
  for (int i = 0; i < 50; ++i) {
    double mu[N] = {}, v[N] = {}, lambda[N] = {};
    for (int k = 1; k < N; ++k) mu[k] = random.log_uniform(1e-3, 1), v[k] = random.uniform(-1, 1);
    const double reference = mu[1], normal = 3;
    VecN<double, N> v_row, p;
    p[0] = normal;
    for (int k = 1; k < N; ++k) v_row[k] = mu[k] / reference * v[k];
    // Sliding: p_t = −μ p_n v_t / ‖v_t‖ is the zero of the natural map.
    for (int k = 1; k < N; ++k) p[k] = -reference * normal * v_row[k] / tail_norm(v_row);
    EXPECT_NEAR(norm(CoulombLaw<N>::natural_map(v_row, p, reference, BlockScale<double>{1, 2})), 0, 1e-13);
    double power = 0, inside = 0;
    for (int k = 1; k < N; ++k) {
      lambda[k] = mu[k] / reference * p[k];
      power += lambda[k] * v[k];
      inside += lambda[k] * lambda[k] / (mu[k] * mu[k]);
    }
    EXPECT_NEAR(std::sqrt(inside), normal, 1e-13);
    for (int draw = 0; draw < 2000; ++draw) {
      double other[N] = {}, size = 0, other_power = 0;
      for (int k = 1; k < N; ++k) other[k] = mu[k] * random.normal(), size += other[k] * other[k] / (mu[k] * mu[k]);
      for (int k = 1; k < N; ++k) other_power += other[k] * normal / std::sqrt(size) * v[k];
      EXPECT_GE(other_power, power * (1 + 1e-12));
    }
  }
}

template <class Map>
void check_complementarity() {
  test::Random random(9);
  for (int i = 0; i < 1000; ++i) {
    const double a = random.uniform(0, 2);
    EXPECT_NEAR(Map::evaluate(a, 0.0).value, 0, 1e-15);
    EXPECT_NEAR(Map::evaluate(0.0, a).value, 0, 1e-15);
    const double b = random.uniform(-2, 2), c = random.uniform(-2, 2), step = 1e-6;
    if (std::abs(b - c) < 1e-3 || std::hypot(b, c) < 1e-2) continue;
    const auto phi = Map::evaluate(b, c);
    EXPECT_NEAR((Map::evaluate(b + step, c).value - Map::evaluate(b - step, c).value) / (2 * step), phi.slope_a, 1e-5);
    EXPECT_NEAR((Map::evaluate(b, c + step).value - Map::evaluate(b, c - step).value) / (2 * step), phi.slope_b, 1e-5);
    EXPECT_EQ(phi.value < 0, std::min(b, c) < 0);
  }
}

TEST(Complementarity, minimum_map_and_fischer_burmeister_vanish_on_complementary_pairs) {
  check_complementarity<MinimumMap>();
  check_complementarity<FischerBurmeister>();
}

// v + C p_t = 0 with ‖p_t‖ = μ p_n, v > 0 is a fixed point: C must be v / (μ p_n). At rest inside the cone C = 0.
TEST(FrictionCompliance, fixed_points_obey_coulomb) {
  test::Random random(11);
  for (int i = 0; i < 1000; ++i) {
    const double speed = random.uniform(0.01, 2), radius = random.uniform(0.01, 2), r = random.uniform(0.1, 10);
    EXPECT_NEAR(friction_compliance<MinimumMap>(speed, radius, radius, r), speed / radius, 1e-10 * speed / radius);
    EXPECT_NEAR(friction_compliance<FischerBurmeister>(speed, radius, radius, r), speed / radius,
                1e-10 * speed / radius);
    EXPECT_NEAR(friction_compliance<MinimumMap>(0.0, 0.5 * radius, radius, r), 0, 1e-12);
    EXPECT_NEAR(friction_compliance<FischerBurmeister>(0.0, 0.5 * radius, radius, r), 0, 1e-12);
  }
}

}  // namespace
}  // namespace stiction
