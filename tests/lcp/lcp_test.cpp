// The linear complementarity toolbox: each method against the others, against problems whose answer is known, and its
// verdicts against their proofs.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include <stiction/lcp.hpp>

#include "support/random.hpp"

namespace stiction {
namespace {

using test::Random;

Lcp random_lcp(Random& random, int n, bool positive) {
  Lcp out{n, std::vector<double>(std::size_t(n * n)), std::vector<double>(std::size_t(n))};
  std::vector<double> factor(std::size_t(n * n));
  for (double& x : factor) x = random.normal();
  for (double& x : out.q) x = random.normal();
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      double sum = positive && i == j ? 0.1 : 0;
      for (int k = 0; positive && k < n; ++k) sum += factor[std::size_t(i * n + k)] * factor[std::size_t(j * n + k)];
      out.M[std::size_t(i * n + j)] = positive ? sum : factor[std::size_t(i * n + j)];
    }
  return out;
}

void expect_solved(const LcpResult& result) {
  EXPECT_EQ(result.status, LcpStatus::kSolved) << result.message;
  EXPECT_LE(result.certificate.residual(), 1e-9);
}

// A positive definite M has one solution for every q, and all methods find it.
TEST(Lcp, all_methods_agree_on_positive_definite_matrices) {
  Random random(1);
  for (int trial = 0; trial < 200; ++trial) {
    const Lcp problem = random_lcp(random, random.integer(1, 10), true);
    const LcpResult reference = solve_lcp(problem, "enumerate");
    ASSERT_EQ(reference.solutions.size(), 1u);
    for (const char* method : {"lemke", "newton-minmap", "pgs"}) {
      const LcpResult result = solve_lcp(problem, method, {1e-9, 200000});
      expect_solved(result);
      for (std::size_t i = 0; i < result.z.size(); ++i)
        EXPECT_NEAR(result.z[i], reference.z[i], 1e-5 * (1 + std::abs(reference.z[i]))) << method;
    }
  }
}

// Any M: Lemke may end on a ray, but what it calls solved or infeasible is so, and rays are rays.
TEST(Lcp, lemke_is_never_wrong_on_any_matrix) {
  Random random(2);
  int solved = 0, infeasible = 0, rays = 0, none = 0;
  for (int trial = 0; trial < 1000; ++trial) {
    const Lcp problem = random_lcp(random, random.integer(1, 7), false);
    const LcpResult result = solve_lcp(problem, "lemke"), all = solve_lcp(problem, "enumerate");
    ASSERT_NE(all.status, LcpStatus::kNotConverged);
    if (result.status == LcpStatus::kSolved) {
      ++solved;
      EXPECT_EQ(all.status, LcpStatus::kSolved) << trial;
      bool listed = false;
      for (const auto& z : all.solutions) {
        double apart = 0;
        for (std::size_t i = 0; i < z.size(); ++i) apart = std::max(apart, std::abs(z[i] - result.z[i]));
        listed = listed || apart <= 1e-6;
      }
      EXPECT_TRUE(listed) << trial;
    } else {
      EXPECT_LE(result.ray_residual, 1e-9) << trial;
      EXPECT_NE(result.status, LcpStatus::kNotConverged) << trial;
      if (result.status == LcpStatus::kInfeasible) {
        ++infeasible;
        EXPECT_EQ(all.status, LcpStatus::kInfeasible) << trial;
        EXPECT_GT(infeasible_below(problem, result.farkas), 1e6) << trial;
      } else {
        ++rays;
        none += all.status == LcpStatus::kNoSolution;
      }
    }
  }
  // Every kind of end was met.
  EXPECT_GT(solved, 100);
  EXPECT_GT(infeasible, 50);
  EXPECT_GT(rays, 20);
  EXPECT_GT(none, 20);
  RecordProperty("solved", solved);
  RecordProperty("infeasible", infeasible);
  RecordProperty("rays", rays);
  RecordProperty("rays_without_solution", none);
}

// Murty's family: a triangular P-matrix on which pivoting methods may take very many steps.
TEST(Lcp, lemke_finishes_murtys_long_path) {
  const int n = 10;
  Lcp problem{n, std::vector<double>(std::size_t(n * n), 0), std::vector<double>(std::size_t(n), -1)};
  for (int i = 0; i < n; ++i)
    for (int j = 0; j <= i; ++j) problem.M[std::size_t(i * n + j)] = i == j ? 1 : 2;
  const LcpResult result = solve_lcp(problem, "lemke", {1e-9, 1 << 12});
  expect_solved(result);
  EXPECT_DOUBLE_EQ(result.z[0], 1);
  for (std::size_t i = 1; i < result.z.size(); ++i) EXPECT_NEAR(result.z[i], 0, 1e-12);
}

// All ratios tie: a P-matrix with a symmetry of order three, and many contacts at one point.
TEST(Lcp, lemke_does_not_cycle_where_ratios_tie) {
  const Lcp cyclic{3, {1, 2, 0, 0, 1, 2, 2, 0, 1}, {-1, -1, -1}};
  const LcpResult result = solve_lcp(cyclic, "lemke");
  expect_solved(result);
  for (const double z : result.z) EXPECT_NEAR(z, 1.0 / 3, 1e-15);
  const int n = 12;
  const Lcp equal{n, std::vector<double>(std::size_t(n * n), 2.0), std::vector<double>(std::size_t(n), -3.0)};
  const LcpResult shared = solve_lcp(equal, "lemke");
  expect_solved(shared);
  double sum = 0;
  for (const double z : shared.z) sum += z;
  EXPECT_NEAR(sum, 1.5, 1e-14);
}

// w₀ = −1 − z₁, w₁ = z₀: no z ≥ 0 makes w₀ ≥ 0. M is skew-symmetric, and y = e₀ proves it exactly.
TEST(Lcp, an_infeasible_problem_comes_with_its_proof) {
  const Lcp problem{2, {0, -1, 1, 0}, {-1, 0}};
  const LcpResult result = solve_lcp(problem, "lemke");
  EXPECT_EQ(result.status, LcpStatus::kInfeasible);
  EXPECT_EQ(result.no_solution_below, std::numeric_limits<double>::infinity());
  EXPECT_EQ(result.ray.direction.size(), 2u);
  EXPECT_LE(result.ray_residual, 1e-15);
  EXPECT_EQ(solve_lcp(problem, "enumerate").status, LcpStatus::kInfeasible);
  // A vector that proves nothing is not taken for a proof.
  EXPECT_EQ(infeasible_below(problem, std::vector<double>{0, 1}), 0);
  EXPECT_EQ(infeasible_below(problem, std::vector<double>{-1, 0}), 0);
}

// w = −z + … : z = (2, 1) is feasible for M z + q ≥ 0, but no piece holds a solution.
TEST(Lcp, a_feasible_problem_without_solution_is_told_apart) {
  // w₀ = −1 + z₁, w₁ = 1 − z₁ with the products z₀ w₀, z₁ w₁: z₁ ≥ 1 from w₀ ≥ 0, z₁ ≤ 1, so w₁ = 0, z₁ = 1, w₀ = 0.
  expect_solved(solve_lcp({2, {0, 1, 0, -1}, {-1, 1}}, "enumerate"));
  // w₀ = −1 + z₁, w₁ = 2 − z₁ + z₀ …: z₁ > 0 asks for w₁ = 0, z₁ = 2 + z₀ and z₀ (1 + z₀) = 0: one solution (0, 2).
  expect_solved(solve_lcp({2, {0, 1, 1, -1}, {-1, 2}}, "enumerate"));
  // w₀ = −1 + z₁, w₁ = 2 + z₁: z₁ must be 0 as w₁ ≥ 2, then w₀ = −1 < 0; but z = (0, 1) is feasible.
  const Lcp problem{2, {0, 1, 0, 1}, {-1, 2}};
  const LcpResult all = solve_lcp(problem, "enumerate"), lemke = solve_lcp(problem, "lemke");
  EXPECT_EQ(all.status, LcpStatus::kNoSolution) << all.message;
  EXPECT_EQ(lemke.status, LcpStatus::kRay) << lemke.message;
  EXPECT_LE(lemke.ray_residual, 1e-15);
}

// w₁ = z₀ − 1 ≥ 0 with w₀ = 0 whatever z is: every basis that holds z₀ is singular.
TEST(Lcp, solutions_on_singular_pieces_are_found) {
  const LcpResult result = solve_lcp({2, {0, 0, 1, 0}, {0, -1}}, "enumerate");
  expect_solved(result);
  EXPECT_GE(result.z[0], 1 - 1e-9);
}

TEST(Lcp, the_certificate_sees_each_kind_of_error) {
  const Lcp problem{2, {2, 1, 1, 2}, {-5, -6}};
  const LcpResult result = solve_lcp(problem, "lemke");
  expect_solved(result);
  EXPECT_NEAR(result.z[0], 4.0 / 3, 1e-15);
  std::vector<double> w = result.w, z = result.z;
  w[1] += 1e-3;
  EXPECT_GT(certify_lcp(problem, z, w).equation, 1e-5);
  z[0] = -1e-3;
  EXPECT_GT(certify_lcp(problem, z, result.w).negative_z, 1e-5);
  EXPECT_GT(certify_lcp(problem, std::vector<double>{0, 0}, problem.q).negative_w, 0.9);
  EXPECT_GT(certify_lcp(problem, std::vector<double>{2, 2}, std::vector<double>{1, 0}).complementarity, 0.05);
  LcpRay ray{{0, 0}, {1, 0}, {1, 1}, 6, 0};
  EXPECT_GT(certify_ray(problem, ray), 0.1);  // r ⊥ M r does not hold
}

TEST(Lcp, bad_input_is_refused) {
  const auto message = [](const Lcp& problem, const char* method, const LcpSettings& settings = {}) {
    try {
      solve_lcp(problem, method, settings);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(message({2, {1, 0, 0}, {1, 1}}, "lemke"), "LCP: M has 3 entries: it must be 2 × 2, as q has 2");
  EXPECT_EQ(message({2, {1, 0, 0, 1}, {1}}, "lemke"), "LCP: q has 1 entries, n is 2");
  EXPECT_EQ(message({2, {1, 0, std::nan(""), 1}, {1, 1}}, "lemke"), "LCP: M[1, 0] is nan");
  EXPECT_EQ(message({1, {1}, {HUGE_VAL}}, "lemke"), "LCP: q[0] is inf");
  EXPECT_EQ(message({1, {1}, {1}}, "lemk"),
            "LCP: there is no method 'lemk'. Methods: lemke, pgs, newton-minmap, enumerate");
  EXPECT_EQ(message({1, {1}, {1}}, "lemke", {0, 0}), "LCP: tolerance is 0: it must be greater than 0");
  EXPECT_NE(message({21, std::vector<double>(441, 1), std::vector<double>(21, 1)}, "enumerate").find("n ≤ 20"),
            std::string::npos);
  const LcpResult result = solve_lcp({2, {1, 0, 0, 0}, {-1, -1}}, "pgs");
  EXPECT_EQ(result.status, LcpStatus::kNotConverged);
  EXPECT_EQ(result.message, "pgs needs a positive diagonal, M[1, 1] is 0");
}

TEST(Lcp, empty_and_trivial_problems_are_solved) {
  for (const std::string& method : lcp_methods()) {
    expect_solved(solve_lcp({0, {}, {}}, method));
    expect_solved(solve_lcp({1, {1}, {0}}, method));
    expect_solved(solve_lcp({2, {1, 0, 0, 1}, {3, 4}}, method));
  }
}

}  // namespace
}  // namespace stiction
