// The contact models other than Coulomb's, against what their laws say in closed form: bilateral contacts stick,
// springs sink by m g / k and swing as the step's own recursion says, regularised friction slides and creeps. And: the
// certificate says how far they are from Coulomb's law, while the step is judged by the laws that were asked for.
#include <gtest/gtest.h>

#include <cmath>

#include <stiction/constrained_dynamics.hpp>
#include <stiction/dynamics.hpp>
#include <stiction/error.hpp>

#include "support/allocation_count.hpp"
#include "support/record_and_check.hpp"
#include "support/worlds.hpp"

namespace stiction {
namespace {

constexpr double kGravity = 9.81, kStep = 0.002;

Simulation run_as(const Model& model, const std::string& contact_model, double stiffness = 1e5, double damping = 100,
                  double timestep = kStep) {
  Options options = model.options;
  options.timestep = timestep;
  options.contact_model = contact_model;
  options.spring_stiffness = stiffness;
  options.spring_damping = damping;
  return Simulation(std::make_shared<const Model>(model), options);
}

// A ball of 1 kg (radius 0.1) that slides along x and z but does not turn, with its lowest point at `height`, on a
// floor in gravity tilted by `slope` (downhill is +x).
Model slider(double height, double friction, double slope = 0) {
  Builder builder("slider");
  builder.options.gravity = Vec3{std::sin(slope), 0, -std::cos(slope)} * kGravity;
  builder.add_shape_plane(0, {}, test::surface(friction));
  const int ball = builder.add_body("ball", {{0, 0, 0.1 + height}, {}});
  builder.add_joint(ball, JointType::kSlide, {1, 0, 0});
  builder.add_joint(ball, JointType::kSlide, {0, 0, 1});
  builder.set_inertia(ball, 1, {}, {0.004, 0.004, 0.004});
  builder.add_shape_sphere(ball, 0.1, {}, test::surface(friction));
  return builder.build();
}

Vec3 total_force(const Contacts& contacts) {
  Vec3 sum;
  for (const Vec3& force : contacts.force) sum += force;
  return sum;
}

// 35° is beyond the friction angle of μ = 0.3 (16.7°): Coulomb's box slides, the bilateral one carries the weight. The
// rows are met at velocity level, to 1e-10 of g h in every step, so the box creeps by less than 1e-12 m in a second.
TEST(ContactModels, bilateral_holds_a_box_beyond_the_friction_angle) {
  const Model model = test::box_on_slope(35 * M_PI / 180, 0.3);
  Simulation sim = run_as(model, "bilateral");
  const std::vector<double> start = sim.state().q;
  for (int i = 0; i < 500; ++i) {
    const StepReport& report = sim.step();
    ASSERT_TRUE(report.ok()) << sim.describe();
    EXPECT_LE(report.certificate.residual(), 1e-10);
    EXPECT_NEAR(report.certificate.injected, 0, 1e-12);
  }
  for (std::size_t i = 0; i < start.size(); ++i) EXPECT_NEAR(sim.state().q[i], start[i], 1e-12);
  EXPECT_EQ(sim.report().contacts, 4);
  EXPECT_EQ(sim.report().constraints, 0);
  EXPECT_NEAR(total_force(sim.contacts()).z, model.body_mass[1] * kGravity, 1e-8);
  // Coulomb's law: the cone is exceeded by h W m g (sin 35° − 0.3 cos 35°) or more, in units of g h.
  EXPECT_GT(sim.report().certificate.coulomb_cone, 0.05);
  EXPECT_EQ(sim.report().certificate.cone, 0);

  Simulation coulomb = run_as(model, "coulomb");
  for (int i = 0; i < 500; ++i) coulomb.step();
  EXPECT_GT(coulomb.state().q[0] - start[0], 0.5) << "it slides";
  EXPECT_EQ(coulomb.report().certificate.coulomb_cone, 0);
}

TEST(ContactModels, bilateral_contacts_pull) {
  Simulation sim = run_as(test::ball_over_floor(0, 0.5, 0), "bilateral");
  const double weight = sim.model().body_mass[1] * kGravity;
  sim.control().wrench[1].linear = {0, 0, 3 * weight};
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(sim.step().ok()) << sim.describe();
  EXPECT_NEAR(sim.state().q[2], 0.1, 1e-12);
  EXPECT_NEAR(total_force(sim.contacts()).z, -2 * weight, 1e-8 * weight);
  EXPECT_GT(sim.report().certificate.coulomb_complementarity, 1) << "Signorini's law does not pull";
}

// A ball that falls is free until it touches, then it stays, pushed out of what it entered in its last free step.
TEST(ContactModels, bilateral_ball_sticks_where_it_lands) {
  Simulation sim = run_as(test::ball_over_floor(0.05, 0.5, 0), "bilateral");
  sim.step();
  EXPECT_EQ(sim.report().contacts, 0);
  EXPECT_NEAR(sim.state().u[2], -kGravity * kStep, 1e-15);
  for (int i = 0; i < 400; ++i) ASSERT_TRUE(sim.step().ok()) << sim.describe();
  EXPECT_EQ(sim.report().contacts, 1);
  EXPECT_NEAR(sim.state().u[2], 0, 1e-12);
  EXPECT_NEAR(sim.state().q[2], 0.1, 1e-3) << "within the contact margin";
}

// From rest, u⁺ / h is the acceleration of least constraint with the contact point held, whatever h.
TEST(ContactModels, bilateral_step_is_constrained_dynamics) {
  Builder builder("leg");
  builder.add_shape_plane(0, {}, test::surface(0.5));
  const int thigh = builder.add_body("thigh", {{0, 0, 0.7}, {}});
  builder.add_joint_free(thigh);
  builder.set_inertia(thigh, 2, {0, 0, -0.15}, {0.02, 0.02, 0.004});
  const int shank = builder.add_body("shank", {{0, 0, -0.3}, {}}, thigh);
  builder.add_joint(shank, JointType::kHinge, {0, 1, 0});
  builder.add_shape_sphere(shank, 0.1, {{0, 0, -0.3}, {}}, test::surface(0.5));
  const Model model = builder.build();
  const double h = 1e-3;
  Simulation sim = run_as(model, "bilateral", 0, 0, h);
  const Vec3 push{5, 3, 20};
  sim.control().wrench[std::size_t(thigh)].linear = push;
  const auto shared = std::make_shared<const Model>(model);
  ConstrainedDynamics held(shared, {{BilateralType::kPoint, shank, 0, {{0, 0, -0.4}, {}}, {}, 0, 0}});
  std::vector<double> rest(7), udot(7), lambda(3), tau(7), J(21);
  Dynamics(shared).point_jacobian(sim.state().q, thigh, {0, 0, -0.15}, J);
  for (std::size_t d = 0; d < 7; ++d)
    for (std::size_t k = 0; k < 3; ++k) tau[d] += J[7 * k + d] * push[int(k)];
  held.accelerations(sim.state().q, rest, tau, udot, lambda);
  ASSERT_TRUE(sim.step().ok()) << sim.describe();
  double largest = 0;
  for (std::size_t d = 0; d < 7; ++d) {
    EXPECT_NEAR(sim.state().u[d] / h, udot[d], 1e-9 * kGravity);
    largest = std::max(largest, std::abs(udot[d]));
  }
  EXPECT_GT(largest, 1);
  const Vec3 force = total_force(sim.contacts());
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(force[k], lambda[std::size_t(k)], 1e-9 * model.body_mass[1] * kGravity);
}

TEST(ContactModels, springs_sink_by_weight_over_stiffness) {
  for (const char* kind : {"spring-explicit", "spring-implicit"}) {
    Simulation sim = run_as(slider(0, 0.5), kind, 1e4, 100);
    for (int i = 0; i < 2000; ++i) {
      const StepReport& report = sim.step();
      ASSERT_TRUE(report.ok()) << sim.describe();
      EXPECT_NEAR(report.certificate.injected, 0, 1e-12);
    }
    EXPECT_NEAR(sim.report().certificate.penetration, kGravity / 1e4, 1e-12) << kind;
    EXPECT_NEAR(total_force(sim.contacts()).z, kGravity, 1e-9) << kind;
  }
}

// Undamped about its equilibrium x = 0. Explicit: x⁺ − 2 x + x⁻ = −(h ω)² x, so x_n = x₀ (cos n θ − tan(θ/2) sin n θ)
// with cos θ = 1 − (h ω)²/2, without decay. Implicit: u⁺ = (u − h ω² x) / (1 + (h ω)²), x⁺ = x + h u⁺.
TEST(ContactModels, springs_swing_as_their_recursions) {
  const double k = 1e4, omega = std::sqrt(k), sink = kGravity / k, amplitude = 0.4 * sink;
  Simulation swing = run_as(slider(amplitude - sink, 0), "spring-explicit", k, 0);
  Simulation settle = run_as(slider(amplitude - sink, 0), "spring-implicit", k, 0);
  const double theta = std::acos(1 - kStep * kStep * k / 2);
  double x = amplitude, u = 0;
  for (int n = 1; n <= 300; ++n) {
    swing.step();
    const double expected = amplitude * (std::cos(n * theta) - std::tan(theta / 2) * std::sin(n * theta));
    ASSERT_NEAR(swing.state().q[1] + amplitude, expected, 1e-12) << n;
    settle.step();
    u = (u - kStep * omega * omega * x) / (1 + kStep * kStep * k);
    x += kStep * u;
    ASSERT_NEAR(settle.state().q[1] + amplitude, x, 1e-12) << n;
  }
  EXPECT_LT(std::abs(x), 2 * amplitude * std::pow(1 + kStep * kStep * k, -150)) << "the implicit step damps";
}

// (h ω)² = 4,000: the explicit spring throws the ball off, the implicit one comes to rest.
TEST(ContactModels, implicit_spring_is_stable_at_any_stiffness) {
  const double k = 1e9;
  Simulation implicit = run_as(slider(1e-4, 0.5), "spring-implicit", k, 0);
  Simulation explicit_one = run_as(slider(1e-4, 0.5), "spring-explicit", k, 0);
  double highest = 0;
  for (int i = 0; i < 500; ++i) {
    ASSERT_TRUE(implicit.step().ok());
    explicit_one.step();
    highest = std::max(highest, explicit_one.state().q[1]);
    EXPECT_LE(implicit.state().q[1], 1e-15);
  }
  EXPECT_GT(highest, 1);
  EXPECT_NEAR(implicit.state().u[1], 0, 1e-9);
  EXPECT_NEAR(implicit.report().certificate.penetration, kGravity / k, 1e-13);
}

// Sliding at more than slip_speed. Explicit: u⁺ = u − μ g h. Implicit: λ_t = −(μ λ_n / u) u⁺, so u⁺ = u² / (u + μ g h).
TEST(ContactModels, spring_friction_brakes_by_mu_g) {
  const double k = 1e5, mu = 0.4;
  Simulation explicit_one = run_as(slider(-kGravity / k, mu), "spring-explicit", k, 100);
  Simulation implicit = run_as(slider(-kGravity / k, mu), "spring-implicit", k, 100);
  double u = 1;
  explicit_one.state().u[0] = implicit.state().u[0] = 1;
  for (int n = 1; n <= 100; ++n) {
    ASSERT_TRUE(explicit_one.step().ok());
    ASSERT_NEAR(explicit_one.state().u[0], 1 - n * mu * kGravity * kStep, 1e-11);
    ASSERT_TRUE(implicit.step().ok());
    u = u * u / (u + mu * kGravity * kStep);
    ASSERT_NEAR(implicit.state().u[0], u, 1e-11);
  }
}

// Below the friction angle regularised friction does not hold but creeps: m g sin α = μ m g cos α · v / slip_speed.
TEST(ContactModels, spring_friction_creeps_on_a_slope) {
  const double mu = 0.5, slope = 0.2;
  for (const char* kind : {"spring-explicit", "spring-implicit"}) {
    Simulation sim = run_as(slider(0, mu, slope), kind, 1e4, 100, 1e-4);
    for (int i = 0; i < 20000; ++i) ASSERT_TRUE(sim.step().ok()) << sim.describe();
    EXPECT_NEAR(sim.state().u[0], 1e-3 * std::tan(slope) / mu, 1e-9) << kind;
    EXPECT_GT(sim.report().certificate.coulomb_dissipation, 1e-3) << "Coulomb's contact would stick";
  }
}

TEST(ContactModels, recordings_hold_and_replay) {
  for (const char* kind : {"relaxed", "pyramid-lcp", "bilateral", "spring-explicit", "spring-implicit"}) {
    Simulation sim = run_as(test::box_on_slope(0.4, 0.3), kind);
    sim.state().u[0] = 0.2;
    test::record_and_check(sim, 60, std::string("stiction_") + kind + ".h5",
                           [&](const Recording& recording) { EXPECT_EQ(recording.options().contact_model, kind); });
  }
}

TEST(ContactModels, steps_do_not_touch_the_heap_after_warm_up) {
  if (!test::kCountsAllocations) GTEST_SKIP() << "a sanitizer holds the allocator";
  for (const char* kind : {"relaxed", "pyramid-lcp", "bilateral", "spring-explicit", "spring-implicit"}) {
    Simulation sim = run_as(test::cube_stack(4, 1), kind);
    for (int i = 0; i < 50; ++i) sim.step();
    const long before = test::allocation_count();
    for (int i = 0; i < 100; ++i) sim.step();
    EXPECT_EQ(test::allocation_count(), before) << kind;
  }
}

TEST(ContactModels, unknown_names_and_bad_springs_are_refused) {
  Options options;
  try {
    set_option(options, "contact_model", "bilatral");
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("did you mean 'bilateral'"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("spring-implicit"), std::string::npos) << error.what();
  }
  EXPECT_THROW(set_option(options, "spring_stiffness", "-1"), Error);
  EXPECT_THROW(set_option(options, "spring_damping", "nan"), Error);
  EXPECT_THROW(set_option(options, "slip_speed", "0"), Error);
}

}  // namespace
}  // namespace stiction
