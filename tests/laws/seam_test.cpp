// Level seams and cracks between shapes are not felt: bodies slide and roll over them as over a plane.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <string>

#include "support/meshes.hpp"
#include "support/worlds.hpp"

namespace stiction {
namespace {

constexpr double kFriction = 0.2, kThickness = 0.1, kHalfLength = 0.15;

std::vector<Vec3> corners(const Vec3& half) {
  std::vector<Vec3> points;
  points.reserve(8);
  for (int i = 0; i < 8; ++i)
    points.push_back({i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z});
  return points;
}

enum class Floor { kPlane, kBoxes, kHulls, kMeshes, kBodies };

// Tiles of 0.31 × 0.4 m with their upper sides at z = 0, `crack` apart; a seam runs along y = 0, too.
void add_floor(Builder& builder, Floor floor, double crack) {
  if (floor == Floor::kPlane) {
    builder.add_shape_plane(0, {}, test::surface(kFriction));
    return;
  }
  const Vec3 half{(0.31 - crack) / 2, (0.4 - crack) / 2, kThickness / 2};
  for (int i = -7; i <= 7; ++i)
    for (const double y : {-0.2, 0.2}) {
      const Transform pose{{0.31 * i, y, -kThickness / 2}, {}};
      if (floor == Floor::kHulls)
        builder.add_shape_hull(0, corners(half), pose, test::surface(kFriction));
      else if (floor == Floor::kMeshes)
        builder.add_shape_mesh(0, test::box_mesh(half, 1), pose, test::surface(kFriction));
      else
        builder.add_shape_box(floor == Floor::kBodies ? builder.add_body("", pose) : 0, half,
                              floor == Floor::kBodies ? Transform{} : pose, test::surface(kFriction));
    }
}

using AddBody = std::function<int(Builder&)>;

int add_free(Builder& builder, const Vec3& p, double yaw = 0) {
  const int body = builder.add_body("", {p, quat_from_rotation_vector(Vec3{0, 0, yaw})});
  builder.add_joint_free(body);
  return body;
}

// Velocities of all steps; the first body starts with `u`.
std::vector<double> run(Floor floor, double crack, const AddBody& add_bodies, const std::vector<double>& u, double h,
                        int steps) {
  Builder builder("seams");
  add_floor(builder, floor, crack);
  add_bodies(builder);
  Simulation simulation = test::simulate(builder.build(), h);
  std::copy(u.begin(), u.end(), simulation.state().u.begin());
  std::vector<double> velocity;
  for (int step = 0; step < steps; ++step) {
    EXPECT_TRUE(simulation.step().ok()) << simulation.describe();
    const std::vector<double>& v = simulation.state().u;
    velocity.insert(velocity.end(), v.begin(), v.end());
  }
  return velocity;
}

// Velocities of all points of the bodies within 1e-6 m/s: angular velocities count by the half-length of a body.
void expect_as_on_plane(const AddBody& add_bodies, const std::vector<double>& u, double crack, double h, int steps,
                        const std::string& name) {
  const std::vector<double> plane = run(Floor::kPlane, 0, add_bodies, u, h, steps);
  for (const Floor floor : {Floor::kBoxes, Floor::kHulls, Floor::kMeshes, Floor::kBodies}) {
    const std::vector<double> tiles = run(floor, crack, add_bodies, u, h, steps);
    ASSERT_EQ(tiles.size(), plane.size());
    double worst = 0;
    for (std::size_t i = 0; i < tiles.size(); ++i)
      worst = std::max(worst, std::abs(tiles[i] - plane[i]) * (i % 6 < 3 ? 1 : kHalfLength));
    EXPECT_LT(worst, 1e-6) << name << ", floor " << int(floor) << ", crack " << crack << ", h " << h;
  }
}

// v₀ = 2 m/s, 0.6 s: two or three seams, at steps of 4 and of 20 mm.
TEST(Seams, sliding_bodies_do_not_feel_them) {
  const std::pair<const char*, AddBody> bodies[] = {
      {"box",
       [](Builder& b) {
         const int body = add_free(b, {-1.3, 0.03, 0.05});
         b.add_shape_box(body, {0.15, 0.1, 0.05}, {}, test::surface(kFriction));
         return body;
       }},
      {"turned box",
       [](Builder& b) {
         const int body = add_free(b, {-1.3, 0.03, 0.05}, 0.4);
         b.add_shape_box(body, {0.15, 0.1, 0.05}, {}, test::surface(kFriction));
         return body;
       }},
      {"hull",
       [](Builder& b) {
         const int body = add_free(b, {-1.3, 0.03, 0.05}, 0.2);
         b.add_shape_hull(body, corners({0.15, 0.1, 0.05}), {}, test::surface(kFriction));
         return body;
       }},
      {"two boxes",
       [](Builder& b) {
         const int body = add_free(b, {-1.3, 0.03, 0.05});
         for (const double x : {-0.1, 0.1})
           b.add_shape_box(body, {0.05, 0.1, 0.05}, {{x, 0, 0}, {}}, test::surface(kFriction));
         return body;
       }},
  };
  for (const auto& [name, add] : bodies)
    for (const double crack : {0.0, 0.02})
      for (const double h : {0.002, 0.01})
        expect_as_on_plane(add, {2, 0.1, 0, 0, 0, 0}, crack, h, int(std::lround(0.6 / h)), name);
}

// Without slip at v₀ = 1.5 m/s; seams along and across.
TEST(Seams, rolling_bodies_do_not_feel_them) {
  const Quat lying = quat_from_rotation_vector(Vec3{std::numbers::pi / 2, 0, 0});
  const std::pair<const char*, AddBody> bodies[] = {
      {"sphere",
       [](Builder& b) {
         const int body = add_free(b, {-1.3, 0.03, 0.1});
         b.add_shape_sphere(body, 0.1, {}, test::surface(kFriction));
         return body;
       }},
      {"capsule",
       [&](Builder& b) {
         const int body = add_free(b, {-1.3, 0.03, 0.1});
         b.add_shape_capsule(body, 0.1, 0.15, {{}, lying}, test::surface(kFriction));
         return body;
       }},
      {"cylinder",
       [&](Builder& b) {
         const int body = add_free(b, {-1.3, 0.03, 0.1});
         b.add_shape_cylinder(body, 0.1, 0.15, {{}, lying}, test::surface(kFriction));
         return body;
       }},
      {"ellipsoid",
       [](Builder& b) {
         const int body = add_free(b, {-1.3, 0.03, 0.1});
         b.add_shape_ellipsoid(body, {0.1, 0.2, 0.1}, {}, test::surface(kFriction));
         return body;
       }},
  };
  for (const auto& [name, add] : bodies)
    for (const double h : {0.002, 0.01})
      expect_as_on_plane(add, {1.5, 0, 0, 0, 15, 0}, 0, h, int(std::lround(0.6 / h)), name);
}

// A box that another one strikes and pushes on: its free velocity does not tell where it goes.
TEST(Seams, pushed_box_does_not_feel_them) {
  const AddBody add = [](Builder& b) {
    int body = 0;
    for (const double x : {-1.3, -0.988}) {
      body = add_free(b, {x, 0.03, 0.05});
      b.add_shape_box(body, {0.15, 0.1, 0.05}, {}, test::surface(kFriction));
    }
    return body;
  };
  for (const double h : {0.002, 0.01})
    expect_as_on_plane(add, {3, 0, 0, 0, 0, 0}, 0.01, h, int(std::lround(0.6 / h)), "pushed box");
}

// Steps begin with the leading edge at any place behind a crack, 50 µm apart, and a box that is as deep as steps leave
// it: just past the crack the side of the next tile is near, too, and pushes back nothing that came over it from above.
TEST(Seams, a_box_enters_a_tile_at_any_place) {
  for (int k = 0; k < 60; ++k) {
    const AddBody add = [k](Builder& b) {
      const int body = add_free(b, {-1.234 + 5e-5 * k, 0.03, 0.05 - 1e-11});
      b.add_shape_box(body, {0.15, 0.1, 0.05}, {}, test::surface(kFriction));
      return body;
    };
    expect_as_on_plane(add, {1.5, 0, 0, 0, 0, 0}, 0.01, 0.002, 6, "place " + std::to_string(k));
  }
}

// One millimetre is a step: the box comes to rest against it.
TEST(Seams, ledge_of_a_millimetre_stops_a_box) {
  for (const double h : {0.002, 0.01}) {
    Builder builder("ledge");
    builder.add_shape_box(0, {1, 1, 0.5}, {{-1, 0, -0.5}, {}}, test::surface(kFriction));
    builder.add_shape_box(0, {1, 1, 0.5}, {{1, 0, -0.499}, {}}, test::surface(kFriction));
    const int box = add_free(builder, {-0.4, 0.03, 0.03});
    builder.add_shape_box(box, {0.15, 0.1, 0.03}, {}, test::surface(kFriction));
    Simulation simulation = test::simulate(builder.build(), h);
    simulation.state().u[0] = 1.5;
    double farthest = -1;  // of the lower edge in front; the box tips over it a little
    for (int step = 0; step < int(0.6 / h); ++step) {
      EXPECT_TRUE(simulation.step().ok()) << simulation.describe();
      const double* q = simulation.state().q.data();
      farthest = std::max(farthest, q[0] + rotate(Quat{q[3], q[4], q[5], q[6]}, Vec3{0.15, 0, -0.03}).x);
    }
    EXPECT_NEAR(farthest, 0, 1e-5);  // measured: 2e-6 before the ledge, by turning within the step
    EXPECT_NEAR(simulation.state().u[0], 0, 1e-6);
  }
}

// The plane of the tile that a box leaves does not carry it: it falls into a hole wider than itself.
TEST(Seams, wide_crack_does_not_carry_a_box) {
  Builder builder("hole");
  builder.add_shape_box(0, {1, 1, 0.5}, {{-1, 0, -0.5}, {}}, test::surface(kFriction));
  builder.add_shape_box(0, {1, 1, 0.5}, {{1.2, 0, -0.5}, {}}, test::surface(kFriction));
  const int box = add_free(builder, {-0.2, 0.03, 0.05});
  builder.add_shape_box(box, {0.05, 0.05, 0.05}, {}, test::surface(kFriction));
  Simulation simulation = test::simulate(builder.build(), 0.002);
  simulation.state().u[0] = 1.1;
  for (int step = 0; step < 400; ++step) simulation.step();
  EXPECT_LT(simulation.state().q[2], -0.3);
}

}  // namespace
}  // namespace stiction
