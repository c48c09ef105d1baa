// The midpoint rule (model/integrator.hpp): with forces and contacts taken half a step ahead, positions follow
//
//   q⁺ = q + h (u + u⁺)/2
//
// which is exact where the acceleration is constant. Tolerances of such laws are rounding: some 1e3 steps, each off by
// units in the last place of 1 m.
#include <gtest/gtest.h>

#include "support/allocation_count.hpp"
#include "support/record_and_check.hpp"
#include "support/worlds.hpp"

#include <numbers>

namespace stiction::test {
namespace {

constexpr double kGravity = 9.81;

Simulation midpoint(const Model& model, double timestep, double sleep_time = 0) {
  Options options = model.options;
  options.timestep = timestep;
  options.integrator = "midpoint";
  options.sleep_time = sleep_time;
  return Simulation(std::make_shared<const Model>(model), options);
}

void run(Simulation& simulation, int steps) {
  for (int i = 0; i < steps; ++i) ASSERT_TRUE(simulation.step().ok()) << simulation.describe();
}

// z = z₀ + v t − g t²/2 at every step, not half a step ahead of it.
TEST(Midpoint, free_fall_is_a_parabola_in_time) {
  Simulation ball = midpoint(ball_over_floor(10, 0.5, 0), 0.01);
  ball.state().u[2] = 3;
  const double start = ball.state().q[2];
  for (int i = 1; i <= 100; ++i) {
    run(ball, 1);
    const double t = 0.01 * i;
    EXPECT_NEAR(ball.state().q[2], start + 3 * t - kGravity * t * t / 2, 1e-12);
    EXPECT_NEAR(ball.state().u[2], 3 - kGravity * t, 1e-12);
  }
}

// s = a t²/2 with a = g (sin α − μ cos α), and without friction the energy stays: v² = 2 g sin α s.
TEST(Midpoint, sliding_distance_and_energy_are_those_of_constant_acceleration) {
  const double angle = 35 * std::numbers::pi / 180;
  for (const double mu : {0.5, 0.0}) {
    Simulation box = midpoint(box_on_slope(angle, mu), 0.01);
    const Vec3 start{box.state().q[0], box.state().q[1], box.state().q[2]};
    run(box, 100);
    const Vec3 way = Vec3{box.state().q[0], box.state().q[1], box.state().q[2]} - start;
    const double a = kGravity * (std::sin(angle) - mu * std::cos(angle));
    EXPECT_NEAR(norm(way), a / 2, 1e-10) << "friction " << mu;
    const double speed = std::hypot(box.state().u[0], box.state().u[2]);
    EXPECT_NEAR(speed * speed, 2 * a * norm(way), 1e-9) << "friction " << mu;
  }
}

// The last step begins with the speed r ≤ a h and ends at rest: it goes h r/2 instead of r²/2a, too far by
// (r/2)(h − r/a), which is between 0 and a h²/8.
TEST(Midpoint, sliding_stops_at_v2_over_2_mu_g_up_to_h2) {
  const double mu = 0.5, a = mu * kGravity;
  for (const double h : {0.002, 0.01})
    for (const double v : {1.0, 1.013, 2.7}) {
      Simulation box = midpoint(box_on_slope(0, mu), h);
      box.state().u[0] = v;
      run(box, int(1.2 * v / a / h) + 2);
      const double beyond = box.state().q[0] - v * v / (2 * a);
      EXPECT_GE(beyond, -1e-10) << "h " << h << ", v " << v;
      EXPECT_LE(beyond, a * h * h / 8 + 1e-10) << "h " << h << ", v " << v;
      EXPECT_NEAR(box.state().u[0], 0, 1e-10);
    }
}

// e = 1: what falls from z₀ comes back to it; contact is made at a midpoint, so that the turn costs nothing.
TEST(Midpoint, bouncing_ball_keeps_its_energy) {
  Simulation ball = midpoint(ball_over_floor(0.5, 0, 1), 0.002);
  const auto energy = [&] { return kGravity * ball.state().q[2] + ball.state().u[2] * ball.state().u[2] / 2; };
  const double start = energy();
  double lowest = 1;
  for (int i = 0; i < 2000; ++i) {
    run(ball, 1);
    // A bounce stands between two steps: its place within one is known to h v, and with it the kinetic energy.
    EXPECT_NEAR(energy(), start, kGravity * 0.002 * 3.2) << "step " << i;
    lowest = std::min(lowest, ball.state().q[2]);
  }
  EXPECT_GE(lowest, 0.1 - 1e-9);
  EXPECT_LT(lowest, 0.11) << "the ball must bounce, or the test shows nothing";
}

TEST(Midpoint, what_rests_stays_and_what_sleeps_keeps_its_bits) {
  Simulation stack = midpoint(cube_stack(6, 8), 0.002);
  run(stack, 200);
  const std::vector<double> rest = stack.state().q;
  run(stack, 500);
  for (std::size_t i = 0; i < rest.size(); ++i) EXPECT_NEAR(stack.state().q[i], rest[i], 1e-12);

  Simulation asleep = midpoint(cube_stack(3, 1), 0.002, 0.1);
  run(asleep, 200);
  ASSERT_EQ(asleep.report().asleep, 3);
  const std::vector<double> bed = asleep.state().q;
  run(asleep, 100);
  EXPECT_EQ(asleep.state().q, bed);
  EXPECT_EQ(asleep.report().asleep, 3);
}

// The state of a refused step is the one before it, not the midpoint at which it was found.
TEST(Midpoint, a_refused_step_leaves_the_state_to_the_bit) {
  Simulation ball = midpoint(ball_over_floor(1, 0.5, 0, 1e-3), 0.002);
  ball.state().u[0] = 1;
  run(ball, 3);
  const State before = ball.state();
  ball.control().generalized_force[0] = 1e308;  // on 4 mg
  EXPECT_NE(ball.step().status & kStatusNonFinite, 0u);
  EXPECT_EQ(ball.state().q, before.q);
  EXPECT_EQ(ball.state().u, before.u);
  EXPECT_EQ(ball.state().time, before.time);
  ball.control().generalized_force[0] = 0;
  run(ball, 1);
  EXPECT_NEAR(ball.state().q[0], before.q[0] + 0.002, 1e-12);
}

// Nothing has looked at the first half step of a state that was set by hand: drifting through it, the ball would be
// h v/2 = 3 mm inside the floor. The second time the half is solved in the middle of a run, from a gap that closes.
TEST(Midpoint, what_was_set_by_hand_stops_at_what_it_touches) {
  Simulation ball = midpoint(ball_over_floor(0, 0.5, 0), 0.002);
  for (const double gap : {0.0, 5e-4}) {
    ball.state().q[2] = 0.1 + gap;
    ball.state().u[2] = -3;
    run(ball, 1);
    EXPECT_NEAR(ball.state().q[2], 0.1, 1e-9) << "gap " << gap;
    EXPECT_NEAR(ball.state().u[2], 0, 1e-9) << "gap " << gap;
    run(ball, 5);
  }
}

// Without restitution two equal balls go on together with half the speed; the second one was not touched by hand.
TEST(Midpoint, what_is_struck_by_something_set_by_hand_moves_on_with_it) {
  Builder builder("balls");
  builder.options.gravity = {};
  for (const double x : {0.0, 0.2}) {
    const int ball = builder.add_body("ball" + std::to_string(x), {{x, 0, 0}, {}});
    builder.add_joint_free(ball);
    builder.add_shape_sphere(ball, 0.1, {}, surface(0));
  }
  Simulation balls = midpoint(builder.build(), 0.002);
  run(balls, 3);
  balls.state().u[0] = 3;
  run(balls, 1);
  EXPECT_NEAR(balls.state().u[0], 1.5, 1e-9);
  EXPECT_NEAR(balls.state().u[6], 1.5, 1e-9);
  EXPECT_NEAR(balls.state().q[7] - balls.state().q[0], 0.2, 1e-9);
}

// … and a recording of it is checked from where the step found its midpoint.
TEST(Midpoint, recordings_that_begin_with_an_impact_are_checked) {
  Simulation cubes = midpoint(scattered_cubes(2), 0.005);
  for (std::size_t d = 2; d < cubes.state().u.size(); d += 6) cubes.state().u[d] = -20;
  double speed = 20;
  record_and_check(cubes, 20, "midpoint_impact_test.h5", [&](const Recording&) { speed = cubes.state().u[2]; });
  EXPECT_LT(std::abs(speed), 10) << "the cubes must have met the floor";
}

TEST(Midpoint, recordings_are_checked_and_replayed) {
  Simulation cubes = midpoint(scattered_cubes(3), 0.005);
  for (std::size_t d = 3; d < cubes.state().u.size(); d += 6) cubes.state().u[d] = 4;
  int contacts = 0;
  record_and_check(cubes, 80, "midpoint_test.h5", [&](const Recording&) { contacts = cubes.report().contacts; });
  EXPECT_GT(contacts, 10);
}

TEST(Midpoint, step_does_not_touch_the_heap_after_warm_up) {
  if (!kCountsAllocations) GTEST_SKIP() << "a sanitizer holds the allocator";
  Simulation grid = midpoint(scattered_cubes(4), 0.002);
  run(grid, 400);
  const long before = allocation_count();
  run(grid, 100);
  EXPECT_EQ(allocation_count() - before, 0);
}

// … but where rows hold bodies together, or the contact model has a step of its own.
TEST(Midpoint, is_what_auto_chooses) {
  const auto chosen = [](Model model, const char* integrator = "auto", const char* contact_model = "coulomb") {
    model.options.integrator = integrator;
    model.options.contact_model = contact_model;
    return simulate(model).options().integrator;
  };
  Builder builder("pendulum");
  const int rod = builder.add_body("rod");
  builder.add_joint(rod, JointType::kHinge, {0, 1, 0});
  builder.add_shape_box(rod, {0.05, 0.05, 0.2}, {{0, 0, -0.2}, {}});
  const Model pendulum = builder.build();
  EXPECT_EQ(Options{}.integrator, "auto");
  EXPECT_EQ(chosen(cube_stack(2, 1)), "midpoint");
  EXPECT_EQ(chosen(pendulum), "midpoint");
  EXPECT_EQ(chosen(to_maximal(pendulum)), "euler");
  EXPECT_EQ(chosen(cube_stack(2, 1), "auto", "relaxed"), "euler");
  EXPECT_EQ(chosen(cube_stack(2, 1), "euler"), "euler");
  EXPECT_EQ(chosen(to_maximal(pendulum), "midpoint"), "midpoint");
}

TEST(Midpoint, unknown_names_are_refused_with_the_list) {
  Options options;
  options.integrator = "rk4";
  try {
    check_options(options);
    FAIL() << "rk4 was accepted";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("auto, euler, midpoint"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace stiction::test
