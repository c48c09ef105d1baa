// Contacts of triangle meshes against the routines of the same solids, and against brute force over all triangles.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "collide/surface.hpp"
#include "support/convex_shapes.hpp"
#include "support/meshes.hpp"
#include "support/narrow_phase.hpp"
#include "support/surfaces.hpp"

namespace stiction::test {
namespace {

using Points = std::vector<ContactPointT<double>>;

Points contacts(const ShapeT<double>& a, const ShapeT<double>& b, double margin) {
  ContactPointT<double> out[kMaxSurfacePoints];
  const int count = narrow_phase(a, b, margin, out);
  EXPECT_LE(count, most_points(a.type, b.type));
  return {out, out + count};
}

double least_gap(const Points& points) {
  return std::min_element(points.begin(), points.end(), [](const auto& p, const auto& q) { return p.gap < q.gap; })
      ->gap;
}

// Features of a cut box are those of the box: eight vertices and twelve edges, however many triangles there are.
TEST(Surface, flat_places_have_no_features) {
  for (const int cells : {1, 2, 5}) {
    const Surface<double> surface(box_mesh({0.1, 0.2, 0.3}, cells));
    const SurfaceT<double> view = surface.view();
    EXPECT_TRUE(view.closed);
    EXPECT_EQ(std::count(view.vertex_feature, view.vertex_feature + view.vertex_count, 1), 8);
    double length = 0;
    for (int e = 0; e < view.edge_count; ++e)
      if (view.edge_feature[e]) length += norm(view.vertex[view.edge[4 * e]] - view.vertex[view.edge[4 * e + 1]]);
    EXPECT_NEAR(length, 8 * (0.1 + 0.2 + 0.3), 1e-12);
  }
}

TEST(Surface, inside_out_and_unwelded_meshes_are_mended) {
  TriangleMesh mesh = box_mesh({0.1, 0.2, 0.3}, 2);
  for (std::size_t t = 0; t < mesh.triangles.size(); t += 3) std::swap(mesh.triangles[t], mesh.triangles[t + 1]);
  const Surface<double> surface(mesh);
  const SurfaceT<double> view = surface.view();
  ASSERT_TRUE(view.closed);
  for (int t = 0; t < view.triangle_count; ++t)
    EXPECT_GT(dot(view.normal[t], view.vertex[view.triangle[3 * t]]), 0.05) << "normals point outward";
}

// The gap of the nearest contact of two boxes is that of the box routine, for every pose in which they are apart or
// touch; and every contact of a mesh is a true distance: not below the least.
TEST(Surface, cube_mesh_is_a_box) {
  Random random(3);
  Surfaces surfaces;
  const Vec3 half_a{0.1, 0.15, 0.2}, half_b{0.12, 0.08, 0.1};
  const ShapeT<double> box_a = surfaces.box(half_a), box_b = surfaces.box(half_b);
  int compared = 0;
  double worst = 0;
  for (int i = 0; i < 4000; ++i) {
    ShapeT<double> a = box_a, b = box_b;
    place(a, random.vector(1), random.rotation());
    place(b, a.p + random.direction() * random.uniform(0.15, 0.45), random.rotation());
    const double margin = 0.03;
    const Points exact = contacts(a, b, margin);
    const double gap = exact.empty() ? margin : least_gap(exact);
    if (gap < -1e-4) continue;  // deep: another depth can be the least for a surface
    ShapeT<double> mesh = surfaces.mesh(box_mesh(half_b, 1 + i % 3));
    mesh.p = b.p, mesh.R = b.R;
    const Points found = contacts(a, mesh, margin);
    if (exact.empty()) {
      EXPECT_TRUE(found.empty() || least_gap(found) > margin * (1 - 1e-9)) << i;
      continue;
    }
    ASSERT_FALSE(found.empty()) << i << " gap " << gap;
    worst = std::max(worst, std::abs(least_gap(found) - gap));
    ++compared;
  }
  EXPECT_GT(compared, 200);
  EXPECT_LT(worst, 1e-10);
}

// Flush faces: the corners of the overlap, as for boxes.
TEST(Surface, flush_cube_meshes_touch_where_boxes_do) {
  Random random(4);
  Surfaces surfaces;
  const Vec3 half{0.1, 0.1, 0.1};
  const ShapeT<double> box = surfaces.box(half);
  const ShapeT<double> mesh = surfaces.mesh(box_mesh(half)), cut = surfaces.mesh(box_mesh(half, 3));
  for (int i = 0; i < 200; ++i) {
    const double turn = i % 4 == 0 ? 0 : random.uniform(0, 1.5);
    const Vec3 over{i % 3 == 0 ? 0 : random.uniform(-0.15, 0.15), i % 3 == 0 ? 0 : random.uniform(-0.15, 0.15), 0.2};
    const Quat q = random.rotation();
    ShapeT<double> a = box, b = box;
    place(a, {}, q);
    place(b, rotate(q, over), q * quat_from_rotation_vector(Vec3{0, 0, turn}));
    const Points exact = contacts(a, b, 1e-3);
    for (ShapeT<double> b_mesh : {mesh, cut}) {
      b_mesh.p = b.p, b_mesh.R = b.R;
      const Points found = contacts(a, b_mesh, 1e-3);
      EXPECT_EQ(found.size(), exact.size()) << i;
      for (const auto& point : found) {
        EXPECT_LT(std::abs(point.gap), 1e-10);
        EXPECT_LT(norm(point.normal - a.R.column(2)), 1e-10);
        EXPECT_TRUE(std::any_of(exact.begin(), exact.end(), [&](const auto& other) {
          return norm(other.point - point.point) < 2e-7;
        })) << i;
      }
    }
  }
}

// Two cubes stand on their edges, one crosswise on the other, too low by d: the contact is where the edges cross, with
// that depth, as long as the margin reaches that far.
TEST(Surface, edges_that_cross_deep_in_each_other_touch) {
  Surfaces surfaces;
  const double half = 0.1, height = half * std::sqrt(2.0);
  for (const double depth : {1e-7, 1e-4, 1e-3, 0.01, 0.025}) {
    ShapeT<double> a = surfaces.mesh(box_mesh({half, half, half}, 2)), b = surfaces.mesh(box_mesh({half, half, half}));
    place(a, {0.02, -0.03, 0}, Quat{std::cos(std::numbers::pi / 8), std::sin(std::numbers::pi / 8), 0, 0});
    place(b, {0, 0, 2 * height - depth}, Quat{std::cos(std::numbers::pi / 8), 0, std::sin(std::numbers::pi / 8), 0});
    const Points points = contacts(a, b, 0.03);
    ASSERT_FALSE(points.empty()) << depth;
    EXPECT_NEAR(least_gap(points), -depth, 1e-12);
    for (const auto& p : points) EXPECT_TRUE(p.gap >= 0 || std::abs(p.normal.z - 1) < 1e-12) << depth;
  }
}

// Flush cubes that are 1e-7 in each other have no more depth than that, although an upright edge of one ends just
// below the edges of the other's face: but for vertices so near to an edge that both its faces hold them (a thousandth
// of the cube, 1.7e-4).
TEST(Surface, flush_faces_are_not_deep_along_each_other) {
  Random random(5);
  Surfaces surfaces;
  ShapeT<double> a = surfaces.mesh(box_mesh({0.1, 0.1, 0.1})), b = surfaces.mesh(box_mesh({0.1, 0.1, 0.1}));
  for (int i = 0; i < 500; ++i) {
    const double turn = random.uniform(0, 3);
    place(b, Vec3{random.uniform(-0.2, 0.2), random.uniform(-0.2, 0.2), 0.2 - 1e-7},
          Quat{std::cos(turn), 0, 0, std::sin(turn)});
    const Points points = contacts(a, b, 0.03);
    for (const auto& p : points) EXPECT_GT(p.gap, -1.8e-4) << i;
  }
}

// Round shapes over a tessellated box: the nearest contact is that of the box.
TEST(Surface, round_shapes_touch_a_box_mesh_as_a_box) {
  Random random(5);
  Surfaces surfaces;
  const Vec3 half{0.2, 0.15, 0.1};
  const ShapeT<double> mesh = surfaces.mesh(box_mesh(half, 2)), box = surfaces.box(half);
  const ShapeT<double> round[] = {sphere_shape(0.05), capsule_shape(0.04, 0.1), cylinder_shape(0.06, 0.08),
                                  ellipsoid_shape({0.05, 0.08, 0.12})};
  for (const ShapeT<double>& shape : round) {
    int compared = 0;
    double worst = 0;
    for (int i = 0; i < 2000; ++i) {
      ShapeT<double> a = shape;
      place(a, random.direction() * random.uniform(0.1, 0.4), random.rotation());
      const Points exact = contacts(a, box, 0.02);
      if (exact.empty()) continue;
      const double gap = least_gap(exact);
      if (gap < -1e-4) continue;
      const Points found = contacts(a, mesh, 0.02);
      ASSERT_FALSE(found.empty()) << int(shape.type) << " " << i << " gap " << gap;
      worst = std::max(worst, std::abs(least_gap(found) - gap));
      ++compared;
    }
    EXPECT_GT(compared, 80);
    EXPECT_LT(worst, 1e-9) << int(shape.type);
  }
}

// Two tori: the least gap against all pairs of triangles, by closest points of points and segments.
TEST(Surface, nearest_contact_of_tori_is_that_of_brute_force) {
  Random random(6);
  Surfaces surfaces;
  const ShapeT<double> torus = surfaces.mesh(torus_mesh(0.1, 0.03, 14, 8));
  const SurfaceT<double>& s = torus.surface;
  int compared = 0;
  for (int i = 0; i < 60; ++i) {
    ShapeT<double> a = torus, b = torus;
    place(a, {}, random.rotation());
    place(b, random.direction() * random.uniform(0.05, 0.25), random.rotation());
    const auto at = [](const ShapeT<double>& shape, int v) { return shape.p + shape.R * shape.surface.vertex[v]; };
    double squared = 1;
    bool crossing = false;
    for (int e = 0; e < s.edge_count; ++e)
      for (int f = 0; f < s.edge_count; ++f) {
        const Vec3 p = at(a, s.edge[4 * e]), d = at(a, s.edge[4 * e + 1]) - p;
        const Vec3 q = at(b, s.edge[4 * f]), g = at(b, s.edge[4 * f + 1]) - q;
        double u, v;
        closest_of_segments(p, d, q, g, u, v);
        squared = std::min(squared, norm_squared(p + d * u - q - g * v));
      }
    for (int side = 0; side < 2; ++side) {
      const ShapeT<double>&own = side == 0 ? a : b, &other = side == 0 ? b : a;
      for (int v = 0; v < s.vertex_count; ++v)
        for (int t = 0; t < s.triangle_count; ++t)
          squared = std::min(
              squared, detail::nearest_in_triangle(s, t, transpose_times(other.R, at(own, v) - other.p), 0.0).squared);
      // An edge of one through a triangle of the other.
      for (int e = 0; e < s.edge_count; ++e)
        for (int t = 0; t < s.triangle_count; ++t) {
          const Vec3 p = transpose_times(other.R, at(own, s.edge[4 * e]) - other.p);
          const Vec3 q = transpose_times(other.R, at(own, s.edge[4 * e + 1]) - other.p);
          const Vec3 o = s.vertex[s.triangle[3 * t]], n = s.normal[t];
          const double hp = dot(n, p - o), hq = dot(n, q - o);
          if (hp * hq >= 0) continue;
          const Vec3 x = p + (q - p) * (hp / (hp - hq));
          crossing = crossing || detail::nearest_in_triangle(s, t, x, 0.0).part == detail::TrianglePart::kFace;
        }
    }
    if (crossing) continue;
    const double distance = std::sqrt(squared);
    const Points found = contacts(a, b, 0.05);
    if (distance > 0.05 * (1 - 1e-9)) {
      EXPECT_TRUE(found.empty()) << i;
      continue;
    }
    ASSERT_FALSE(found.empty()) << i << " distance " << distance;
    EXPECT_NEAR(least_gap(found), distance, 1e-10) << i;
    ++compared;
  }
  EXPECT_GT(compared, 10);
}

// A sphere near a saddle, a valley and a ridge of an open sheet, from both sides: normals within the cones of the
// triangles around, and the distance to the nearest triangle.
TEST(Surface, open_sheets_have_two_sides) {
  Random random(7);
  Surfaces surfaces;
  const ShapeT<double> wavy =
      surfaces.mesh(sheet(1, 1, 12, 12, [](double x, double y) { return 0.1 * std::sin(4 * x) * std::cos(3 * y); }));
  ASSERT_FALSE(wavy.surface.closed);
  const SurfaceT<double>& s = wavy.surface;
  for (int i = 0; i < 500; ++i) {
    ShapeT<double> ball = sphere_shape(0.05);
    place(ball, {random.uniform(-0.9, 0.9), random.uniform(-0.9, 0.9), random.uniform(-0.2, 0.2)}, {});
    double squared = 1;
    for (int t = 0; t < s.triangle_count; ++t)
      squared = std::min(squared, detail::nearest_in_triangle(s, t, ball.p, 0.0).squared);
    const double gap = std::sqrt(squared) - 0.05;
    const Points found = contacts(ball, wavy, 0.02);
    EXPECT_EQ(found.empty(), gap >= 0.02) << gap;
    if (found.empty()) continue;
    EXPECT_NEAR(least_gap(found), gap, 1e-12);
    for (const auto& point : found)
      EXPECT_NEAR(dot(point.point - ball.p, point.normal), 0.05 + point.gap / 2, 1e-12) << "normals leave the ball";
  }
}

}  // namespace
}  // namespace stiction::test
