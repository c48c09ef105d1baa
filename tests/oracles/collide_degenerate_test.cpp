// Degenerate configurations: coincident centres, flush faces, aligned edges, gaps of exactly zero or one rounding,
// sizes that differ by a million, capsules without length. Every result is finite, with unit normals, and says apart or
// touching as brute force does.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "oracles/convex_oracle.hpp"
#include "support/narrow_phase.hpp"
#include "support/shape_pairs.hpp"

namespace stiction::test {
namespace {

// A rotation by multiples of 45° about coordinate axes, exact up to rounding.
Quat special_rotation(Random& random) {
  Quat q;
  for (int i = 0; i < 2; ++i) {
    Vec3 axis{};
    axis[random.integer(0, 2)] = random.integer(0, 7) * std::numbers::pi / 4;
    q = q * quat_from_rotation_vector(axis);
  }
  return q;
}

// Coordinates that make faces flush, edges align and centres agree.
double special_number(Random& random) {
  const double steps[] = {0, 0, 0, 0.1, -0.1, 0.2, -0.2, 0.3, 0.1 * std::numbers::sqrt2, 0.05};
  const double noise[] = {0, 0, 0, 1e-17, -1e-16, 1e-13, -1e-9, 1e-7, -1e-5};
  return steps[random.integer(0, 9)] + noise[random.integer(0, 8)];
}

ShapeT<double> special_shape(ShapeType type, Random& random, ShapeFactory& factory) {
  const double scale = random.chance(0.1) ? 1e3 : (random.chance(0.1) ? 1e-3 : 1);
  switch (type) {
    case ShapeType::kPlane:
      return plane_shape();
    case ShapeType::kSphere:
      return sphere_shape(0.1 * scale);
    case ShapeType::kCapsule:
      return capsule_shape(0.1 * scale, random.chance(0.2) ? 0 : 0.1 * scale);
    case ShapeType::kBox:
      return box_shape(Vec3{0.1, random.chance(0.2) ? 1e-4 : 0.1, 0.1} * scale);
    default:
      switch (random.integer(0, 3)) {
        case 0:
          return factory.shape(box_solid(Vec3{0.1, 0.1, 0.1} * scale));
        case 1:
          return factory.shape(prism(random.integer(3, 8), 0.1 * scale, 0.1 * scale));
        case 2:
          return factory.shape(pyramid(4, 0.1 * scale, 0.1 * scale));
        default:
          return factory.shape(prism(48, 0.1 * scale, 1e-3 * scale));
      }
  }
}

class DegeneratePair : public testing::TestWithParam<ShapePair> {};

TEST_P(DegeneratePair, results_are_finite_and_right) {
  const auto [type_a, type_b] = GetParam();
  Random random(77 + 16 * std::uint64_t(type_a) + std::uint64_t(type_b));
  int touching = 0;
  const int cases = type_b == ShapeType::kHull ? 1500 : 5000;
  for (int i = 0; i < cases; ++i) {
    ShapeFactory factory;
    ShapeT<double> a = special_shape(type_a, random, factory), b = special_shape(type_b, random, factory);
    const Vec3 centre = random.chance(0.5) ? Vec3{} : random.vector(10);
    place(a, centre, random.chance(0.7) ? special_rotation(random) : random.rotation());
    place(b, centre + Vec3{special_number(random), special_number(random), special_number(random)},
          random.chance(0.7) ? special_rotation(random) : random.rotation());
    const double size = type_a == ShapeType::kPlane ? b.radius : std::min(a.radius, b.radius);
    const double largest = std::max({a.radius, b.radius, norm(centre)});
    const double margin = 0.02 * size;
    ContactPointT<double> point[kMaxPoints];
    const int count = narrow_phase(a, b, margin, point);
    ASSERT_LE(count, kMaxPoints);
    double least = margin;
    for (int k = 0; k < count; ++k) {
      ASSERT_TRUE(is_finite(point[k].point) && is_finite(point[k].normal) && std::isfinite(point[k].gap)) << i;
      EXPECT_FALSE(point[k].cut_short) << i;
      EXPECT_NEAR(norm(point[k].normal), 1, 1e-14) << i;
      EXPECT_LT(point[k].gap, margin);
      EXPECT_TRUE(k == 0 || point[k - 1].feature < point[k].feature) << i;
      least = std::min(least, point[k].gap);
    }
    const double distance = brute_distance(polytope(a, factory), polytope(b, factory));
    const double tolerance = 1.1e-5 * size + 1e-13 * largest;
    if (distance < margin - tolerance) {
      EXPECT_GT(count, 0) << i << " distance " << distance / size;
    }
    if (distance > tolerance && count > 0) {
      EXPECT_NEAR(least, distance, tolerance) << i;
    }
    if (distance < -tolerance && count > 0) {
      EXPECT_LT(least, 0) << i;
    }
    touching += count > 0;
    if (HasFailure()) break;
  }
  EXPECT_GT(touching, cases / 4);
}

// Brute force knows polyhedra and balls swept along them; collide_smooth_test.cpp has the other shapes.
INSTANTIATE_TEST_SUITE_P(Table, DegeneratePair, testing::ValuesIn(shape_pairs(false)), pair_name);

}  // namespace
}  // namespace stiction::test
