// Contacts of the margin do not stop a body that would miss: what passes something keeps its velocity, whatever else it
// touches and however it is held. And they do stop a body that would not: the same at a gap that is not there.
#include <gtest/gtest.h>

#include <cmath>

#include "support/record_and_check.hpp"
#include "support/worlds.hpp"

namespace stiction {
namespace {

// A box of 10 cm slides on a smooth floor past a post that stands beside its way.
Model box_and_post(double gap) {
  Builder builder("post");
  builder.add_shape_plane(0, {}, test::surface(0));
  builder.add_shape_box(0, {0.05, 0.05, 0.5}, {{0, 0.1 + gap, 0.5}, {}}, test::surface(0));
  const int box = builder.add_body("box", {{-0.53, 0, 0.05}, {}});
  builder.add_joint_free(box);
  builder.add_shape_box(box, {0.05, 0.05, 0.05}, {}, test::surface(0));
  return builder.build();
}

// 3 m/s at 2 ms is 6 mm a step beside a gap of 0.01 to 1 mm; 10 m/s at 5 ms 50 mm beside 20 mm.
TEST(Passing, a_box_that_slides_past_a_post_keeps_its_velocity) {
  struct Case {
    double gap, speed, timestep;
  };
  for (const Case& c : {Case{1e-3, 3, 0.002}, Case{1e-5, 3, 0.002}, Case{0.02, 10, 0.005}, Case{1e-4, 10, 0.005}}) {
    Simulation simulation = test::simulate(box_and_post(c.gap), c.timestep);
    simulation.state().u[0] = c.speed;
    const int steps = int(std::ceil(0.8 / (c.speed * c.timestep)));
    test::record_and_check(simulation, steps, "passing.h5", [&](const Recording& recording) {
      for (int step = 1; step <= recording.steps(); ++step) EXPECT_TRUE(recording.report(step).ok());
    });
    const State& state = simulation.state();
    EXPECT_GT(state.q[0], 0.2);
    EXPECT_NEAR(state.u[0], c.speed, 1e-6) << c.gap;
    for (std::size_t k = 1; k < 6; ++k) EXPECT_NEAR(state.u[k], 0, 1e-6) << c.gap << ", velocity " << k;
  }
}

// What is in the way by 1 mm stops it: the corner of the box is caught by the post.
TEST(Passing, a_box_that_does_not_pass_the_post_is_stopped) {
  Simulation simulation = test::simulate(box_and_post(-1e-3), 0.002);
  simulation.state().u[0] = 3;
  for (int step = 0; step < 130; ++step) ASSERT_TRUE(simulation.step().ok()) << simulation.describe();
  EXPECT_LT(simulation.state().u[0], 2.9);
}

// A ball of 10 cm passes over a box at 20 m/s, 0.2 m a step: a free one, one on two slides, one in a world in which two
// other bodies are held by an equality.
TEST(Passing, a_ball_passes_over_a_box_however_it_is_held) {
  enum Way { kFree, kSlides, kEquality };
  for (const Way way : {kFree, kSlides, kEquality})
    for (const double gap : {1e-5, 1e-4, 5e-4, 2e-3}) {
      Builder builder("over");
      builder.add_shape_box(0, {0.1, 0.1, 0.1}, {}, test::surface(0.5));
      const int ball = builder.add_body("ball", {{-1.03, 0, 0.15 + gap}, {}});
      if (way == kSlides) {
        builder.add_joint(ball, JointType::kSlide, {1, 0, 0});
        builder.add_joint(ball, JointType::kSlide, {0, 0, 1});
      } else {
        builder.add_joint_free(ball);
      }
      builder.add_shape_sphere(ball, 0.05, {}, test::surface(0.5));
      if (way == kEquality) {
        int other[2];
        for (int i = 0; i < 2; ++i) {
          other[i] = builder.add_body("", {{0, 3.0 * i, 20}, {}});
          builder.add_joint_free(other[i]);
          builder.add_shape_sphere(other[i], 0.1, {}, test::surface(0.5));
        }
        builder.add_equality_connect(other[0], other[1], {0, 1.5, 0});
      }
      Model model = builder.build();
      model.options.gravity = {};
      Simulation simulation = test::simulate(model, 0.01);
      simulation.state().u[0] = 20;
      for (int step = 0; step < 12; ++step) ASSERT_TRUE(simulation.step().ok()) << simulation.describe();
      EXPECT_GT(simulation.state().q[0], way == kSlides ? 2.0 : 1.0);
      EXPECT_NEAR(simulation.state().u[0], 20, 1e-9) << way << ", gap " << gap;
    }
}

}  // namespace
}  // namespace stiction
