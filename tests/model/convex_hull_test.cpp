// The convex hull of points, compared with brute force and with solids whose hull is known.
#include "model/convex_hull.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include <stiction/builder.hpp>

#include "support/convex_shapes.hpp"

namespace stiction {
namespace {

using Triangle = std::array<int, 3>;

Triangle from_lowest(Triangle t) {
  std::rotate(t.begin(), std::min_element(t.begin(), t.end()), t.end());
  return t;
}

// Every edge has its partner in the other direction, V − E + F = 2, and no point is farther outside than rounding.
void expect_hull(const std::vector<Vec3>& points, const std::vector<Triangle>& triangles) {
  ASSERT_FALSE(triangles.empty());
  std::set<std::pair<int, int>> edges;
  std::set<int> vertices;
  double size = 0, outside = 0;
  for (const Vec3& p : points) size = std::max(size, norm(p - points[0]));
  for (const Triangle& t : triangles) {
    const Vec3 a = points[std::size_t(t[0])], b = points[std::size_t(t[1])], c = points[std::size_t(t[2])];
    const Vec3 n = normalized(cross(b - a, c - a));
    for (const Vec3& p : points) outside = std::max(outside, dot(n, p - a));
    for (std::size_t k = 0; k < 3; ++k) {
      vertices.insert(t[k]);
      EXPECT_TRUE(edges.insert({t[k], t[(k + 1) % 3]}).second);
    }
  }
  for (const auto& [from, to] : edges) EXPECT_TRUE(edges.count({to, from}));
  EXPECT_EQ(vertices.size() + triangles.size(), edges.size() / 2 + 2);
  EXPECT_LT(outside, 1e-11 * size);
}

TEST(ConvexHull, has_the_faces_of_brute_force) {
  test::Random random(7);
  for (int i = 0; i < 200; ++i) {
    const test::Solid solid = test::random_solid(random, random.integer(4, 24), {1, random.uniform(0.01, 1), 3});
    std::set<Triangle> expected, found;
    for (const auto& face : solid.face) expected.insert(from_lowest({face[0], face[1], face[2]}));
    for (const Triangle& t : detail::convex_hull(solid.vertex)) found.insert(from_lowest(t));
    EXPECT_EQ(found, expected) << "case " << i;
  }
}

TEST(ConvexHull, holds_all_points) {
  test::Random random(8);
  for (const int count : {4, 5, 10, 100, 3000}) {
    for (const Vec3& scale : {Vec3{1, 1, 1}, Vec3{1e4, 1, 1}, Vec3{1e-3, 1e-3, 1e-5}}) {
      std::vector<Vec3> points;
      points.reserve(std::size_t(count));
      for (int i = 0; i < count; ++i) points.push_back(scaled(random.direction() * random.uniform(0.2, 1), scale));
      expect_hull(points, detail::convex_hull(points));
    }
  }
}

// Points on faces, on edges, inside and twice: a grid, whose hull is a box.
TEST(ConvexHull, of_a_grid_is_a_box) {
  Builder builder("grid");
  std::vector<Vec3> points;
  points.reserve(165);
  for (int x = 0; x < 5; ++x)
    for (int y = 0; y < 5; ++y)
      for (int z = 0; z < 5; ++z) points.push_back({0.1 * x - 0.2, 0.05 * y, 0.2 * z});
  points.insert(points.end(), points.begin(), points.begin() + 40);
  const int body = builder.add_body("grid");
  builder.add_joint_free(body);
  builder.add_shape_hull(body, points);
  const Model model = builder.build();
  EXPECT_EQ(model.nhullvertex, 8);
  EXPECT_EQ(model.nhullface, 6);
  // ρ a b c with the centre of mass in the middle
  EXPECT_NEAR(model.body_mass[std::size_t(body)], 1000 * 0.4 * 0.2 * 0.8, 1e-12);
  EXPECT_LT(norm(model.body_com[std::size_t(body)] - Vec3{0, 0.1, 0.4}), 1e-14);
}

TEST(ConvexHull, without_a_volume_is_refused_by_name) {
  const auto message = [](const std::vector<Vec3>& points) -> std::string {
    Builder builder("bad");
    ShapeSettings settings;
    settings.name = "stone";
    try {
      builder.add_shape_hull(0, points, {}, settings);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  const Vec3 nan{0, NAN, 0};
  EXPECT_NE(message({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}).find("'stone': a hull needs four points"), std::string::npos);
  EXPECT_NE(message({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, nan}).find("point 3 is not finite"), std::string::npos);
  EXPECT_NE(message({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}}).find("lie in a plane"), std::string::npos);
  EXPECT_NE(message({{1, 2, 3}, {1, 2, 3}, {1, 2, 3}, {1, 2, 3}}).find("lie in a plane"), std::string::npos);
}

}  // namespace
}  // namespace stiction
