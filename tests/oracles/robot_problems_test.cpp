// Contact problems of real robots, an arch, a stack and a card house (../shared/data/problems/robots; skipped where it
// is absent), cold start: every one is solved to 1e-8 by the certificate. The bars of the mean factorisations are what
// a prototype of the chain reached in an earlier study; for the card house, of which it solved a third, a quarter of
// that.
#include <gtest/gtest.h>

#include <filesystem>

#include <stiction/recording.hpp>

namespace stiction {
namespace {

struct Bar {
  const char* file;
  double mean;
};

class RobotProblems : public testing::TestWithParam<Bar> {};

TEST_P(RobotProblems, are_all_solved_as_fast_as_the_study_found) {
  const auto path = std::filesystem::path(STICTION_SOURCE_DIR) / "../shared/data/problems/robots" / GetParam().file;
  if (!std::filesystem::exists(path))
    GTEST_SKIP() << "no " << path << ": the collected data is not beside the checkout";
  int solved = 0, count = 0;
  double factorisations = 0;
  for (const std::string& name : list_problems(path.string())) {
    const ContactProblem problem = read_problem(path.string(), name);
    Solution solution;
    SolverSettings settings;
    settings.warm_start = false;
    const SolveStats stats = solve(problem, "newton", settings, solution);
    ++count;
    if (!(certify(problem, solution).residual() <= 1e-8)) continue;
    ++solved;
    factorisations += stats.factorisations_max;
  }
  ASSERT_GT(count, 0);
  EXPECT_EQ(solved, count);
  EXPECT_LE(factorisations / std::max(solved, 1), GetParam().mean);
}

INSTANTIATE_TEST_SUITE_P(cold_start, RobotProblems,
                         testing::Values(Bar{"humanoid_rest.h5", 12}, Bar{"humanoid_flail.h5", 7}, Bar{"g1.h5", 8},
                                         Bar{"go2.h5", 6}, Bar{"shadow.h5", 6}, Bar{"stack.h5", 15}, Bar{"arch.h5", 27},
                                         Bar{"humanoids22.h5", 92}, Bar{"cards.h5", 100}),
                         [](const auto& tested) {
                           return std::string(tested.param.file).substr(0, std::string(tested.param.file).find('.'));
                         });

}  // namespace
}  // namespace stiction
