// step does not touch the heap after warm-up. Sanitizers bring their own allocator, so the tests are skipped under
// them.
#include <gtest/gtest.h>

#include "support/allocation_count.hpp"
#include "support/worlds.hpp"

namespace stiction {
namespace {

long allocations(Simulation& simulation, int warm_up, int steps) {
  for (int i = 0; i < warm_up; ++i) simulation.step();
  const long before = test::allocation_count();
  for (int i = 0; i < steps; ++i) simulation.step();
  return test::allocation_count() - before;
}

TEST(Allocation, the_counter_counts) {
  if (!test::kCountsAllocations) GTEST_SKIP() << "a sanitizer holds the allocator";
  const long before = test::allocation_count();
  auto* p = new std::vector<double>(100);
  const long after = test::allocation_count();
  EXPECT_GE(after - before, 2);
  delete p;
}

TEST(Allocation, step_does_not_touch_the_heap_after_warm_up) {
  if (!test::kCountsAllocations) GTEST_SKIP() << "a sanitizer holds the allocator";
  for (const int threads : {1, 2}) {
    Simulation stack = test::simulate(test::cube_stack(10, 1), 0.002, threads);
    EXPECT_EQ(allocations(stack, 50, 200), 0) << "stack, threads " << threads;
    Simulation slope = test::simulate(test::box_on_slope(0.6, 0.5), 0.002, threads);
    EXPECT_EQ(allocations(slope, 50, 200), 0) << "slope, threads " << threads;
    Simulation grid = test::simulate(test::scattered_cubes(6), 0.002, threads);
    EXPECT_EQ(allocations(grid, 400, 200), 0) << "grid, threads " << threads;
  }
}

}  // namespace
}  // namespace stiction
