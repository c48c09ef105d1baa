// Torsional and rolling friction and sliding friction that depends on the direction, against closed forms:
//   √(Σ (λ_i/μ_i)²) ≤ λ_n, of all such forces the one that dissipates most.
#include <gtest/gtest.h>

#include <cmath>

#include <stiction/load.hpp>

#include "support/worlds.hpp"
#include "support/xml_file.hpp"

namespace stiction::test {
namespace {

constexpr double kGravity = 9.81, kRadius = 0.1, kStep = 0.002;
constexpr double kMass = 1000 * 4.0 / 3 * 3.14159265358979323846 * kRadius * kRadius * kRadius;
constexpr double kInertia = 0.4 * kMass * kRadius * kRadius;

// A ball on a floor with the friction (sliding, torsion, rolling).
Simulation ball(int condim, const Vec3& friction, const Vec3& gravity = {0, 0, -kGravity}) {
  Builder builder("ball");
  ShapeSettings settings;
  settings.friction = friction;
  settings.condim = condim;
  builder.add_shape_plane(0, {}, settings);
  const int body = builder.add_body("ball", {{0, 0, kRadius}, {}});
  builder.add_joint_free(body);
  builder.add_shape_sphere(body, kRadius, {}, settings);
  Model model = builder.build();
  model.options.gravity = gravity;
  return simulate(model, kStep);
}

// Free velocities: of the centre in the world, of rotation in the body, which for a ball that is not turned about
// another axis than that of its spin is the same.
void step_certified(Simulation& sim) {
  const StepReport& report = sim.step();
  EXPECT_LE(report.certificate.residual(), 1e-8);
  EXPECT_LE(report.certificate.friction_work, 1e-12);
  EXPECT_NEAR(report.certificate.injected, 0, 1e-9);
}

// I α = −μ_t m g, from ω to rest, and rest from then on. The torque is the whole of it but in the last step, which
// takes what is left.
TEST(FrictionDirections, a_spinning_ball_stops_by_torsion_after_I_omega_over_mu_m_g) {
  constexpr double kTorsion = 0.003, kSpin = 2.0345;
  for (const int condim : {4, 6})
    for (const double sliding : {0.7, 0.0}) {
      Simulation sim = ball(condim, {sliding, kTorsion, 0.0});
      sim.state().u[5] = kSpin;
      const double change = kStep * kTorsion * kMass * kGravity / kInertia;
      const int steps = int(kSpin / change);
      ASSERT_GT(steps, 100);
      for (int k = 1; k <= steps; ++k) {
        step_certified(sim);
        ASSERT_NEAR(sim.state().u[5], kSpin - k * change, 1e-7) << "step " << k;
        ASSERT_NEAR(sim.contacts().torque[0].z, -kTorsion * kMass * kGravity, 1e-6);
      }
      step_certified(sim);
      EXPECT_NEAR(sim.state().u[5], 0, 1e-9);
      EXPECT_NEAR(sim.contacts().torque[0].z, -(kSpin - steps * change) * kInertia / kStep, 1e-6);
      for (int d = 0; d < 5; ++d) EXPECT_NEAR(sim.state().u[std::size_t(d)], 0, 1e-9);
    }
}

// Without torsion (condim 3) nothing stops the spin.
TEST(FrictionDirections, condim_3_has_no_torsion) {
  Simulation sim = ball(3, {0.7, 0.003, 0.01});
  sim.state().u[5] = 1;
  for (int k = 0; k < 100; ++k) step_certified(sim);
  EXPECT_NEAR(sim.state().u[5], 1, 1e-12);
}

// A ball that rolls with ω, its point of contact slipping by s = κ ω. With ε = F / (μ N):
//   m (r + κ) α = F = ε μ N,  I α = μ_r N √(1 − ε²) − r F,  κ = (μ_r/μ) ε / √(1 − ε²)     (α: deceleration)
// Slip and spin keep their ratio, so the deceleration is constant: the law has this exact solution, and so has the
// step.
TEST(FrictionDirections, a_rolling_ball_slows_down_by_rolling_friction_with_the_creep_of_the_elliptic_cone) {
  constexpr double kSliding = 0.6, kRolling = 0.004, kSpin = 3;
  const double N = kMass * kGravity;
  // Equations in ε: α from the second, the first must hold. Bisection.
  const auto kappa = [&](double e) { return kRolling / kSliding * e / std::sqrt(1 - e * e); };
  const auto alpha = [&](double e) {
    return (kRolling * N * std::sqrt(1 - e * e) - kRadius * e * kSliding * N) / kInertia;
  };
  double low = 0, high = 0.5;
  for (int k = 0; k < 100; ++k) {
    const double e = 0.5 * (low + high);
    (kMass * (kRadius + kappa(e)) * alpha(e) > e * kSliding * N ? low : high) = e;
  }
  const double e = low, deceleration = alpha(e);
  // Near the textbook's μ_r m g / (I + m r²), from which it differs by the creep.
  ASSERT_NEAR(deceleration, kRolling * N / (kInertia + kMass * kRadius * kRadius), 0.01 * deceleration);

  Simulation sim = ball(6, {kSliding, 0.005, kRolling});
  // Rolling along x: ω about y; the point slips ahead by κ ω, so that friction slows the centre.
  const auto speed = [&](double omega) { return (kRadius + kappa(e)) * omega; };
  sim.state().u[4] = kSpin;
  sim.state().u[0] = speed(kSpin);
  for (int k = 1; k <= 200; ++k) {
    step_certified(sim);
    const double omega = kSpin - k * kStep * deceleration;
    ASSERT_NEAR(sim.state().u[4], omega, 1e-6) << "step " << k;
    ASSERT_NEAR(sim.state().u[0], speed(omega), 1e-7) << "step " << k;
  }
}

// A ball on a slope needs F = m g sin θ at its point and the torque r F: it rests where tan θ √(1/μ² + r²/μ_r²) < 1,
// and rolls where it is more.
TEST(FrictionDirections, a_ball_rests_on_a_slope_flatter_than_its_rolling_friction) {
  for (const bool rests : {true, false}) {
    const double steepest = 1 / std::hypot(1 / 0.8, kRadius / 0.01),
                 angle = std::atan((rests ? 0.99 : 1.01) * steepest);
    Simulation sim = ball(6, {0.8, 0.005, 0.01}, {kGravity * std::sin(angle), 0, -kGravity * std::cos(angle)});
    for (int k = 0; k < 200; ++k) step_certified(sim);
    if (rests)
      EXPECT_NEAR(sim.state().u[0], 0, 1e-9);
    else
      EXPECT_GT(sim.state().u[0], 1e-3);
  }
}

// A box on a floor whose friction depends on the direction: 0.3 along y, 0.8 along x (MuJoCo's first tangent of a
// normal along z is y).
Simulation directed_box(const Vec3& gravity) {
  const std::string file = mjcf(R"(
    <worldbody><geom name="floor" type="plane" size="9 9 1"/>
      <body name="box" pos="0 0 0.1"><freejoint/><geom name="box" type="box" size="0.3 0.3 0.1" mass="2"/></body>
    </worldbody>
    <contact><pair geom1="floor" geom2="box" condim="3" friction="0.3 0.8 0.005 0.0001 0.0001"/></contact>)");
  Model model = load(file);
  model.options.gravity = gravity;
  return simulate(model, kStep);
}

TEST(FrictionDirections, a_box_sticks_across_and_slides_along_the_smooth_direction) {
  const double angle = std::atan(0.5);
  for (const bool along_y : {false, true}) {
    const double pull = kGravity * std::sin(angle);
    Simulation sim = directed_box({along_y ? 0 : pull, along_y ? pull : 0, -kGravity * std::cos(angle)});
    for (int k = 0; k < 100; ++k) step_certified(sim);
    const double expected = along_y ? 100 * kStep * (pull - 0.3 * kGravity * std::cos(angle)) : 0;
    EXPECT_NEAR(sim.state().u[along_y ? 1 : 0], expected, 1e-8);
    EXPECT_NEAR(sim.state().u[along_y ? 0 : 1], 0, 1e-8);
  }
}

// Sliding askew, maximum dissipation: h⁻¹ (v − v⁺)_i = g μ_i² v⁺_i / √(Σ μ_j² v⁺_j²).
TEST(FrictionDirections, a_box_sliding_askew_is_turned_towards_the_smooth_direction) {
  Simulation sim = directed_box({0, 0, -kGravity});
  sim.state().u[0] = sim.state().u[1] = 1;
  for (int k = 0; k < 60; ++k) {
    const double before[2] = {sim.state().u[0], sim.state().u[1]};
    step_certified(sim);
    const double x = sim.state().u[0], y = sim.state().u[1];
    const double length = std::hypot(0.8 * x, 0.3 * y);
    ASSERT_NEAR((before[0] - x) / kStep, kGravity * 0.64 * x / length, 1e-5) << "step " << k;
    ASSERT_NEAR((before[1] - y) / kStep, kGravity * 0.09 * y / length, 1e-5) << "step " << k;
  }
  EXPECT_GT(sim.state().u[1], 2 * sim.state().u[0]);
}

// A force that is wrong in one row of torsion or rolling alone does not pass.
TEST(FrictionDirections, the_certificate_sees_a_wrong_torque) {
  Simulation sim = ball(6, {0.7, 0.005, 0.001});
  sim.state().u[3] = 0.4, sim.state().u[4] = 1, sim.state().u[5] = 2;
  sim.step();
  const ContactProblem& problem = sim.problem();
  ASSERT_EQ(problem.nrow, 6);
  ASSERT_LE(certify(problem, sim.solution()).residual(), 1e-8);
  for (std::size_t row = 1; row < 6; ++row) {
    Solution wrong = sim.solution();
    wrong.lambda[row] *= 1.01;
    // Momentum sees it; with u⁺ made to fit the forces, the laws do.
    EXPECT_GT(certify(problem, wrong).momentum, 1e-7) << "row " << row;
    std::fill(wrong.u.begin(), wrong.u.end(), 0.0);
    const double* J = problem.jacobian.data() + problem.block_jacobian_b[0];
    for (std::size_t d = 0; d < 6; ++d)
      for (std::size_t k = 0; k < 6; ++k) wrong.u[d] += kStep * J[6 * k + d] * wrong.lambda[k];
    for (std::size_t d = 0; d < 6; ++d) wrong.u[d] /= problem.inertia[7 * d];
    for (std::size_t d = 0; d < 6; ++d) wrong.u[d] += problem.free_velocity[d];
    const Certificate found = certify(problem, wrong);
    EXPECT_LT(found.momentum, 1e-12);
    EXPECT_GT(std::max(found.cone, found.dissipation), 1e-7) << "row " << row;
  }
}

}  // namespace
}  // namespace stiction::test
