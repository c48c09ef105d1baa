// A corner of one box just beside the rim of a face of the other: the edge that was taken for the nearest was another
// one, and the gap was wrong. A box that stands on its corner, held over the rim of a box at height g, δ outside it, is
// √(g² + δ²) away (δ > 0) or g (δ ≤ 0): its edges rise at 35°, so nothing else is nearer while δ < g tan 35°.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "support/convex_shapes.hpp"
#include "support/narrow_phase.hpp"

namespace stiction::test {
namespace {

TEST(CornerBesideRim, gap_is_the_distance) {
  Random random(3);
  double worst = 0;
  int outside = 0;
  for (int i = 0; i < 20000; ++i) {
    const double size = random.uniform(0.05, 0.5);
    ShapeT<double> a = box_shape({size, size * random.uniform(0.2, 1), size * random.uniform(0.2, 1)});
    const double half = size * random.uniform(0.3, 1);
    ShapeT<double> b = box_shape({half, half, half});
    // The diagonal (1, 1, 1) up, then any turn about it.
    const Vec3 tip = normalized(Vec3{1, -1, 0}) * std::acos(1 / std::numbers::sqrt3);
    place(a, {}, Quat{1, 0, 0, 0});
    const Quat upright = quat_from_rotation_vector(Vec3{0, 0, random.uniform(0, 6)}) * quat_from_rotation_vector(tip);
    const Vec3 corner = rotate(upright, Vec3{-half, -half, -half});
    ASSERT_NEAR(corner.z, -std::numbers::sqrt3 * half, 1e-14);
    const double smaller = std::min(a.radius, b.radius);
    const double g = smaller * random.log_uniform(1e-8, 1e-2);
    const double magnitude = std::min(smaller * random.log_uniform(1e-9, 1e-4), 0.6 * g);
    const double delta = random.chance(0.5) ? magnitude : -magnitude;
    place(b, Vec3{a.size.x + delta, random.uniform(-0.8, 0.8) * a.size.y, a.size.z + g} - corner, upright);
    const double distance = delta > 0 ? std::hypot(g, delta) : g;
    outside += delta > 0;

    ContactPointT<double> point[kMaxPoints];
    const int count = narrow_phase(a, b, 0.03 * smaller, point);
    ASSERT_GT(count, 0) << i;
    double least = point[0].gap;
    for (int k = 1; k < count; ++k) least = std::min(least, point[k].gap);
    const double error = std::abs(least - distance) / smaller;
    ASSERT_LT(error, 1e-9) << "pose " << i << " g " << g << " δ " << delta << " gap " << least;
    worst = std::max(worst, error);
  }
  EXPECT_GT(outside, 9000);
  RecordProperty("relative_gap_error", std::to_string(worst * 1e12) + "e-12");  // measured 1e-10
}

}  // namespace
}  // namespace stiction::test
