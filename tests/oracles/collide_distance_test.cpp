// The narrow phase against brute force: for every pair of the table and random poses from deep penetration to well
// apart, the least gap is the distance, the normal separates as the distance says, and every contact point lies midway
// between a point of A and a point of B.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "oracles/convex_oracle.hpp"
#include "support/narrow_phase.hpp"
#include "support/shape_pairs.hpp"

namespace stiction::test {
namespace {

ShapeT<double> random_shape(ShapeType type, Random& random, ShapeFactory& factory) {
  const double size = random.log_uniform(0.1, 1);
  switch (type) {
    case ShapeType::kPlane:
      return plane_shape();
    case ShapeType::kSphere:
      return sphere_shape(size);
    case ShapeType::kCapsule:
      return capsule_shape(size * random.uniform(0.1, 0.6), size);
    case ShapeType::kBox:
      return box_shape({size, size * random.uniform(0.1, 1), size * random.uniform(0.1, 1)});
    default: {
      const int kind = random.integer(0, 3);
      if (kind == 0) return factory.shape(prism(random.integer(3, 14), size, size * random.uniform(0.1, 1)));
      if (kind == 1) return factory.shape(pyramid(random.integer(3, 9), size, size));
      return factory.shape(random_solid(random, random.integer(5, 20), {size, size * 0.7, size * 0.5}));
    }
  }
}

struct Worst {
  double gap = 0, normal = 0, surface = 0, unit = 0, swapped = 0;
  int poses = 0, apart = 0, penetrating = 0, inexact = 0;
};

// Places B so that it is apart by about `gap` along a random direction: the sum of reaches moved by the distance found.
void place_at_gap(ShapeT<double>& b, const ShapeT<double>& a, double gap, Random& random, const ShapeFactory& factory) {
  Vec3 n = random.direction();
  if (a.type == ShapeType::kPlane && dot(n, a.R.column(2)) < 0) n = -n;
  if (a.type == ShapeType::kPlane) n = normalized(n + a.R.column(2) * 2);
  b.p = a.p + n * (a.radius + b.radius + 0.3);
  for (int i = 0; i < 40; ++i) {
    const double excess = brute_distance(polytope(a, factory), polytope(b, factory)) - gap;
    if (std::abs(excess) < 1e-3 * b.radius) break;
    b.p -= n * excess * (excess > 0 ? 1.0 : 0.3);
  }
}

Worst compare(ShapeType type_a, ShapeType type_b, int poses) {
  Random random(1000 + 16 * std::uint64_t(type_a) + std::uint64_t(type_b));
  Worst worst;
  for (int pose = 0; pose < poses; ++pose) {
    ShapeFactory factory;
    ShapeT<double> a = random_shape(type_a, random, factory), b = random_shape(type_b, random, factory);
    place(a, random.vector(1), random.rotation());
    place(b, {}, random.rotation());
    const double size = type_a == ShapeType::kPlane ? b.radius : std::min(a.radius, b.radius);
    // Half of the poses within a thousandth of touching, where simulations live.
    const double wanted = random.chance(0.5) ? size * random.uniform(-1e-3, 1e-3) : size * random.uniform(-0.2, 0.3);
    place_at_gap(b, a, wanted, random, factory);
    const Polytope A = polytope(a, factory), B = polytope(b, factory);
    const double distance = brute_distance(A, B);
    // Two round bodies whose cores cross: the depth depends on how it is defined.
    if (distance < -0.5 * size || distance > 0.45 * size) continue;

    ContactPointT<double> point[kMaxPoints], mirror[kMaxPoints];
    const double margin = 0.5 * size;
    const int count = narrow_phase(a, b, margin, point);
    const int count_mirror = narrow_phase(b, a, margin, mirror);
    EXPECT_GT(count, 0) << "pose " << pose << " distance " << distance;
    EXPECT_LE(count, kMaxPoints);
    if (count == 0 || count_mirror == 0) continue;
    ++worst.poses;
    (distance > 0 ? worst.apart : worst.penetrating)++;

    double least = margin, least_mirror = margin;
    for (int i = 0; i < count_mirror; ++i) least_mirror = std::min(least_mirror, mirror[i].gap);
    for (int i = 0; i < count; ++i) {
      const ContactPointT<double>& c = point[i];
      least = std::min(least, c.gap);
      worst.unit = std::max(worst.unit, std::abs(norm(c.normal) - 1));
      // The two surface points belong to the two bodies.
      worst.surface = std::max({worst.surface, point_distance(A, c.point - c.normal * (c.gap / 2)) / size,
                                point_distance(B, c.point + c.normal * (c.gap / 2)) / size});
      EXPECT_TRUE(i == 0 || point[i - 1].feature < c.feature);
    }
    const ContactPointT<double>& deepest =
        *std::min_element(point, point + count, [](const auto& x, const auto& y) { return x.gap < y.gap; });
    const double along = separation_along(A, B, deepest.normal);
    if (distance > 0) {
      const double error = std::abs(least - distance) / size;
      // Nearer than 1e-5 of the size separating axes decide.
      if (error > 1e-10 && distance > 1e-5 * size) ++worst.inexact;
      worst.gap = std::max(worst.gap, error);
      EXPECT_GT(least, distance - 1e-10 * size) << "pose " << pose;
      worst.normal = std::max(worst.normal, std::min(distance - along, least - distance) / size);
    } else {
      // The axis is that of least penetration, up to the preference of faces; where it is a face within 1.8° of that
      // axis, the depth at the points of the contact is.
      EXPECT_GT(std::max(along, least), 1.06 * distance - 1.1e-5 * size) << "pose " << pose << " distance " << distance;
      EXPECT_GT(least, along - 1e-10 * size) << "pose " << pose;
      EXPECT_LT(least, 1e-10 * size) << "pose " << pose << " distance " << distance;
    }
    worst.swapped = std::max(worst.swapped, std::abs(least - least_mirror) / size);
    EXPECT_FALSE(testing::Test::HasFailure()) << "pose " << pose << " of pair " << int(type_a) << " " << int(type_b);
    if (testing::Test::HasFailure()) break;
  }
  return worst;
}

class EveryPair : public testing::TestWithParam<ShapePair> {};

TEST_P(EveryPair, least_gap_is_the_distance) {
  const auto [type_a, type_b] = GetParam();
  const bool hulls = type_b == ShapeType::kHull;
  const int poses = hulls ? 2000 : 10000;
  const Worst worst = compare(type_a, type_b, poses);
  RecordProperty("relative_gap_error", std::to_string(worst.gap * 1e12) + "e-12");
  // The poses cover both sides.
  EXPECT_GT(worst.apart, poses / 5);
  EXPECT_GT(worst.penetrating, poses / 5);
  EXPECT_EQ(worst.inexact, 0);
  EXPECT_LT(worst.gap, 1.01e-5);  // measured 8e-12
  EXPECT_LT(worst.normal, 1.01e-5);
  EXPECT_LT(worst.swapped, 1e-5);
  EXPECT_LT(worst.surface, 1e-10);
  EXPECT_LT(worst.unit, 1e-14);
}

// Brute force knows polyhedra and balls swept along them; collide_smooth_test.cpp has the other shapes.
INSTANTIATE_TEST_SUITE_P(Table, EveryPair, testing::ValuesIn(shape_pairs(false)), pair_name);

}  // namespace
}  // namespace stiction::test
