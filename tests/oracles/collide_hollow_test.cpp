// A corner or an edge that has gone a little way into the bottom of a hollow is beyond the borders of all faces there,
// and beyond the ends of the edges. It is still behind their planes and lines: below the bottom by d, its depth is d
// times the cosine of the slope. Blocks and sheets z = a |x| + b |y| have these hollows and bends at their middle.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "support/meshes.hpp"
#include "support/narrow_phase.hpp"
#include "support/surfaces.hpp"

namespace stiction::test {
namespace {

constexpr double kReach = 0.1;                 // [m] of the bodies
constexpr double kSheetDepth = 1e-3 * kReach;  // [m] to which the side of a sheet is told by the body
const std::vector<double> kDepths = {1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 5e-4};

TriangleMesh bent(double a, double b, double turn) {
  TriangleMesh mesh = sheet(1, 1, 2, 2, [&](double x, double y) { return a * std::abs(x) + b * std::abs(y); });
  const double c = std::cos(turn), s = std::sin(turn);
  for (std::size_t i = 0; i < mesh.vertices.size(); i += 3) {
    const double x = mesh.vertices[i], y = mesh.vertices[i + 1];
    mesh.vertices[i] = c * x - s * y;
    mesh.vertices[i + 1] = s * x + c * y;
  }
  return mesh;
}

// The deepest contact of a body, whose lowest place is its origin, at the depth d below the middle.
double depth(const ShapeT<double>& wall, ShapeT<double> body, const Vec3& lowest, double d) {
  body.p = -lowest - Vec3{0, 0, d};
  ContactPointT<double> out[kMaxSurfacePoints];
  const int count = narrow_phase(body, wall, 1e-3, out);
  double deepest = -1;
  for (int i = 0; i < count; ++i) deepest = std::max(deepest, -out[i].gap);
  return deepest;
}

struct Body {
  std::string name;
  ShapeT<double> shape;
  Vec3 lowest;  // of it, about its origin [m]
};

class Hollow : public testing::Test {
 protected:
  Surfaces surfaces_;

  void expect_depths(const Body& body, double a, double b, double cosine, double turn) {
    const TriangleMesh top = bent(a, b, turn);
    for (const bool solid : {true, false})
      for (const double d : kDepths) {
        if (!solid && d > kSheetDepth) continue;
        const ShapeT<double> wall = surfaces_.mesh(solid ? block_under(top, -4) : top);
        EXPECT_NEAR(depth(wall, body.shape, body.lowest, d), d * cosine, 1e-9 + 1e-6 * d)
            << body.name << ", slopes " << a << " " << b << ", turned by " << turn << ", depth " << d
            << (solid ? ", block" : ", sheet");
      }
  }
  // A box, or a mesh of one, on its corner or edge.
  Body box_tip(bool corner, bool mesh) {
    const Vec3 half{kReach, kReach, kReach}, down = corner ? Vec3{-1, -1, -1} : Vec3{-1, 0, -1};
    const Vec3 axis = normalized(cross(down, Vec3{0, 0, -1}));
    Body body{corner ? "corner" : "edge", mesh ? surfaces_.mesh(box_mesh(half)) : surfaces_.box(half), {}};
    place(body.shape, {}, quat_from_rotation_vector(axis * std::acos(1 / norm(down))));
    body.lowest = {0, 0, -kReach * norm(down)};
    return body;
  }
  // Leaning over along x; the lowest place of its rim.
  Body leaning_cylinder() {
    Body body{"cylinder on its rim", cylinder_shape(kReach, kReach), {}};
    place(body.shape, {}, quat_from_rotation_vector(Vec3{0, 0.8, 0}));
    body.lowest = body.shape.R * Vec3{kReach, 0, -kReach};
    return body;
  }
};

TEST_F(Hollow, corners_in_grooves_and_pits_are_behind_all_faces) {
  for (const Body& body : {box_tip(true, false), box_tip(true, true)})
    for (const double slope : {0.02, 0.4})
      for (const double turn : {0.0, 0.3}) {
        expect_depths(body, slope, 0, 1 / std::hypot(1, slope), turn);
        expect_depths(body, slope, slope, 1 / std::sqrt(1 + 2 * slope * slope), turn);
      }
}

TEST_F(Hollow, edges_in_the_bend_of_a_ridge_are_behind_both_its_parts) {
  for (const double slope : {0.02, 0.13, 0.3, 0.9})
    for (const Body& body : {box_tip(false, false), box_tip(false, true), leaning_cylinder()})
      expect_depths(body, slope, -1, 1 / std::hypot(1, slope), 0);
}

// The rim of a block whose top falls behind it: its corner in the notch is convex but for the two sides of the notch.
TEST_F(Hollow, an_edge_in_a_notch_of_a_sharp_rim_is_behind_both_its_sides) {
  for (const double slope : {0.02, 0.3, 0.9})
    for (const double fall : {0.0, 0.02, 0.8}) {
      TriangleMesh top = sheet(1, 1, 2, 2, [&](double x, double y) { return slope * std::abs(x) - fall * (y + 1); });
      for (std::size_t i = 1; i < top.vertices.size(); i += 3) top.vertices[i] += 1;  // the rim is at y = 0
      const ShapeT<double> wall = surfaces_.mesh(block_under(top, -4));
      for (const bool as_mesh : {false, true})
        for (const double d : kDepths) {
          const Body body = box_tip(false, as_mesh);
          const double found = depth(wall, body.shape, body.lowest, d), on_paper = d / std::hypot(1, slope);
          EXPECT_NEAR(found, on_paper, 1e-9 + 1e-6 * d) << slope << " " << fall << " " << d;
        }
    }
}

TEST_F(Hollow, a_rim_along_a_groove_is_behind_both_its_sides) {
  for (const double slope : {0.02, 0.4}) expect_depths(leaning_cylinder(), slope, 0, 1 / std::hypot(1, slope), 0);
}

}  // namespace
}  // namespace stiction::test
