// Servos with a force range: implicit, cut inside the solve.
#include <gtest/gtest.h>

#include <cmath>

#include "support/worlds.hpp"

namespace stiction {
namespace {

using test::simulate, test::simulate_euler;

// A slide of mass m without weight and a position servo on it.
Model servo(double kp, double kv, double most, double gear = 1) {
  Builder builder("servo");
  ShapeSettings ghost;
  ghost.contype = ghost.conaffinity = 0;
  const int block = builder.add_body("block");
  builder.add_joint(block, JointType::kSlide, {1, 0, 0});
  builder.add_shape_box(block, {0.05, 0.05, 0.05}, {}, ghost);
  Model model = builder.build();
  model.options.gravity = {};
  model.nactuator = 1;
  model.resize();
  model.actuator_name[0] = "drive";
  model.actuator_target[0] = ActuatorTarget::kJoint;
  model.actuator_gear[0].linear = {gear, 0, 0};
  model.actuator_gain[0] = ActuatorGain::kFixed;
  model.actuator_bias[0] = ActuatorBias::kAffine;
  model.actuator_gain_parameters[0] = {kp};
  model.actuator_bias_parameters[0] = {0, -kp, -kv};
  model.actuator_activation[0] = -1;
  model.actuator_force_limited[0] = 1;
  model.actuator_force_lower[0] = -most, model.actuator_force_upper[0] = most;
  return model;
}

// m (v⁺ − v) = h f, f = k_p (r − q⁺) − k_v v⁺, q⁺ = q + h v⁺: the implicit step in closed form, for any gain.
TEST(Motor, an_unsaturated_servo_takes_the_implicit_step) {
  for (const double kp : {1.0, 1e3, 1e8}) {
    const double h = 0.01, kv = 0.1 * kp * h, target = 0.3;
    const Model model = servo(kp, kv, 1e12);
    const double m = model.body_mass[1];
    Simulation sim = simulate_euler(model, h);
    sim.control().input[0] = target;
    double q = 0, v = 0;
    for (int i = 0; i < 200; ++i) {
      ASSERT_TRUE(sim.step().ok()) << sim.describe();
      v = (m * v + h * kp * (target - q)) / (m + h * h * kp + h * kv);
      q += h * v;
      EXPECT_NEAR(sim.state().u[0], v, 1e-8 * (1 + std::abs(v)));
      EXPECT_NEAR(sim.state().q[0], q, 1e-8);
      EXPECT_NEAR(sim.report().certificate.injected, 0, 1e-9 * (1 + m * v * v));
    }
    if (kp > 10) {
      EXPECT_NEAR(q, target, 1e-3);
    }
  }
}

// A gain of 1e8 with 20 N: full force until the target can be met, then at rest on it within the step's reach.
TEST(Motor, a_stiff_servo_saturates_inside_the_solve_and_does_not_chatter) {
  const double h = 0.01, most = 20;
  const Model model = servo(1e8, 0, most, 2);
  const double m = model.body_mass[1];
  Simulation sim = simulate(model, h);
  sim.control().input[0] = 2;  // length 2 with a gear of 2: q = 1
  ASSERT_TRUE(sim.step().ok()) << sim.describe();
  EXPECT_NEAR(sim.state().u[0], h * 2 * most / m, 1e-9) << "full force from rest, times the gear";
  EXPECT_NEAR(sim.constraints().force[0], most, 1e-9);
  double farthest = 0;
  for (int i = 0; i < 3000; ++i) {
    ASSERT_TRUE(sim.step().ok()) << sim.describe();
    EXPECT_LE(std::abs(sim.constraints().force[0]), most * (1 + 1e-8));
    farthest = std::max(farthest, sim.state().q[0]);
  }
  EXPECT_LT(farthest, 2.1) << "a servo without damping swings as far beyond as it started before";
  EXPECT_TRUE(std::isfinite(sim.state().q[0]));
}

// With damping it comes to rest on the target, whatever the range.
TEST(Motor, a_damped_saturated_servo_arrives) {
  const Model model = servo(1e8, 1e8, 5);
  Simulation sim = simulate(model, 0.01);
  sim.control().input[0] = 0.5;
  for (int i = 0; i < 2000; ++i) ASSERT_TRUE(sim.step().ok()) << sim.describe();
  EXPECT_NEAR(sim.state().q[0], 0.5, 1e-6);
  EXPECT_NEAR(sim.state().u[0], 0, 1e-6);
}

}  // namespace
}  // namespace stiction
