// Solvers against each other and against the certificate on random problems.
#include <gtest/gtest.h>

#include <cmath>

#include "solvers/solver.hpp"
#include "support/random_problem.hpp"
#include "support/solve_cold.hpp"

#include <stiction/report.hpp>

namespace stiction {
namespace {

using test::solve_cold;
using test::Solved;

test::SceneOptions scene(std::uint64_t seed) {
  test::SceneOptions options;
  options.seed = seed;
  options.friction = seed % 4 == 0 ? 0.0 : 0.25 * double(seed % 5);
  options.mass_low = seed % 3 == 0 ? 1e-2 : 1;
  options.mass_high = seed % 3 == 0 ? 1e2 : 1;
  return options;
}

// b_n ≥ 0 for all contacts, so a solution exists: newton must find it, redundant contacts and mass ratios to 1e4
// included (beyond that docs/solvers.md names what it misses).
TEST(Solvers, newton_solves_every_problem_that_has_a_solution) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const ContactProblem problem = seed % 2 == 0
                                       ? test::pile(int(2 + seed % 12), scene(seed))
                                       : test::box_stack(int(1 + seed % 6), 1 + double(seed % 4), scene(seed));
    const Solved newton = solve_cold(problem, "newton");
    EXPECT_LE(newton.residual, 1e-8) << "seed " << seed;
    EXPECT_EQ(newton.stats.failed, 0) << "seed " << seed;
    EXPECT_EQ(newton.stats.reduced, 0) << "seed " << seed;
  }
}

// Multipliers of the step before can be far from those of this one: what is solved from zero is solved from them too.
TEST(Solvers, newton_solves_from_wild_multipliers) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const ContactProblem problem = test::pile(int(2 + seed % 12), scene(seed));
    test::Random random(seed);
    Solution solution;
    solution.resize_for(problem);
    for (double& force : solution.lambda) force = random.uniform(-1, 1) * std::pow(10.0, double(seed % 8));
    const SolveStats stats = solve(problem, "newton", {}, solution);
    EXPECT_EQ(stats.failed, 0) << "seed " << seed;
    EXPECT_LE(certify(problem, solution).residual(), 1e-8) << "seed " << seed;
  }
}

// One contact on a tree, 1 to 6 rows coupled by a random inertia: solved by itself, no matrix is factored (but for 1 of
// 600, of 5 rows). Nearly half of them must carry load, or the test shows nothing.
TEST(Solvers, one_contact_alone_needs_no_factorisation) {
  int loaded = 0, factored = 0;
  for (std::uint64_t seed = 1; seed <= 600; ++seed) {
    test::SceneOptions options = scene(seed);
    options.gap = 0;
    test::ProblemMaker maker(options);
    maker.add_random_block(maker.add_random_tree(int(6 + seed % 7)), -1, int(1 + seed % 6));
    const ContactProblem problem = maker.finish();
    const Solved newton = solve_cold(problem, "newton");
    EXPECT_LE(newton.residual, 1e-8) << "seed " << seed;
    factored += newton.stats.factorisations > 0;
    loaded += newton.solution.lambda[0] > 0;
  }
  EXPECT_LE(factored, 3);
  EXPECT_GE(loaded, 270);
}

// Two solvers, one physics: with one box the velocity is unique for moderate friction, so u⁺ must agree wherever both
// solve; and the paper's method must solve a fair share, or the test shows nothing.
TEST(Solvers, the_papers_newton_agrees_with_newton_where_it_solves) {
  for (const char* name : {"newton-fb", "newton-minmap"}) {
    int solved = 0;
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
      test::SceneOptions options = scene(seed);
      options.friction = 0.4;
      const ContactProblem problem = test::box_stack(1, 1, options);
      const Solved newton = solve_cold(problem, "newton"), paper = solve_cold(problem, name);
      if (paper.stats.failed > 0) continue;
      ++solved;
      EXPECT_LE(paper.residual, 1e-8) << name << " seed " << seed;
      for (std::size_t d = 0; d < newton.solution.u.size(); ++d)
        EXPECT_NEAR(paper.solution.u[d], newton.solution.u[d], 1e-5) << name << " seed " << seed;
    }
    EXPECT_GE(solved, 40) << name;
  }
}

// First-order methods on the exact law end where newton does: one box, whose velocity is unique for moderate friction.
TEST(Solvers, pgs_and_admm_agree_with_newton) {
  for (const char* name : {"pgs", "admm"})
    for (std::uint64_t seed = 1; seed <= 30; ++seed) {
      test::SceneOptions options = scene(seed);
      options.friction = 0.4;
      const ContactProblem problem = test::box_stack(1, 1, options);
      const Solved newton = solve_cold(problem, "newton");
      Solution solution;
      solve(problem, name, {.max_iterations = 20000, .warm_start = false}, solution);
      EXPECT_LE(certify(problem, solution).residual(), 1e-8) << name << " seed " << seed;
      for (std::size_t d = 0; d < newton.solution.u.size(); ++d)
        EXPECT_NEAR(solution.u[d], newton.solution.u[d], 1e-5) << name << " seed " << seed;
    }
}

// Contacts of one to six rows, an equality, a box with bounds and one with a compliance in one island.
TEST(Solvers, pgs_and_admm_know_every_law) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    test::ProblemMaker maker({.seed = seed, .gap = 0});
    const int a = maker.add_random_tree(9), b = maker.add_random_tree(12);
    for (int rows = 1; rows <= 6; ++rows) maker.add_random_block(a, b, rows);
    for (int k = 0; k < 3; ++k) maker.add_random_block(b, -1, 1);
    ContactProblem problem = maker.finish();
    for (std::size_t k = 6; k < 9; ++k) problem.block_law[k] = Law::kBox;
    problem.block_lower = {0, 0, 0, 0, 0, 0, -INFINITY, -5, -INFINITY};
    problem.block_upper = {0, 0, 0, 0, 0, 0, INFINITY, 5, INFINITY};
    problem.block_compliance[8] = 0.01;
    ASSERT_EQ(finish_problem(problem), -1);
    for (const char* name : {"newton", "pgs", "admm"}) {
      Solution solution;
      const SolveStats stats = solve(problem, name, {.max_iterations = 100000, .warm_start = false}, solution);
      EXPECT_LE(certify(problem, solution).residual(), 1e-8) << name << " seed " << seed;
      EXPECT_GT(stats.iterations, 0);
    }
  }
}

// The trace begins with the start and ends with the answer; iterations and time only grow.
TEST(Solvers, a_trace_leads_from_the_start_to_the_answer) {
  const ContactProblem problem = test::pile(12, scene(7));
  for (const SolverEntry& entry : solver_table()) {
    Solution start, solution;
    start.resize_for(problem);
    start.u = problem.free_velocity;
    SolveTrace trace;
    const SolveStats stats = solve(problem, std::string(entry.name),
                                   {.max_iterations = 300, .warm_start = false, .trace = &trace}, solution);
    const std::vector<Convergence> points = certify_trace(problem, trace, solution);
    ASSERT_GE(points.size(), 2u) << entry.name;
    EXPECT_EQ(points.front().iterations, 0);
    EXPECT_DOUBLE_EQ(points.front().residual, certify(problem, start).residual()) << entry.name;
    EXPECT_DOUBLE_EQ(points.back().residual, certify(problem, solution).residual()) << entry.name;
    EXPECT_LE(points.back().iterations, stats.iterations_max) << entry.name;
    for (std::size_t i = 1; i < points.size(); ++i) {
      EXPECT_GT(points[i].iterations, points[i - 1].iterations);
      EXPECT_GE(points[i].seconds, points[i - 1].seconds);
    }
  }
}

TEST(Solvers, non_finite_problems_end_and_are_not_called_solved) {
  for (const SolverEntry& entry : solver_table()) {
    ContactProblem problem = test::pile(5, scene(3));
    problem.free_velocity[2] = NAN;
    EXPECT_GT(solve_cold(problem, std::string(entry.name)).stats.failed, 0) << entry.name;
  }
}

TEST(Solvers, unknown_name_lists_the_names) {
  try {
    solve_cold(test::box_stack(1, 1), "simplex");
    FAIL();
  } catch (const std::exception& error) {
    EXPECT_NE(std::string(error.what()).find("newton-minmap"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace stiction
