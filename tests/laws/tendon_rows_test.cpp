// Limits, friction and equalities of tendons in the step.
#include <gtest/gtest.h>

#include <cmath>

#include <stiction/load.hpp>
#include <stiction/simulation.hpp>

#include "support/xml_file.hpp"

namespace stiction {
namespace {

Simulation simulation(const std::string& text) {
  return Simulation(std::make_shared<const Model>(load(test::mjcf(text))));
}

// A rope is a tendon with an upper limit: a ball falls freely, then hangs on it with its weight.
TEST(tendon_rows, ball_hangs_on_a_rope) {
  Simulation sim =
      simulation(R"(<worldbody><site name="hook"/><body pos=".1 0 -.1"><freejoint/><geom size=".05" mass="2"/>
    <site name="eye"/></body></worldbody><tendon><spatial name="rope" range="0 .5"><site site="hook"/><site site="eye"/>
    </spatial></tendon><sensor><tendonpos name="length" tendon="rope"/></sensor>)");
  double longest = 0;
  for (int i = 0; i < 1500; ++i) {
    ASSERT_TRUE(sim.step().ok()) << sim.describe();
    longest = std::max(longest, sim.sensor("length")[0]);
  }
  EXPECT_GT(longest, 0.4999);
  // The path is curved: a step of h at the speed v leaves the sphere by (h v)² / 2l, pushed back in the next.
  EXPECT_LT(longest, 0.5 + 2e-5);
  ASSERT_EQ(sim.constraints().nconstraint, 1);
  EXPECT_EQ(sim.constraints().kind[0], ConstraintKind::kTendonLimit);
  EXPECT_GT(sim.constraints().force[0], 0);
}

TEST(tendon_rows, friction_of_a_tendon_holds_what_is_lighter) {
  for (const bool holds : {true, false}) {
    const std::string friction = holds ? "20" : "19";
    Simulation sim =
        simulation(R"(<worldbody><body><joint name="j" type="slide" axis="0 0 1"/><geom size=".1" mass="2"/>
      </body></worldbody><tendon><fixed frictionloss=")" +
                   friction + R"("><joint joint="j" coef="1"/></fixed></tendon>)");
    for (int i = 0; i < 100; ++i) ASSERT_TRUE(sim.step().ok()) << sim.describe();
    // m g = 19.62 N
    const double expected = holds ? 0 : -100 * 0.002 * (9.81 - 19 / 2.0);
    EXPECT_NEAR(sim.state().u[0], expected, 1e-12);
  }
}

// l₁ = 0.1 + 2 l₂ with l₁ = q₁ and l₂ = q₂ − q₃.
TEST(tendon_rows, equality_of_fixed_tendons_holds) {
  Simulation sim = simulation(R"(<worldbody><body><joint name="a" axis="0 1 0"/><geom size=".1" pos=".3 0 0"/></body>
    <body pos="0 1 0"><joint name="b" axis="0 1 0"/><geom size=".1" pos=".3 0 0"/><body pos=".5 0 0"><joint name="c"
    axis="0 1 0"/><geom size=".1" pos=".3 0 0"/></body></body></worldbody>
    <tendon><fixed name="l1"><joint joint="a" coef="1"/></fixed><fixed name="l2"><joint joint="b" coef="1"/><joint
    joint="c" coef="-1"/></fixed></tendon><equality><tendon tendon1="l1" tendon2="l2" polycoef=".1 2 0 0 0"/></equality>)");
  sim.state().q[0] = 0.1;
  for (int i = 0; i < 500; ++i) {
    ASSERT_TRUE(sim.step().ok()) << sim.describe();
    const auto& q = sim.state().q;
    EXPECT_NEAR(q[0], 0.1 + 2 * (q[1] - q[2]), 1e-8);
  }
  EXPECT_GT(std::abs(sim.state().q[0]), 0.2);  // it moves
}

// Two masses on a rope over two fixed points: a = g (m₁ − m₂) / (m₁ + m₂), and the rope keeps its length.
TEST(tendon_rows, masses_on_an_inextensible_rope_fall_as_atwood_found) {
  Simulation sim = simulation(R"(<option timestep="0.005"/><worldbody>
    <site name="left" pos="-1 0 2"/><site name="right" pos="1 0 2"/>
    <body pos="-1 0 0"><joint type="slide" axis="0 0 1"/><geom size=".1" mass="3"/><site name="a"/></body>
    <body pos="1 0 0"><joint type="slide" axis="0 0 1"/><geom size=".1" mass="2"/><site name="b"/></body></worldbody>
    <tendon><spatial name="rope"><site site="a"/><site site="left"/><site site="right"/><site site="b"/></spatial></tendon>
    <equality><tendon tendon1="rope"/></equality>)");
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(sim.step().ok()) << sim.describe();
  EXPECT_NEAR(sim.state().u[0], -9.81 / 5 * 0.5, 1e-9);
  EXPECT_NEAR(sim.state().u[1], 9.81 / 5 * 0.5, 1e-9);
  EXPECT_NEAR(sim.state().q[0] + sim.state().q[1], 0, 1e-9);
}

// A rope held to its length at the end of every step, whatever the step turns: a ball on it stays on its sphere.
TEST(tendon_rows, a_ball_on_an_inextensible_rope_stays_on_its_sphere) {
  Simulation sim = simulation(R"(<option timestep="0.005"/><worldbody><site name="hook" pos="0 0 2"/>
    <body pos="1 0 2"><freejoint/><geom size=".1" mass="3"/><site name="a"/></body></worldbody>
    <tendon><spatial name="rope"><site site="hook"/><site site="a"/></spatial></tendon>
    <equality><tendon tendon1="rope"/></equality>)");
  for (int i = 0; i < 300; ++i) {
    ASSERT_TRUE(sim.step().ok()) << sim.describe();
    const auto& q = sim.state().q;
    EXPECT_NEAR(std::hypot(q[0], q[1], q[2] - 2), 1, 1e-9);
  }
}

}  // namespace
}  // namespace stiction
