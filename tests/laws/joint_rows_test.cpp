// Limits and dry friction of joints: exact, certified, accounted for, recorded.
#include <gtest/gtest.h>

#include <cmath>

#include "support/record_and_check.hpp"
#include "support/worlds.hpp"

namespace stiction {
namespace {

using test::simulate;

constexpr double kGravity = 9.81, kStep = 0.002;

// A rod that swings about y at its upper end; at q = 0 it hangs straight down.
Model pendulum(JointType type = JointType::kHinge) {
  Builder builder("pendulum");
  ShapeSettings ghost;
  ghost.contype = ghost.conaffinity = 0;
  const int rod = builder.add_body("rod", {{}, {}}, 0);
  builder.add_joint(rod, type, type == JointType::kSlide ? Vec3{1, 0, 0} : Vec3{0, 1, 0}, {}, "pivot");
  builder.add_shape_capsule(rod, 0.02, 0.2, {{0, 0, -0.2}, {}}, ghost);
  return builder.build();
}

Model limited(JointType type, double lower, double upper) {
  Model model = pendulum(type);
  model.joint_limited[0] = 1;
  model.joint_lower[0] = lower, model.joint_upper[0] = upper;
  return model;
}

// Falls from 1.2 rad against its lower limit of 0.3 rad, stops there at once and rests: λ = m g l sin θ. The limit is
// met at position level: gap + h v ≥ 0 to the tolerance, 1e-8 of the impact speed.
TEST(JointRows, a_limit_is_never_passed_and_carries_the_weight) {
  const Model model = limited(JointType::kHinge, 0.3, 2);
  Simulation sim = simulate(model, kStep);
  sim.state().q[0] = 1.2;
  double lowest = 10;
  for (int i = 0; i < 1000; ++i) {
    const StepReport& report = sim.step();
    ASSERT_TRUE(report.ok()) << sim.describe();
    EXPECT_LE(report.certificate.residual(), 1e-8);
    EXPECT_NEAR(report.certificate.injected, 0, 1e-10);
    lowest = std::min(lowest, sim.state().q[0]);
  }
  EXPECT_GT(lowest, 0.3 - 1e-9);
  EXPECT_LT(lowest, 0.3 + 1e-9) << "the limit was reached";
  EXPECT_NEAR(sim.state().u[0], 0, 1e-9);
  ASSERT_EQ(sim.constraints().nconstraint, 1);
  EXPECT_EQ(sim.constraints().kind[0], ConstraintKind::kJointLimit);
  EXPECT_EQ(sim.constraints().part[0], 0);
  const double moment = model.body_mass[1] * kGravity * -model.body_com[1].z * std::sin(0.3);
  EXPECT_NEAR(sim.constraints().force[0], moment, 1e-6 * moment);
  EXPECT_EQ(sim.report().contacts, 0);
  EXPECT_EQ(sim.report().constraints, 1);
}

// The cone of a ball joint holds for a swing in any direction. (A twist of the thin rod would spin it up fast.)
TEST(JointRows, a_ball_joint_stops_at_its_largest_angle) {
  const Model model = limited(JointType::kBall, 0, 0.5);
  for (const Vec3& push : {Vec3{3, 0, 0}, Vec3{0, 4, 0}, Vec3{2, -3, 0}}) {
    Simulation sim = simulate(model, kStep);
    for (int k = 0; k < 3; ++k) sim.state().u[std::size_t(k)] = push[k];
    double largest = 0;
    for (int i = 0; i < 500; ++i) {
      ASSERT_TRUE(sim.step().ok()) << sim.describe();
      const double* q = sim.state().q.data();
      largest = std::max(largest, norm(rotation_vector(Quat{q[0], q[1], q[2], q[3]})));
    }
    // The angle is linearised over a step: it errs by the turn across its axis, (h ω)² / θ = 6e-5 at most, and what was
    // passed is pushed out.
    EXPECT_GT(largest, 0.4);
    EXPECT_LT(largest, 0.5 + 6e-5);
  }
}

// A violated limit is left at push_out_speed, not at violation / h.
TEST(JointRows, an_old_violation_is_pushed_out_at_a_bounded_speed) {
  const Model model = limited(JointType::kHinge, 0.5, 2);
  Simulation sim = simulate(model, kStep);
  sim.state().q[0] = 0;
  for (int i = 0; i < 100; ++i) {
    ASSERT_TRUE(sim.step().ok()) << sim.describe();
    EXPECT_LE(sim.state().u[0], sim.options().push_out_speed + 1e-9);
    EXPECT_GT(sim.report().certificate.push_out_work, 0);
  }
  EXPECT_NEAR(sim.state().q[0], 100 * kStep * sim.options().push_out_speed, 1e-9);
}

// Friction of 1.1 m g l sin θ holds the rod where it is, to the bit of the certificate; 0.9 of it does not.
TEST(JointRows, dry_friction_holds_a_pendulum_below_its_limit) {
  for (const double share : {1.1, 0.9}) {
    Model model = pendulum();
    const double moment = model.body_mass[1] * kGravity * -model.body_com[1].z * std::sin(0.8);
    model.dof_friction[0] = share * moment;
    Simulation sim = simulate(model, kStep);
    sim.state().q[0] = 0.8;
    for (int i = 0; i < 500; ++i) {
      ASSERT_TRUE(sim.step().ok()) << sim.describe();
      EXPECT_LE(sim.report().certificate.friction_work, 1e-15);
      EXPECT_NEAR(sim.report().certificate.injected, 0, 1e-10);
    }
    if (share > 1) {
      EXPECT_NEAR(sim.state().q[0], 0.8, 1e-9);
      EXPECT_NEAR(std::abs(sim.constraints().force[0]), moment, 1e-6 * moment);
    } else {
      EXPECT_LT(sim.state().q[0], 0.79);
    }
  }
}

// A slide of mass m with friction f stops after m v² / (2 f), and at most f h² / (8 m) more, as a sliding box.
TEST(JointRows, a_slide_with_friction_stops_where_work_equals_energy) {
  Model model = pendulum(JointType::kSlide);
  const double f = 3, v = 2;
  model.dof_friction[0] = f;
  Simulation sim = simulate(model, kStep);
  sim.state().u[0] = v;
  for (int i = 0; i < 2000; ++i) ASSERT_TRUE(sim.step().ok()) << sim.describe();
  EXPECT_EQ(std::abs(sim.state().u[0]) < 1e-9, true);
  const double exact = model.body_mass[1] * v * v / (2 * f);
  EXPECT_GE(sim.state().q[0], exact - 1e-9);
  EXPECT_LE(sim.state().q[0], exact + f / model.body_mass[1] * kStep * kStep / 8 + 1e-9);
}

TEST(JointRows, recordings_of_limits_and_friction_check_and_replay) {
  Model model = limited(JointType::kHinge, 0.3, 2);
  model.dof_friction[0] = 0.05;
  Simulation sim = simulate(model, kStep);
  sim.state().q[0] = 0.6;
  test::record_and_check(sim, 200, "stiction_joint_rows.h5",
                         [](const Recording& recording) { EXPECT_EQ(recording.constraints(200).nconstraint, 2); });
}

}  // namespace
}  // namespace stiction
