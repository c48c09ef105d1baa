// Bodies beside surfaces that are not convex, apart: whatever goes on beyond hollow edges, none of their contacts is
// deep, and the nearest is not farther than the distance, which comes from another search (surface_distance.hpp). With
// wide margins, as fast bodies have them.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "support/meshes.hpp"
#include "support/narrow_phase.hpp"
#include "support/surfaces.hpp"

namespace stiction::test {
namespace {

// A channel along y of width w between two walls: floor and walls of the thickness t.
TriangleMesh channel(double w, double t) {
  const double x[8] = {-w - t, w + t, w + t, w, w, -w, -w, -w - t}, z[8] = {0, 0, w, w, t, t, w, w};
  TriangleMesh mesh;
  for (const double y : {-0.2, 0.2})
    for (int i = 0; i < 8; ++i) add_vertex(mesh, {x[i], y, z[i]});
  for (int i = 0; i < 8; ++i) add_quad(mesh, i, i + 8, (i + 1) % 8 + 8, (i + 1) % 8, true);
  const int ends[6][3] = {{0, 6, 7}, {0, 5, 6}, {0, 1, 5}, {1, 4, 5}, {1, 3, 4}, {1, 2, 3}};
  for (const auto& t3 : ends) {
    add_triangle(mesh, t3[0], t3[1], t3[2]);
    add_triangle(mesh, t3[0] + 8, t3[2] + 8, t3[1] + 8);
  }
  return mesh;
}

TEST(Apart, contacts_beside_surfaces_are_no_deeper_than_the_bodies) {
  constexpr int kCases = 60;
  Surfaces kept;
  const auto hills = [](double x, double y) { return 0.03 * std::sin(40 * x) * std::cos(33 * y); };
  const TriangleMesh channel_mesh = channel(0.04, 0.01);
  ASSERT_TRUE(inspect(channel_mesh).outward);
  const std::vector<std::pair<std::string, ShapeT<double>>> surfaces = {
      {"torus", kept.mesh(torus_mesh(0.07, 0.03, 24, 10))},
      {"coarse torus", kept.mesh(torus_mesh(0.07, 0.03, 9, 6))},
      {"channel", kept.mesh(channel_mesh)},
      {"hills", kept.mesh(block_under(sheet(0.15, 0.15, 12, 12, hills, true, 0.2), -0.1))},
      {"sheet", kept.mesh(sheet(0.15, 0.15, 12, 12, hills, true, 0.2))},
  };
  const std::vector<std::pair<std::string, ShapeT<double>>> bodies = {
      {"sphere", sphere_shape(0.02)},
      {"capsule", capsule_shape(0.01, 0.03)},
      {"cylinder", cylinder_shape(0.02, 0.02)},
      {"coin", cylinder_shape(0.03, 0.002)},
      {"ellipsoid", ellipsoid_shape({0.03, 0.02, 0.01})},
      {"lens", ellipsoid_shape({0.03, 0.03, 0.0015})},
      {"box", kept.box({0.02, 0.015, 0.01})},
      {"needle", kept.box({0.03, 0.001, 0.001})},
      {"torus", kept.mesh(torus_mesh(0.02, 0.008, 12, 6))},
  };
  Random random(12);
  for (const auto& [surface_name, surface] : surfaces)
    for (const auto& [body_name, body] : bodies) {
      int looked_at = 0;
      double deepest = 0, farthest = 0;
      for (int tries = 0; tries < 40 * kCases && looked_at < kCases; ++tries) {
        ShapeT<double> a = body, b = surface;
        const double size = body.radius, margin = size * random.log_uniform(0.01, 0.5);
        a.R = rotation_matrix(random.rotation()), b.R = rotation_matrix(random.rotation());
        a.p = random.direction() * (random.uniform(0, 1) * (surface.radius + size));
        const ShapeDistanceT<double> apart = signed_distance(a, b, 10);
        if (!(apart.distance > 1e-3 * margin && apart.distance < 0.9 * margin)) continue;
        ++looked_at;
        ContactPointT<double> out[kMaxSurfacePoints];
        const int count = narrow_phase(a, b, margin, out);
        double least = margin;
        for (int i = 0; i < count; ++i) least = std::min(least, out[i].gap);
        deepest = std::max(deepest, -least / size);
        farthest = std::max(farthest, (least - apart.distance) / size);
      }
      EXPECT_GE(looked_at, kCases / 3) << body_name << " and " << surface_name;
      // Within a thousandth of its size a body tells from which side it touches a sheet.
      EXPECT_LT(deepest, surface.surface.closed ? 1e-12 : 1e-3) << body_name << " and " << surface_name;
      EXPECT_LT(farthest, 1e-12) << body_name << " and " << surface_name;
    }
}

}  // namespace
}  // namespace stiction::test
