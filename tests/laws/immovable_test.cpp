// Contacts with directions in which nothing can move: W = J M⁻¹ Jᵀ is zero there. The laws hold all the same, with any
// positive number in its place.
#include "support/worlds.hpp"

#include <gtest/gtest.h>

namespace stiction {
namespace {

// A cube of edge 0.1 whose centre is at (x, 0, z) and that can only slide along the axis.
int add_slider(Builder& builder, const char* name, double x, double z, const Vec3& axis) {
  const int body = builder.add_body(name, {{x, 0, z}, {}});
  builder.add_joint(body, JointType::kSlide, axis);
  builder.add_shape_box(body, {0.05, 0.05, 0.05}, {}, test::surface(1));
  return body;
}

// Two fingers on one rail, closing on each other: no tangential motion is possible. Plastic impact of equal masses,
// momentum m v shared: both end at v / 2.
TEST(Immovable, fingers_on_a_rail_share_their_momentum) {
  Builder builder("fingers");
  add_slider(builder, "left", -0.06, 0, {1, 0, 0});
  add_slider(builder, "right", 0.06, 0, {1, 0, 0});
  Simulation simulation = test::simulate(builder.build());
  simulation.state().u = {0.5, 0};
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(simulation.step().ok()) << simulation.describe();
  EXPECT_EQ(simulation.contacts().ncontact, 4);
  for (double u : simulation.state().u) EXPECT_NEAR(u, 0.25, 1e-9);
}

// A cube guided along x is drawn 4 mm into the floor: its normal velocity is given. No force can undo that, so the
// push-out is reduced, and with no normal force there is no friction: it keeps its speed.
TEST(Immovable, guided_cube_slides_inside_the_floor) {
  Builder builder("guided");
  builder.add_shape_plane(0, {}, test::surface(1));
  add_slider(builder, "cube", 0, 0.046, {1, 0, 0});
  Simulation simulation = test::simulate(builder.build());
  simulation.state().u[0] = 0.3;
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(simulation.step().ok()) << simulation.describe();
  EXPECT_GT(simulation.report().certificate.push_out_reduced, 0);
  EXPECT_NEAR(simulation.state().u[0], 0.3, 1e-9);
}

}  // namespace
}  // namespace stiction
