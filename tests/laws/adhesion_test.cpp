// Adhesion: a box of mass m pressed by the force F against a wall is held by friction if μ F ≥ m g and slides with
// m a = m g − μ F otherwise; on a ceiling it hangs if F ≥ m g. The pull acts between two bodies and keeps momentum.
#include <gtest/gtest.h>

#include <cmath>

#include <stiction/load.hpp>
#include <stiction/simulation.hpp>

#include "support/worlds.hpp"
#include "support/xml_file.hpp"

namespace stiction {
namespace {

constexpr double kMass = 2, kFriction = 0.5, kGravity = 9.81, kStep = 0.005;

// A box of side 0.2 m that touches a plane with the normal `axis`, with an adhesion actuator of gain 1.
Simulation box_on_plane(const std::string& axis, const std::string& position) {
  const std::string path =
      test::mjcf(R"(<option timestep="0.005"/><default><geom friction=".5 0 0"/></default><worldbody>
    <geom type="plane" size="1 1 1" zaxis=")" +
                 axis + R"("/><body name="box" pos=")" + position +
                 R"("><freejoint/><geom type="box" size=".1 .1 .1" mass="2"/></body></worldbody>
    <actuator><adhesion body="box" ctrlrange="0 100"/></actuator>)");
  return Simulation(std::make_shared<const Model>(load(path)));
}

double normal_force(const Simulation& sim) {
  double sum = 0;
  for (std::size_t c = 0; c < std::size_t(sim.contacts().ncontact); ++c)
    sum += dot(sim.contacts().normal[c], sim.contacts().force[c]);
  return sum;
}

TEST(adhesion, friction_holds_a_box_on_a_wall_up_to_the_cone) {
  Simulation sim = box_on_plane("1 0 0", ".1 0 1");
  sim.control().input[0] = 1.01 * kMass * kGravity / kFriction;
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(sim.step().ok()) << sim.describe();
  for (const double u : sim.state().u) EXPECT_NEAR(u, 0, 1e-9);
  EXPECT_NEAR(normal_force(sim), sim.control().input[0], 1e-7);
}

// The torque of weight and friction about the box is taken by the pull's share at the corners: it slides straight.
TEST(adhesion, a_box_on_a_wall_slides_with_what_friction_leaves) {
  Simulation sim = box_on_plane("1 0 0", ".1 0 1");
  sim.control().input[0] = 0.8 * kMass * kGravity / kFriction;
  for (int i = 0; i < 40; ++i) ASSERT_TRUE(sim.step().ok()) << sim.describe();
  EXPECT_NEAR(sim.state().u[2], -40 * kStep * 0.2 * kGravity, 1e-7);
  EXPECT_NEAR(normal_force(sim), sim.control().input[0], 1e-6);
}

TEST(adhesion, a_box_hangs_on_a_ceiling_by_more_than_its_weight) {
  Simulation hangs = box_on_plane("0 0 -1", "0 0 -.1"), falls = box_on_plane("0 0 -1", "0 0 -.1");
  hangs.control().input[0] = 1.25 * kMass * kGravity;
  falls.control().input[0] = 0.75 * kMass * kGravity;
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(hangs.step().ok()) << hangs.describe();
  EXPECT_NEAR(hangs.state().u[2], 0, 1e-9);
  EXPECT_NEAR(normal_force(hangs), 0.25 * kMass * kGravity, 1e-7);
  ASSERT_TRUE(falls.step().ok());
  EXPECT_NEAR(falls.state().u[2], -0.25 * kStep * kGravity, 1e-12);
}

TEST(adhesion, a_pull_between_two_bodies_keeps_momentum) {
  const std::string path = test::mjcf(R"(<option timestep="0.005" gravity="0 0 0"/><worldbody>
    <body name="a"><freejoint/><geom size=".1" mass="1"/></body>
    <body pos=".2 0 0"><freejoint/><geom size=".1" mass="3"/></body></worldbody>
    <actuator><adhesion body="a" ctrlrange="0 100"/></actuator>)");
  Simulation sim = test::simulate_euler(load(path), kStep);  // half a step ahead they would be apart
  sim.control().input[0] = 50;
  sim.state().u[0] = -1;  // it would leave with 1 m/s; the pull of one step gives 0.25 and 0.08 m/s
  ASSERT_TRUE(sim.step().ok()) << sim.describe();
  EXPECT_NEAR(sim.state().u[0], -1 + kStep * 50, 1e-12);
  EXPECT_NEAR(1 * sim.state().u[0] + 3 * sim.state().u[6], -1, 1e-12);
}

}  // namespace
}  // namespace stiction
