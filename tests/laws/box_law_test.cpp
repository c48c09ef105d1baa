// The box law l ≤ p ≤ u with w = v + c p: natural map, derivative, complementarity functions.
#include <gtest/gtest.h>

#include <cmath>

#include "laws/box.hpp"
#include "support/random.hpp"

namespace stiction {
namespace {

using Row = VecN<double, 1>;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Draw {
  BoxBounds<double> box;
  BlockScale<double> w;
};

// Equality, one bound, two bounds; rigid and compliant.
Draw draw(test::Random& random, int i) {
  Draw d;
  d.box = {random.uniform(-2, 0), random.uniform(0.1, 2), i % 2 == 0 ? 0.0 : random.log_uniform(1e-3, 1e3)};
  if (i % 4 == 1) d.box.upper = kInfinity;
  if (i % 4 == 2) d.box.lower = -kInfinity;
  if (i % 4 == 3) d.box.upper = kInfinity, d.box.lower = -kInfinity;
  d.w = {random.log_uniform(0.1, 10), 1};
  return d;
}

// (v, p) on a piece of the law: inside, at the lower or at the upper bound, with w = size beyond it.
bool obey(const Draw& d, int piece, double size, double share, Row& v, Row& p) {
  const double low = std::isinf(d.box.lower) ? -2 : d.box.lower, high = std::isinf(d.box.upper) ? 2 : d.box.upper;
  double w = 0;
  p[0] = low + share * (high - low);
  if (piece == 1) p[0] = d.box.lower, w = size;
  if (piece == 2) p[0] = d.box.upper, w = -size;
  v[0] = w - d.box.compliance * p[0];
  return std::isfinite(p[0]);
}

TEST(BoxLaw, natural_map_and_ncp_functions_vanish_exactly_on_the_law) {
  test::Random random(3);
  for (int i = 0; i < 3000; ++i) {
    const Draw d = draw(random, i);
    Row v, p;
    if (!obey(d, i % 3, random.uniform(0.1, 1), random.uniform(0.01, 0.99), v, p)) continue;
    // Rounding of w = v + c p at c up to 1e3.
    const double rounding = 1e-15 * (1 + d.box.compliance) * 4;
    EXPECT_NEAR(BoxLaw::natural_map(v, p, d.box, d.w)[0], 0, rounding);
    EXPECT_NEAR((BoxLaw::complementarity<MinimumMap>(v, p, d.box, d.w).value), 0, rounding);
    EXPECT_NEAR((BoxLaw::complementarity<FischerBurmeister>(v, p, d.box, d.w).value), 0, rounding);
    // Off the law: against the bound with the wrong sign of w, or inside with w ≠ 0.
    v[0] += i % 3 == 1 ? -2 : 2;
    EXPECT_GT(std::abs(BoxLaw::natural_map(v, p, d.box, d.w)[0]), 1e-7);
    EXPECT_GT(std::abs(BoxLaw::complementarity<MinimumMap>(v, p, d.box, d.w).value), 1e-3);
    EXPECT_GT(std::abs(BoxLaw::complementarity<FischerBurmeister>(v, p, d.box, d.w).value), 1e-3);
  }
}

TEST(BoxLaw, an_impulse_outside_the_bounds_has_a_residual_of_its_velocity) {
  const BoxBounds<double> box{-1, 2, 0};
  const BlockScale<double> w{0.5, 1};
  EXPECT_NEAR(BoxLaw::natural_map(Row{-10}, Row{2.2}, box, w)[0], 0.5 * 0.2, 1e-15);
  EXPECT_NEAR(BoxLaw::natural_map(Row{10}, Row{-1.4}, box, w)[0], 0.5 * -0.4, 1e-15);
}

// A soft row: an error of w counts as the velocity that it stands for, W / (W + c) of it.
TEST(BoxLaw, residual_of_a_soft_row_is_the_change_of_its_own_motion) {
  const BoxBounds<double> box{-kInfinity, kInfinity, 9};
  EXPECT_NEAR(BoxLaw::natural_map(Row{1}, Row{0}, box, BlockScale<double>{1, 1})[0], 0.1, 1e-15);
}

TEST(BoxLaw, linearisations_are_the_derivatives) {
  test::Random random(5);
  const double step = 1e-6;
  int seen[3] = {};
  for (int i = 0; i < 3000; ++i) {
    const Draw d = draw(random, i);
    const Row v{random.uniform(-2, 2)}, p{random.uniform(-3, 3)}, dv{random.uniform(-1, 1)}, dp{random.uniform(-1, 1)};
    const auto compare = [&](auto&& value, double derivative) {
      const double up = value(v + dv * step, p + dp * step), down = value(v - dv * step, p - dp * step);
      if (std::abs(up + down - 2 * value(v, p)) > 1e-8) return;  // a kink between the two points
      EXPECT_NEAR(derivative, (up - down) / (2 * step), 1e-3 * (1 + d.box.compliance));
    };
    const BlockSystem<double, 1> system = BoxLaw::linearise(v, p, d.box, d.w);
    compare([&](const Row& a, const Row& b) { return BoxLaw::natural_map(a, b, d.box, d.w)[0]; },
            system.A(0, 0) * dv[0] + system.B(0, 0) * dp[0]);
    EXPECT_NEAR(system.r[0], -BoxLaw::natural_map(v, p, d.box, d.w)[0], 1e-12);
    ++seen[int(BoxLaw::piece(v, p, d.box, d.w))];
    const double dw = dv[0] + d.box.compliance * dp[0];
    const auto minimum = BoxLaw::complementarity<MinimumMap>(v, p, d.box, d.w);
    const auto burmeister = BoxLaw::complementarity<FischerBurmeister>(v, p, d.box, d.w);
    compare([&](const Row& a, const Row& b) { return BoxLaw::complementarity<MinimumMap>(a, b, d.box, d.w).value; },
            minimum.slope_w * dw + minimum.slope_p * dp[0]);
    compare(
        [&](const Row& a, const Row& b) { return BoxLaw::complementarity<FischerBurmeister>(a, b, d.box, d.w).value; },
        burmeister.slope_w * dw + burmeister.slope_p * dp[0]);
  }
  for (int count : seen) EXPECT_GT(count, 100) << "all three pieces must be met";
}

}  // namespace
}  // namespace stiction
