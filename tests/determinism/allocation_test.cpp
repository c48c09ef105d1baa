// step does not touch the heap after warm-up. Every malloc of this program is counted (operator new ends there too),
// also those inside the library. Sanitizers bring their own allocator, so the test is left out under them.
#include "support/worlds.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

namespace {
std::atomic<bool> counting{false};
std::atomic<long> count{0};
void note() {
  if (counting.load(std::memory_order_relaxed)) count.fetch_add(1, std::memory_order_relaxed);
}
}  // namespace

// glibc's own names for the allocator that we stand in front of.
extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);

void* malloc(std::size_t size) {
  note();
  return __libc_malloc(size);
}
void* calloc(std::size_t n, std::size_t size) {
  note();
  return __libc_calloc(n, size);
}
void* realloc(void* p, std::size_t size) {
  note();
  return __libc_realloc(p, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  note();
  return __libc_memalign(alignment, size);
}
int posix_memalign(void** out, std::size_t alignment, std::size_t size) {
  note();
  *out = __libc_memalign(alignment, size);
  return *out == nullptr ? 12 : 0;
}
}

namespace stiction {
namespace {

long allocations(Simulation& simulation, int warm_up, int steps) {
  for (int i = 0; i < warm_up; ++i) simulation.step();
  count = 0;
  counting = true;
  for (int i = 0; i < steps; ++i) simulation.step();
  counting = false;
  return count;
}

TEST(Allocation, the_counter_counts) {
  count = 0;
  counting = true;
  auto* p = new std::vector<double>(100);
  counting = false;
  EXPECT_GE(count, 2);
  delete p;
}

TEST(Allocation, step_does_not_touch_the_heap_after_warm_up) {
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

#endif
