// The contact model `pyramid-lcp`: friction bounded by the sum of |λ_i| instead of their root mean square. What a box
// launched along a tangent of the contact frame does is as under Coulomb's law; at 45° to it the pyramid brakes by
// 1/√2 of that.
#include <gtest/gtest.h>

#include <cmath>

#include "support/random_problem.hpp"
#include "support/solve_cold.hpp"
#include "support/worlds.hpp"

#include <stiction/report.hpp>

namespace stiction {
namespace {

constexpr double kStep = 0.002, kGravity = 9.81;

Simulation simulate_as(const Model& model, const char* contact_model, const char* solver) {
  Options options = model.options;
  options.timestep = kStep;
  options.contact_model = contact_model;
  options.solver = solver;
  return Simulation(std::make_shared<const Model>(model), options);
}

// A cube on rails: no rotation.
Model sledge(double friction) {
  Builder builder("sledge");
  builder.add_shape_plane(0, {}, test::surface(friction));
  const int cube = builder.add_body("cube", {{0, 0, 0.05}, {}});
  for (const Vec3& axis : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}})
    builder.add_joint(cube, JointType::kSlide, axis);
  builder.add_shape_box(cube, {0.05, 0.05, 0.05}, {}, test::surface(friction));
  return builder.build();
}

// Of all forces with Σ|λ_i| ≤ μ λ_n the one that dissipates most is a corner of the pyramid, unless |v_1| = |v_2|,
// where it is the edge between two: a deceleration of μ g along an axis, and of μ g/√2 at 45°.
TEST(Pyramid, friction_depends_on_the_direction) {
  const double mu = 0.3;
  for (const char* solver : {"lemke", "pgs", "newton", "admm"}) {
    for (const double angle : {0.0, std::atan(1.0)}) {
      Simulation sim = simulate_as(sledge(mu), "pyramid-lcp", solver);
      sim.state().u[0] = std::cos(angle);
      sim.state().u[1] = std::sin(angle);
      for (int i = 0; i < 50; ++i) ASSERT_TRUE(sim.step().ok()) << solver << ": " << sim.describe();
      const double speed = std::hypot(sim.state().u[0], sim.state().u[1]);
      const double braking = (1 - speed) / (50 * kStep * kGravity);
      EXPECT_NEAR(braking, angle == 0 ? mu : mu / std::sqrt(2.0), 1e-8) << solver;
      // The exact law sees at 45° a force that is too small by 1 − 1/√2: of μ g h, shared by up to four contacts and
      // relative to the speed, 4e-4 at least.
      const double wrong = sim.report().certificate.coulomb_dissipation;
      if (angle == 0) {
        EXPECT_LE(wrong, 1e-8) << solver;
      } else {
        EXPECT_GT(wrong, 4e-4) << solver;
      }
    }
  }
}

// tan 15° < 0.5/√2: every direction of the pyramid holds the box.
TEST(Pyramid, what_sticks_sticks) {
  for (const char* solver : {"lemke", "pgs", "newton"}) {
    Simulation sim = simulate_as(test::box_on_slope(0.26, 0.5), "pyramid-lcp", solver);
    const double start = sim.state().q[0];
    for (int i = 0; i < 200; ++i) ASSERT_TRUE(sim.step().ok()) << solver << ": " << sim.describe();
    EXPECT_NEAR(sim.state().q[0], start, 1e-7) << solver;
  }
}

// b_n ≥ 0, so that the path of Lemke's method ends on a solution of every problem; where the others solve one of a
// single box, whose velocity is unique for moderate friction, they agree.
TEST(Pyramid, lemke_solves_every_problem_and_the_others_agree) {
  int others = 0, newton_solved = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    test::SceneOptions scene;
    scene.seed = seed;
    scene.friction = seed % 2 == 0 ? 0.25 * double(1 + seed % 4) : 0.4;
    ContactProblem problem = seed % 2 == 0 ? test::pile(int(2 + seed % 6), scene) : test::box_stack(1, 1, scene);
    for (Law& law : problem.block_law)
      if (law == Law::kCoulomb) law = Law::kPyramid;
    check_problem(problem);
    const test::Solved lemke = test::solve_cold(problem, "lemke");
    EXPECT_LE(lemke.residual, 1e-8) << "seed " << seed;
    EXPECT_EQ(lemke.stats.reduced, 0) << "seed " << seed;
    for (const char* name : {"newton", "pgs", "admm"}) {
      const test::Solved other = test::solve_cold(problem, name);
      newton_solved += std::string_view(name) == "newton" && other.stats.failed == 0;
      if (other.stats.failed > 0 || seed % 2 == 0) continue;
      ++others;
      EXPECT_LE(other.residual, 1e-8) << name << " seed " << seed;
      for (std::size_t d = 0; d < lemke.solution.u.size(); ++d)
        EXPECT_NEAR(other.solution.u[d], lemke.solution.u[d], 1e-5) << name << " seed " << seed;
    }
  }
  EXPECT_GE(others, 40);
  RecordProperty("newton_solved_of_60", newton_solved);
}

// Joints, limits and motors beside contacts: rows that are eliminated, and rows with one and two bounds.
TEST(Pyramid, lemke_knows_rows_that_are_not_contacts) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    test::SceneOptions scene;
    scene.seed = seed;
    test::ProblemMaker maker(scene);
    const int tree = maker.add_random_tree(6);
    maker.add_random_block(-1, tree, 3);
    std::vector<double> row(6);
    for (int k = 0; k < 5; ++k) {
      for (double& entry : row) entry = maker.random().normal();
      maker.add_block(Law::kBox, 0, -1, {}, tree, row, {maker.random().uniform(-0.1, 0.1)});
    }
    ContactProblem problem = maker.finish();
    problem.block_law[0] = Law::kPyramid;
    const double inf = INFINITY;
    const double lower[5] = {-inf, 0, -2, -inf, 1}, upper[5] = {inf, inf, 2, 3, 1};
    for (std::size_t k = 0; k < 5; ++k) {
      problem.block_lower[k + 1] = lower[k];
      problem.block_upper[k + 1] = upper[k];
      problem.block_compliance[k + 1] = k % 2 == 0 ? 1e-3 : 0;
    }
    const test::Solved lemke = test::solve_cold(problem, "lemke");
    EXPECT_LE(lemke.residual, 1e-8) << "seed " << seed;
  }
}

}  // namespace
}  // namespace stiction
