// A coin that falls into a ring, a closed mesh, slides down in it until it jams between two sides. As it turns, gaps on
// both close; made up for on both, that contradicts itself. At rest nothing turns, so every step has a solution:
//
//   residual ≤ 1e-8 in every step, depth ≤ 1e-3 of the coin, |u| → 0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include <stiction/builder.hpp>
#include <stiction/query.hpp>

#include "support/meshes.hpp"
#include "support/random.hpp"
#include "support/worlds.hpp"

namespace stiction::test {
namespace {

constexpr double kRadius = 0.04;  // of the coin [m]

TEST(Jam, coin_in_a_ring_comes_to_rest_with_every_step_solved) {
  int touching = 0;
  for (int drop = 0; drop < 8; ++drop) {
    Random random(std::uint64_t(drop) + 1);
    Builder builder("ring");
    builder.add_shape_mesh(0, torus_mesh(0.07, 0.03, 16, 8), {}, surface(0.5));
    const int coin =
        builder.add_body("coin", {{random.uniform(-0.03, 0.03), random.uniform(-0.03, 0.03), 0.2}, random.rotation()});
    builder.add_joint_free(coin);
    builder.add_shape_cylinder(coin, kRadius, 0.003, {}, surface(0.5));
    builder.add_shape_plane(0, {{0, 0, -0.2}, {}}, surface(0.5));
    const auto model = std::make_shared<const Model>(builder.build());
    Options options = model->options;
    options.timestep = 0.002;
    Simulation simulation(model, options);
    simulation.state().u[2] = -1;
    for (std::size_t k = 3; k < 6; ++k) simulation.state().u[k] = random.uniform(-20, 20);
    Query query(model);
    double deepest = 0;
    for (int step = 0; step < 1000; ++step) {
      EXPECT_TRUE(simulation.step().ok()) << "drop " << drop << ": " << simulation.describe();
      touching += simulation.contacts().ncontact > 0 ? 1 : 0;
      if (step % 5 != 0) continue;
      query.place(simulation);
      deepest = std::max(deepest, -query.distance(0, 1, 0).distance);
    }
    EXPECT_LT(deepest, 1e-3 * kRadius) << "drop " << drop;
    double speed = 0;
    for (const double u : simulation.state().u) speed = std::max(speed, std::abs(u));
    EXPECT_LT(speed, 1e-6) << "drop " << drop;
  }
  EXPECT_GT(touching, 4000);
}

}  // namespace
}  // namespace stiction::test
