// The leaves of the physics in float against the same source in double, on the random and the degenerate inputs of the
// GPU program (src/cuda/leaves_test.cu), which compares CPU and GPU: here is what needs no GPU. Bounds and the measured
// errors beside them: docs/gpu.md.
#include <gtest/gtest.h>

#include "cuda/check_leaf.hpp"
#include "cuda/leaves_dynamics.hpp"
#include "cuda/leaves_laws.hpp"
#include "cuda/leaves_math.hpp"
#include "cuda/leaves_pairs.hpp"
#include "cuda/leaves_queries.hpp"
#include "cuda/leaves_trees.hpp"

namespace stiction::cuda {
namespace {

template <class... Leaf>
void expect_agreement(LeafList<Leaf...>) {
  const LeafReport reports[] = {check_on_cpu<Leaf>(5000, 1).report...};
  for (const LeafReport& report : reports)
    EXPECT_STREQ(broken_bound(report), "")
        << report.info.name << ": 99 % of the float errors below " << report.float_error.most_cases << ", largest "
        << report.float_error.largest << ", other integers in " << report.float_error.other_codes << " of "
        << report.float_error.cases;
}

TEST(FloatLeaves, mathematics_agrees_with_double) {
  expect_agreement(MathLeaves{});
}
TEST(FloatLeaves, laws_agree_with_double) {
  expect_agreement(LawLeaves{});
}
TEST(FloatLeaves, free_bodies_agree_with_double) {
  expect_agreement(DynamicsLeaves{});
}
TEST(FloatLeaves, trees_agree_with_double) {
  expect_agreement(TreeLeaves{});
}
TEST(FloatLeaves, collision_agrees_with_double) {
  expect_agreement(PairLeaves{});
}
TEST(FloatLeaves, queries_agree_with_double) {
  expect_agreement(QueryLeaves{});
}

}  // namespace
}  // namespace stiction::cuda
