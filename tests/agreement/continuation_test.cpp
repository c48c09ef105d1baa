// Large jammed islands of much friction, from zero: u = 0 satisfies every contact, so a solution exists. Proximal
// continuation by itself turns back after a few factorisations on the first of these piles; by turns with sweeps it
// arrives. The second takes one long continuation.
#include <gtest/gtest.h>

#include <stiction/report.hpp>

#include "solvers/newton.hpp"
#include "solvers/scratch.hpp"
#include "support/random_problem.hpp"

namespace stiction {
namespace {

TEST(Continuation, solves_large_piles_of_much_friction_from_zero) {
  for (const std::uint64_t seed : {15U, 9U}) {
    const ContactProblem problem = test::pile(300, {.seed = seed, .friction = 1.2});
    Solution solution;
    solution.resize_for(problem);
    ASSERT_EQ(problem.nisland, 1);
    SolverScratch scratch;
    const IslandResult result = solve_newton(problem, 0, {.warm_start = false}, scratch, solution);
    EXPECT_TRUE(result.used_proximal) << "seed " << seed << " is too easy to tell";
    EXPECT_FALSE(result.reduced);
    EXPECT_LE(certify(problem, solution).residual(), 1e-8) << "seed " << seed;
  }
}

}  // namespace
}  // namespace stiction
