// The same bits run to run and for any number of threads.
#include "support/worlds.hpp"

#include <gtest/gtest.h>

#include <stiction/load.hpp>

namespace stiction {
namespace {

State final_state(const Model& model, int threads, int steps) {
  Simulation simulation = test::simulate(model, 0.005, threads);
  for (int i = 0; i < steps; ++i) EXPECT_TRUE(simulation.step().ok()) << simulation.describe();
  return simulation.state();
}

void expect_equal_bits(const State& a, const State& b) {
  EXPECT_EQ(a.q, b.q);
  EXPECT_EQ(a.u, b.u);
  EXPECT_EQ(a.warm_key, b.warm_key);
  ASSERT_EQ(a.warm_force.size(), b.warm_force.size());
  for (std::size_t i = 0; i < a.warm_force.size(); ++i)
    EXPECT_TRUE(a.warm_force[i] == b.warm_force[i]) << "contact " << i;
}

// Many islands: cubes dropped at different heights and turns on a floor.
TEST(Threads, many_islands_give_the_same_bits_for_one_and_two_threads) {
  const Model model = test::scattered_cubes(6);
  const State one = final_state(model, 1, 150), two = final_state(model, 2, 150), again = final_state(model, 2, 150);
  EXPECT_NE(one.q, model.q_reference) << "something must have moved";
  expect_equal_bits(one, two);
  expect_equal_bits(two, again);
}

// In a heap contacts enter in rounds, and each round starts from the forces of the one before. When those went back to
// the wrong contacts, the start read memory beyond them, and runs differed from step 45 on.
TEST(Threads, a_heap_that_falls_gives_the_same_bits_for_one_and_two_threads) {
  const Model model = load(STICTION_SOURCE_DIR "/scenes/pile_500.xml");
  expect_equal_bits(final_state(model, 1, 60), final_state(model, 2, 60));
}

TEST(Threads, one_island_gives_the_same_bits_run_to_run) {
  const Model model = test::cube_stack(10, 2);
  expect_equal_bits(final_state(model, 1, 100), final_state(model, 2, 100));
}

}  // namespace
}  // namespace stiction
