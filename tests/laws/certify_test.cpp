// The certificate must see every violation, at its size, and be silent on an exact solution. Problem: a unit mass that
// rests on a floor and is pushed sideways; everything is known in closed form.
#include <stiction/report.hpp>

#include <gtest/gtest.h>

#include <cmath>

#include "support/solve_cold.hpp"

namespace stiction {
namespace {

constexpr double kStep = 0.01, kGravity = 9.81, kFriction = 0.5;

// One particle-like tree of three dofs (z up first: n, t1, t2), mass 2 kg, ũ = (−g h, push, 0).
ContactProblem sliding_mass(double push) {
  ContactProblem p;
  p.timestep = kStep;
  p.velocity_floor = kGravity * kStep;
  p.nv = 3, p.ntree = 1, p.ninertia = 9, p.nblock = 1, p.nrow = 3, p.njacobian = 9;
  p.resize();
  p.tree_dof = {0, 3};
  p.tree_inertia = {0, 9};
  p.inertia = {2, 0, 0, 0, 2, 0, 0, 0, 2};
  p.jacobian = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  p.free_velocity = {-kGravity * kStep, push, 0};
  p.block_law = {Law::kCoulomb};
  p.block_row = {0, 3};
  p.block_tree_a = {-1};
  p.block_tree_b = {0};
  p.block_friction = {kFriction};
  EXPECT_EQ(finish_problem(p), -1);
  check_problem(p);
  return p;
}

// Exact answer: λ_n = m g; friction stops the mass or brakes it with μ m g.
Solution exact_solution(double push) {
  const double normal = 2 * kGravity, most = kFriction * normal, needed = 2 * push / kStep;
  const double friction = std::min(most, needed);
  Solution s;
  s.nv = 3, s.nrow = 3, s.nblock = 1;
  s.resize();
  s.u = {0, push - friction * kStep / 2, 0};
  s.lambda = {normal, -friction, 0};
  s.push_out = {1};
  return s;
}

class CertificateTest : public testing::TestWithParam<double> {};

TEST_P(CertificateTest, exact_solution_has_no_residual) {
  const Certificate c = certify(sliding_mass(GetParam()), exact_solution(GetParam()));
  EXPECT_LT(c.residual(), 1e-14);
  EXPECT_EQ(c.worst_block, 0);
}

// Each law is broken by ε alone and must show as ε in m/s.
TEST_P(CertificateTest, each_violation_shows_at_its_size) {
  const ContactProblem p = sliding_mass(GetParam());
  const double epsilon = 1e-6, per_force = kStep / 2;  // velocity per unit of force
  const double scale = std::max(kGravity * kStep, std::hypot(kGravity * kStep, GetParam()));

  Solution s = exact_solution(GetParam());
  s.u[0] += epsilon;  // separates although it carries load; momentum is broken too
  EXPECT_NEAR(certify(p, s).complementarity_velocity, epsilon, 1e-12);
  EXPECT_NEAR(certify(p, s).complementarity, epsilon / scale, 1e-10);
  EXPECT_NEAR(certify(p, s).momentum_velocity, epsilon, 1e-12);

  s = exact_solution(GetParam());
  s.lambda[0] = -epsilon / per_force, s.lambda[1] = 0;  // pulls
  EXPECT_NEAR(certify(p, s).complementarity_velocity, epsilon, 1e-12);

  s = exact_solution(GetParam());
  s.lambda[1] = -kFriction * s.lambda[0] - epsilon / per_force;  // outside the cone
  EXPECT_NEAR(certify(p, s).cone_velocity, epsilon, 1e-12);

  s = exact_solution(GetParam());
  s.lambda[2] += epsilon / per_force;  // friction across the motion: wrong while sliding, momentum alone while sticking
  if (s.u[1] > 0) {
    EXPECT_GT(certify(p, s).dissipation_velocity, 0.5 * epsilon);
  }
  EXPECT_NEAR(certify(p, s).momentum_velocity, epsilon, 1e-12);
}

INSTANTIATE_TEST_SUITE_P(sticks_and_slides, CertificateTest, testing::Values(0.01, 0.2));

TEST(Certificate, nan_is_not_a_small_residual) {
  const ContactProblem p = sliding_mass(0.2);
  Solution s = exact_solution(0.2);
  s.lambda[0] = NAN;
  EXPECT_FALSE(certify(p, s).residual() <= 1e9);
}

TEST(Certificate, creep_of_a_sticking_contact_shows) {
  const ContactProblem p = sliding_mass(0.01);
  Solution s = exact_solution(0.01);
  s.u[1] += 1e-7;
  EXPECT_NEAR(certify(p, s).dissipation_velocity, 1e-7, 1e-13);
}

TEST(CheckProblem, bad_problems_are_rejected_with_the_block_named) {
  const auto message = [](auto&& change) {
    ContactProblem p = sliding_mass(0.1);
    change(p);
    return test::refusal(p);
  };
  EXPECT_NE(message([](auto& p) { p.block_friction[0] = -1; }).find("block 0"), std::string::npos);
  EXPECT_NE(message([](auto& p) { p.bias[0] = NAN; }).find("bias[0]"), std::string::npos);
  EXPECT_NE(message([](auto& p) { p.inertia[1] = 5; }).find("not symmetric"), std::string::npos);
  EXPECT_NE(message([](auto& p) { p.block_tree_b[0] = 7; }).find("tree 7"), std::string::npos);
  EXPECT_EQ(message([](auto&) {}), "");
  ContactProblem p = sliding_mass(0.1);
  p.inertia[0] = -2;
  EXPECT_EQ(finish_problem(p), 0) << "the tree without positive inertia is named";
}

}  // namespace
}  // namespace stiction
