// The sparse Newton matrix works in memory that it keeps: after it has seen an island once, it asks for none, not for
// the same island, not for a somewhat smaller one and not for other values.
#include <gtest/gtest.h>

#include <algorithm>

#include "solvers/newton_matrix.hpp"
#include "support/allocation_count.hpp"
#include "support/newton_blocks.hpp"
#include "support/random_problem.hpp"

namespace stiction::test {
namespace {

TEST(BodySpaceMatrix, does_not_touch_the_heap_after_warm_up) {
  if (!kCountsAllocations) GTEST_SKIP() << "a sanitizer holds the allocator";
  const NewtonBlocks large(pile(120), BlockKind::kMixed, 1), small(pile(70), BlockKind::kInterior, 1);
  const NewtonBlocks forest(random_forest({.trees = 12}), BlockKind::kSliding, 1);
  const auto rows = std::size_t(std::max({large.island.nrow, small.island.nrow, forest.island.nrow}));
  const auto dofs = std::size_t(std::max({large.island.nv, small.island.nv, forest.island.nv}));
  std::vector<double> r(rows, 1.0), delta_p(rows), delta_u(dofs);
  BodySpaceMatrix matrix;
  const auto run = [&](const NewtonBlocks& blocks) {
    matrix.prepare(blocks.island, blocks.delassus.data());
    if (matrix.factor(blocks.A.data(), blocks.B.data(), 1e-9))
      matrix.solve(r.data(), 0, delta_p.data(), delta_u.data());
  };
  const long before = allocation_count();
  run(large);
  run(forest);
  const long warm = allocation_count();
  EXPECT_GT(warm, before) << "the counter does not see the library";
  run(small);
  run(large);
  run(forest);
  EXPECT_EQ(allocation_count(), warm);
}

}  // namespace
}  // namespace stiction::test
