// Convex problems with held shifts (solvers/held_shifts.hpp), by themselves, lead to what the certificate of the exact
// law accepts, and leave the laws of the island as they were.
#include <gtest/gtest.h>

#include <stiction/report.hpp>

#include "solvers/held_shifts.hpp"
#include "support/random_problem.hpp"

namespace stiction {
namespace {

TEST(HeldShifts, solve_small_piles_by_themselves) {
  int sliding = 0;
  for (const IslandForm form : {IslandForm::kTrees, IslandForm::kContactSpace})
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      const ContactProblem problem = test::pile(6, {.seed = seed});
      Solution solution;
      solution.resize_for(problem);
      for (int island = 0; island < problem.nisland; ++island) {
        SolverScratch s;
        ASSERT_TRUE(begin_island(problem, island, {.warm_start = false}, solution, form, s));
        const std::vector<Law> laws = s.island.law;
        const std::vector<double> bias = s.island.bias;
        const double tolerance = 1e-8 * s.island.scale;
        EXPECT_TRUE(hold_shifts({0.3 * tolerance, tolerance}, 400, s)) << "seed " << seed << ", island " << island;
        EXPECT_EQ(s.island.law, laws);
        EXPECT_EQ(s.island.bias, bias);
        for (int c = 0; c < s.island.nblock; ++c)
          sliding += s.normal(s.best.p, c) > 0 && s.tangential(s.best.v, c) > 1e-3;
        finish_island(s, solution);
      }
      EXPECT_LE(certify(problem, solution).residual(), 1e-8) << "seed " << seed;
    }
  EXPECT_GT(sliding, 50) << "without sliding contacts there is no shift to find";
}

}  // namespace
}  // namespace stiction
