// Equalities: loops and joints held by rows, at position level, without drift.
#include <gtest/gtest.h>

#include <cmath>

#include "support/record_and_check.hpp"
#include "support/worlds.hpp"

namespace stiction {
namespace {

using test::simulate;

constexpr double kStep = 0.002;

ShapeSettings ghost() {
  ShapeSettings settings;
  settings.contype = settings.conaffinity = 0;
  return settings;
}

// Adds an equality between frames given in the world at the reference configuration.
void add_equality(Model& model, EqualityType type, int body_a, const Transform& in_a, int body_b,
                  const Transform& in_b) {
  const auto e = std::size_t(model.nequality++);
  model.resize();
  model.equality_name[e] = "loop" + std::to_string(e);
  model.equality_type[e] = type;
  model.equality_active[e] = 1;
  model.equality_a[e] = body_a, model.equality_b[e] = body_b;
  model.equality_frame_a[e] = in_a, model.equality_frame_b[e] = in_b;
}

// Crank, coupler and rocker in one plane through the origin, turned by `tilt`; the end of the rocker is connected to
// the ground in all three directions. Only two of them can be told apart.
Model four_bar(const Quat& tilt) {
  Builder builder("four-bar");
  const double length[3] = {0.2, 0.5, 0.4};
  const double angle[3] = {0.9, 0.1, -1.4};  // in the plane, from its x axis
  int parent = 0;
  double before = 0;
  for (int i = 0; i < 3; ++i) {
    const double turn = angle[i] - before;
    const Quat q{std::cos(turn / 2), 0, -std::sin(turn / 2), 0};
    const Transform at = i == 0 ? Transform{{}, tilt * q} : Transform{{length[i - 1], 0, 0}, q};
    parent = builder.add_body("bar" + std::to_string(i), at, parent);
    builder.add_joint(parent, JointType::kHinge, {0, 1, 0});
    builder.add_shape_capsule(parent, 0.02, 0.5 * length[i],
                              {{0.5 * length[i], 0, 0}, quat_from_rotation_vector(Vec3{0, std::acos(0.0), 0})},
                              ghost());
    before = angle[i];
  }
  Model model = builder.build();
  Transform end;
  for (int b = 1; b <= 3; ++b) end = end * model.body_pose[std::size_t(b)];
  add_equality(model, EqualityType::kConnect, 3, {{length[2], 0, 0}, {}}, 0, {end * Vec3{length[2], 0, 0}, {}});
  return model;
}

TEST(Equality, a_planar_loop_closed_in_space_runs_without_drift) {
  for (const Vec3& turn : {Vec3{0, 0, 0}, Vec3{0.4, -0.2, 0.9}}) {
    Simulation sim = simulate(four_bar(quat_from_rotation_vector(turn)), kStep);
    double travel = 0;
    for (int i = 0; i < 2500; ++i) {
      const StepReport& report = sim.step();
      ASSERT_TRUE(report.ok()) << sim.describe();
      EXPECT_LE(report.certificate.joint_drift, 1e-9);
      EXPECT_NEAR(report.certificate.injected, 0, 1e-10);
      EXPECT_EQ(report.constraints, 2);
      travel += std::abs(sim.state().u[0]) * kStep;
    }
    EXPECT_GT(travel, 3) << "the linkage swings";
  }
}

// A body that is connected to the world at a point of it swings as a body on a ball joint: the same dynamics in other
// coordinates, so trajectories differ by the errors of the two integrators, which fall with h. Measured after 1 s:
// 2.52e-4 m and 1.26e-4 m for h = 2 ms and 1 ms with `euler`; its first order and the second of `midpoint` are what is
// asserted.
TEST(Equality, maximal_and_reduced_pendulums_converge_to_each_other) {
  const auto distance = [](double h, const char* integrator) {
    const Vec3 half{0.05, 0.04, 0.2}, pivot{0, 0, 0.2};
    Vec3 end[2];
    for (const bool maximal : {false, true}) {
      Builder builder("pendulum");
      const int rod = builder.add_body("rod", {{0, 0, -0.2}, {}});
      if (maximal)
        builder.add_joint_free(rod);
      else
        builder.add_joint(rod, JointType::kBall, {}, pivot);
      builder.add_shape_box(rod, half, {}, ghost());
      Model model = builder.build();
      if (maximal) add_equality(model, EqualityType::kConnect, rod, {pivot, {}}, 0, {});
      model.options.integrator = integrator;
      Simulation sim = simulate(model, h);
      const Vec3 omega{1, 3, 0.5};
      const std::size_t first = maximal ? 3 : 0;
      for (std::size_t k = 0; k < 3; ++k) sim.state().u[first + k] = omega[int(k)];
      if (maximal)
        for (int k = 0; k < 3; ++k) sim.state().u[std::size_t(k)] = cross(omega, -pivot)[k];
      for (int i = 0; i < int(std::lround(1 / h)); ++i) {
        sim.step();
        EXPECT_TRUE(sim.report().ok()) << sim.describe();
        EXPECT_LE(sim.report().certificate.joint_drift, 1e-9);
      }
      end[maximal] = sim.body_pose(rod) * Vec3{0, 0, -0.2};
    }
    return norm(end[0] - end[1]);
  };
  const double coarse = distance(0.002, "euler"), fine = distance(0.001, "euler");
  EXPECT_LT(coarse, 5e-4);
  EXPECT_NEAR(fine / coarse, 0.5, 0.05);
  const double coarse_second = distance(0.002, "midpoint");
  EXPECT_LT(coarse_second, 0.1 * coarse);
  EXPECT_NEAR(distance(0.001, "midpoint") / coarse_second, 0.25, 0.05);
}

// Two free boxes welded to each other fly and spin as one body: the weld keeps its frames together, and momentum of the
// pair about its centre is that of a free body.
TEST(Equality, a_weld_holds_position_and_rotation_of_free_bodies) {
  Builder builder("pair");
  const int a = builder.add_body("a", {{}, {}}), b = builder.add_body("b", {{0.3, 0, 0}, {}});
  for (const int body : {a, b}) {
    builder.add_joint_free(body);
    builder.add_shape_box(body, {0.1, 0.08, 0.05}, {}, ghost());
  }
  Model model = builder.build();
  add_equality(model, EqualityType::kWeld, a, {{0.15, 0, 0}, {}}, b, {{-0.15, 0, 0}, {}});
  Simulation sim = simulate(model, kStep);
  const Vec3 omega{2, 1, 4};
  for (int k = 0; k < 3; ++k) {
    sim.state().u[std::size_t(3 + k)] = sim.state().u[std::size_t(9 + k)] = omega[k];
    sim.state().u[std::size_t(6 + k)] = cross(omega, Vec3{0.3, 0, 0})[k];
  }
  const Vec3 start = sim.body_pose(a).p + Vec3{0.15, 0, 0}, velocity = cross(omega, Vec3{0.15, 0, 0});
  for (int i = 0; i < 500; ++i) {
    ASSERT_TRUE(sim.step().ok()) << sim.describe();
    EXPECT_EQ(sim.report().constraints, 6);
    EXPECT_LE(sim.report().certificate.joint_drift, 1e-9);
  }
  // Symplectic fall: −g h² n (n + 1) / 2.
  const double fall = 9.81 * kStep * kStep * 500 * 501 / 2;
  const Vec3 middle = (sim.body_pose(a).p + sim.body_pose(b).p) * 0.5;
  EXPECT_LT(norm(middle - (start + velocity * 1.0 - Vec3{0, 0, fall})), 1e-6);
  EXPECT_GT(std::abs(2 * std::acos(std::min(1.0, std::abs(sim.body_pose(a).q.w)))), 0.1) << "it turned";
}

// q_b = 0.1 + 2 q_a + q_a²: met at the end of every step.
TEST(Equality, a_joint_follows_a_polynomial_of_another) {
  Builder builder("mimic");
  for (const char* name : {"a", "b"}) {
    const int rod = builder.add_body(name, {{0, name[0] == 'a' ? 0.0 : 1.0, 0}, {}});
    builder.add_joint(rod, JointType::kHinge, {0, 1, 0});
    builder.add_shape_capsule(rod, 0.02, 0.2, {{0, 0, -0.2}, {}}, ghost());
  }
  Model model = builder.build();
  add_equality(model, EqualityType::kJoint, 1, {}, 0, {});
  model.equality_polynomial[0] = {0.1, 2, 1, 0, 0};
  Simulation sim = simulate(model, kStep);
  sim.state().q[0] = 0.3, sim.state().q[1] = 0.1 + 0.6 + 0.09;
  for (int i = 0; i < 1000; ++i) {
    ASSERT_TRUE(sim.step().ok()) << sim.describe();
    const double x = sim.state().q[0];
    EXPECT_NEAR(sim.state().q[1], 0.1 + 2 * x + x * x, 1e-9);
    EXPECT_EQ(sim.report().islands, 1) << "the row joins the two trees";
  }
}

// An old error leaves at a bounded speed; then it is gone.
TEST(Equality, an_old_error_is_corrected_at_a_bounded_speed) {
  Builder builder("far");
  const int box = builder.add_body("box", {{0.1, 0, 0}, {}});
  builder.add_joint_free(box);
  builder.add_shape_box(box, {0.1, 0.1, 0.1}, {}, ghost());
  Model model = builder.build();
  add_equality(model, EqualityType::kWeld, box, {}, 0, {});
  Simulation sim = simulate(model, kStep);
  for (int i = 0; i < 60; ++i) {
    ASSERT_TRUE(sim.step().ok()) << sim.describe();
    EXPECT_LE(norm(Vec3{sim.state().u[0], sim.state().u[1], sim.state().u[2]}), sim.options().push_out_speed + 1e-8);
  }
  EXPECT_LE(sim.report().certificate.joint_drift, 1e-9);
}

TEST(Equality, recordings_of_loops_check_and_replay) {
  Simulation sim = simulate(four_bar(quat_from_rotation_vector(Vec3{0.4, -0.2, 0.9})), kStep);
  test::record_and_check(sim, 200, "stiction_equality.h5", [](const Recording&) {});
}

}  // namespace
}  // namespace stiction
