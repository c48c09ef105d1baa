// Belts and turntables: friction works on the velocity relative to the moving surface.
#include <gtest/gtest.h>

#include <cmath>

#include "support/worlds.hpp"

namespace stiction::test {
namespace {

constexpr double kGravity = 9.81, kStep = 0.002, kFriction = 0.3;

// A box flush on a floor whose surface moves.
Simulation box_on(const ShapeSettings& floor, const std::string& contact_model = "coulomb") {
  Builder builder("belt");
  builder.add_shape_plane(0, {}, floor);
  const int body = builder.add_body("box", {{0, 0, 0.05}, {}});
  builder.add_joint_free(body);
  builder.add_shape_box(body, {0.1, 0.1, 0.05}, {}, surface(kFriction));
  Model model = builder.build();
  model.options.contact_model = contact_model;
  if (contact_model == "pyramid-lcp" || contact_model == "nonconvex-lcp") model.options.solver = "lemke";
  return simulate(model, kStep);
}

ShapeSettings belt(const Vec3& velocity, const Vec3& spin = {}) {
  ShapeSettings settings = surface(kFriction);
  settings.surface_velocity = velocity;
  settings.surface_spin = spin;
  return settings;
}

// u grows by μ g h a step until it is that of the belt, and stays.
TEST(SurfaceVelocity, a_box_is_dragged_with_mu_g_up_to_the_speed_of_the_belt) {
  const Vec3 velocity{0.3, 0.4, 0};
  Simulation sim = box_on(belt(velocity));
  for (int k = 1; k <= 200; ++k) {
    const StepReport& report = sim.step();
    ASSERT_LE(report.certificate.residual(), 1e-8);
    const double speed = std::min(k * kFriction * kGravity * kStep, 0.5);
    EXPECT_NEAR(sim.state().u[0], 0.6 * speed, 1e-8);
    EXPECT_NEAR(sim.state().u[1], 0.8 * speed, 1e-8);
    // The drive pays for the motion of the box and for what friction takes.
    const double mass = 1000 * 0.2 * 0.2 * 0.1, before = std::min((k - 1) * kFriction * kGravity * kStep, 0.5);
    const double force = mass * (speed - before) / kStep;
    EXPECT_NEAR(report.certificate.actuator_work, kStep * force * 0.5, 1e-7);
    EXPECT_NEAR(report.certificate.friction_work, kStep * force * (speed - 0.5), 1e-7);
    EXPECT_NEAR(report.certificate.injected, 0, 1e-9);
  }
  EXPECT_NEAR(sim.contacts().velocity[0].x, 0.3, 1e-8);            // of the bodies
  EXPECT_NEAR(sim.contacts().surface_velocity[0].x, -0.3, 1e-15);  // body A has the belt
}

// Every model drags the box along; the spring models creep by v_s of the sliding speed at most.
TEST(SurfaceVelocity, holds_in_every_contact_model) {
  for (const char* model : {"relaxed", "pyramid-lcp", "nonconvex-lcp", "bilateral", "spring-implicit"}) {
    Simulation sim = box_on(belt({0.2, 0, 0}), model);
    for (int k = 0; k < 200; ++k) sim.step();
    EXPECT_NEAR(sim.state().u[0], 0.2, 1e-6) << model;
  }
}

// The field v + ω × r turns with the shape, and a box at the centre of a turntable ends up turning with it.
TEST(SurfaceVelocity, a_turntable_turns_what_stands_on_it) {
  Simulation sim = box_on(belt({}, {0, 0, 2}));
  for (int k = 0; k < 500; ++k) ASSERT_LE(sim.step().certificate.residual(), 1e-8);
  EXPECT_NEAR(sim.state().u[5], 2, 1e-6);
  EXPECT_NEAR(std::hypot(sim.state().q[0], sim.state().q[1]), 0, 1e-6);
}

// Without sliding friction torsion alone can do that: it too works on the relative spin.
TEST(SurfaceVelocity, torsion_takes_a_ball_up_to_the_spin_of_the_table) {
  ShapeSettings table = belt({}, {0, 0, 3});
  table.condim = 4;
  table.friction = {0, 0.01, 0};
  Builder builder("table");
  builder.add_shape_plane(0, {}, table);
  const int body = builder.add_body("ball", {{0, 0, 0.1}, {}});
  builder.add_joint_free(body);
  ShapeSettings ball = table;
  ball.surface_spin = {};
  builder.add_shape_sphere(body, 0.1, {}, ball);
  Simulation sim = simulate(builder.build(), kStep);
  const double change = kStep * 0.01 * kGravity / (0.4 * 0.1 * 0.1);  // μ_t g / (I/m) [rad/s]
  for (int k = 1; k <= 400; ++k) {
    ASSERT_LE(sim.step().certificate.residual(), 1e-8);
    ASSERT_NEAR(sim.state().u[5], std::min(k * change, 3.0), 1e-7);
  }
}

}  // namespace
}  // namespace stiction::test
