// Springs, dampers and servos in the step. They are taken implicitly, on a slide of mass m with deflection x:
//   (m + h d + h² k) u⁺ = m u + h (f − k x)
// so the velocity after one step is known, and no stiffness or damping makes the step unstable.
#include <gtest/gtest.h>

#include <cmath>

#include <stiction/load.hpp>
#include <stiction/simulation.hpp>

#include "support/xml_file.hpp"

namespace stiction {
namespace {

constexpr double kMass = 2, kStep = 0.01;

Simulation slide(const std::string& joint, const std::string& rest = "", const std::string& integrator = "auto") {
  const std::string path = test::mjcf(R"(<option gravity="0 0 0" timestep="0.01"/><worldbody><body><joint name="j"
    type="slide" )" + joint + R"(/><geom size=".1" mass="2"/></body></worldbody>)" +
                                      rest);
  Model model = load(path);
  model.options.integrator = integrator;
  return Simulation(std::make_shared<const Model>(std::move(model)));
}

TEST(forces, spring_and_damper_act_at_the_end_of_the_step) {
  Simulation sim = slide(R"(stiffness="300" springref=".2" damping="7")", "", "euler");
  sim.state().q[0] = 0.5;
  sim.state().u[0] = -1.5;
  ASSERT_TRUE(sim.step().ok()) << sim.describe();
  const double u = (kMass * -1.5 - kStep * 300 * 0.3) / (kMass + kStep * 7 + kStep * kStep * 300);
  EXPECT_NEAR(sim.state().u[0], u, 1e-14);
  EXPECT_NEAR(sim.state().q[0], 0.5 + kStep * u, 1e-14);
}

// E = ½ m u² + ½ k q² changes by the work of the damper at the end velocity, less ½ m Δu² + ½ k (h u⁺)², what the step
// takes; nothing is left over.
TEST(forces, ledger_of_a_damped_spring_closes) {
  Simulation sim = slide(R"(stiffness="300" damping="7")", "", "euler");
  sim.state().q[0] = 0.5;
  for (int i = 0; i < 50; ++i) {
    const double q_before = sim.state().q[0], u_before = sim.state().u[0];
    const double before = 0.5 * kMass * u_before * u_before + 0.5 * 300 * q_before * q_before;
    const Certificate& c = sim.step().certificate;
    const double u = sim.state().u[0], q = sim.state().q[0];
    EXPECT_NEAR(c.kinetic_energy, 0.5 * kMass * u * u, 1e-13);
    EXPECT_NEAR(c.elastic_energy, 0.5 * 300 * q * q, 1e-13);
    EXPECT_NEAR(c.actuator_work, -kStep * 7 * u * u, 1e-13);
    EXPECT_NEAR(c.step_loss,
                0.5 * kMass * (u - u_before) * (u - u_before) + 0.5 * 300 * (q - q_before) * (q - q_before), 1e-13);
    EXPECT_NEAR(c.kinetic_energy + c.elastic_energy - before, c.actuator_work - c.step_loss, 1e-13);
    EXPECT_NEAR(c.injected, 0, 1e-13);
  }
}

TEST(forces, damping_of_any_size_never_turns_a_joint_around) {
  for (const char* damping : {"1e2", "1e5", "1e8", "1e12"}) {
    Simulation sim = slide("damping=\"" + std::string(damping) + "\"");
    sim.state().u[0] = 3;
    for (int i = 0; i < 100; ++i) {
      const double before = sim.state().u[0];
      ASSERT_TRUE(sim.step().ok());
      EXPECT_GE(sim.state().u[0], 0);
      EXPECT_TRUE(sim.state().u[0] < before || before == 0) << sim.state().u[0];
    }
  }
}

// The error shrinks by 1 / (1 + h² kp/m) per step at least once the servo rules the motion; 1e8 is one step.
TEST(forces, servo_with_a_gain_of_1e8_holds_its_target) {
  Simulation sim = slide("", R"(<actuator><position name="a" joint="j" kp="1e8" kv="1e3"/></actuator>)");
  sim.control().input[0] = 0.7;
  sim.control().generalized_force[0] = 50;
  double worst = 0;
  for (int i = 0; i < 300; ++i) {
    ASSERT_TRUE(sim.step().ok());
    worst = std::max(worst, std::abs(sim.state().q[0]));
  }
  EXPECT_NEAR(sim.state().q[0], 0.7 + 50 / 1e8, 1e-9);
  EXPECT_LT(worst, 0.71);  // no overshoot
}

TEST(forces, saturated_servo_gives_its_largest_force) {
  Simulation sim = slide("", R"(<actuator><position joint="j" kp="1e6" forcerange="-3 3"/></actuator>)");
  sim.control().input[0] = 100;
  for (int i = 0; i < 10; ++i) ASSERT_TRUE(sim.step().ok());
  EXPECT_NEAR(sim.state().u[0], 10 * kStep * 3 / kMass, 1e-13);
}

TEST(forces, activation_of_a_filter_follows_its_control) {
  Simulation sim =
      slide("", R"(<actuator><general joint="j" dyntype="filterexact" dynprm=".2" gainprm="3"/></actuator>)");
  sim.control().input[0] = 2;
  for (int i = 0; i < 40; ++i) ASSERT_TRUE(sim.step().ok());
  EXPECT_NEAR(sim.state().activation[0], 2 * (1 - std::exp(-40 * kStep / 0.2)), 1e-13);
}

TEST(forces, weight_that_is_compensated_does_not_pull) {
  const std::string path = test::mjcf(R"(<worldbody><body gravcomp="1"><freejoint/><geom size=".1"/></body>
    <body gravcomp="1" pos="1 0 0"><joint axis="0 1 0"/><geom size=".1" pos=".3 0 0"/></body></worldbody>)");
  Simulation sim(std::make_shared<const Model>(load(path)));
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(sim.step().ok());
  for (const double u : sim.state().u) EXPECT_NEAR(u, 0, 1e-12);
}

TEST(forces, mocap_body_is_where_the_control_says_and_carries_others) {
  const std::string path =
      test::mjcf(R"(<worldbody><body name="table" mocap="true"><geom type="box" size="1 1 .1"/></body>
    <body name="box" pos="0 0 .2"><freejoint/><geom type="box" size=".1 .1 .1"/></body></worldbody>)");
  Simulation sim(std::make_shared<const Model>(load(path)));
  for (int i = 0; i < 200; ++i) {
    sim.control().mocap_pose[0].p.z += 0.0001;
    ASSERT_TRUE(sim.step().ok()) << sim.describe();
  }
  EXPECT_NEAR(sim.body_pose(sim.model().body("table")).p.z, 0.02, 1e-12);
  // Pushed out in each step by what the table moved: a step behind at most.
  EXPECT_NEAR(sim.body_pose(sim.model().body("box")).p.z, 0.22, 2e-4);
}

}  // namespace
}  // namespace stiction
