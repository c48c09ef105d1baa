// Tilted bodies laid down or dropped on plates of a hundredth of their size stay on them: at the end of every step the
// lowest point of the body, from its support function, is above the upper face but for what the look at the end of the
// step leaves over, 5e-5 of the size (2e-4 m before, and through closed meshes: the step at its end saw the lower
// face).
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <vector>

#include "support/meshes.hpp"
#include "support/worlds.hpp"

namespace stiction {
namespace {

constexpr double kThickness = 0.001, kFriction = 0.5;

enum class Plate { kBox, kHull, kCap, kMesh, kSheet, kField, kBoxTiles, kMeshTiles };

// The upper face at z = 0.
void add_plate(Builder& builder, Plate plate) {
  const ShapeSettings surface = test::surface(kFriction);
  const Vec3 half{2, 2, kThickness / 2};
  const Transform below{{0, 0, -half.z}, {}};
  switch (plate) {
    case Plate::kBox:
      builder.add_shape_box(0, half, below, surface);
      return;
    case Plate::kHull: {
      std::vector<Vec3> corners;
      corners.reserve(8);
      for (int i = 0; i < 8; ++i)
        corners.push_back({i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z});
      builder.add_shape_hull(0, corners, below, surface);
      return;
    }
    case Plate::kCap:
      builder.add_shape_cylinder(0, half.x, half.z, below, surface);
      return;
    case Plate::kMesh:
      builder.add_shape_mesh(0, test::box_mesh(half), below, surface);
      return;
    case Plate::kSheet:
      builder.add_shape_mesh(0, test::sheet(2, 2, 5, 5, [](double, double) { return 0.0; }), {}, surface);
      return;
    case Plate::kField:
      builder.add_shape_height_field(0, 9, 9, std::vector<double>(81, 0.0), half.x, half.y, kThickness, {}, surface);
      return;
    default:
      // Four tiles that meet beside the body: its far side is over another one than its lowest point.
      for (const double x : {-1.0, 1.0})
        for (const double y : {-1.0, 1.0}) {
          const Transform pose{{x + 0.03, y + 0.01, -half.z}, {}};
          if (plate == Plate::kBoxTiles)
            builder.add_shape_box(0, {1, 1, half.z}, pose, surface);
          else
            builder.add_shape_mesh(0, test::box_mesh({1, 1, half.z}), pose, surface);
        }
  }
}

// A body of about 0.1 m, and how far it reaches along a unit vector of its frame [m].
struct Body {
  const char* name;
  std::function<void(Builder&, int)> add;
  std::function<double(const Vec3&)> reach;
};

double reach_of(const std::vector<Vec3>& points, const Vec3& n) {
  double reach = -1;
  for (const Vec3& p : points) reach = std::max(reach, dot(p, n));
  return reach;
}

Body cylinder(const char* name, double radius, double half) {
  return {name, [=](Builder& b, int body) { b.add_shape_cylinder(body, radius, half, {}, test::surface(kFriction)); },
          [=](const Vec3& n) { return radius * std::hypot(n.x, n.y) + half * std::abs(n.z); }};
}

Body ellipsoid(const char* name, const Vec3& radii) {
  return {name, [=](Builder& b, int body) { b.add_shape_ellipsoid(body, radii, {}, test::surface(kFriction)); },
          [=](const Vec3& n) {
            return norm(Vec3{n.x * radii.x, n.y * radii.y, n.z * radii.z});
          }};
}

std::vector<Body> bodies() {
  constexpr int kSides = 24;
  std::vector<Vec3> prism, cone;
  TriangleMesh mesh;
  for (int i = 0; i < kSides; ++i) {
    const double angle = 2 * std::numbers::pi * i / kSides, x = 0.05 * std::cos(angle), y = 0.05 * std::sin(angle);
    for (const double z : {-0.025, 0.025}) prism.push_back({x, y, z});
    cone.push_back({x, y, -0.0125});
    test::add_vertex(mesh, cone.back());
  }
  cone.push_back({0, 0, 0.0375});
  const int tip = test::add_vertex(mesh, cone.back()), centre = test::add_vertex(mesh, {0, 0, -0.0125});
  for (int i = 0; i < kSides; ++i) {
    test::add_triangle(mesh, i, (i + 1) % kSides, tip);
    test::add_triangle(mesh, (i + 1) % kSides, i, centre);
  }
  return {cylinder("cylinder", 0.05, 0.025),
          cylinder("coin", 0.05, 0.005),
          cylinder("rod", 0.01, 0.05),
          {"capsule", [](Builder& b, int body) { b.add_shape_capsule(body, 0.02, 0.03, {}, test::surface(kFriction)); },
           [](const Vec3& n) { return 0.02 + 0.03 * std::abs(n.z); }},
          ellipsoid("ellipsoid", {0.05, 0.035, 0.025}),
          ellipsoid("lens", {0.05, 0.05, 0.005}),
          {"box",
           [](Builder& b, int body) {
             b.add_shape_box(body, {0.05, 0.04, 0.025}, {}, test::surface(kFriction));
           },
           [](const Vec3& n) {
             return dot(abs(n), Vec3{0.05, 0.04, 0.025});
           }},
          {"prism", [=](Builder& b, int body) { b.add_shape_hull(body, prism, {}, test::surface(kFriction)); },
           [=](const Vec3& n) { return reach_of(prism, n); }},
          {"cone", [=](Builder& b, int body) { b.add_shape_mesh(body, mesh, {}, test::surface(kFriction)); },
           [=](const Vec3& n) { return reach_of(cone, n); }}};
}

// [m] deepest end of a step. `tilt` about a horizontal axis; laid down, or dropped from 2 cm with that speed and spin.
double deepest_on(Plate plate, const Body& body, double tilt, double speed, double h) {
  Builder builder("plate");
  add_plate(builder, plate);
  const Quat turned = quat_from_rotation_vector(normalized(Vec3{1, 0.3, 0}) * tilt);
  const auto lowest = [&](const Vec3& p, const Quat& q) { return p.z - body.reach(rotate_inverse(q, Vec3{0, 0, -1})); };
  const double height = (speed > 0 ? 0.02 : 1e-4) - lowest({}, turned);
  const int free = builder.add_body("", {{0.03, 0.02, height}, turned});
  builder.add_joint_free(free);
  body.add(builder, free);
  Simulation simulation = test::simulate(builder.build(), h);
  double* u = simulation.state().u.data();
  u[2] = -speed, u[3] = speed, u[4] = -2 * speed, u[5] = 3 * speed;
  double deepest = 0;
  for (int step = 0; step < int(std::lround(0.3 / h)); ++step) {
    EXPECT_TRUE(simulation.step().ok()) << simulation.describe();
    const double* q = simulation.state().q.data();
    deepest = std::max(deepest, -lowest({q[0], q[1], q[2]}, Quat{q[3], q[4], q[5], q[6]}));
    if (deepest > 0.01) break;
  }
  return deepest;
}

void expect_held(std::initializer_list<Plate> plates, double h) {
  for (const Plate plate : plates)
    for (const Body& body : bodies()) {
      double deepest = 0, at = 0;
      for (int i = 0; i < 8; ++i) {
        const double tilt = 0.1 + 0.2 * i, depth = deepest_on(plate, body, tilt, i % 3, h);
        if (depth > deepest) deepest = depth, at = tilt;
      }
      // Measured: 5.6e-6 m at most.
      EXPECT_LT(deepest, 1e-4 * 0.1) << body.name << " on plate " << int(plate) << ", tilt " << at << ", h " << h;
    }
}

TEST(ThinPlate, convex_plates_hold_tilted_bodies) {
  expect_held({Plate::kBox, Plate::kHull, Plate::kCap}, 0.002);
}

TEST(ThinPlate, surfaces_hold_tilted_bodies) {
  expect_held({Plate::kMesh, Plate::kSheet, Plate::kField}, 0.002);
}

// What the far side of a body would pass is another shape than the one that it lies on.
TEST(ThinPlate, tiles_hold_tilted_bodies) {
  expect_held({Plate::kBoxTiles, Plate::kMeshTiles}, 0.002);
}

// 2 cm per step, twenty times the plate: at the end of the step as it would be without the look, bodies are past it.
TEST(ThinPlate, plates_hold_tilted_bodies_in_long_steps) {
  expect_held({Plate::kBox, Plate::kCap, Plate::kMesh}, 0.01);
}

}  // namespace
}  // namespace stiction
