// The contact model `relaxed`, K* ∋ v ⊥ λ ∈ K: what slides hovers at the height μ ‖v_t‖ h, what sticks and what falls
// freely is as under Coulomb's law; and every solver finds the same velocities, since they minimise a convex function.
#include <gtest/gtest.h>

#include <cmath>

#include "support/random_problem.hpp"
#include "support/solve_cold.hpp"
#include "support/worlds.hpp"

#include <stiction/report.hpp>

namespace stiction {
namespace {

constexpr double kStep = 0.002, kGravity = 9.81;

Simulation simulate_as(const Model& model, const char* contact_model) {
  Options options = model.options;
  options.timestep = kStep;
  options.contact_model = contact_model;
  return Simulation(std::make_shared<const Model>(model), options);
}

// A cube on rails (no rotation, as the hover would turn it) that slides along x at 2 m/s.
Model sledge(double friction) {
  Builder builder("sledge");
  builder.add_shape_plane(0, {}, test::surface(friction));
  const int cube = builder.add_body("cube", {{0, 0, 0.05}, {}});
  builder.add_joint(cube, JointType::kSlide, {1, 0, 0});
  builder.add_joint(cube, JointType::kSlide, {0, 0, 1});
  builder.add_shape_box(cube, {0.05, 0.05, 0.05}, {}, test::surface(friction));
  return builder.build();
}

// v_n + gap/h = μ ‖v_t‖ at the end of each step in which the contact carries, so the gap then is h μ ‖v_t‖, of the same
// step's speed; under Coulomb's law it is zero. Σ h λ_n = m (g t + the change of v_n), which is −μ h times the
// deceleration: the braking differs from Coulomb's μ g t by μ³ g h.
TEST(Relaxed, what_slides_hovers_at_mu_v_h) {
  for (const double mu : {0.1, 0.3, 0.7}) {
    Simulation relaxed = simulate_as(sledge(mu), "relaxed"), exact = simulate_as(sledge(mu), "coulomb");
    relaxed.state().u[0] = exact.state().u[0] = 2;
    relaxed.state().q[1] = mu * 2 * kStep;
    for (int i = 0; i < 100; ++i) {
      ASSERT_TRUE(relaxed.step().ok()) << relaxed.describe();
      ASSERT_TRUE(exact.step().ok()) << exact.describe();
      const double speed = relaxed.state().u[0];
      ASSERT_GT(speed, 0.5) << "the sledge must slide throughout";
      EXPECT_NEAR(relaxed.state().q[1], mu * speed * kStep, 1e-12) << i;
      EXPECT_NEAR(exact.state().q[1], 0, 1e-12) << i;
      // The artefact as the exact law sees it: it carries although v_n = μ ‖v_t‖ > 0.
      EXPECT_LE(relaxed.report().certificate.residual(), 1e-8);
      EXPECT_GT(relaxed.report().certificate.coulomb_complementarity, 1e-3);
      EXPECT_LE(exact.report().certificate.residual(), 1e-8);
    }
    const double exactly = mu * kGravity * 100 * kStep;
    EXPECT_NEAR(2 - exact.state().u[0], exactly, 1e-9);
    EXPECT_NEAR(2 - relaxed.state().u[0], exactly, 2 * mu * mu * mu * kGravity * kStep);
  }
}

// From the floor the first step lifts the sledge to that height, with the speed v_n = μ ‖v_t‖; a contact cannot pull,
// so it flies on to (μ ‖v_t‖)²/2g, which Coulomb's never leaves the floor for. Symplectic steps reach that height to h
// v_n.
TEST(Relaxed, what_is_launched_from_the_floor_hops) {
  const double mu = 0.5;
  Simulation sim = simulate_as(sledge(mu), "relaxed");
  sim.state().u[0] = 2;
  ASSERT_TRUE(sim.step().ok());
  const double lift = mu * sim.state().u[0];
  EXPECT_NEAR(sim.state().q[1], lift * kStep, 1e-12);
  EXPECT_NEAR(sim.state().u[1], lift, 1e-9);
  double highest = 0;
  for (int i = 0; i < 150; ++i) {
    ASSERT_TRUE(sim.step().ok()) << sim.describe();
    highest = std::max(highest, sim.state().q[1]);
  }
  EXPECT_NEAR(highest, lift * lift / (2 * kGravity), 2 * kStep * lift);
}

// tan 15° < 0.5: what sticks under Coulomb's law sticks under the relaxed one, with the same forces.
TEST(Relaxed, what_sticks_sticks) {
  Simulation sim = simulate_as(test::box_on_slope(0.26, 0.5), "relaxed");
  const double start = sim.state().q[0];
  for (int i = 0; i < 500; ++i) ASSERT_TRUE(sim.step().ok()) << sim.describe();
  EXPECT_NEAR(sim.state().q[0], start, 1e-12);
  EXPECT_LE(sim.report().certificate.coulomb_complementarity, 1e-8);
  EXPECT_LE(sim.report().certificate.coulomb_dissipation, 1e-8);
}

// The relaxed problem is min ½ ‖u − ũ‖²_M over J u + b ∈ K*: u is unique. All solvers that converge must agree, and
// newton and admm must converge on all; the path of a convex problem cannot turn back.
TEST(Relaxed, all_solvers_find_the_one_velocity) {
  int papers = 0;
  for (std::uint64_t seed = 1; seed <= 24; ++seed) {
    test::SceneOptions scene;
    scene.seed = seed;
    scene.friction = 0.25 * double(1 + seed % 4);
    scene.mass_low = seed % 3 == 0 ? 1e-2 : 1;
    scene.mass_high = seed % 3 == 0 ? 1e2 : 1;
    ContactProblem problem =
        seed % 2 == 0 ? test::pile(int(2 + seed % 8), scene) : test::box_stack(int(1 + seed % 4), 2, scene);
    for (Law& law : problem.block_law)
      if (law == Law::kCoulomb) law = Law::kRelaxed;
    check_problem(problem);
    const test::Solved newton = test::solve_cold(problem, "newton");
    EXPECT_LE(newton.residual, 1e-8) << "seed " << seed;
    double largest = 0;
    for (const double x : newton.solution.u) largest = std::max(largest, std::abs(x));
    for (const char* name : {"admm", "pgs", "newton-fb", "newton-minmap"}) {
      SolverSettings settings;
      settings.max_iterations = std::string_view(name) == "admm" ? 20000 : 1000;
      settings.warm_start = false;
      Solution solution;
      const SolveStats stats = solve(problem, name, settings, solution);
      if (std::string_view(name) == "admm") {
        EXPECT_EQ(stats.failed, 0) << "seed " << seed;
      }
      if (stats.failed > 0) continue;
      papers += name[0] == 'n';
      EXPECT_LE(certify(problem, solution).residual(), 1e-8) << name << " seed " << seed;
      for (std::size_t d = 0; d < solution.u.size(); ++d)
        EXPECT_NEAR(solution.u[d], newton.solution.u[d], 1e-4 * largest) << name << " seed " << seed;
    }
  }
  EXPECT_GE(papers, 4);
}

TEST(Relaxed, a_stack_stands_and_a_pile_is_certified) {
  Simulation stack = simulate_as(test::cube_stack(6, 1), "relaxed");
  for (int i = 0; i < 300; ++i) ASSERT_TRUE(stack.step().ok()) << stack.describe();
  for (int c = 0; c < 6; ++c) EXPECT_NEAR(stack.state().q[std::size_t(7 * c + 2)], 0.05 + 0.1 * c, 1e-9);
}

}  // namespace
}  // namespace stiction
