// Contacts with a stiffness k and a damping d of each point: λ_n = max(0, −k gap⁺ − d v_n⁺) at the end of the step,
// with Coulomb's friction exact as ever.
#include <gtest/gtest.h>

#include <cmath>

#include "support/worlds.hpp"

namespace stiction::test {
namespace {

constexpr double kGravity = 9.81, kStep = 0.002, kRadius = 0.1;
constexpr double kMass = 1000 * 4.0 / 3 * 3.14159265358979323846 * kRadius * kRadius * kRadius;

ShapeSettings spring(double stiffness, double damping, double friction = 0.5) {
  ShapeSettings settings = surface(friction);
  settings.stiffness = stiffness;
  settings.damping = damping;
  return settings;
}

// A ball that touches a floor.
Simulation ball(const ShapeSettings& floor, const ShapeSettings& own, const std::string& solver = "newton",
                const std::string& integrator = "auto") {
  Builder builder("ball");
  builder.add_shape_plane(0, {}, floor);
  const int body = builder.add_body("ball", {{0, 0, kRadius}, {}});
  builder.add_joint_free(body);
  builder.add_shape_sphere(body, kRadius, {}, own);
  Model model = builder.build();
  model.options.solver = solver;
  model.options.integrator = integrator;
  return simulate(model, kStep);
}

// cubes of 0.1 m and 1 kg on each other, each contact of a spring.
Model soft_stack(int count, double stiffness, double damping) {
  Builder builder("stack");
  builder.add_shape_plane(0, {}, spring(stiffness, damping));
  for (int i = 0; i < count; ++i) {
    const int cube = builder.add_body("cube" + std::to_string(i), {{0, 0, 0.05 + 0.1 * i}, {}});
    builder.add_joint_free(cube);
    builder.add_shape_box(cube, {0.05, 0.05, 0.05}, {}, spring(stiffness, damping));
  }
  return builder.build();
}

// At the end of a step m (v⁺ − v) = h (−k (x + h v⁺) − d v⁺ − m g), x the gap: (m + h d + h² k) v⁺ = m v − h k x − h m
// g.
TEST(CompliantContact, a_ball_swings_as_the_implicit_step_of_its_oscillator) {
  constexpr double kStiffness = 2e3, kDamping = 3;
  Simulation sim = ball(spring(kStiffness, kDamping), surface(0.5), "newton", "euler");
  double x = -2 * kMass * kGravity / kStiffness, v = 0;  // swings without leaving the floor
  sim.state().q[2] = kRadius + x;
  for (int k = 0; k < 500; ++k) {
    v = (kMass * v - kStep * (kStiffness * x + kMass * kGravity)) /
        (kMass + kStep * kDamping + kStep * kStep * kStiffness);
    x += kStep * v;
    ASSERT_LT(x, 0);
    const StepReport& report = sim.step();
    ASSERT_LE(report.certificate.residual(), 1e-8);
    ASSERT_NEAR(report.certificate.injected, 0, 1e-9);
    // Each step may miss by 1e-8 of g h: 2e-10 m/s over 500 steps of 2 ms.
    ASSERT_NEAR(sim.state().q[2] - kRadius, x, 2e-9);
    ASSERT_NEAR(sim.state().u[2], v, 1e-7);
  }
}

TEST(CompliantContact, springs_of_two_bodies_act_in_series) {
  constexpr double kFirst = 1e4, kSecond = 4e3;
  Simulation sim = ball(spring(kFirst, 200), spring(kSecond, 100));
  for (int k = 0; k < 2000; ++k) ASSERT_LE(sim.step().certificate.residual(), 1e-8);
  EXPECT_NEAR(kRadius - sim.state().q[2], kMass * kGravity * (1 / kFirst + 1 / kSecond), 1e-9);
  EXPECT_NEAR(sim.contacts().compliance[0], 1 / kFirst + 1 / kSecond, 1e-18);
  EXPECT_NEAR(sim.contacts().force[0].z, kMass * kGravity, 1e-6);
}

TEST(CompliantContact, every_solver_finds_the_same_depth) {
  for (const char* solver : {"newton", "newton-fb", "newton-minmap", "pgs", "admm", "lemke"}) {
    Simulation sim = ball(spring(1e4, 300), surface(0.5), solver);
    for (int k = 0; k < 1500; ++k) ASSERT_LE(sim.step().certificate.residual(), 1e-8) << solver;
    EXPECT_NEAR(kRadius - sim.state().q[2], kMass * kGravity / 1e4, 1e-9) << solver;
  }
}

// The stiffer, the nearer to the rigid contact: depth m g / k.
TEST(CompliantContact, a_stiff_spring_is_a_rigid_contact) {
  for (const double stiffness : {1e6, 1e9, 1e12}) {
    Simulation sim = ball(spring(stiffness, 0), surface(0.5));
    for (int k = 0; k < 200; ++k) ASSERT_LE(sim.step().certificate.residual(), 1e-8);
    EXPECT_NEAR(kRadius - sim.state().q[2], kMass * kGravity / stiffness, 1e-5 * kMass * kGravity / stiffness + 1e-12);
  }
}

// The lowest contacts carry all cubes, the one above one less: depth i is (n − i) m g / (4 · 2⁻¹ k), of four points
// with two springs each. A stack of three is solved over its contacts, one of forty (480 rows) over its bodies.
TEST(CompliantContact, a_stack_is_pressed_together_by_its_weight) {
  constexpr double kStiffness = 1e6;
  for (const int count : {3, 40}) {
    Simulation sim = simulate(soft_stack(count, kStiffness, 2e4), kStep);
    for (int k = 0; k < (count == 3 ? 500 : 3000); ++k) ASSERT_LE(sim.step().certificate.residual(), 1e-8) << count;
    double height = 0;
    for (int i = 0; i < count; ++i) {
      const double depth = (count - i) * 1.0 * kGravity / (2 * kStiffness);
      height += (i == 0 ? 0.05 : 0.1) - depth;
      EXPECT_NEAR(sim.state().q[std::size_t(7 * i + 2)], height, 1e-7) << count << " cube " << i;
    }
    EXPECT_EQ(sim.report().certificate.push_out_reduced, 0);
  }
}

// tan 20° < 0.5 < tan 35°: friction is that of a rigid contact.
TEST(CompliantContact, friction_sticks_and_slides_exactly) {
  for (const double degrees : {20.0, 35.0}) {
    const double angle = degrees * 3.14159265358979323846 / 180;
    Builder builder("slope");
    const Quat tilt{std::cos(angle / 2), 0, std::sin(angle / 2), 0};
    builder.add_shape_plane(0, {{}, tilt}, spring(1e5, 1e3));
    const int box = builder.add_body("box", {rotate(tilt, Vec3{0, 0, 0.05}), tilt});
    builder.add_joint_free(box);
    builder.add_shape_box(box, {0.1, 0.1, 0.05}, {}, surface(0.5));
    Simulation sim = simulate(builder.build(), kStep);
    const Vec3 down = rotate(tilt, Vec3{1, 0, 0});
    const auto speed = [&] { return dot(down, Vec3{sim.state().u[0], sim.state().u[1], sim.state().u[2]}); };
    for (int k = 0; k < 1000; ++k) ASSERT_LE(sim.step().certificate.residual(), 1e-8);
    const double before = speed();
    for (int k = 0; k < 100; ++k) sim.step();
    const double expected = degrees < 26 ? 0 : kGravity * (std::sin(angle) - 0.5 * std::cos(angle)) * 100 * kStep;
    EXPECT_NEAR(speed() - before, expected, 1e-7) << degrees;
  }
}

TEST(CompliantContact, what_cannot_be_is_refused_by_name) {
  const auto error_of = [](const ShapeSettings& settings) -> std::string {
    try {
      Builder builder("bad");
      const int body = builder.add_body("ball", {{0, 0, 1}, {}});
      builder.add_joint_free(body);
      builder.add_shape_sphere(body, 0.1, {}, settings);
      builder.build();
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  for (const double stiffness : {0.0, -1.0, double(NAN)})
    EXPECT_NE(error_of(spring(stiffness, 0)).find("stiffness"), std::string::npos) << stiffness;
  EXPECT_NE(error_of(spring(1e4, -1)).find("damping"), std::string::npos);
  EXPECT_NE(error_of(spring(INFINITY, 1)).find("needs a stiffness"), std::string::npos);
  Model model = soft_stack(1, 1e5, 0);
  model.options.contact_model = "nonconvex-lcp";
  model.options.solver = "lemke";
  try {
    simulate(model);
    ADD_FAILURE() << "facets with a stiffness";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("facets are rigid"), std::string::npos);
  }
}

}  // namespace
}  // namespace stiction::test
