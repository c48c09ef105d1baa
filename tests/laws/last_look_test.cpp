// Turning is foreseen again only where the motion changed: which shapes that are, and that a body falls as it does
// alone when rounds are needed elsewhere.
#include <gtest/gtest.h>

#include "step/last_look.hpp"
#include "support/worlds.hpp"

namespace stiction {
namespace {

constexpr double kApart = 10;

// Long boxes that spin about all axes and strike the floor with an end, one after the other.
Model spinning_boxes(int first, int count) {
  Builder builder("boxes");
  builder.add_shape_plane(0, {}, test::surface(0.5));
  for (int i = first; i < first + count; ++i) {
    const int box = builder.add_body("", {{kApart * i, 0, 0.4 + 0.02 * i}, {}});
    builder.add_joint_free(box);
    builder.add_shape_box(box, {0.3, 0.05, 0.02}, {}, test::surface(0.5));
  }
  return builder.build();
}

Simulation started(const Model& model) {
  Simulation simulation = test::simulate(model, 0.01);
  for (std::size_t d = 0; d < simulation.state().u.size(); d += 6) {
    simulation.state().u[d + 3] = 3;
    simulation.state().u[d + 4] = 8;
    simulation.state().u[d + 5] = -5;
  }
  return simulation;
}

TEST(LastLook, knows_the_shapes_that_move_otherwise) {
  const Model model = spinning_boxes(0, 3);
  const std::vector<char> awake(4, 0), second_asleep{0, 0, 1, 0};
  std::vector<double> u(18, 0.5);
  LastLook look;
  const auto as_before = [&](const std::vector<char>& asleep) {
    look.compare(model, u, asleep);
    const auto shapes = look.shapes_as_before();
    return std::vector<int>(shapes.begin(), shapes.end());
  };
  EXPECT_EQ(as_before(awake), (std::vector{0, 0, 0, 0})) << "nothing was looked at before";
  EXPECT_EQ(as_before(awake), (std::vector{1, 1, 1, 1}));
  u[7] += 1e-3;
  EXPECT_EQ(as_before(awake), (std::vector{1, 1, 0, 1}));
  EXPECT_TRUE(look.is_as_before(1, 3));
  EXPECT_FALSE(look.is_as_before(0, 2));
  int noticed = 0;  // many changes, each too small to count, do not pass for none
  for (int i = 0; i < 10; ++i) {
    u[0] += 4e-7;
    noticed += as_before(awake)[1] == 0;
  }
  EXPECT_EQ(noticed, 5);
  look.forget();
  EXPECT_EQ(as_before(second_asleep), (std::vector{0, 0, 1, 0}));
}

// Both solve each step to 1e-8; what that leaves grows by less than 100 times until the boxes have struck twice.
TEST(LastLook, a_body_falls_as_it_does_alone) {
  constexpr int kCount = 5, kSteps = 60;
  Simulation together = started(spinning_boxes(0, kCount));
  int contacts = 0;
  for (int i = 0; i < kSteps; ++i) contacts += together.step().contacts;
  EXPECT_GT(contacts, 20);
  for (int i = 0; i < kCount; ++i) {
    Simulation alone = started(spinning_boxes(i, 1));
    for (int k = 0; k < kSteps; ++k) alone.step();
    for (std::size_t d = 0; d < 7; ++d)
      EXPECT_NEAR(together.state().q[7 * std::size_t(i) + d], alone.state().q[d], 1e-6) << "box " << i;
  }
}

}  // namespace
}  // namespace stiction
