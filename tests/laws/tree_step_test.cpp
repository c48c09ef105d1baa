// Laws of articulated trees in the step: motion, energy, momentum, contact.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "support/worlds.hpp"

namespace stiction {
namespace {

using test::simulate;
using test::surface;

constexpr double kGravity = 9.81;

// A chain of rods in a vertical plane; each hangs by a hinge at its upper end. Shapes touch nothing.
Model chain(int count, double length = 0.4) {
  Builder builder("chain");
  ShapeSettings ghost;
  ghost.contype = ghost.conaffinity = 0;
  int parent = 0;
  for (int i = 0; i < count; ++i) {
    const Vec3 at = i == 0 ? Vec3{} : Vec3{0, 0, -length};
    parent = builder.add_body("rod" + std::to_string(i), {at, {}}, parent);
    builder.add_joint(parent, JointType::kHinge, {0, 1, 0});
    builder.add_shape_capsule(parent, 0.02, 0.5 * length, {{0, 0, -0.5 * length}, {}}, ghost);
  }
  return builder.build();
}

// θ̈ = −(m g l / I) sin θ: the period of small swings is 2π √(I / (m g l)). The step is a symplectic first-order map;
// its frequency errs by (ω h)² / 24, here 4e-7, and the amplitude of 1e-3 rad by A²/16 = 6e-8.
TEST(tree_step, pendulum_swings_with_its_period) {
  const Model model = chain(1);
  const double m = model.body_mass[1], l = -model.body_com[1].z;
  const double period = 2 * std::numbers::pi * std::sqrt((model.body_inertia[1].y + m * l * l) / (m * kGravity * l));
  Simulation sim = simulate(model, 5e-4);
  sim.state().q[0] = 1e-3;
  double last = sim.state().q[0], first_crossing = 0, crossing = 0;
  int crossings = 0;
  while (crossings < 21) {
    sim.step();
    const double q = sim.state().q[0];
    if (last > 0 && q <= 0) {
      crossing = sim.state().time - 5e-4 * (q / (q - last));
      if (crossings++ == 0) first_crossing = crossing;
    }
    last = q;
  }
  EXPECT_NEAR((crossing - first_crossing) / 20, period, 2e-6 * period);
}

// A symplectic step would keep a nearby energy; ours takes the Coriolis force at the start of the step, so the error is
// of first order: it falls with h. Measured over 5 s from 86°: 3.3e-2 and 5.5e-3 of its energy.
TEST(tree_step, energy_error_of_a_double_pendulum_falls_with_the_step) {
  const auto drift = [](double h) {
    Simulation sim = simulate(chain(2), h);
    sim.state().q[0] = 1.5;
    sim.step();
    const auto energy = [&] {
      return sim.report().certificate.kinetic_energy + sim.report().certificate.potential_energy;
    };
    const double start = energy(), scale = std::abs(start) + sim.model().body_mass[1] * kGravity;
    double worst = 0;
    for (int i = 0; i < int(5 / h); ++i) {
      sim.step();
      worst = std::max(worst, std::abs(energy() - start) / scale);
    }
    return worst;
  };
  const double coarse = drift(1e-3), fine = drift(2.5e-4);
  std::printf("energy error %.2e at 1 ms, %.2e at 0.25 ms\n", coarse, fine);
  EXPECT_LT(fine, 0.35 * coarse);
  EXPECT_LT(coarse, 0.05);
}

// The ledger is an identity: what the solver injects is rounding, whatever the joints do.
TEST(tree_step, ledger_of_a_moving_tree_closes) {
  Simulation sim = simulate(chain(5), 1e-3);
  for (std::size_t i = 0; i < 5; ++i) sim.state().q[i] = 0.3 + 0.2 * double(i);
  for (int i = 0; i < 500; ++i) {
    const Certificate& c = sim.step().certificate;
    ASSERT_LT(std::abs(c.injected), 1e-12 * (1 + std::abs(c.kinetic_energy)));
  }
}

// A chain with a ball at its end, laid on the floor: contacts at bodies of one tree carry its weight.
TEST(tree_step, a_chain_comes_to_rest_on_the_floor) {
  Builder builder("fallen chain");
  builder.add_shape_plane(0, {}, surface(0.5));
  int parent = builder.add_body("base", {{0, 0, 0.12}, {}});
  builder.add_joint_free(parent);
  builder.add_shape_sphere(parent, 0.1, {}, surface(0.5));
  for (int i = 0; i < 3; ++i) {
    parent = builder.add_body("ball" + std::to_string(i), {{0.25, 0, 0}, {}}, parent);
    builder.add_joint(parent, JointType::kHinge, {0, 1, 0.2}, {-0.125, 0, 0});
    builder.add_shape_sphere(parent, 0.1, {}, surface(0.5));
  }
  const Model model = builder.build();
  double weight = 0;
  for (double mass : model.body_mass) weight += mass * kGravity;
  Simulation sim = simulate(model);
  for (int i = 0; i < 1500; ++i) {
    const StepReport& report = sim.step();
    ASSERT_LE(report.certificate.residual(), 1e-8) << sim.describe();
    ASSERT_LT(report.certificate.penetration, 1e-6);
  }
  EXPECT_EQ(sim.contacts().ncontact, 4);
  double up = 0;
  for (const Vec3& force : sim.contacts().force) up += force.z;
  EXPECT_NEAR(up, weight, 1e-6 * weight);
}

// Two bodies of one tree touch: an arm of two rods folds until its hand rests on its own base.
TEST(tree_step, bodies_of_one_tree_touch_each_other) {
  Builder builder("fold");
  const int base = builder.add_body("base", {{0, 0, 1}, {}});
  builder.add_joint(base, JointType::kSlide, {1, 0, 0});
  builder.add_shape_box(base, {0.2, 0.2, 0.05}, {}, surface(0.5));
  const int upper = builder.add_body("upper", {{0, 0, 0.1}, {}}, base);
  builder.add_joint(upper, JointType::kHinge, {0, 1, 0});
  ShapeSettings ghost;
  ghost.contype = ghost.conaffinity = 0;
  builder.add_shape_capsule(upper, 0.02, 0.1, {{0, 0, 0.15}, {}}, ghost);
  const int hand = builder.add_body("hand", {{0, 0, 0.15}, {}}, upper);
  builder.add_joint(hand, JointType::kHinge, {0, 1, 0});
  builder.add_shape_sphere(hand, 0.05, {}, surface(0.5));
  Simulation sim = simulate(builder.build(), 1e-3);
  sim.state().q[1] = 0.2;
  int touching = 0;
  for (int i = 0; i < 3000; ++i) {
    const StepReport& report = sim.step();
    ASSERT_LE(report.certificate.residual(), 1e-8) << sim.describe();
    ASSERT_LT(report.certificate.penetration, 1e-6);
    touching += sim.contacts().ncontact;
  }
  EXPECT_GT(touching, 1000);
}

}  // namespace
}  // namespace stiction
