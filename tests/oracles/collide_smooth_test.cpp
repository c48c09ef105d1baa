// Cylinders and ellipsoids against every shape. The answer proves itself: points of the two bodies at the distance d,
// and a direction along which the bodies are apart by d, together say that d is the distance (weak duality). What the
// proof needs, support points and membership, is written here a second time.
//
// Penetrating, the separation along the normal is the gap, and no direction near it (and hardly one anywhere) is
// better.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "support/convex_shapes.hpp"
#include "support/narrow_phase.hpp"
#include "support/shape_pairs.hpp"

namespace stiction::test {
namespace {

double reach(const ShapeT<double>& shape, const Vec3& n) {
  const Vec3 l = transpose_times(shape.R, n);
  double along = 0;
  switch (shape.type) {
    case ShapeType::kSphere:
      along = shape.size.x;
      break;
    case ShapeType::kCapsule:
      along = shape.size.x + shape.size.y * std::abs(l.z);
      break;
    case ShapeType::kBox:
      along = dot(shape.size, abs(l));
      break;
    case ShapeType::kCylinder:
      along = shape.size.x * std::hypot(l.x, l.y) + shape.size.y * std::abs(l.z);
      break;
    case ShapeType::kEllipsoid:
      along = norm(scaled(shape.size, l));
      break;
    default:
      along = -1e9;
      for (int i = 0; i < shape.hull.vertex_count; ++i) along = std::max(along, dot(l, shape.hull.vertex[i]));
  }
  return dot(n, shape.p) + along;
}

// How far a point lies outside the shape, as a lower bound of the distance; negative inside.
double outside(const ShapeT<double>& shape, const Vec3& x) {
  const Vec3 l = transpose_times(shape.R, x - shape.p);
  switch (shape.type) {
    case ShapeType::kPlane:
      return l.z;
    case ShapeType::kSphere:
      return norm(l) - shape.size.x;
    case ShapeType::kCapsule:
      return norm(l - Vec3{0, 0, std::clamp(l.z, -shape.size.y, shape.size.y)}) - shape.size.x;
    case ShapeType::kBox:
      return std::max({std::abs(l.x) - shape.size.x, std::abs(l.y) - shape.size.y, std::abs(l.z) - shape.size.z});
    case ShapeType::kCylinder:
      return std::max(std::hypot(l.x, l.y) - shape.size.x, std::abs(l.z) - shape.size.y);
    case ShapeType::kEllipsoid: {
      const Vec3 s{l.x / shape.size.x, l.y / shape.size.y, l.z / shape.size.z};
      return (norm(s) - 1) * std::min({shape.size.x, shape.size.y, shape.size.z});
    }
    default: {
      double most = -1e9;
      for (int f = 0; f < shape.hull.face_count; ++f)
        most = std::max(most, dot(shape.hull.face_normal[f], l) - shape.hull.face_offset[f]);
      return most;
    }
  }
}

double separation(const ShapeT<double>& a, const ShapeT<double>& b, const Vec3& n) {
  if (a.type == ShapeType::kPlane) return dot(n, a.R.column(2)) > 1 - 1e-12 ? -reach(b, -n) - dot(n, a.p) : -1e9;
  return -reach(b, -n) - reach(a, n);
}

// Largest value of f over [low, high], where it has one hill, by golden sections.
template <class F>
double highest(const F& f, double low, double high) {
  const double ratio = (std::sqrt(5.0) - 1) / 2;
  double x = high - ratio * (high - low), y = low + ratio * (high - low), fx = f(x), fy = f(y), most = std::max(fx, fy);
  while (high - low > 1e-12) {
    if (fx > fy)
      high = y, y = x, fy = fx, x = high - ratio * (high - low), fx = f(x);
    else
      low = x, x = y, fx = fy, y = low + ratio * (high - low), fy = f(y);
    most = std::max({most, fx, fy});
  }
  return most;
}

// Largest separation over directions within about `angle` of n: s(m)/|m| has one hill over the tangent plane.
double best_separation(const ShapeT<double>& a, const ShapeT<double>& b, const Vec3& n, double angle) {
  Vec3 u, w;
  tangent_frame(n, u, w);
  return highest(
      [&](double x) {
        return highest([&](double y) { return separation(a, b, normalized(n + u * x + w * y)); }, -angle, angle);
      },
      -angle, angle);
}

ShapeT<double> random_shape(ShapeType type, Random& random, ShapeFactory& factory) {
  const double size = random.log_uniform(0.1, 1);
  const auto part = [&] { return size * random.log_uniform(0.1, 1); };
  switch (type) {
    case ShapeType::kPlane:
      return plane_shape();
    case ShapeType::kSphere:
      return sphere_shape(size);
    case ShapeType::kCapsule:
      return capsule_shape(0.6 * part(), size);
    case ShapeType::kBox:
      return box_shape({size, part(), part()});
    case ShapeType::kCylinder:
      return random.chance(0.5) ? cylinder_shape(size, part()) : cylinder_shape(part(), size);
    case ShapeType::kEllipsoid:
      return ellipsoid_shape({size, part(), part()});
    default:
      return factory.shape(random_solid(random, random.integer(5, 20), {size, size * 0.7, size * 0.5}));
  }
}

// A fifth of the poses has parallel or crossing axes up to a small angle.
Quat random_pose(Random& random) {
  if (!random.chance(0.2)) return random.rotation();
  Vec3 axis{};
  axis[random.integer(0, 2)] = random.integer(0, 3) * std::numbers::pi / 2;
  return quat_from_rotation_vector(axis) *
         quat_from_rotation_vector(random.direction() * (random.chance(0.5) ? 0 : random.log_uniform(1e-10, 0.1)));
}

struct Worst {
  double gap = 0, surface = 0, depth = 0, unit = 0, swapped = 0;
  int apart = 0, penetrating = 0, elsewhere = 0;
};

const ContactPointT<double>& nearest(const std::vector<ContactPointT<double>>& points) {
  return *std::min_element(points.begin(), points.end(), [](const auto& x, const auto& y) { return x.gap < y.gap; });
}

std::vector<ContactPointT<double>> contacts(const ShapeT<double>& a, const ShapeT<double>& b, double margin) {
  ContactPointT<double> out[kMaxPoints];
  const int count = narrow_phase(a, b, margin, out);
  return {out, out + count};
}

// Moves B along a random direction until its gap is about the one wanted.
void place_at_gap(ShapeT<double>& b, const ShapeT<double>& a, double gap, Random& random) {
  Vec3 n = random.direction();
  if (a.type == ShapeType::kPlane) n = normalized(n + a.R.column(2) * 2);
  b.p = a.p + n * (a.radius + b.radius + 0.3);
  for (int i = 0; i < 40; ++i) {
    const auto points = contacts(a, b, 1e3);
    if (points.empty()) return;
    const double excess = nearest(points).gap - gap;
    if (std::abs(excess) < 1e-3 * b.radius) return;
    b.p -= n * excess * (excess > 0 ? 1.0 : 0.3);
  }
}

Worst examine(ShapeType type_a, ShapeType type_b, int poses) {
  Random random(4000 + 16 * std::uint64_t(type_a) + std::uint64_t(type_b));
  const bool flat = type_b == ShapeType::kCylinder && type_a >= ShapeType::kBox;
  Worst worst;
  for (int pose = 0; pose < poses && !testing::Test::HasFailure(); ++pose) {
    ShapeFactory factory;
    ShapeT<double> a = random_shape(type_a, random, factory), b = random_shape(type_b, random, factory);
    place(a, random.vector(1), random.rotation());
    place(b, {}, Quat{});
    b.R = a.R * rotation_matrix(random_pose(random));
    const double size = type_a == ShapeType::kPlane ? b.radius : std::min(a.radius, b.radius);
    place_at_gap(b, a, size * (random.chance(0.5) ? random.uniform(-1e-3, 1e-3) : random.uniform(-0.1, 0.3)), random);
    const auto points = contacts(a, b, 0.5 * size), mirror = contacts(b, a, 0.5 * size);
    if (points.empty()) continue;
    const ContactPointT<double>& c = nearest(points);
    for (std::size_t i = 0; i < points.size(); ++i) {
      const ContactPointT<double>& p = points[i];
      worst.unit = std::max(worst.unit, std::abs(norm(p.normal) - 1));
      EXPECT_FALSE(p.cut_short) << "pose " << pose;
      // Points of a flat patch are over each other along its normal, not that of both faces.
      const double beside = flat && points.size() > 1 ? 0.04 * std::abs(p.gap) : 0;
      worst.surface = std::max({worst.surface, (outside(a, p.point - p.normal * (p.gap / 2)) - beside) / size,
                                (outside(b, p.point + p.normal * (p.gap / 2)) - beside) / size});
      EXPECT_TRUE(i == 0 || points[i - 1].feature < p.feature) << "pose " << pose;
    }
    const double along = separation(a, b, c.normal);
    const double best = type_a == ShapeType::kPlane ? along : best_separation(a, b, c.normal, 0.05);
    if (c.gap > 0) {
      ++worst.apart;
      worst.gap = std::max(worst.gap, std::abs(c.gap - best) / size);
    } else {
      ++worst.penetrating;
      // Within 1.8° a face stands for the axis.
      worst.depth = std::max(worst.depth, (std::abs(c.gap - best) + 1e-3 * c.gap) / size);
      double anywhere = along;
      for (int k = 0; k < 200; ++k) anywhere = std::max(anywhere, separation(a, b, random.direction()));
      worst.elsewhere += anywhere > along + 1e-3 * size;
    }
    EXPECT_FALSE(mirror.empty());
    // Penetrating, the search may climb another hill.
    if (!mirror.empty() && c.gap > 0)
      worst.swapped = std::max(worst.swapped, std::abs(nearest(mirror).gap - c.gap) / size);
  }
  return worst;
}

class SmoothPair : public testing::TestWithParam<ShapePair> {};

TEST_P(SmoothPair, gap_is_proved_by_points_and_a_direction) {
  const auto [type_a, type_b] = GetParam();
  const int poses = 2000;
  const Worst worst = examine(type_a, type_b, poses);
  EXPECT_GT(worst.apart, poses / 5);
  EXPECT_GT(worst.penetrating, poses / 5);
  EXPECT_LT(worst.gap, 1e-9);
  EXPECT_LT(worst.surface, 1e-9);
  EXPECT_LT(worst.depth, 1e-9);
  EXPECT_LT(worst.elsewhere, worst.penetrating / 50);
  EXPECT_LT(worst.unit, 1e-14);
  EXPECT_LT(worst.swapped, 1e-9);
}

INSTANTIATE_TEST_SUITE_P(Table, SmoothPair, testing::ValuesIn(shape_pairs(true)), pair_name);

ShapeT<double> placed(ShapeT<double> shape, const Vec3& p, const Vec3& rotation = {}) {
  place(shape, p, quat_from_rotation_vector(rotation));
  return shape;
}

TEST(CylinderManifold, standing_on_plane_box_and_cylinder_touches_around_the_rim) {
  const ShapeT<double> cylinder = placed(cylinder_shape(0.1, 0.2), {0.03, -0.02, 0.2}, {0, 0, 0.4});
  for (const ShapeT<double>& floor :
       {plane_shape(), placed(box_shape({1, 1, 0.5}), {0, 0, -0.5}), placed(cylinder_shape(1, 0.5), {0, 0, -0.5})}) {
    const auto points = contacts(floor, cylinder, 1e-3);
    ASSERT_EQ(points.size(), 8u) << int(floor.type);
    for (const auto& point : points) {
      EXPECT_NEAR(point.gap, 0, 1e-15);
      EXPECT_NEAR(norm(point.normal - Vec3{0, 0, 1}), 0, 1e-15);
      EXPECT_NEAR(std::hypot(point.point.x - 0.03, point.point.y + 0.02), 0.1, 1e-12);
    }
  }
}

TEST(CylinderManifold, lying_touches_in_the_two_ends_of_a_line) {
  const ShapeT<double> cylinder = placed(cylinder_shape(0.1, 0.2), {0.5, 0, 0.1}, {0, std::numbers::pi / 2, 0});
  for (const ShapeT<double>& floor : {plane_shape(), placed(box_shape({1, 1, 0.5}), {0, 0, -0.5})}) {
    const auto points = contacts(floor, cylinder, 1e-3);
    ASSERT_EQ(points.size(), 2u);
    EXPECT_NEAR(std::abs(points[0].point.x - points[1].point.x), 0.4, 1e-12);
    for (const auto& point : points) EXPECT_NEAR(point.gap, 0, 1e-15);
  }
  // Half over the edge of a box: the line ends at the edge.
  const auto cut = contacts(placed(box_shape({0.5, 1, 0.5}), {0, 0, -0.5}), cylinder, 1e-3);
  ASSERT_EQ(cut.size(), 2u);
  EXPECT_NEAR(std::max(cut[0].point.x, cut[1].point.x), 0.5, 1e-12);
  EXPECT_NEAR(std::min(cut[0].point.x, cut[1].point.x), 0.3, 1e-12);
  // Two cylinders side by side, one shifted along their axes.
  const auto pair =
      contacts(cylinder, placed(cylinder_shape(0.05, 0.2), {0.6, 0, 0.25}, {0, std::numbers::pi / 2, 0}), 1e-3);
  ASSERT_EQ(pair.size(), 2u);
  EXPECT_NEAR(std::max(pair[0].point.x, pair[1].point.x), 0.7, 1e-12);
  EXPECT_NEAR(std::min(pair[0].point.x, pair[1].point.x), 0.4, 1e-12);
}

TEST(CylinderManifold, cap_over_the_edge_of_a_box_is_cut_by_it) {
  const auto points = contacts(placed(box_shape({0.5, 0.5, 0.5}), {-0.5, 0, -0.5}),
                               placed(cylinder_shape(0.1, 0.2), {0, 0, 0.2}), 1e-3);
  ASSERT_GE(points.size(), 4u);
  double widest = 0;
  for (const auto& point : points) {
    EXPECT_LE(point.point.x, 1e-9);
    EXPECT_NEAR(point.gap, 0, 1e-15);
    if (std::abs(point.point.x) < 1e-9) widest = std::max(widest, std::abs(point.point.y));
  }
  EXPECT_NEAR(widest, 0.1, 1e-9);
}

TEST(CylinderManifold, rolling_keeps_its_two_ids) {
  const Quat lying = quat_from_rotation_vector(Vec3{0, std::numbers::pi / 2, 0});
  std::vector<std::uint32_t> first;
  for (int i = 0; i < 100; ++i) {
    ShapeT<double> cylinder = cylinder_shape(0.1, 0.2);
    place(cylinder, {0, 0.01 * i, 0.1}, quat_from_rotation_vector(Vec3{-0.1 * i, 0, 0}) * lying);
    const auto points = contacts(plane_shape(), cylinder, 1e-3);
    ASSERT_EQ(points.size(), 2u);
    if (i == 0) first = {points[0].feature, points[1].feature};
    EXPECT_EQ(points[0].feature, first[0]);
    EXPECT_EQ(points[1].feature, first[1]);
  }
}

TEST(Ellipsoid, distance_of_a_point_is_right_where_the_root_is_a_pole) {
  // On the plane across the shortest axis, and at the centre, the nearest points come in pairs.
  const ShapeT<double> ellipsoid = ellipsoid_shape({3, 2, 1});
  struct Case {
    Vec3 x;
    double distance;
  };
  // Inside on the x axis at x0 the nearest point has x = a² x0/(a² − c²), z = c √(1 − x²/a²) while |x| < a.
  const double x0 = 1, x = 9.0 / 8, z = std::sqrt(1 - x * x / 9);
  for (const Case& c : {Case{{0, 0, 0}, -1}, Case{{x0, 0, 0}, -std::hypot(x - x0, z)}, Case{{2.9, 0, 0}, -0.1},
                        Case{{4, 0, 0}, 1}, Case{{0, 0, 1}, 0}, Case{{0, 0, -5}, 4}}) {
    const auto points = contacts(placed(sphere_shape(0.01), c.x), ellipsoid, 10);
    ASSERT_EQ(points.size(), 1u);
    EXPECT_NEAR(points[0].gap + 0.01, c.distance, 1e-14);
  }
}

TEST(SmoothShapes, degenerate_poses_are_finite_and_bounded) {
  Random random(9);
  const double steps[] = {0, 0, 0.1, -0.1, 0.2, -0.2, 0.05}, noise[] = {0, 0, 1e-17, 1e-13, -1e-9, 1e-7, -1e-5};
  const ShapeType types[] = {ShapeType::kPlane, ShapeType::kSphere,   ShapeType::kCapsule,  ShapeType::kBox,
                             ShapeType::kHull,  ShapeType::kCylinder, ShapeType::kEllipsoid};
  int touching = 0, cut_short = 0;
  for (int i = 0; i < 40000; ++i) {
    ShapeFactory factory;
    const auto make = [&](ShapeType type) {
      // Needles, discs, and sizes a million times apart.
      const double scale = random.chance(0.1) ? 1e3 : (random.chance(0.1) ? 1e-3 : 1);
      const double thin = random.chance(0.2) ? 1e-4 : 1;
      switch (type) {
        case ShapeType::kPlane:
          return plane_shape();
        case ShapeType::kSphere:
          return sphere_shape(0.1 * scale);
        case ShapeType::kCapsule:
          return capsule_shape(0.1 * scale, random.chance(0.2) ? 0 : 0.1 * scale);
        case ShapeType::kBox:
          return box_shape(Vec3{0.1, 0.1 * thin, 0.1} * scale);
        case ShapeType::kHull:
          return factory.shape(prism(random.integer(3, 8), 0.1 * scale, 0.1 * thin * scale));
        case ShapeType::kCylinder:
          return random.chance(0.5) ? cylinder_shape(0.1 * scale * thin, 0.1 * scale)
                                    : cylinder_shape(0.1 * scale, 0.1 * scale * thin);
        default:
          return ellipsoid_shape(Vec3{0.1, 0.1 * thin, random.chance(0.5) ? 0.1 : 0.05} * scale);
      }
    };
    const auto turn = [&] {
      Vec3 axis{};
      axis[random.integer(0, 2)] = random.integer(0, 7) * std::numbers::pi / 4;
      return random.chance(0.7) ? quat_from_rotation_vector(axis) : random.rotation();
    };
    ShapeT<double> a = make(types[random.integer(0, 6)]), b = make(types[random.integer(5, 6)]);
    const Vec3 centre = random.chance(0.5) ? Vec3{} : random.vector(random.chance(0.1) ? 1e6 : 10);
    const auto offset = [&] { return steps[random.integer(0, 6)] + noise[random.integer(0, 6)]; };
    place(a, centre, turn());
    place(b, centre + Vec3{offset(), offset(), offset()}, turn());
    const double margin = 0.02 * b.radius;
    const auto points = contacts(a, b, margin);
    for (std::size_t k = 0; k < points.size(); ++k) {
      ASSERT_TRUE(is_finite(points[k].point) && is_finite(points[k].normal) && std::isfinite(points[k].gap)) << i;
      // Deep in each other all directions are alike.
      const bool deep = nearest(points).gap < -0.1 * std::min(a.radius, b.radius);
      EXPECT_TRUE(deep || !points[k].cut_short) << i;
      cut_short += k == 0 && points[k].cut_short;
      EXPECT_NEAR(norm(points[k].normal), 1, 1e-14) << i;
      EXPECT_LT(points[k].gap, margin) << i;
      EXPECT_TRUE(k == 0 || points[k - 1].feature < points[k].feature) << i;
    }
    touching += !points.empty();
    // Centres that agree are inside each other.
    if (a.type != ShapeType::kPlane && norm(a.p - b.p) < 1e-6 * std::min(a.radius, b.radius)) {
      ASSERT_FALSE(points.empty()) << i;
      EXPECT_LT(nearest(points).gap, 0) << i;
    }
    if (HasFailure()) break;
  }
  EXPECT_GT(touching, 10000);
  EXPECT_LT(cut_short, 100);  // 68 measured
}

}  // namespace
}  // namespace stiction::test
