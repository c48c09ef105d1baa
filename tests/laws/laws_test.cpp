// One suite for every law: projections, natural map, generalised derivative.
#include <gtest/gtest.h>

#include "laws/coulomb.hpp"
#include "laws/friction_compliance.hpp"
#include "laws/unilateral.hpp"
#include "support/random.hpp"

namespace stiction {
namespace {

template <class Law>
class LawTest : public testing::Test {
 protected:
  static constexpr int kRows = Law::kRows;
  test::Random random{7};

  Vec3 vector() {
    Vec3 x = random.vector(1);
    if (kRows == 1) x.y = x.z = 0;
    return x;
  }
};

using Laws = testing::Types<UnilateralLaw, CoulombLaw>;
TYPED_TEST_SUITE(LawTest, Laws);

// Moreau: x = Π_K(x) − Π_K*(−x), and the two parts are orthogonal; projecting twice changes nothing.
TYPED_TEST(LawTest, projections_decompose_orthogonally) {
  for (int i = 0; i < 1000; ++i) {
    const Vec3 x = this->vector();
    const double mu = this->random.uniform(0, 2);
    const Vec3 inside = TypeParam::project(x, mu), dual = TypeParam::project_dual(-x, mu);
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
    Vec3 v, p;
    if (i % 3 == 0) {
      v = this->vector();
      v.x = std::abs(v.x);
    } else {
      p.x = this->random.uniform(0.1, 1);
      if (this->kRows == 3) {
        const double angle = this->random.uniform(0, 6.28), speed = i % 3 == 1 ? 0 : this->random.uniform(0.1, 1);
        const double share = i % 3 == 1 ? this->random.uniform(0, 1) : 1;
        p.y = -share * mu * p.x * std::cos(angle), p.z = -share * mu * p.x * std::sin(angle);
        v.y = speed * std::cos(angle), v.z = speed * std::sin(angle);
      }
    }
    EXPECT_NEAR(norm(TypeParam::natural_map(v, p, mu, w)), 0, 1e-13);
    v.x = -0.5;
    EXPECT_GT(norm(TypeParam::natural_map(v, p, mu, w)), 1e-3);
  }
}

// A δv + B δp is the directional derivative of Newton's map where that is smooth (random points are, almost surely).
TYPED_TEST(LawTest, linearisation_is_the_derivative_of_newtons_map) {
  const double step = 1e-6;
  for (int i = 0; i < 1000; ++i) {
    const double mu = this->random.uniform(0.1, 2);
    const BlockScale<double> w{this->random.uniform(0.1, 10), this->random.uniform(0.1, 10)};
    const Vec3 v = this->vector(), dv = this->vector(), dp = this->vector();
    Vec3 p = this->vector();
    p.x = std::abs(p.x) + 0.1;  // loaded
    // An open contact is linearised as p = 0 in all rows, which is Newton's step but not the map's derivative.
    if (TypeParam::piece(v, p, mu, w) == ContactPiece::kOpen) continue;
    const Vec3 up = TypeParam::newton_map(v + dv * step, p + dp * step, mu, w);
    const Vec3 down = TypeParam::newton_map(v - dv * step, p - dp * step, mu, w);
    const Vec3 centre = TypeParam::newton_map(v, p, mu, w);
    if (norm(up + down - centre * 2) > 1e-8) continue;  // a kink between the two points
    const BlockSystem<double> system = TypeParam::linearise(v, p, mu, w);
    const Vec3 derivative = system.A * dv + system.B * dp, difference = (up - down) / (2 * step);
    for (int k = 0; k < this->kRows; ++k) EXPECT_NEAR(derivative[k], difference[k], 2e-4 * (1 + norm(difference)));
    for (int k = 0; k < this->kRows; ++k) EXPECT_NEAR(system.r[k], -centre[k], 1e-12);
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
