// The sparse Newton matrix works in memory that it keeps: after it has seen an island once, it asks for none, not for
// the same island, not for a smaller one and not for other values.
#include <gtest/gtest.h>

#include <cstdlib>
#include <new>

#include "solvers/newton_matrix.hpp"
#include "support/newton_blocks.hpp"
#include "support/random_problem.hpp"

namespace {

long allocations = 0;

void* counted(std::size_t size, std::size_t alignment) {
  ++allocations;
  const std::size_t whole = (size + alignment - 1) / alignment * alignment;
  if (void* memory = std::aligned_alloc(alignment, whole == 0 ? alignment : whole)) return memory;
  throw std::bad_alloc();
}

}  // namespace

void* operator new(std::size_t size) {
  return counted(size, alignof(std::max_align_t));
}
void* operator new(std::size_t size, std::align_val_t alignment) {
  return counted(size, std::size_t(alignment));
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  std::free(memory);
}

namespace stiction::test {
namespace {

TEST(BodySpaceMatrix, does_not_touch_the_heap_after_warm_up) {
  const NewtonBlocks large(pile(120), BlockKind::kMixed, 1), small(pile(40), BlockKind::kInterior, 1);
  const NewtonBlocks forest(random_forest({.trees = 12}), BlockKind::kSliding, 1);
  const auto rows = std::size_t(std::max({large.island.nrow, small.island.nrow, forest.island.nrow}));
  const auto dofs = std::size_t(std::max({large.island.nv, small.island.nv, forest.island.nv}));
  std::vector<double> r(rows, 1.0), delta_p(rows), delta_u(dofs);
  BodySpaceMatrix matrix;
  const auto run = [&](const NewtonBlocks& blocks) {
    matrix.prepare(blocks.island, blocks.delassus.data());
    if (matrix.factor(blocks.A.data(), blocks.B.data(), 1e-9)) matrix.solve(r.data(), delta_p.data(), delta_u.data());
  };
  const long before = allocations;
  run(large);
  run(forest);
  const long warm = allocations;
  EXPECT_GT(warm, before) << "the counter does not see the library";
  run(small);
  run(large);
  run(forest);
  EXPECT_EQ(allocations, warm);
}

}  // namespace
}  // namespace stiction::test
