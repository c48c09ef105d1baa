// Bodies on and in triangle meshes move as on the surfaces that the meshes stand for.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

#include "support/meshes.hpp"
#include "support/worlds.hpp"

namespace stiction {
namespace {

double flat(double, double) {
  return 0;
}

double penetration(const Simulation& simulation) {
  const std::vector<double>& gap = simulation.contacts().gap;
  return gap.empty() ? 0 : std::max(0.0, -*std::min_element(gap.begin(), gap.end()));
}

// Flat floors, cut in several ways; the last two are solids.
std::vector<TriangleMesh> floors() {
  std::vector<TriangleMesh> meshes{test::sheet(3, 1, 2, 2, flat), test::sheet(3, 1, 60, 17, flat, true),
                                   test::sheet(3, 1, 41, 23, flat, true, 0.3), test::box_mesh({3, 1, 0.5}, 7)};
  for (std::size_t i = 2; i < meshes.back().vertices.size(); i += 3) meshes.back().vertices[i] -= 0.5;
  return meshes;
}

// v(t) = v₀ − μ g t along x, and nothing else: no triangle's edge stops or turns a sliding box.
TEST(MeshContact, box_slides_over_a_triangulated_floor_as_over_a_plane) {
  const double mu = 0.2, speed = 2, h = 0.002;
  for (const TriangleMesh& floor : floors()) {
    for (const bool as_mesh : {false, true}) {
      Builder builder("slide");
      builder.add_shape_mesh(0, floor, {}, test::surface(mu));
      const int box = builder.add_body("box", {{-1.2, 0.1, 0.05}, {}});
      builder.add_joint_free(box);
      if (as_mesh)
        builder.add_shape_mesh(box, test::box_mesh({0.15, 0.1, 0.05}, 3), {}, test::surface(mu));
      else
        builder.add_shape_box(box, {0.15, 0.1, 0.05}, {}, test::surface(mu));
      Simulation simulation = test::simulate(builder.build(), h);
      simulation.state().u[0] = speed;
      double worst = 0;
      for (int step = 1; step <= 300; ++step) {
        simulation.step();
        const std::vector<double>& u = simulation.state().u;
        worst = std::max(worst, std::abs(u[0] - (speed - mu * 9.81 * h * step)));
        for (std::size_t k = 1; k < 6; ++k) worst = std::max(worst, std::abs(u[k]));
      }
      EXPECT_LT(worst, 1e-6) << floor.triangles.size() / 3 << " triangles, as mesh " << as_mesh;
    }
  }
}

// A rolling ball keeps its speed: v = ω r, no loss at edges.
TEST(MeshContact, sphere_rolls_over_a_triangulated_floor_without_loss) {
  const double speed = 1.5, radius = 0.1;
  for (const TriangleMesh& floor : floors()) {
    Builder builder("roll");
    builder.add_shape_mesh(0, floor, {}, test::surface(0.5));
    const int ball = builder.add_body("ball", {{-1.2, 0.13, radius}, {}});
    builder.add_joint_free(ball);
    builder.add_shape_sphere(ball, radius, {}, test::surface(0.5));
    Simulation simulation = test::simulate(builder.build());
    simulation.state().u[0] = speed;
    simulation.state().u[4] = speed / radius;
    double worst = 0;
    for (int step = 0; step < 600; ++step) {
      simulation.step();
      const std::vector<double>& u = simulation.state().u;
      worst = std::max({worst, std::abs(u[0] - speed), std::abs(u[1]), std::abs(u[2])});
    }
    EXPECT_LT(worst, 1e-6) << floor.triangles.size() / 3 << " triangles";
  }
}

// As Prevention.bullet_does_not_pass_a_thin_plate, the plate a mesh: a solid of 1 mm, then a sheet without thickness.
TEST(MeshContact, bullet_does_not_pass_a_thin_plate) {
  for (int i = 0; i < 48; ++i) {
    const int shot = i / 2;
    const double distance = 0.013 + 0.031 * shot, angle = 0.02 * shot, thickness = i % 2 == 0 ? 0.001 : 0;
    // A ring that friction spins up would make many turns in a step, which no plane at its start can foresee.
    const bool ring = shot % 4 == 3;
    Builder builder("bullet");
    const Transform upright{{}, quat_from_rotation_vector(Vec3{0, -std::numbers::pi / 2, 0})};
    if (i % 2 == 0)
      builder.add_shape_mesh(0, test::box_mesh({5, 5, thickness / 2}, 4), upright, test::surface(ring ? 0 : 0.2));
    else
      builder.add_shape_mesh(0, test::sheet(5, 5, 4, 4, flat), upright, test::surface(ring ? 0 : 0.2));
    const Vec3 direction{std::cos(angle), std::sin(angle), 0};
    const int bullet = builder.add_body("bullet", {direction * -distance, {}});
    builder.add_joint_free(bullet);
    if (shot % 4 == 0) builder.add_shape_sphere(bullet, 0.005, {}, test::surface(0.2));
    if (shot % 4 == 1) builder.add_shape_cylinder(bullet, 0.005, 0.005, {}, test::surface(0.2));
    if (shot % 4 == 2) builder.add_shape_box(bullet, {0.005, 0.005, 0.005}, {}, test::surface(0.2));
    if (ring)
      builder.add_shape_mesh(bullet, test::torus_mesh(0.004, 0.001, 12, 6),
                             {{}, quat_from_rotation_vector(Vec3{0, std::numbers::pi / 2, 0})}, test::surface(0.0));
    Model model = builder.build();
    model.options.gravity = {};
    Simulation simulation = test::simulate(model, 0.01);
    for (int k = 0; k < 3; ++k) simulation.state().u[std::size_t(k)] = 100 * direction[k];
    const double least = ring ? 0.0008 : 0.005;
    double nearest = 1;
    for (int step = 0; step < 20; ++step) {
      simulation.step();
      nearest = std::min(nearest, -simulation.state().q[0] - thickness / 2);
    }
    EXPECT_GT(nearest, least - 1e-6) << "case " << i;
    EXPECT_LT(simulation.state().u[0], 1e-6) << "case " << i;
  }
}

// A body that passes beside or over the rim of a mesh at 20 m/s, closer than it moves in a step, feels nothing.
TEST(MeshContact, grazing_pass_has_no_ghost_force) {
  for (int i = 0; i < 24; ++i) {
    Builder builder("graze");
    if (i % 3 == 0)
      builder.add_shape_box(0, {0.5, 0.5, 0.1}, {}, test::surface(0.5));
    else
      builder.add_shape_mesh(0, test::box_mesh({0.5, 0.5, 0.1}, 5), {}, test::surface(0.5));
    // Over the top by 1 mm, or past the side.
    const double offset = 0.001 + 0.0003 * i;
    const Vec3 p = i % 2 == 0 ? Vec3{-1.5, 0.07, 0.1 + 0.05 + offset} : Vec3{-1.5, 0.5 + 0.05 + offset, 0.02};
    const int body = builder.add_body("body", {p, {}});
    builder.add_joint_free(body);
    if (i % 4 < 2) builder.add_shape_sphere(body, 0.05, {}, test::surface(0.5));
    if (i % 4 >= 2) builder.add_shape_box(body, {0.05, 0.05, 0.05}, {}, test::surface(0.5));
    Model model = builder.build();
    model.options.gravity = {};
    Simulation simulation = test::simulate(model, 0.01);
    simulation.state().u[0] = 20;
    for (int step = 0; step < 20; ++step) simulation.step();
    EXPECT_GT(simulation.state().q[0], 2);
    double worst = std::abs(simulation.state().u[0] - 20);
    for (std::size_t k = 1; k < 6; ++k) worst = std::max(worst, std::abs(simulation.state().u[k]));
    EXPECT_LT(worst, 1e-9) << "case " << i;
  }
}

// The hole of a torus goes over a peg; its hull would not.
TEST(MeshContact, torus_hangs_on_a_peg_through_its_hole) {
  Builder builder("hung");
  builder.add_shape_capsule(0, 0.02, 0.5, {{}, quat_from_rotation_vector(Vec3{0, std::numbers::pi / 2, 0})},
                            test::surface(0.5));
  const double ring = 0.2, tube = 0.04;
  // Around x, the hole about the peg.
  const int torus = builder.add_body(
      "torus", {{0, 0, -(ring - tube - 0.02) + 0.01}, quat_from_rotation_vector(Vec3{0, std::numbers::pi / 2, 0})});
  builder.add_joint_free(torus);
  builder.add_shape_mesh(torus, test::torus_mesh(ring, tube, 32, 12), {}, test::surface(0.5));
  Simulation simulation = test::simulate(builder.build());
  double deepest = 0;
  for (int step = 0; step < 1500; ++step) {
    simulation.step();
    ASSERT_TRUE(simulation.report().ok()) << step;
    deepest = std::max(deepest, penetration(simulation));
  }
  EXPECT_LT(deepest, 1e-4 * ring);
  // It hangs below the peg, by the radius of the hole.
  EXPECT_NEAR(simulation.state().q[2], -(ring - tube - 0.02), 0.005);
  for (std::size_t k = 0; k < 6; ++k) EXPECT_LT(std::abs(simulation.state().u[k]), 0.05);
}

// A peg with 12 sides falls through a ring with 12 walls that leaves it 0.1 mm on each side, and keeps falling: no jam.
TEST(MeshContact, peg_slides_through_a_hole_with_a_tenth_of_a_millimetre_to_spare) {
  for (const double friction : {0.0, 0.1}) {
    Builder builder("peg");
    builder.add_shape_mesh(0, test::ring_mesh(0.0201, 0.05, 0.02, 12), {}, test::surface(friction));
    const int peg = builder.add_body("peg", {{0.00003, -0.00002, 0.045}, {}});
    builder.add_joint_free(peg);
    builder.add_shape_mesh(peg, test::ring_mesh(0.005, 0.02, 0.02, 12), {}, test::surface(friction));
    Simulation simulation = test::simulate(builder.build(), 0.001);
    double deepest = 0, fastest = 0;
    for (int step = 0; step < 250; ++step) {
      simulation.step();
      deepest = std::max(deepest, penetration(simulation));
      fastest = std::max(fastest, std::abs(simulation.state().u[2]));
    }
    EXPECT_LT(simulation.state().q[2], -0.1) << "it is through";
    EXPECT_LT(deepest, 1e-4 * 0.02);
    EXPECT_LT(fastest, 9.81 * 0.251) << "nothing throws it out";
  }
}

// A box on a flat height field rests on the corners of its face with m g/4 each.
TEST(MeshContact, box_rests_on_a_flat_height_field) {
  Builder builder("field");
  builder.add_shape_height_field(0, 9, 13, std::vector<double>(9 * 13, 0.3), 1, 0.8, 0.1, {}, test::surface(0.5));
  const int box = builder.add_body("box", {{0.113, -0.07, 0.35}, {}});
  builder.add_joint_free(box);
  builder.add_shape_box(box, {0.1, 0.1, 0.05}, {}, test::surface(0.5));
  const Model model = builder.build();
  Simulation simulation = test::simulate(model);
  std::set<std::uint64_t> ids;
  for (int step = 0; step < 100; ++step) {
    simulation.step();
    const Contacts& contacts = simulation.contacts();
    ASSERT_EQ(contacts.ncontact, 4);
    ids.insert(contacts.key.begin(), contacts.key.end());
  }
  EXPECT_EQ(ids.size(), 4u) << "contacts keep their ids";
  EXPECT_NEAR(simulation.state().q[2], 0.35, 1e-9);
  for (const Vec3& force : simulation.contacts().force) EXPECT_NEAR(norm(force), model.body_mass[1] * 9.81 / 4, 1e-3);
}

// Hills and valleys: balls roll to the bottom of a bowl of a height field and stay on it.
TEST(MeshContact, ball_comes_to_rest_in_the_valley_of_a_height_field) {
  constexpr int n = 41;
  std::vector<double> heights;
  for (int r = 0; r < n; ++r)
    for (int c = 0; c < n; ++c) {
      const double x = 2.0 * c / (n - 1) - 1, y = 2.0 * r / (n - 1) - 1;
      heights.push_back(0.5 * (x * x + y * y));
    }
  Builder builder("valley");
  builder.add_shape_height_field(0, n, n, heights, 1, 1, 0.1, {}, test::surface(0.6));
  const int ball = builder.add_body("ball", {{0.4, 0.3, 0.35}, {}});
  builder.add_joint_free(ball);
  builder.add_shape_box(ball, {0.1, 0.08, 0.06}, {}, test::surface(0.6));
  Simulation simulation = test::simulate(builder.build());
  double deepest = 0;
  for (int step = 0; step < 1500; ++step) {
    simulation.step();
    deepest = std::max(deepest, penetration(simulation));
  }
  EXPECT_LT(deepest, 1e-4 * 0.1);
  for (std::size_t k = 0; k < 6; ++k) EXPECT_LT(std::abs(simulation.state().u[k]), 1e-3);
}

}  // namespace
}  // namespace stiction
