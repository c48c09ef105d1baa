// Laws of contact and friction that whole simulations must obey, each with its closed-form answer. The tolerance of the
// certificate is 1e-8 relative; what Newton really reaches is near rounding, so bounds on creep are far below it.
#include "support/worlds.hpp"

#include <gtest/gtest.h>

#include <random>

namespace stiction {
namespace {

using test::simulate;

constexpr double kGravity = 9.81;
constexpr double kPi = 3.14159265358979323846;

// Every step must be good; returns the number of steps without any contact.
int run(Simulation& simulation, double seconds) {
  int airborne = 0;
  const int steps = int(std::lround(seconds / simulation.options().timestep));
  for (int i = 0; i < steps; ++i) {
    const StepReport& report = simulation.step();
    EXPECT_TRUE(report.ok()) << simulation.describe();
    // Up to the tolerance: h μ m g · 1e-8 g h < 1e-11 J for a kilogram.
    EXPECT_LE(report.certificate.friction_work, 1e-11) << "friction never does positive work";
    EXPECT_NEAR(report.certificate.injected, 0, 1e-11 * (1 + report.certificate.kinetic_energy));
    airborne += report.contacts == 0;
    if (!report.ok()) break;
  }
  return airborne;
}

// x = x⁰ − g t²/2, and with `euler` x⁽ᵏ⁾ = x⁰ − g h² k (k+1) / 2, the parabola of the semi-implicit step: both exact up
// to rounding.
TEST(Contact, free_fall_is_a_parabola) {
  Simulation simulation = simulate(test::ball_over_floor(100, 0.5, 0));
  const double start = simulation.state().q[2], h = simulation.options().timestep;
  run(simulation, 1);
  EXPECT_NEAR(simulation.state().q[2], start - kGravity / 2, 1e-11);
  Simulation euler = test::simulate_euler(test::ball_over_floor(100, 0.5, 0), h);
  run(euler, 1);
  EXPECT_NEAR(euler.state().q[2], start - kGravity * h * h * 500 * 501 / 2, 1e-11);
}

class Slope : public testing::TestWithParam<double> {};

// tan α < μ: the box stays where it is. 10 s; creep bound of the issue 1e-9 m.
TEST_P(Slope, box_sticks_below_atan_mu) {
  const double angle = GetParam() * kPi / 180;
  Simulation simulation = simulate(test::box_on_slope(angle, 0.5));
  const std::vector<double> start = simulation.state().q;
  EXPECT_EQ(run(simulation, 10), 0);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(simulation.state().q[i], start[i], 1e-9);
}
INSTANTIATE_TEST_SUITE_P(below_the_cone, Slope, testing::Values(20.0, 26.0));

// tan α > μ: acceleration g (sin α − μ cos α), velocity exact in every step since the problem is linear in time.
TEST(Contact, box_slides_above_atan_mu_with_the_right_acceleration) {
  const double angle = 35 * kPi / 180;
  Simulation simulation = simulate(test::box_on_slope(angle, 0.5));
  EXPECT_EQ(run(simulation, 1), 0);
  const double speed = std::hypot(simulation.state().u[0], simulation.state().u[2]);
  EXPECT_NEAR(speed, kGravity * (std::sin(angle) - 0.5 * std::cos(angle)) * 1, 1e-8);
}

// Launched at v, the box stops after v²/(2μg), whatever the direction; no hop, no step without contact. The discrete
// sum Σ h (v − k μ g h) differs from it by less than v h, here 0.6 %.
TEST(Contact, sliding_stops_at_v2_over_2_mu_g_in_every_direction) {
  const double v = 2, friction = 0.3, exact = v * v / (2 * friction * kGravity);
  double distance[3];
  const double directions[3] = {0, 22.5, 45};
  for (int i = 0; i < 3; ++i) {
    Simulation simulation = simulate(test::box_on_slope(0, friction));
    const double a = directions[i] * kPi / 180;
    simulation.state().u[0] = v * std::cos(a);
    simulation.state().u[1] = v * std::sin(a);
    EXPECT_EQ(run(simulation, 1), 0);
    const auto& q = simulation.state().q;
    distance[i] = std::hypot(q[0], q[1]);
    EXPECT_NEAR(q[2], 0.05, 1e-10) << "hop";
    EXPECT_NEAR(std::atan2(q[1], q[0]), a, 1e-8);
    EXPECT_NEAR(distance[i], exact, 0.01 * exact);
    for (double speed : simulation.state().u) EXPECT_NEAR(speed, 0, 1e-9);
  }
  EXPECT_NEAR(distance[1], distance[0], 1e-6);
  EXPECT_NEAR(distance[2], distance[0], 1e-6);
}

// A ball launched without spin slides, then rolls with 5/7 of its speed: momentum about the contact point is kept.
TEST(Contact, bowling_ball_rolls_with_five_sevenths_of_its_speed) {
  Simulation simulation = simulate(test::ball_over_floor(0, 0.2, 0));
  simulation.state().u[0] = 2;
  run(simulation, 2);
  const auto& u = simulation.state().u;
  EXPECT_NEAR(u[0], 10.0 / 7, 1e-8);
  // Slip velocity at the lowest point: v − ω r. The ball turns about y; ω is given in the body frame, so take its size.
  EXPECT_NEAR(u[0], 0.1 * std::hypot(u[3], std::hypot(u[4], u[5])), 1e-8);
}

// Each cube eight times heavier than the one below it (4096:1): nothing moves, and the floor carries the weight.
TEST(Contact, heavy_stack_does_not_sink) {
  Simulation simulation = simulate(test::cube_stack(5, 8));
  const std::vector<double> start = simulation.state().q;
  double penetration = 0;
  for (int i = 0; i < 500; ++i) {
    ASSERT_TRUE(simulation.step().ok()) << simulation.describe();
    penetration = std::max(penetration, simulation.report().certificate.penetration);
  }
  for (std::size_t i = 0; i < start.size(); ++i) EXPECT_NEAR(simulation.state().q[i], start[i], 1e-6);
  EXPECT_LE(penetration, 1e-6);
  double floor_force = 0;
  const Contacts& contacts = simulation.contacts();
  for (std::size_t c = 0; c < std::size_t(contacts.ncontact); ++c)
    if (contacts.body_a[c] == 0) floor_force += contacts.force[c].z;
  EXPECT_NEAR(floor_force / (4681 * kGravity), 1, 1e-7);
}

// The heaviest cube of the stack weighs up to a million times the lightest, above all others. Cold start, then at rest.
TEST(Contact, mass_ratios_do_not_cost_factorisations) {
  for (const int count : {2, 6, 10}) {
    int even = 0;
    for (const double ratio : {1.0, 1e2, 1e4, 1e6}) {
      Simulation simulation = simulate(test::cube_stack(count, std::pow(ratio, 1.0 / (count - 1))));
      ASSERT_TRUE(simulation.step().ok()) << simulation.describe();
      const int first = simulation.report().factorisations;
      if (ratio == 1) even = first;
      EXPECT_LT(first, 2 * even) << count << " cubes, " << ratio << " : 1";
      for (int i = 0; i < 50; ++i) {
        ASSERT_TRUE(simulation.step().ok()) << simulation.describe();
        EXPECT_LE(simulation.report().factorisations, 2);
      }
    }
  }
}

// The same with velocities at random: the cubes strike each other, and light ones carry what stops the heavy ones.
TEST(Contact, stacks_that_strike_are_solved_at_59049_to_1) {
  std::mt19937 random(3);
  std::normal_distribution<double> velocity;
  for (int i = 0; i < 12; ++i) {
    Simulation simulation = simulate(test::cube_stack(6, 9));
    for (double& u : simulation.state().u) u = velocity(random);
    EXPECT_TRUE(simulation.step().ok()) << "stack " << i << ": " << simulation.describe();
    EXPECT_GT(simulation.report().factorisations, 0);
  }
}

// A box that creeps while it is pressed down more and less, by up to a third of its weight from step to step, and
// pulled with just the force of its friction, so that its speed stays. At the impulses of the step before, friction
// would stop it in every other step; where that step ended it slides.
TEST(Contact, noise_does_not_cost_a_creeping_box_factorisations) {
  constexpr double kHalf = 0.1, kFriction = 0.5, kSpeed = 1e-3;
  Builder builder("creep");
  builder.add_shape_plane(0, {}, test::surface(kFriction));
  const int box = builder.add_body("box", {{0, 0, kHalf}, {}});
  builder.add_joint_free(box);
  builder.add_shape_box(box, {kHalf, kHalf, kHalf}, {}, test::surface(kFriction));
  Simulation simulation = simulate(builder.build());
  const double weight = kGravity * simulation.model().body_mass[std::size_t(box)];
  simulation.state().u[0] = kSpeed;
  std::mt19937 random(1);
  std::uniform_real_distribution<double> press(0, 0.3);
  int factorisations = 0;
  constexpr int kSteps = 200;
  for (int i = 0; i < kSteps; ++i) {
    const double down = weight * press(random);
    // Pulled at the height of the floor: it does not tip.
    const double pull = kFriction * (weight + down);
    simulation.control().wrench[std::size_t(box)] = {{0, -kHalf * pull, 0}, {pull, 0, -down}};
    ASSERT_TRUE(simulation.step().ok()) << simulation.describe();
    if (i > 0) factorisations += simulation.report().factorisations;
    EXPECT_NEAR(simulation.state().u[0], kSpeed, 1e-6);
  }
  EXPECT_LE(factorisations, kSteps);  // measured: one a step; 461 from the impulses alone
}

// e = 1: back to the height it came from; e = 0.5: v⁺ = −e v⁻; e = 0: stays on the floor.
TEST(Contact, bounce_with_restitution_one_returns_to_its_height) {
  Simulation simulation = simulate(test::ball_over_floor(1, 0, 1));
  double apex = 0, lowest = 1;
  for (int i = 0; i < 5000; ++i) {
    ASSERT_TRUE(simulation.step().ok()) << simulation.describe();
    if (i > 250) apex = std::max(apex, simulation.state().q[2] - 0.1);
    lowest = std::min(lowest, simulation.state().q[2] - 0.1);
  }
  EXPECT_NEAR(apex, 1, 1e-10);
  EXPECT_GE(lowest, -1e-12);
}

TEST(Contact, bounce_reverses_the_velocity_by_e) {
  Simulation simulation = simulate(test::ball_over_floor(1, 0, 0.5));
  double before = 0;
  while (simulation.state().u[2] <= 0 && simulation.state().time < 1) {
    before = simulation.state().u[2];
    ASSERT_TRUE(simulation.step().ok());
  }
  EXPECT_LT(before, -4.4);
  EXPECT_NEAR(simulation.state().u[2], -0.5 * before, 1e-8);
}

TEST(Contact, plastic_impact_ends_in_rest_without_penetration) {
  Simulation simulation = simulate(test::ball_over_floor(1, 0.5, 0));
  run(simulation, 1);
  EXPECT_NEAR(simulation.state().q[2], 0.1, 1e-9);
  EXPECT_NEAR(simulation.state().u[2], 0, 1e-9);
}

// Old penetration leaves at no more than push_out_speed, its work is booked, and the body does not jump.
TEST(Contact, penetration_is_pushed_out_at_the_bounded_speed) {
  Model model = test::ball_over_floor(-0.05, 0.5, 0);
  Options options = model.options;
  options.push_out_speed = 0.5;
  Simulation simulation(std::make_shared<const Model>(model), options);
  simulation.step();
  EXPECT_TRUE(simulation.report().ok());
  EXPECT_NEAR(simulation.state().u[2], 0.5, 1e-8);
  EXPECT_GT(simulation.report().certificate.push_out_work, 0);
  // The first half of the step pushes it out, too; contacts are those of its middle.
  EXPECT_NEAR(simulation.report().certificate.penetration, 0.05 - 0.5 * options.timestep / 2, 1e-12);
  for (int i = 0; i < 200; ++i) simulation.step();
  EXPECT_NEAR(simulation.state().q[2], 0.1, 2e-3) << "it must not be shot into the air: at most v²/(2g) = 13 mm";
}

// Contact acts before touch: a ball at 100 m/s, 1 cm of radius, stops at a plate of 1 mm.
// A gap or a penetration within touching_gap is taken as 0: the ball stays where it is. Beyond it, the next step closes
// the gap or takes the penetration back, by the middle of the one after it.
TEST(Contact, what_is_left_over_within_the_touching_gap_stays) {
  for (const auto& [gap, after] : {std::pair{9e-8, 9e-8}, {-9e-8, -9e-8}, {2e-7, 0.0}, {-2e-7, 0.0}}) {
    Simulation simulation = simulate(test::ball_over_floor(gap, 0.5, 0));
    for (int i = 0; i < 2; ++i) EXPECT_TRUE(simulation.step().ok()) << simulation.describe();
    // tolerance: h · 1e-8 g h
    EXPECT_NEAR(simulation.state().q[2] - 0.1, after, 1e-12) << gap;
  }
}

TEST(Contact, fast_ball_does_not_tunnel_through_a_thin_plate) {
  Builder builder("bullet");
  builder.options.gravity = {};
  builder.add_shape_box(0, {1, 1, 0.0005}, {}, test::surface(0.5));
  const int ball = builder.add_body("ball", {{0, 0, 0.53}, {}});
  builder.add_joint_free(ball);
  builder.add_shape_sphere(ball, 0.01, {}, test::surface(0.5));
  Simulation simulation = simulate(builder.build(), 0.01);
  simulation.state().u[2] = -100;
  for (int i = 0; i < 20; ++i) ASSERT_TRUE(simulation.step().ok()) << simulation.describe();
  EXPECT_NEAR(simulation.state().q[2], 0.0105, 1e-9);
}

// A NaN is caught, the body named, and the state kept.
TEST(Contact, non_finite_input_keeps_the_last_good_state) {
  Simulation simulation = simulate(test::cube_stack(2, 1));
  for (int i = 0; i < 10; ++i) simulation.step();
  const std::vector<double> good = simulation.state().q;
  simulation.control().wrench[2].linear.x = NAN;
  EXPECT_FALSE(simulation.step().ok());
  EXPECT_EQ(simulation.state().q, good);
  EXPECT_NE(simulation.describe().find("'cube1'"), std::string::npos) << simulation.describe();
  simulation.control().wrench[2].linear.x = 0;
  simulation.state().u[0] = INFINITY;
  EXPECT_FALSE(simulation.step().ok());
  EXPECT_EQ(simulation.state().u[0], simulation.state().u[0]);
  EXPECT_TRUE(std::isfinite(simulation.state().u[0]));
  EXPECT_NE(simulation.describe().find("'cube0'"), std::string::npos);
  EXPECT_TRUE(simulation.step().ok());
}

}  // namespace
}  // namespace stiction
