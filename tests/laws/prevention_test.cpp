// Contacts are made before anything can penetrate: a body that crosses a hundred times its size within a step does not
// pass a plate that is a tenth of it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/worlds.hpp"

namespace stiction {
namespace {

// 100 m/s, 1 cm, h = 0.01 s: 1 m per step against a plate of 1 mm, from many distances and at many angles.
TEST(Prevention, bullet_does_not_pass_a_thin_plate) {
  for (int i = 0; i < 40; ++i) {
    const double distance = 0.013 + 0.031 * i, angle = 0.02 * i;
    Builder builder("bullet");
    builder.add_shape_box(0, {0.0005, 5, 5}, {}, test::surface(0.2));
    const Vec3 direction{std::cos(angle), std::sin(angle), 0};
    const int bullet = builder.add_body("bullet", {direction * -distance, {}});
    builder.add_joint_free(bullet);
    if (i % 2 == 0)
      builder.add_shape_sphere(bullet, 0.005, {}, test::surface(0.2));
    else
      builder.add_shape_cylinder(bullet, 0.005, 0.005, {}, test::surface(0.2));
    Model model = builder.build();
    model.options.gravity = {};
    Simulation simulation = test::simulate(model, 0.01);
    for (int k = 0; k < 3; ++k) simulation.state().u[std::size_t(k)] = 100 * direction[k];
    double deepest = 1;
    for (int step = 0; step < 20; ++step) {
      simulation.step();
      deepest = std::min(deepest, -simulation.state().q[0] - 0.0005);
    }
    // The centre stays in front of the plate, by the least half-width of the bullet.
    EXPECT_GT(deepest, 0.005 - 1e-6) << "distance " << distance << " angle " << angle;
    EXPECT_LT(simulation.state().u[0], 1e-6);
  }
}

// A ball slides out on a plank that turns under it. To first order its gap stays 0, but with the normal its way turns
// by h ω within the step: it would end each step h² ω v = 1.5 mm or more in the plank. With `turn` less than 1e-4 of
// its size.
TEST(Prevention, ball_on_a_turning_plank_does_not_sink_in) {
  const double h = 0.01, omega = 5, speed = 3, radius = 0.05;
  Builder builder("plank");
  const int plank = builder.add_body("plank", {});
  builder.add_joint(plank, JointType::kHinge, {0, -1, 0});
  ShapeSettings heavy = test::surface(0);
  heavy.density = 1e5;
  builder.add_shape_box(plank, {3, 0.2, 0.02}, {}, heavy);
  const int ball = builder.add_body("ball", {{0.2, 0, 0.02 + radius}, {}});
  builder.add_joint_free(ball);
  builder.add_shape_sphere(ball, radius, {}, test::surface(0));
  Simulation simulation = test::simulate(builder.build(), h);
  State& state = simulation.state();
  state.u[0] = omega;
  state.u[1] = speed;
  state.u[3] = omega * 0.2;
  double deepest = 0, least_turn = 0;
  int touching = 0;
  for (int step = 0; step < 25; ++step) {
    ASSERT_TRUE(simulation.step().ok()) << simulation.describe();
    const Contacts& contacts = simulation.contacts();
    for (std::size_t c = 0; c < std::size_t(contacts.ncontact); ++c) {
      touching += contacts.force[c].z > 0;
      deepest = std::max(deepest, -contacts.gap[c]);
      least_turn = std::min(least_turn, contacts.turn[c]);
    }
  }
  EXPECT_GE(touching, 20);
  EXPECT_LT(least_turn, -h * h * omega * speed);
  EXPECT_LT(deepest, 1e-4 * 2 * radius);
}

}  // namespace
}  // namespace stiction
