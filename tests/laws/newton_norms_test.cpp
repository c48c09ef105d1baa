// Norms of Newton's system at a solution, against what it is on paper.
#include <gtest/gtest.h>

#include <cmath>

#include <stiction/problem.hpp>

#include "support/worlds.hpp"

namespace stiction {
namespace {

constexpr double kTimestep = 0.002, kGravity = 9.81;

NewtonNorms norms_at_rest(const Model& model) {
  Simulation simulation = test::simulate(model, kTimestep);
  EXPECT_TRUE(simulation.step().ok());
  return newton_norms(simulation.problem(), simulation.solution());
}

// A ball that lies and sticks: the natural map is the velocity of the contact, so the system is W = diag(1, 7/2, 7/2) /
// m (a solid ball turns with 2/5 m r²), and the largest impulse is its weight times h.
TEST(NewtonNorms, of_a_ball_that_sticks_are_those_of_its_inverse_mass) {
  const Model model = test::ball_over_floor(0, 0.5, 0);
  const double mass = model.body_mass[1];
  const NewtonNorms norms = norms_at_rest(model);
  EXPECT_NEAR(norms.matrix, 3.5 / mass, 1e-9 / mass);
  EXPECT_NEAR(norms.inverse, mass, 1e-9 * mass);
  EXPECT_NEAR(norms.impulse, mass * kGravity * kTimestep, 1e-7 * mass * kTimestep);
}

// Four corners of a rigid box share their load in many ways.
TEST(NewtonNorms, of_redundant_contacts_have_no_inverse) {
  const NewtonNorms norms = norms_at_rest(test::box_on_slope(0, 0.5));
  EXPECT_TRUE(std::isinf(norms.inverse));
  EXPECT_TRUE(std::isfinite(norms.matrix));
}

}  // namespace
}  // namespace stiction
