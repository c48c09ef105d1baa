// Bodies that reach around and through each other, with the step whose contacts hold at the positions of the state:
// links of a chain, a nut on a bolt. No plane separates them, and they touch on saddles, where corners lie in the bends
// of ridges.
//
// A nut of mass m and moment of inertia I that slides on its thread without friction turns by 2π for each pitch p:
// with k = 2π/p its acceleration along the axis is g / (1 + k² I/m). With friction μ it stays where the slope of the
// thread on the mean radius r is less than that of friction on the flank: p / (2π r) < μ / cos 15°.
#include <stiction/query.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "support/thread_mesh.hpp"
#include "support/worlds.hpp"

namespace stiction {
namespace {

struct World {
  std::shared_ptr<const Model> model;
  Simulation simulation;
  Query query;

  explicit World(Model built)
      : model(std::make_shared<const Model>(euler(std::move(built)))), simulation(model), query(model) {}
  // [m] the deepest overlap of shapes next to each other in the list, as the shapes themselves have it.
  double deepest_overlap() {
    query.place(simulation);
    double deepest = 0;
    for (int shape = 0; shape + 1 < model->nshape; ++shape)
      deepest = std::max(deepest, -query.distance(shape, shape + 1).distance);
    return deepest;
  }
  static Model euler(Model model) {
    model.options.integrator = "euler";
    model.options.timestep = kTimestep;
    return model;
  }
  static constexpr double kTimestep = 0.002;
};

TEST(InterlockedMeshes, links_of_a_swinging_chain_stay_in_each_other) {
  const double ring = 0.03, tube = 0.008, spacing = 0.043;
  Builder builder("chain");
  for (int i = 0; i < 5; ++i) {
    const double turn = i % 2 == 0 ? std::numbers::pi / 2 : 0;
    const int link = builder.add_body("link" + std::to_string(i),
                                      {{spacing * i, 0, 0}, quat_from_rotation_vector(Vec3{turn, 0, 0})});
    if (i > 0) builder.add_joint_free(link);  // the first one is held
    builder.add_shape_mesh(link, test::torus_mesh(ring, tube, 24, 12), {}, test::surface(0.2));
  }
  World world(builder.build());
  Simulation& simulation = world.simulation;
  double deepest = 0;
  for (int step = 0; step < 150; ++step) {
    ASSERT_TRUE(simulation.step().ok()) << simulation.describe();
    if (step % 10 == 0) deepest = std::max(deepest, world.deepest_overlap());
  }
  EXPECT_LT(simulation.state().q[7 * 3 + 2], -0.1) << "it swings down";
  EXPECT_LT(deepest, 1e-4 * (ring + tube));
}

constexpr double kPitch = 0.004, kRoot = 0.00575, kCrest = 0.008;  // [m] of a bolt Tr 16 × 4
constexpr double kClearance = 1e-4, kWall = 0.015;                 // [m] on flanks, root and crest; radius of the nut

Model nut_on_bolt(double friction) {
  const double flank = (kCrest - kRoot) * std::tan(test::kFlank), width = kPitch / 2 - flank;
  // The groove of the nut is the tooth of the bolt, wider by the clearance on each side.
  const double groove = width + 2 * kClearance * (1 / std::cos(test::kFlank) - std::tan(test::kFlank));
  Builder builder("nut");
  ShapeSettings settings = test::surface(friction);
  settings.density = 7850;
  builder.add_shape_mesh(0, test::thread_mesh({kRoot, kCrest, width, kPitch}, 8, 32, 0, 0), {}, settings);
  const int nut = builder.add_body("nut", {{0, 0, 4 * kPitch}, {}});
  builder.add_joint_free(nut);
  builder.add_shape_mesh(
      nut,
      test::thread_mesh({kRoot + kClearance, kCrest + kClearance, groove, kPitch}, 3, 27, kWall, (width - groove) / 2),
      {}, settings);
  return builder.build();
}

TEST(InterlockedMeshes, a_nut_without_friction_runs_down_its_bolt) {
  World world(nut_on_bolt(0));
  Simulation& simulation = world.simulation;
  const double k = 2 * std::numbers::pi / kPitch, inertia = world.model->body_inertia[1].x / world.model->body_mass[1];
  const double acceleration = 9.81 / (1 + k * k * inertia), h = World::kTimestep, seconds = 0.24;
  double start = 0, turned = 0, deepest = 0;
  for (int step = 1; step <= int(std::lround(seconds / h)); ++step) {
    ASSERT_TRUE(simulation.step().ok()) << simulation.describe();
    if (step % 10 == 0) deepest = std::max(deepest, world.deepest_overlap());
    if (step == 5) start = simulation.state().q[2];  // it has fallen on the flank by its clearance
    if (step > 5) turned -= simulation.state().u[5] * h;
  }
  const double way = start - simulation.state().q[2];
  // Facets of bolt and nut move it up and down by up to 0.02 mm.
  EXPECT_NEAR(way, kPitch * turned / (2 * std::numbers::pi), 2e-5);
  EXPECT_NEAR(way, acceleration * seconds * seconds / 2, 0.06 * way);
  EXPECT_LT(deepest, 1e-4 * kWall);
}

TEST(InterlockedMeshes, a_fast_nut_gains_no_more_energy_than_it_falls) {
  World world(nut_on_bolt(0));
  Simulation& simulation = world.simulation;
  const double spin = 45, mass = world.model->body_mass[1];
  simulation.state().u[2] = -spin * kPitch / (2 * std::numbers::pi);
  simulation.state().u[5] = -spin;
  const auto energy = [&] {
    const Vec3 inertia = world.model->body_inertia[1];
    const std::vector<double>& u = simulation.state().u;
    return mass * (u[0] * u[0] + u[1] * u[1] + u[2] * u[2]) / 2 + mass * 9.81 * simulation.state().q[2] +
           (inertia.x * u[5] * u[5]) / 2;
  };
  const double begin = energy();
  for (int step = 0; step < 100; ++step) {
    ASSERT_TRUE(simulation.step().ok()) << simulation.describe();
    EXPECT_LT(energy(), begin * 1.001) << "step " << step;
  }
  EXPECT_LT(simulation.state().q[2], 2.5 * kPitch) << "it turns";
}

TEST(InterlockedMeshes, a_nut_with_friction_locks_itself) {
  const double mean = (kRoot + kCrest) / 2;
  ASSERT_LT(kPitch / (2 * std::numbers::pi * mean), 0.2 / std::cos(test::kFlank));
  World world(nut_on_bolt(0.2));
  Simulation& simulation = world.simulation;
  double seat = 0;
  for (int step = 1; step <= 100; ++step) {
    ASSERT_TRUE(simulation.step().ok()) << simulation.describe();
    if (step == 20) seat = simulation.state().q[2];
  }
  EXPECT_NEAR(simulation.state().q[2], seat, 1e-10);
  EXPECT_LT(std::abs(simulation.state().u[5]), 1e-7);
}

// A bolt of 32 sides falls into the hole of a plate that has as many: they hold it all around, but not its head up.
TEST(InterlockedMeshes, a_bolt_stops_at_its_head) {
  const double shaft = 0.005, clearance = 1e-4, head = 0.009, above = 0.0032;
  const int sides = 32;
  const double corner = (shaft + clearance) / std::cos(std::numbers::pi / sides);
  for (const double speed : {0.2, 1.0, 2.0})
    for (const double spin : {-7.0, 0.0, 5.0}) {
      Builder builder("bolt");
      const ShapeSettings settings = test::surface(0.2);
      builder.add_shape_mesh(0, test::revolved_mesh({{corner, -0.008}, {0.02, -0.008}, {0.02, 0}, {corner, 0}}, sides),
                             {}, settings);
      const int bolt = builder.add_body("bolt", {{0, 0, above}, {}});
      builder.add_joint_free(bolt);
      builder.add_shape_mesh(
          bolt,
          test::revolved_mesh({{0, -0.02}, {shaft, -0.02}, {shaft, 0}, {head, 0}, {head, 0.005}, {0, 0.005}}, sides),
          {}, settings);
      Model model = builder.build();
      model.options.timestep = 0.005;
      Simulation simulation(std::make_shared<const Model>(std::move(model)));
      simulation.state().u[2] = -speed;
      simulation.state().u[5] = spin;
      for (int step = 0; step < 20; ++step) {
        ASSERT_TRUE(simulation.step().ok()) << simulation.describe();
        ASSERT_GT(simulation.state().q[2], -1e-4 * head) << "step " << step << ", " << speed << " m/s, " << spin;
      }
      EXPECT_LT(simulation.state().q[2], above / 2);
    }
}

}  // namespace
}  // namespace stiction
