// Laws of cylinders and ellipsoids in contact, each with its closed-form answer.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "support/worlds.hpp"

namespace stiction {
namespace {

using test::simulate;
using test::surface;

constexpr double kGravity = 9.81;
constexpr double kPi = std::numbers::pi;

void run(Simulation& simulation, double seconds) {
  const int steps = int(std::lround(seconds / simulation.options().timestep));
  for (int i = 0; i < steps; ++i) {
    const StepReport& report = simulation.step();
    ASSERT_TRUE(report.ok()) << simulation.describe();
    EXPECT_LE(report.certificate.friction_work, 1e-11) << "friction never does positive work";
  }
}

// On a floor that is tilted about y, downhill +x: a plane, or a box with its upper face there.
Model on_slope(double angle, bool plane, const Quat& turn, double height, double radius, double half_length) {
  Builder builder("slope");
  const Quat tilt{std::cos(angle / 2), 0, std::sin(angle / 2), 0};
  if (plane)
    builder.add_shape_plane(0, {{}, tilt}, surface(1));
  else
    builder.add_shape_box(0, {5, 5, 0.5}, {rotate(tilt, Vec3{0, 0, -0.5}), tilt}, surface(1));
  const int body = builder.add_body("cylinder", {rotate(tilt, Vec3{0, 0, height}), tilt * turn});
  builder.add_joint_free(body);
  builder.add_shape_cylinder(body, radius, half_length, {}, surface(1));
  return builder.build();
}

// Angle between the orientations of two states of one free body.
double turned(const std::vector<double>& q, const std::vector<double>& p) {
  return 2 * std::acos(std::min(1.0, std::abs(q[3] * p[3] + q[4] * p[4] + q[5] * p[5] + q[6] * p[6])));
}

class Floor : public testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(plane_and_box, Floor, testing::Bool());

// I = m r²/2 about the axis: a = g sin α/(1 + I/m r²) = 2/3 g sin α, and the axis stays level.
TEST_P(Floor, cylinder_rolls_down_with_two_thirds_of_the_slope) {
  const double angle = 0.2, r = 0.1;
  // The axis lies along y, across the slope.
  const Quat lying{std::cos(kPi / 4), std::sin(kPi / 4), 0, 0};
  Simulation simulation = simulate(on_slope(angle, GetParam(), lying, r, r, 0.2));
  run(simulation, 1);
  const auto& u = simulation.state().u;
  const double speed = std::hypot(u[0], u[2]), exact = 2.0 / 3 * kGravity * std::sin(angle);
  EXPECT_NEAR(speed, exact, 1e-6 * exact);
  EXPECT_NEAR(u[1], 0, 1e-8);
  EXPECT_NEAR(std::hypot(u[3], u[4], u[5]) * r, speed, 1e-6 * speed) << "slip";
}

// Standing, it tips over its rim when tan α > r/l, with the half-length l, in any orientation about its axis.
TEST_P(Floor, cylinder_stands_below_atan_of_radius_over_half_length_and_topples_above) {
  const double r = 0.1, half = 0.2, critical = std::atan(r / half);
  for (const double turn : {0.0, 0.3, kPi / 8}) {
    const Quat spin{std::cos(turn / 2), 0, 0, std::sin(turn / 2)};
    // Between the eight places of the rim the polygon falls short of the circle by 8 %: the rim rocks by less than
    // 1e-4.
    Simulation stands = simulate(on_slope(critical - 0.05, GetParam(), spin, half, r, half));
    const std::vector<double> start = stands.state().q;
    run(stands, 1);
    EXPECT_LT(turned(start, stands.state().q), 1e-4);
    Simulation topples = simulate(on_slope(critical + 0.05, GetParam(), spin, half, r, half));
    run(topples, 1.5);
    EXPECT_GT(turned(start, topples.state().q), 0.5);
  }
}

// Cans on top of each other stay; no creep.
TEST(SmoothContact, stack_of_cylinders_stands_still) {
  Builder builder("cans");
  builder.add_shape_plane(0, {}, surface(0.5));
  for (int i = 0; i < 5; ++i) {
    const double turn = 0.7 * i;
    const int can = builder.add_body("", {{0, 0, 0.06 + 0.12 * i}, {std::cos(turn / 2), 0, 0, std::sin(turn / 2)}});
    builder.add_joint_free(can);
    builder.add_shape_cylinder(can, 0.04, 0.06, {}, surface(0.5));
  }
  Simulation simulation = simulate(builder.build());
  const auto start = simulation.state().q;
  run(simulation, 2);
  for (std::size_t i = 0; i < start.size(); ++i) EXPECT_NEAR(simulation.state().q[i], start[i], 1e-9) << i;
}

// An ellipsoid on a floor that stands on its long side, turned a little, rocks about the stable pose with
// ω² = m g (ρ − c)/(I + m c²): radius of curvature ρ = a²/c at the lowest point, c its height.
TEST(SmoothContact, ellipsoid_rocks_with_the_period_of_its_curvature) {
  const double a = 0.2, b = 0.1, c = 0.1, tilt = 1e-3;
  Builder builder("egg");
  builder.add_shape_plane(0, {}, surface(1));
  const Quat turn{std::cos(tilt / 2), 0, std::sin(tilt / 2), 0};
  const double height = std::sqrt(a * a * std::sin(tilt) * std::sin(tilt) + c * c * std::cos(tilt) * std::cos(tilt));
  const int egg = builder.add_body("egg", {{0, 0, height}, turn});
  builder.add_joint_free(egg);
  builder.add_shape_ellipsoid(egg, {a, b, c}, {}, surface(1));
  Model model = builder.build();
  model.options.timestep = 1e-3;
  Simulation simulation(std::make_shared<const Model>(std::move(model)));
  // I_y/m = (a² + c²)/5
  const double omega = std::sqrt(kGravity * (a * a / c - c) / ((a * a + c * c) / 5 + c * c));
  // The angle passes zero after a quarter of the period.
  double crossing = 0, last = tilt;
  for (int i = 0; i < 2000 && crossing == 0; ++i) {
    ASSERT_TRUE(simulation.step().ok()) << simulation.describe();
    const double angle = 2 * simulation.state().q[5];
    if (angle < 0) crossing = 1e-3 * (i + last / (last - angle));
    last = angle;
  }
  // The step and the tilt change it by their own order, a thousandth.
  EXPECT_NEAR(crossing, kPi / 2 / omega, 5e-3 * kPi / 2 / omega);
}

// The surface stands off by the margins: a ball rests that much higher.
TEST(SmoothContact, ball_rests_at_the_sum_of_the_margins) {
  Model model = test::ball_over_floor(0.05, 0.5, 0);
  model.shape_margin = {0.003, 0.01};
  Simulation simulation = simulate(model);
  run(simulation, 1);
  EXPECT_NEAR(simulation.state().q[2], 0.1 + 0.013, 1e-9);
}

}  // namespace
}  // namespace stiction
