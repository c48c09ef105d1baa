// Push-out may be reduced, so that a solution exists; nothing else of a problem may. What counts as push-out is what
// the problem says, and that a solver ran out of iterations proves nothing about it.
#include <gtest/gtest.h>

#include <cmath>

#include <stiction/error.hpp>
#include <stiction/report.hpp>

#include "support/random_problem.hpp"
#include "support/worlds.hpp"

namespace stiction {
namespace {

// A point of 1 kg at rest between two contacts with friction that want it to move with 1 m/s, one along x, the other
// along −x: u_x ≥ 1 and −u_x ≥ 1. marked: of each, the part of that which is push-out.
ContactProblem opposed(double marked) {
  test::ProblemMaker maker({.gravity = 0});
  const int point = maker.add_tree(3, {1, 0, 0, 0, 1, 0, 0, 0, 1}, {0, 0.1, 0});
  maker.add_block(Law::kCoulomb, 0.5, point, {1, 0, 0, 0, 1, 0, 0, 0, 1}, -1, {}, {-1, 0, 0});
  maker.add_block(Law::kCoulomb, 0.5, point, {-1, 0, 0, 0, 1, 0, 0, 0, 1}, -1, {}, {-1, 0, 0});
  ContactProblem problem = maker.finish();
  problem.block_push_out.assign(2, marked);
  check_problem(problem);
  return problem;
}

SolveStats solve_cold(const ContactProblem& problem, Solution& solution, int max_iterations = 3000,
                      double tolerance = 1e-8) {
  return solve(problem, "newton", {.tolerance = tolerance, .max_iterations = max_iterations, .warm_start = false},
               solution);
}

// A stack of boxes that overlap.
ContactProblem overlapping_stack() {
  return test::box_stack(6, 2, {.seed = 5, .penetration = 5e-3});
}

TEST(PushOut, that_contradicts_itself_is_reduced) {
  for (const double marked : {1.0, double(INFINITY)}) {
    const ContactProblem problem = opposed(marked);
    Solution solution;
    const SolveStats stats = solve_cold(problem, solution);
    EXPECT_EQ(stats.failed, 0);
    EXPECT_EQ(stats.reduced, 1);
    EXPECT_EQ(stats.refuted, 1);
    const Certificate certificate = certify(problem, solution);
    EXPECT_LE(certificate.residual(), 1e-8);
    EXPECT_EQ(certificate.push_out_reduced, 2);
  }
}

TEST(PushOut, a_problem_without_any_is_not_altered) {
  const ContactProblem problem = opposed(0);
  for (const char* solver : {"newton", "lemke", "pgs", "admm"}) {
    Solution solution;
    const SolveStats stats = solve(problem, solver, {.warm_start = false}, solution);
    EXPECT_EQ(stats.failed, 1) << solver;
    EXPECT_EQ(stats.reduced, 0) << solver;
    EXPECT_EQ(solution.push_out, (std::vector<double>{1, 1})) << solver;
    // Of u_x ≥ 1 and u_x ≤ −1 one misses by at least 1 m/s, the scale.
    EXPECT_GE(certify(problem, solution).residual(), 0.9) << solver;
  }
  EXPECT_EQ(contradicting_blocks(problem), (std::vector<int>{0, 1}));
}

// Of a push-out of 0.4 m/s each, 0.6 m/s remain demanded both ways: taking it back does not help.
TEST(PushOut, no_more_than_what_is_marked_is_taken_back) {
  const ContactProblem problem = opposed(0.4);
  Solution solution;
  EXPECT_EQ(solve_cold(problem, solution).failed, 1);
  EXPECT_GE(certify(problem, solution).residual(), 0.5);
}

TEST(PushOut, is_kept_where_the_iterations_end) {
  const ContactProblem problem = overlapping_stack();
  Solution solution;
  ASSERT_EQ(solve_cold(problem, solution).failed, 0);
  for (const int most : {1, 2, 4}) {
    const SolveStats stats = solve_cold(problem, solution, most);
    EXPECT_EQ(stats.failed, 1) << most;
    EXPECT_EQ(stats.reduced, 0) << most;
    const Certificate certificate = certify(problem, solution);
    EXPECT_GT(certificate.residual(), 1e-8) << most;
    EXPECT_EQ(certificate.push_out_reduced, 0) << most;
  }
}

TEST(PushOut, is_kept_where_the_tolerance_is_below_rounding) {
  const ContactProblem problem = overlapping_stack();
  Solution solution;
  const SolveStats stats = solve_cold(problem, solution, 3000, 1e-18);
  EXPECT_EQ(stats.reduced, 0);
  EXPECT_LE(certify(problem, solution).residual(), 1e-10);
}

TEST(PushOut, contradicting_blocks_are_those_that_no_motion_meets) {
  EXPECT_TRUE(contradicting_blocks(overlapping_stack()).empty());
  // A third contact, across, is no part of it; an equality u_x = 0 contradicts either alone.
  for (const bool equality : {false, true}) {
    test::ProblemMaker maker({.gravity = 0});
    const int point = maker.add_tree(3, {1, 0, 0, 0, 1, 0, 0, 0, 1}, {0, 0, 0});
    maker.add_block(Law::kCoulomb, 0.5, point, {0, 0, 1, 1, 0, 0, 0, 1, 0}, -1, {}, {-0.5, 0, 0});
    maker.add_block(Law::kCoulomb, 0.5, point, {1, 0, 0, 0, 1, 0, 0, 0, 1}, -1, {}, {-1, 0, 0});
    maker.add_block(equality ? Law::kBox : Law::kUnilateral, 0, point, {equality ? 1.0 : -1.0, 0, 0}, -1, {},
                    {equality ? 0.0 : -1.0});
    ContactProblem problem = maker.finish();
    if (equality) problem.block_lower.back() = -INFINITY, problem.block_upper.back() = INFINITY;
    ASSERT_EQ(finish_problem(problem), -1);
    EXPECT_EQ(contradicting_blocks(problem), (std::vector<int>{1, 2})) << equality;
  }
}

// A box stands on the floor between two walls that are 1 mm too near: pushed from both sides alike, it cannot leave.
// That is found once, and asked again after 64 steps or when the box was moved; every step says that it is so.
TEST(PushOut, that_was_given_up_at_rest_is_not_searched_for_in_every_step) {
  Builder builder("slot");
  builder.add_shape_plane(0, {}, test::surface(0.5));
  for (const double side : {-1.0, 1.0})
    builder.add_shape_box(0, {0.05, 0.3, 0.3}, {{side * 0.1495, 0, 0.3}, {}}, test::surface(0.5));
  const int box = builder.add_body("box", {{0, 0, 0.1}, {}});
  builder.add_joint_free(box);
  builder.add_shape_box(box, {0.1, 0.1, 0.1}, {}, test::surface(0.5));
  Simulation simulation = test::simulate(builder.build());
  int searched = 0;
  for (int i = 0; i < 200; ++i) {
    const StepReport& report = simulation.step();
    ASSERT_TRUE(report.ok()) << simulation.describe();
    EXPECT_NE(report.status & kStatusPushOutReduced, 0u) << i;
    EXPECT_EQ(report.certificate.push_out_reduced, 8) << i;
    searched += report.factorisations > 2;
  }
  EXPECT_EQ(searched, 4) << "steps 1, 65, 129 and 193";
  simulation.state().q[0] = 1e-4;
  EXPECT_GT(simulation.step().factorisations, 2) << "moved, it is asked at once";
}

TEST(PushOut, solutions_of_other_problems_are_refused) {
  Solution solution;
  solve_cold(opposed(1), solution);
  const ContactProblem other = overlapping_stack();
  EXPECT_THROW(certify(other, solution), Error);
  EXPECT_THROW(solve(other, "newton", {}, solution), Error);
  EXPECT_NO_THROW(solve(other, "newton", {.warm_start = false}, solution));
}

}  // namespace
}  // namespace stiction
