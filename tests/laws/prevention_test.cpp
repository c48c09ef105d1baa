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

}  // namespace
}  // namespace stiction
