// Sleep (step/sleep.hpp): who falls asleep, that sleepers stay put to the bit, and that whatever reaches them wakes all
// of their group within the step.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/allocation_count.hpp"
#include "support/record_and_check.hpp"
#include "support/worlds.hpp"

namespace stiction::test {
namespace {

constexpr double kGravity = 9.81, kStep = 0.005, kSleepTime = 0.2;

Simulation sleeping(const Model& model, double sleep_time = kSleepTime, int threads = 1) {
  Options options = model.options;
  options.timestep = kStep;
  options.sleep_time = sleep_time;
  options.threads = threads;
  return Simulation(std::make_shared<const Model>(model), options);
}

int add_cube(Builder& builder, const Vec3& centre, double friction = 0.5) {
  const int cube =
      builder.add_body("cube" + std::to_string(int(1000 * centre.x)) + "_" + std::to_string(centre.z), {centre, {}});
  builder.add_joint_free(cube);
  builder.add_shape_box(cube, {0.05, 0.05, 0.05}, {}, surface(friction));
  return cube;
}

// Columns of cubes 1 m apart on a floor, the cubes of a column one after the other, and a ball before all others if its
// height [m] is positive: over the first column.
Model columns(int count, int height, double ball = 0) {
  Builder builder("columns");
  builder.add_shape_plane(0, {}, surface(0.5));
  if (ball > 0) {
    const int body = builder.add_body("ball", {{0.02, 0, ball}, {}});
    builder.add_joint_free(body);
    builder.add_shape_sphere(body, 0.05, {}, surface(0.5));
  }
  for (int c = 0; c < count; ++c)
    for (int i = 0; i < height; ++i) add_cube(builder, {1.0 * c, 0, 0.05 + 0.1 * i});
  return builder.build();
}

void run(Simulation& sim, double seconds) {
  for (int k = 0; k < int(std::lround(seconds / kStep)); ++k) {
    const StepReport& report = sim.step();
    ASSERT_TRUE(report.ok()) << sim.describe();
    ASSERT_NEAR(report.certificate.injected, 0, 1e-9);
  }
}

double height_of(const Simulation& sim, int body) {
  return sim.state().q[std::size_t(7 * body + 2)];
}

// The ball hits the top cube 10 s after the column fell asleep, in one run with sleep and one without. Until then the
// sleeping column has not moved at all, and the other one creeps with less than the certified residual, 1e-8 of the
// velocity scale g h = 0.05 m/s: by 5e-9 m in 10 s. The blow acts on positions that differ by that much; 0.15 s after
// it, with an impact that turns the ball aside at its lever, they may differ by a thousand times as much.
TEST(Sleep, a_column_stays_put_and_is_woken_by_a_ball_as_if_it_had_been_awake) {
  const Model model = columns(1, 4, 5);
  Simulation asleep = sleeping(model), awake = sleeping(model, 0);
  const auto park = [](Simulation& sim) { sim.state().q[0] = 2, sim.state().q[2] = 0.05; };
  const auto shoot = [](Simulation& sim) {
    sim.state().q[0] = -0.15, sim.state().q[2] = 0.36;
    sim.state().u[0] = 2;
  };
  park(asleep), park(awake);
  run(asleep, 1), run(awake, 1);
  EXPECT_EQ(asleep.report().asleep, 5);
  EXPECT_EQ(awake.report().asleep, 0);
  EXPECT_EQ(asleep.report().contacts, 0);
  const std::vector<double> q = asleep.state().q;
  run(asleep, 10), run(awake, 10);
  EXPECT_EQ(asleep.state().q, q);
  shoot(asleep), shoot(awake);
  run(asleep, 0.2), run(awake, 0.2);
  EXPECT_EQ(asleep.report().asleep, 0);
  EXPECT_GT(asleep.state().q[7 * 4], 0.02) << "the top cube must have been pushed";
  for (std::size_t i = 0; i < q.size(); ++i) EXPECT_NEAR(asleep.state().q[i], awake.state().q[i], 5e-6) << i;
}

// Without friction a box keeps its speed. Twice the threshold never sleeps, half of it does, and what was left of its
// motion is in the ledger (run checks that nothing else is).
TEST(Sleep, a_box_that_creeps_above_the_threshold_never_sleeps) {
  for (const double factor : {2.0, 0.5}) {
    Simulation sim = sleeping(box_on_slope(0, 0));
    sim.state().u[0] = factor * sim.options().sleep_speed;
    run(sim, 3);
    EXPECT_EQ(sim.report().asleep, factor < 1) << factor;
    // Asleep it keeps the way that it made before, up to a step's.
    const double moved_for = factor > 1 ? 3 : kSleepTime;
    EXPECT_NEAR(sim.state().q[0], moved_for * factor * sim.options().sleep_speed, 1e-6);
  }
}

// At the top of its flight a ball is slow, but not at both ends of a step: however short sleep_time, it falls.
TEST(Sleep, a_ball_does_not_hang_at_the_top_of_its_flight) {
  Simulation sim = sleeping(ball_over_floor(1, 0.5, 0), 1e-9), plain = sleeping(ball_over_floor(1, 0.5, 0), 0);
  for (Simulation* s : {&sim, &plain}) {
    s->state().u[2] = 60 * kGravity * kStep;  // at rest after 60 steps, to rounding
    run(*s, 0.6);
    EXPECT_LT(s->state().u[2], -1);
  }
  EXPECT_EQ(sim.state().q, plain.state().q);
}

// z falls by g t²/2.
TEST(Sleep, what_loses_its_support_wakes_and_falls) {
  Simulation sim = sleeping(columns(1, 2));
  run(sim, 1);
  ASSERT_EQ(sim.report().asleep, 2);
  sim.state().q[0] = 1;
  const double z = height_of(sim, 1);
  run(sim, 10 * kStep);
  EXPECT_EQ(sim.report().asleep, 0);
  EXPECT_NEAR(height_of(sim, 1), z - kGravity * kStep * kStep * 50, 1e-9);
}

TEST(Sleep, wrench_force_and_velocity_wake_the_column_they_act_on_and_no_other) {
  for (int way = 0; way < 3; ++way) {
    Simulation sim = sleeping(columns(2, 3));
    run(sim, 1);
    ASSERT_EQ(sim.report().asleep, 6);
    EXPECT_EQ(sim.state().sleep_group, (std::vector<int>{1, 1, 1, 4, 4, 4}));
    const double weight = sim.model().body_mass[1] * kGravity;
    if (way == 0) sim.control().wrench[6].linear = {0, 0, 2 * weight};
    if (way == 1) sim.control().generalized_force[6 * 5 + 2] = 2 * weight;
    if (way == 2) sim.state().u[6 * 5 + 2] = 1;
    sim.step();
    EXPECT_EQ(sim.report().asleep, 3) << way;
    EXPECT_EQ(sim.state().sleep_group, (std::vector<int>{1, 1, 1, 0, 0, 0})) << way;
    const double rise = way == 2 ? 1 - kGravity * kStep : kGravity * kStep;
    EXPECT_NEAR(sim.state().u[6 * 5 + 2], rise, 1e-7) << way;
  }
}

// A ball drives a cube that is awake into one that sleeps 2 mm behind it, out of reach of both at rest: all within one
// step of 5 mm and more. Both runs solve the same problems up to what the cubes crept before, below 1e-8 g h a second.
TEST(Sleep, a_blow_that_is_passed_on_within_the_step_wakes) {
  Builder builder("row");
  builder.add_shape_plane(0, {}, surface(0.5));
  add_cube(builder, {0, 0, 0.05});
  const int behind = add_cube(builder, {0.102, 0, 0.05});
  const int ball = builder.add_body("ball", {{-0.12, 0, 0.05}, {}});
  builder.add_joint_free(ball);
  builder.add_shape_sphere(ball, 0.05, {}, surface(0.5));
  Simulation asleep = sleeping(builder.build()), awake = sleeping(builder.build(), 0);
  for (Simulation* sim : {&asleep, &awake}) {
    sim->control().wrench[1].linear = {0, 0, -1e-3};
    run(*sim, 1);
    EXPECT_EQ(sim->report().asleep, sim == &asleep ? 2 : 0);
    sim->state().u[12] = 10;
    run(*sim, 0.1);
    EXPECT_GT(sim->state().q[std::size_t(7 * (behind - 1))], 0.15);
  }
  EXPECT_EQ(asleep.report().asleep, 0);
  for (std::size_t i = 0; i < asleep.state().q.size(); ++i)
    EXPECT_NEAR(asleep.state().q[i], awake.state().q[i], 1e-6) << i;
}

// While a wrench acts nothing sleeps under it, however little it does.
TEST(Sleep, nothing_sleeps_while_a_wrench_acts) {
  Simulation sim = sleeping(columns(1, 2));
  sim.control().wrench[1].linear = {0, 0, -1};
  run(sim, 1);
  EXPECT_EQ(sim.report().asleep, 0);
  sim.control().wrench[1] = {};
  run(sim, 1);
  EXPECT_EQ(sim.report().asleep, 2);
}

// A body of motion capture that is moved into the side of a sleeping cube pushes it along.
TEST(Sleep, a_mocap_body_wakes_what_it_reaches) {
  Builder builder("paddle");
  builder.add_shape_plane(0, {}, surface(0.5));
  const int paddle = builder.add_body("paddle", {{-0.2, 0, 0.1}, {}});
  builder.set_mocap(paddle);
  builder.add_shape_box(paddle, {0.05, 0.05, 0.05}, {}, surface(0));
  add_cube(builder, {0, 0, 0.05});
  Simulation sim = sleeping(builder.build());
  run(sim, 1);
  ASSERT_EQ(sim.report().asleep, 1);
  sim.control().mocap_pose[0].p.x = -0.098;
  sim.step();
  EXPECT_EQ(sim.report().asleep, 0);
  run(sim, 1);
  EXPECT_GT(sim.state().q[0], 0.0019) << "the paddle was moved 2 mm into the cube";
}

// A box that a wall holds back on a belt does not move, but would once the wall were gone: it never sleeps.
// A state that is handed on: nothing but another gravity, or another friction, moves what it has asleep. Tilted by
// 40° the column slides with a = g (sin 40° − μ cos 40°) = 2.55 m/s², μ = 0.5; without friction with g sin 10°.
TEST(Sleep, another_gravity_or_friction_wakes_and_the_same_does_not) {
  const Model model = columns(1, 1);
  Simulation before = sleeping(model);
  run(before, 1);
  ASSERT_EQ(before.report().asleep, 1);
  const auto distance = [&](double degrees, double friction) {
    Model other = model;
    for (Vec3& mu : other.shape_friction) mu.x = friction;
    const double angle = degrees * M_PI / 180;
    other.options.gravity = {kGravity * std::sin(angle), 0, -kGravity * std::cos(angle)};
    Simulation sim = sleeping(other);
    sim.state() = before.state();
    run(sim, 0.5);
    return sim.state().q[0] - before.state().q[0];
  };
  EXPECT_EQ(distance(0, 0.5), 0);
  const double sliding = kGravity * (std::sin(40 * M_PI / 180) - 0.5 * std::cos(40 * M_PI / 180));
  EXPECT_NEAR(distance(40, 0.5), 0.5 * sliding * 0.5 * 0.5, 1e-6);
  EXPECT_NEAR(distance(10, 0), 0.5 * kGravity * std::sin(10 * M_PI / 180) * 0.5 * 0.5, 1e-6);
}

TEST(Sleep, nothing_sleeps_on_a_belt) {
  Builder builder("belt");
  ShapeSettings belt = surface(0.5);
  belt.surface_velocity = {0.1, 0, 0};
  builder.add_shape_plane(0, {}, belt);
  builder.add_shape_box(0, {0.05, 0.5, 0.5}, {{0.1, 0, 0}, {}}, surface(0));
  add_cube(builder, {0, 0, 0.05});
  Simulation sim = sleeping(builder.build());
  run(sim, 1);
  EXPECT_NEAR(sim.state().u[0], 0, 1e-8);
  EXPECT_EQ(sim.report().asleep, 0);
}

// What a joint, an actuator or an equality holds is awake, and so is what touches it.
TEST(Sleep, what_touches_an_articulated_tree_stays_awake) {
  Builder builder("lid");
  builder.add_shape_plane(0, {}, surface(0.5));
  const int lid = builder.add_body("lid", {{0, 0, 0.11}, {}});
  builder.add_joint(lid, JointType::kSlide, {0, 0, 1});
  builder.add_shape_box(lid, {0.1, 0.1, 0.01}, {}, surface(0.5));
  add_cube(builder, {0, 0, 0.05});
  add_cube(builder, {1, 0, 0.05});
  Simulation sim = sleeping(builder.build());
  run(sim, 1);
  EXPECT_EQ(sim.state().sleep_group, (std::vector<int>{0, 0, 3}));
}

// The ball arrives after 0.55 s, step 110: by then both columns sleep; the first wakes, the second sleeps on.
TEST(Sleep, recordings_of_sleep_and_waking_are_certified_and_replay_to_the_bit) {
  Simulation sim = sleeping(columns(2, 2, 1.7));
  record_and_check(sim, 160, "sleep.h5", [&](const Recording& recording) {
    EXPECT_EQ(recording.report(100).asleep, 4);
    EXPECT_EQ(recording.report(115).asleep, 2);
    EXPECT_EQ(recording.state(100).sleep_group, (std::vector<int>{0, 2, 2, 4, 4}));
    EXPECT_EQ(recording.state(115).sleep_group, (std::vector<int>{0, 0, 0, 4, 4}));
    EXPECT_EQ(recording.state(115).q[7 * 3], recording.state(100).q[7 * 3]);
  });
}

TEST(Sleep, gives_the_same_bits_for_one_and_two_threads_without_the_heap) {
  Simulation one = sleeping(scattered_cubes(4)), two = sleeping(scattered_cubes(4), kSleepTime, 2);
  run(one, 3), run(two, 3);
  EXPECT_GT(one.report().asleep, 10);
  EXPECT_EQ(one.state().q, two.state().q);
  EXPECT_EQ(one.state().u, two.state().u);
  EXPECT_EQ(one.state().rest_time, two.state().rest_time);
  EXPECT_EQ(one.state().sleep_group, two.state().sleep_group);
  EXPECT_EQ(one.state().sleep_mark, two.state().sleep_mark);
  if (!kCountsAllocations) return;
  const long before = allocation_count();
  for (int k = 0; k < 100; ++k) one.step();
  EXPECT_EQ(allocation_count(), before);
}

}  // namespace
}  // namespace stiction::test
