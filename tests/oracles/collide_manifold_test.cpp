// Manifolds with known answers: number of points, places, normals, gaps, ids.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>
#include <vector>

#include "support/convex_shapes.hpp"
#include "support/narrow_phase.hpp"

namespace stiction::test {
namespace {

constexpr double kEpsilon = 2.220446049250313e-16;

std::vector<ContactPointT<double>> contacts(const ShapeT<double>& a, const ShapeT<double>& b, double margin = 1e-3) {
  ContactPointT<double> out[kMaxPoints];
  const int count = narrow_phase(a, b, margin, out);
  return {out, out + count};
}

std::vector<std::uint32_t> ids(const std::vector<ContactPointT<double>>& points) {
  std::vector<std::uint32_t> result(points.size());
  std::transform(points.begin(), points.end(), result.begin(), [](const auto& point) { return point.feature; });
  return result;
}

// Moves both shapes by one rigid motion.
void move(ShapeT<double>& shape, const Vec3& p, const Quat& q) {
  shape.p = p + rotate(q, shape.p);
  shape.R = rotation_matrix(q) * shape.R;
}

ShapeT<double> box_at(const Vec3& half, const Vec3& p, const Vec3& rotation = {}) {
  ShapeT<double> box = box_shape(half);
  place(box, p, quat_from_rotation_vector(rotation));
  return box;
}

bool has_point(const std::vector<ContactPointT<double>>& points, const Vec3& wanted, double tolerance = 1e-12) {
  return std::any_of(points.begin(), points.end(),
                     [&](const auto& point) { return norm(point.point - wanted) < tolerance; });
}

TEST(Manifold, stacked_equal_boxes_touch_in_their_four_corners) {
  const ShapeT<double> a = box_at({0.1, 0.2, 0.3}, {0, 0, 0.3}), b = box_at({0.1, 0.2, 0.3}, {0, 0, 0.9});
  const auto points = contacts(a, b);
  ASSERT_EQ(points.size(), 4u);
  for (double x : {-0.1, 0.1})
    for (double y : {-0.2, 0.2}) EXPECT_TRUE(has_point(points, {x, y, 0.6}));
  for (const auto& point : points) {
    EXPECT_EQ(point.normal, (Vec3{0, 0, 1}));
    EXPECT_LE(std::abs(point.gap), 2 * kEpsilon);  // 0.9 − 0.3 − 0.3 − 0.3 in floating point
  }
}

// Gap error of a flush stack in any orientation: a few roundings of the size.
TEST(Manifold, flush_stack_has_gap_zero_in_any_orientation) {
  Random random(5);
  double worst = 0;
  for (int i = 0; i < 2000; ++i) {
    ShapeT<double> a = box_at({0.1, 0.1, 0.1}, {}), b = box_at({0.1, 0.1, 0.1}, {0, 0, 0.2});
    const Quat q = random.rotation();
    move(a, {}, q);
    move(b, {}, q);
    const auto points = contacts(a, b);
    ASSERT_EQ(points.size(), 4u);
    for (const auto& point : points) worst = std::max(worst, std::abs(point.gap));
  }
  EXPECT_LT(worst, 8 * kEpsilon * 0.2);  // 3.6e-16; measured 2.4e-16
}

TEST(Manifold, box_turned_by_45_degrees_touches_in_an_octagon) {
  const ShapeT<double> a = box_at({0.1, 0.1, 0.1}, {}),
                       b = box_at({0.1, 0.1, 0.1}, {0, 0, 0.2}, {0, 0, std::numbers::pi / 4});
  const auto points = contacts(a, b);
  ASSERT_EQ(points.size(), 8u);
  const double t = 0.1 * (std::numbers::sqrt2 - 1);
  for (double s : {-1.0, 1.0})
    for (double r : {-1.0, 1.0}) {
      EXPECT_TRUE(has_point(points, {s * 0.1, r * t, 0.1}));
      EXPECT_TRUE(has_point(points, {s * t, r * 0.1, 0.1}));
    }
}

TEST(Manifold, overhanging_box_touches_in_the_corners_of_the_overlap) {
  const ShapeT<double> a = box_at({0.1, 0.1, 0.1}, {}), b = box_at({0.1, 0.1, 0.1}, {0.15, 0.05, 0.2});
  const auto points = contacts(a, b);
  ASSERT_EQ(points.size(), 4u);
  for (double x : {0.05, 0.1})
    for (double y : {-0.05, 0.1}) EXPECT_TRUE(has_point(points, {x, y, 0.1}));
}

TEST(Manifold, large_box_on_small_box_touches_where_the_small_one_is) {
  const ShapeT<double> small = box_at({0.1, 0.1, 0.1}, {}), large = box_at({2, 2, 0.1}, {0.3, 0, 0.2}, {0, 0, 0.4});
  const auto points = contacts(small, large);
  ASSERT_EQ(points.size(), 4u);
  for (double x : {-0.1, 0.1})
    for (double y : {-0.1, 0.1}) EXPECT_TRUE(has_point(points, {x, y, 0.1}));
}

TEST(Manifold, tilted_box_meets_a_face_in_the_edge_within_the_margin) {
  const double angle = 0.3, height = 0.1 * (std::sin(angle) + std::cos(angle));
  const ShapeT<double> a = box_at({1, 1, 0.1}, {}),
                       b = box_at({0.1, 0.1, 0.1}, {0, 0, 0.1 + height + 1e-4}, {0, angle, 0});
  const auto points = contacts(a, b);
  ASSERT_EQ(points.size(), 2u);
  for (const auto& point : points) {
    EXPECT_NEAR(point.gap, 1e-4, 1e-15);
    EXPECT_EQ(point.normal, (Vec3{0, 0, 1}));
  }
}

TEST(Manifold, box_on_plane_touches_in_the_corners_within_the_margin) {
  const ShapeT<double> plane = plane_shape();
  EXPECT_EQ(contacts(plane, box_at({0.1, 0.1, 0.1}, {0, 0, 0.1})).size(), 4u);
  EXPECT_EQ(contacts(plane, box_at({0.1, 0.1, 0.1}, {0, 0, 0.1}), 0.5).size(), 8u);
  EXPECT_EQ(
      contacts(plane, box_at({0.1, 0.1, 0.1}, {0, 0, 0.1 * std::numbers::sqrt2}, {std::numbers::pi / 4, 0, 0})).size(),
      2u);
}

TEST(Manifold, crossing_edges_touch_in_one_point_along_their_common_perpendicular) {
  // A ridge along x below a ridge along y: each box stands on an edge.
  const double quarter = std::numbers::pi / 4, reach = 0.1 * std::numbers::sqrt2;
  const ShapeT<double> a = box_at({0.3, 0.1, 0.1}, {}, {quarter, 0, 0});
  for (double gap : {2e-4, 1e-9, 0.0, -1e-9, -1e-3}) {
    const ShapeT<double> b = box_at({0.1, 0.3, 0.1}, {0, 0, 2 * reach + gap}, {0, quarter, 0});
    const auto points = contacts(a, b);
    ASSERT_EQ(points.size(), 1u) << gap;
    EXPECT_NEAR(points[0].gap, gap, 1e-15);
    EXPECT_LT(norm(points[0].normal - Vec3{0, 0, 1}), 1e-15);
    EXPECT_LT(norm(points[0].point - Vec3{0, 0, reach + gap / 2}), 1e-13);
  }
}

// Diagonally beside and above: the closest features are two parallel edges, not the extended faces.
TEST(Manifold, body_that_passes_a_corner_is_held_by_the_corner_only) {
  const ShapeT<double> a = box_at({0.1, 0.1, 0.1}, {});
  const double dx = 3e-3, dz = 4e-3;
  const auto points = contacts(a, box_at({0.1, 0.05, 0.1}, {0.2 + dx, 0, 0.2 + dz}), 0.01);
  ASSERT_EQ(points.size(), 2u);
  for (const auto& point : points) {
    EXPECT_NEAR(point.gap, std::hypot(dx, dz), 1e-15);
    EXPECT_LT(norm(point.normal - Vec3{0.6, 0, 0.8}), 1e-12);
    EXPECT_NEAR(std::abs(point.point.y), 0.05, 1e-15);
  }
  EXPECT_TRUE(contacts(a, box_at({0.1, 0.1, 0.1}, {0.2 + dx, 0, 0.2 + dz}), 0.0049).empty());
  // Corner to corner: the direction of the two corners.
  const auto corner = contacts(a, box_at({0.1, 0.1, 0.1}, {0.2 + dx, 0.2 + dx, 0.2 + dx}), 0.01);
  ASSERT_EQ(corner.size(), 1u);
  EXPECT_NEAR(corner[0].gap, dx * std::sqrt(3.0), 1e-15);
}

// Two cards that lean on each other: parallel edges without a gap. By symmetry the normal is horizontal.
TEST(Manifold, leaning_cards_push_each_other_horizontally) {
  const double lean = 0.3;
  const Vec3 half{0.002, 0.03, 0.05};
  // The inner upper edge of each card lies on the z axis.
  for (double shift : {-1e-9, -1e-16, 0.0, 1e-16, 1e-9}) {
    const Vec3 top_left = rotate(quat_from_rotation_vector(Vec3{0, lean, 0}), Vec3{half.x, 0, half.z});
    const Vec3 top_right = rotate(quat_from_rotation_vector(Vec3{0, -lean, 0}), Vec3{-half.x, 0, half.z});
    const ShapeT<double> left = box_at(half, -top_left, {0, lean, 0}),
                         right = box_at(half, Vec3{shift, 0, 0} - top_right, {0, -lean, 0});
    const auto points = contacts(left, right);
    ASSERT_EQ(points.size(), 2u);
    for (const auto& point : points) {
      EXPECT_NEAR(point.gap, shift, 1e-16);
      EXPECT_LT(norm(point.normal - Vec3{1, 0, 0}), 1e-3);
      EXPECT_NEAR(std::abs(point.point.y), 0.03, 1e-12);
    }
  }
}

TEST(Manifold, parallel_capsules_touch_in_two_points_and_crossing_ones_in_one) {
  ShapeT<double> a = capsule_shape(0.1, 0.5), b = capsule_shape(0.1, 0.3);
  place(b, {0.2, 0, 0.1}, {});
  auto points = contacts(a, b);
  ASSERT_EQ(points.size(), 2u);
  EXPECT_TRUE(has_point(points, {0.1, 0, -0.2}));
  EXPECT_TRUE(has_point(points, {0.1, 0, 0.4}));
  for (const auto& point : points) EXPECT_NEAR(point.gap, 0, 1e-16);
  place(b, {0.2, 0, 0.1}, quat_from_rotation_vector(Vec3{std::numbers::pi / 2, 0, 0}));
  points = contacts(a, b);
  ASSERT_EQ(points.size(), 1u);
  EXPECT_LT(norm(points[0].point - Vec3{0.1, 0, 0.1}), 1e-15);
}

TEST(Manifold, capsule_lying_on_a_box_touches_in_two_points) {
  const ShapeT<double> box = box_at({0.2, 0.2, 0.1}, {});
  ShapeT<double> capsule = capsule_shape(0.05, 0.5);
  const Quat lying = quat_from_rotation_vector(Vec3{0, std::numbers::pi / 2, 0});
  // Longer than the box: the ends of the overlap.
  place(capsule, {0.1, 0, 0.15}, lying);
  auto points = contacts(box, capsule);
  ASSERT_EQ(points.size(), 2u);
  EXPECT_TRUE(has_point(points, {-0.2, 0, 0.1}));
  EXPECT_TRUE(has_point(points, {0.2, 0, 0.1}));
  // Over an edge, along it: two points; across a corner edge: one.
  place(capsule, {0.2 + 0.03, 0, 0.1 + 0.04}, quat_from_rotation_vector(Vec3{std::numbers::pi / 2, 0, 0}));
  points = contacts(box, capsule);
  ASSERT_EQ(points.size(), 2u);
  for (const auto& point : points) {
    EXPECT_NEAR(point.gap, 0, 1e-16);
    EXPECT_LT(norm(point.normal - Vec3{0.6, 0, 0.8}), 1e-14);
  }
}

// Ids name features: they do not change with a rigid motion of both, nor with a small motion of one.
TEST(Manifold, ids_persist_under_motion) {
  Random random(8);
  int face_contacts = 0;
  for (int i = 0; i < 3000; ++i) {
    const Vec3 turn = random.chance(0.3) ? Vec3{} : Vec3{0, 0, random.uniform(0, 1)};
    const Vec3 shift = random.chance(0.3) ? Vec3{} : Vec3{random.uniform(-0.1, 0.1), random.uniform(-0.1, 0.1), 0};
    ShapeT<double> a = box_at({0.1, 0.1, 0.1}, {}), b = box_at({0.1, 0.08, 0.1}, Vec3{0, 0, 0.2} + shift, turn);
    const Quat q = random.rotation();
    const Vec3 p = random.vector(1);
    const auto before = ids(contacts(a, b));
    move(a, p, q);
    move(b, p, q);
    EXPECT_EQ(ids(contacts(a, b)), before) << i;
    move(b, random.vector(1e-10), quat_from_rotation_vector(random.vector(1e-10)));
    EXPECT_EQ(ids(contacts(a, b)), before) << i;
    face_contacts += before.size() >= 4;
    EXPECT_EQ(std::set<std::uint32_t>(before.begin(), before.end()).size(), before.size());
  }
  EXPECT_GT(face_contacts, 2500);
}

// A box written as a hull is the same body.
TEST(Manifold, hull_of_a_box_touches_as_the_box) {
  Random random(9);
  ShapeFactory factory;
  const Vec3 half{0.1, 0.07, 0.05};
  ShapeT<double> hull = factory.shape(box_solid(half));
  for (int i = 0; i < 2000; ++i) {
    ShapeT<double> floor = box_at({0.5, 0.5, 0.1}, {}), box = box_shape(half);
    const Vec3 turn = i % 2 ? Vec3{0, 0, random.uniform(0, 3)} : random.vector(2);
    place(box, {}, quat_from_rotation_vector(turn));
    double reach = 0;
    for (int k = 0; k < 3; ++k) reach += std::abs(box.R(2, k)) * half[k];
    box.p = {random.uniform(-0.5, 0.5), random.uniform(-0.5, 0.5), 0.1 + reach + random.uniform(-1e-4, 1e-3)};
    place(hull, box.p, quat_from_rotation_vector(turn));
    const auto as_box = contacts(floor, box), as_hull = contacts(floor, hull);
    ASSERT_EQ(as_box.size(), as_hull.size()) << i;
    for (const auto& point : as_box) EXPECT_TRUE(has_point(as_hull, point.point, 1e-9)) << i;
  }
}

// Boxes that meet in one corner or one crossing are told by a proof that nothing else is there (box_contact.hpp), hulls
// are searched: of boxes that touch at any angle both find the same.
TEST(Manifold, one_contact_of_boxes_is_all_that_their_hulls_have) {
  Random random(10);
  ShapeFactory factory;
  const double margin = 2e-3;
  int single = 0, several = 0;
  for (int i = 0; i < 4000; ++i) {
    const Vec3 half_a{random.uniform(0.03, 0.1), random.uniform(0.03, 0.1), random.uniform(0.03, 0.1)};
    const Vec3 half_b{random.uniform(0.03, 0.1), random.uniform(0.03, 0.1), random.uniform(0.03, 0.1)};
    ShapeT<double> a = box_shape(half_a), b = box_shape(half_b);
    const Quat turn_a = quat_from_rotation_vector(random.vector(3)),
               turn_b = quat_from_rotation_vector(random.vector(3));
    place(a, {}, turn_a);
    place(b, normalized(random.vector(1)) * 0.5, turn_b);
    const ShapeDistanceT<double> apart = signed_distance(a, b, 10);
    b.p += apart.normal * (random.uniform(-margin, margin) - apart.distance);
    ShapeT<double> hull_a = factory.shape(box_solid(half_a)), hull_b = factory.shape(box_solid(half_b));
    place(hull_a, a.p, turn_a);
    place(hull_b, b.p, turn_b);
    const auto boxes = contacts(a, b, margin), hulls = contacts(hull_a, hull_b, margin);
    ASSERT_EQ(boxes.size(), hulls.size()) << i;
    for (const auto& point : hulls) EXPECT_TRUE(has_point(boxes, point.point, 1e-9)) << i;
    ++(boxes.size() == 1 ? single : several);
  }
  EXPECT_GT(single, 2000);
  EXPECT_GT(several, 200);
}

// Of a face with more than eight corners within the margin, eight well-spread ones and the deepest stay.
TEST(Manifold, outline_of_many_corners_keeps_its_spread_and_its_deepest_point) {
  ShapeFactory factory;
  ShapeT<double> disc = factory.shape(prism(40, 0.1, 0.01));
  const ShapeT<double> plane = plane_shape(), floor = box_at({1, 1, 0.1}, {0, 0, -0.1});
  for (const ShapeT<double>* ground : {&plane, &floor})
    for (double tilt : {0.0, 1e-3}) {
      place(disc, {0, 0, 0.01}, quat_from_rotation_vector(Vec3{tilt, 0.4 * tilt, 0}));
      const auto points = contacts(*ground, disc);
      ASSERT_LE(points.size(), 8u);
      ASSERT_GE(points.size(), 7u);
      double deepest = 1, expected = 1, widest = 0;
      std::vector<double> angles;
      for (const auto& point : points) {
        deepest = std::min(deepest, point.gap);
        angles.push_back(std::atan2(point.point.y, point.point.x));
      }
      for (int i = 0; i < disc.hull.vertex_count; ++i)
        expected = std::min(expected, (disc.p + disc.R * disc.hull.vertex[i]).z);
      EXPECT_NEAR(deepest, expected, 1e-15);
      std::sort(angles.begin(), angles.end());
      for (std::size_t k = 0; k < angles.size(); ++k)
        widest = std::max(
            widest, k + 1 < angles.size() ? angles[k + 1] - angles[k] : angles[0] + 2 * std::numbers::pi - angles[k]);
      EXPECT_LT(widest, 1.2);  // radians between neighbours; evenly spread: 0.79
    }
}

// Two faces that meet with different gaps close by a turn. With all points in one plane across the normal, that turn
// moves no point along the faces, so that sticking in every point contradicts nothing: the rows of the patch have a
// common zero. With points midway they have none: a box tilted by α that closes gaps up to g turns by about g / L,
// which drags points on heights that differ by g / 2.
TEST(Manifold, points_of_a_flattened_patch_can_all_close_without_sliding) {
  const ShapeT<double> floor = box_at({1, 1, 0.1}, {0, 0, -0.1});
  ShapeT<double> box = box_at({0.1, 0.1, 0.1}, {0, 0, 0});
  place(box, {0, 0, 0.103}, quat_from_rotation_vector(Vec3{0.01, 0.015, 0.3}));
  auto points = contacts(floor, box, 1e-2);
  ASSERT_EQ(points.size(), 4u);
  points[2].normal = normalized(points[2].normal + Vec3{1e-3, 0, 0});  // as smooth shapes have it
  const auto before = points;
  char done[4];
  detail::flatten_patches(points.data(), 4, detail::kWithinPair, done);
  // The twist that closes three of the gaps, from v_n = n·(v + ω × r) = −gap with ω along the faces.
  Mat3 rows{};
  Vec3 right{};
  for (int i = 0; i < 3; ++i) {
    const auto& point = points[std::size_t(i)];
    rows(i, 0) = 1;
    rows(i, 1) = point.point.y;
    rows(i, 2) = -point.point.x;
    right[i] = -point.gap;
  }
  const Vec3 twist = inverse(rows) * right;
  const double height = points[0].point.z;
  for (std::size_t i = 0; i < points.size(); ++i) {
    EXPECT_EQ(points[i].normal, points[0].normal);
    EXPECT_EQ(points[i].gap, before[i].gap);
    EXPECT_NEAR(points[i].point.x, before[i].point.x, 1e-15);
    const Vec3 lever = points[i].point - Vec3{0, 0, height};
    const Vec3 velocity = Vec3{0, 0, twist.x} + cross(Vec3{twist.y, twist.z, 0}, lever);
    EXPECT_NEAR(velocity.z, -points[i].gap, 1e-15);
    EXPECT_NEAR(std::hypot(velocity.x, velocity.y), 0, 1e-17);
  }
}

TEST(Manifold, points_with_different_normals_are_different_patches) {
  std::vector<ContactPointT<double>> points(2);
  points[0] = {{0, 0, 0.1}, {0, 0, 1}, 0, 0};
  points[1] = {{1, 0, 0.2}, normalized(Vec3{0.03, 0, 1}), 0.1, 1};
  const auto before = points;
  char done[2];
  detail::flatten_patches(points.data(), 2, detail::kWithinPair, done);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(points[i].point, before[i].point);
    EXPECT_EQ(points[i].normal, before[i].normal);
  }
}

}  // namespace
}  // namespace stiction::test
