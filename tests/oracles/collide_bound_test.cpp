// Searches of the narrow phase have bounds on their steps. One that its bound cuts short says so, and gives the best
// that it found: points of both bodies, so never nearer than they are. The bounds are so wide that nobody meets them
// but geometry beyond all proportion; searches of a few steps, asked for here, do.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include "support/convex_shapes.hpp"
#include "support/narrow_phase.hpp"
#include "support/shape_pairs.hpp"

namespace stiction::test {
namespace {

constexpr double kFar = 1e3;  // [m]

ShapeT<double> placed(ShapeT<double> shape, const Vec3& p, const Vec3& rotation = {}) {
  place(shape, p, quat_from_rotation_vector(rotation));
  return shape;
}

double length(const Vec3& a, const Vec3& b) {
  return norm(b - a);
}

TEST(SearchBound, gjk_that_is_cut_short_says_so_and_is_never_too_near) {
  Random random(1);
  int cut_short = 0;
  for (int i = 0; i < 500; ++i) {
    ShapeFactory factory;
    const ShapeT<double> a = factory.shape(random_solid(random, 20, {0.5, 0.4, 0.3}));
    const ShapeT<double> b =
        placed(factory.shape(random_solid(random, 20, {0.5, 0.4, 0.3})), random.direction() * 1.2, random.vector(2));
    const detail::Placement<double> place = detail::placement(a, b);
    const detail::HullPolyhedron<double> A = detail::as_hull(a), B = detail::as_hull(b);
    const auto full = detail::gjk(A, B, place, place.t, 1e-9, kFar);
    const auto brief = detail::gjk<3>(A, B, place, place.t, 1e-9, kFar);
    ASSERT_EQ(full.status, detail::GjkStatus::kApart);
    EXPECT_FALSE(full.cut_short);
    if (!brief.cut_short) {
      EXPECT_EQ(length(brief.on_a, brief.on_b), length(full.on_a, full.on_b));
      continue;
    }
    ++cut_short;
    EXPECT_GE(length(brief.on_a, brief.on_b), length(full.on_a, full.on_b) - 1e-15);
  }
  EXPECT_GT(cut_short, 200);
}

TEST(SearchBound, search_on_smooth_bodies_that_is_cut_short_says_so_and_is_never_too_near) {
  Random random(2);
  int cut_short = 0;
  for (int i = 0; i < 500; ++i) {
    const ShapeT<double> a = cylinder_shape(0.5, 0.2);
    const ShapeT<double> b = placed(ellipsoid_shape({0.5, 0.3, 0.2}), random.direction() * 1.3, random.vector(2));
    const detail::Placement<double> place = detail::placement(a, b);
    const auto A = detail::as_cylinder(a);
    const auto B = detail::as_ellipsoid(b);
    const double finest = detail::kFinest<double>;
    const auto full = detail::closest_points(A, B, place, place.t, 1e-9, kFar, finest);
    const auto brief = detail::closest_points<4>(A, B, place, place.t, 1e-9, kFar, finest);
    ASSERT_EQ(full.status, detail::GjkStatus::kApart);
    EXPECT_FALSE(full.cut_short);
    cut_short += brief.cut_short;
    EXPECT_GE(length(brief.on_a, brief.on_b), length(full.on_a, full.on_b) * (1 - 1e-14));
  }
  EXPECT_GT(cut_short, 400);
}

TEST(SearchBound, depth_whose_search_is_cut_short_says_so_unless_its_points_lie_along_it) {
  Random random(3);
  int cut_short = 0;
  for (int i = 0; i < 500; ++i) {
    const ShapeT<double> a = box_shape({0.4, 0.3, 0.2});
    const ShapeT<double> b = placed(cylinder_shape(0.3, 0.2), random.direction() * 0.2, random.vector(2));
    const detail::Placement<double> place = detail::placement(a, b);
    const detail::PolyhedronSupport<detail::BoxPolyhedron<double>> A{detail::as_box(a)};
    const auto B = detail::as_cylinder(b);
    const Vec3 start = random.direction();
    const auto full = detail::least_penetration(A, B, place, start, 0.3);
    const auto brief = detail::least_penetration<1>(A, B, place, start, 0.3);
    EXPECT_FALSE(full.cut_short);
    const double beside = norm(brief.on_b - brief.on_a - brief.normal * brief.gap);
    EXPECT_EQ(brief.cut_short, brief.valid && beside > Tolerance<double>::kTouch * 0.3);
    cut_short += brief.cut_short;
  }
  EXPECT_GT(cut_short, 100);
}

TEST(SearchBound, distance_of_a_point_to_an_ellipsoid_that_is_cut_short_says_so) {
  const detail::EllipsoidSupport<double> ellipsoid{{3, 2, 1}};
  EXPECT_TRUE(detail::distance_to<1>(ellipsoid, Vec3{2, 2, 2}).cut_short);
  EXPECT_FALSE(detail::distance_to(ellipsoid, Vec3{2, 2, 2}).cut_short);
  // Next to the centre the root has no digits left, and the steps end by themselves.
  Random random(4);
  for (int i = 0; i < 10000; ++i)
    EXPECT_FALSE(detail::distance_to(ellipsoid, random.vector(random.log_uniform(1e-17, 1))).cut_short);
}

// Two corners at the distance |w|: the proximal steps turn towards w by |w|/δ each, too slowly with one δ (18 of
// 20,000 such poses were cut short, and up to 1.6e-8 of the size off).
TEST(SearchBound, corners_that_all_but_touch_have_their_distance) {
  Random random(5);
  double worst = 0;
  int apart = 0;
  for (int i = 0; i < 6000; ++i) {
    const auto size = [&] { return random.log_uniform(0.2, 1); };
    const ShapeT<double> a = placed(box_shape({size(), size(), size()}), {}, random.vector(3));
    ShapeT<double> b = placed(cylinder_shape(size(), size()), random.direction(), random.vector(3));
    const double smaller = std::min(a.radius, b.radius);
    const ShapeDistanceT<double> first = signed_distance(a, b, std::numeric_limits<double>::infinity());
    b.p -= first.normal * (first.distance - smaller * random.log_uniform(1e-9, 1e-4));
    const ShapeDistanceT<double> d = signed_distance(a, b, std::numeric_limits<double>::infinity());
    ASSERT_TRUE(d.valid);
    EXPECT_FALSE(d.cut_short) << i;
    if (!(d.distance > 0)) continue;
    ++apart;
    // s(n) ≤ distance ≤ |on_b − on_a|
    worst = std::max(worst, (length(d.on_a, d.on_b) - d.distance) / smaller);
  }
  EXPECT_GT(apart, 5000);
  EXPECT_LT(worst, 1e-9);
}

ShapeT<double> thin_shape(ShapeType type, double thinnest, Random& random, ShapeFactory& factory) {
  const auto size = [&] { return random.log_uniform(thinnest, 1); };
  switch (type) {
    case ShapeType::kSphere:
      return sphere_shape(size());
    case ShapeType::kCapsule:
      return capsule_shape(size(), size());
    case ShapeType::kBox:
      return box_shape({size(), size(), size()});
    case ShapeType::kCylinder:
      return cylinder_shape(size(), size());
    case ShapeType::kEllipsoid:
      return ellipsoid_shape({size(), size(), size()});
    default:
      return factory.shape(random_solid(random, random.integer(5, 12), {size(), size(), size()}));
  }
}

struct Share {
  int poses = 0, contacts = 0, cut_short = 0;
};

// Pairs with sizes from `thinnest` to 1 m, mostly within a tenth of the smaller shape of touching.
Share cut_short_share(double thinnest) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  Random random(6);
  Share share;
  for (const bool smooth : {false, true})
    for (const auto& [type_a, type_b] : shape_pairs(smooth))
      for (int pose = 0; pose < 1000 && type_a != ShapeType::kPlane; ++pose) {
        ShapeFactory factory;
        const ShapeT<double> a = placed(thin_shape(type_a, thinnest, random, factory), {}, random.vector(3));
        ShapeT<double> b = placed(thin_shape(type_b, thinnest, random, factory), {}, random.vector(3));
        b.p = random.direction() * (random.uniform(0, 1) * (a.radius + b.radius));
        const double size = std::min(a.radius, b.radius);
        const ShapeDistanceT<double> d = signed_distance(a, b, kInfinity);
        EXPECT_TRUE(d.valid && std::isfinite(d.distance) && is_finite(d.on_a) && is_finite(d.on_b));
        const double gap = size * random.log_uniform(1e-9, 0.1) * (random.chance(0.5) ? 1 : -1);
        if (random.chance(0.8)) b.p -= d.normal * (d.distance - gap);
        ContactPointT<double> point[kMaxPoints];
        const int count = narrow_phase(a, b, 0.2 * size, point);
        bool cut_short = false;
        for (int i = 0; i < count; ++i) cut_short = cut_short || point[i].cut_short;
        share.cut_short += cut_short;
        share.contacts += count > 0;
        ++share.poses;
      }
  std::printf("sizes from 1:%.0f: %d of %d poses cut short, %d in contact\n", 1 / thinnest, share.cut_short,
              share.poses, share.contacts);
  EXPECT_GT(share.contacts, share.poses / 2);
  return share;
}

TEST(SearchBound, is_met_by_shapes_beyond_all_proportion_only) {
  EXPECT_EQ(cut_short_share(0.2).cut_short, 0);
  EXPECT_EQ(cut_short_share(0.01).cut_short, 0);
  EXPECT_LE(cut_short_share(1e-4).cut_short, 3);
  const Share needles = cut_short_share(1e-6);
  EXPECT_LT(needles.cut_short, needles.poses / 1000);
}

// Two needles of 1:1000 in each other: the depth hardly depends on the direction across both.
TEST(SearchBound, a_pair_that_meets_it_keeps_its_contact_and_says_so) {
  const ShapeT<double> a = ellipsoid_shape({1e-3, 1e-4, 0.1});
  ShapeT<double> b = ellipsoid_shape({1, 1e-3, 1e-3});
  place(b, {0.3, 0.4, 0.1}, normalized(Quat{-1, 1, -2, 2}));
  ContactPointT<double> point[kMaxPoints];
  for (const double margin : {0.1, 1e-3}) {
    ASSERT_EQ(narrow_phase(a, b, margin, point), 1);
    EXPECT_TRUE(point[0].cut_short);
    EXPECT_TRUE(std::isfinite(point[0].gap) && std::isfinite(norm(point[0].point)));
    EXPECT_NEAR(norm(point[0].normal), 1, 1e-12);
    ASSERT_EQ(narrow_phase(b, a, margin, point), 1);
    EXPECT_TRUE(point[0].cut_short);
  }
  EXPECT_TRUE(signed_distance(a, b, 1.0).cut_short);
  EXPECT_TRUE(signed_distance(b, a, 1.0).cut_short);
}

}  // namespace
}  // namespace stiction::test
