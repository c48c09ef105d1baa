// The iterative linear solvers against a dense factorisation by Eigen, and the paper's Newton on top of them.
#include <gtest/gtest.h>

// Without Eigen's vector code, whose intrinsics some compilers warn about wherever it is used.
#define EIGEN_DONT_VECTORIZE
#include <Eigen/Dense>

#include <stiction/report.hpp>

#include "solvers/flat_newton.hpp"
#include "solvers/scratch.hpp"
#include "support/random_problem.hpp"
#include "support/solve_cold.hpp"

namespace stiction {
namespace {

constexpr LinearSolver kIterative[] = {LinearSolver::kPcr, LinearSolver::kPcg, LinearSolver::kJacobi,
                                       LinearSolver::kGaussSeidel};

// W = J M⁻¹ Jᵀ, one unit impulse after the other.
Eigen::MatrixXd delassus(const SolverScratch& s) {
  const int n = s.island.nrow;
  Eigen::MatrixXd W(n, n);
  std::vector<double> p(std::size_t(n), 0.0), u(std::size_t(s.island.nv)), v(std::size_t(n), 0.0);
  for (int j = 0; j < n; ++j) {
    p[std::size_t(j)] = 1;
    generalized_impulse(s.island, p.data(), u.data());
    apply_inverse_inertia(s.island, u.data());
    contact_velocity(s.island, u.data(), false, v.data());
    for (int i = 0; i < n; ++i) W(i, j) = v[std::size_t(i)];
    p[std::size_t(j)] = 0;
  }
  return W;
}

template <class T>
class LinearSolversOf : public testing::Test {};
using Scalars = testing::Types<float, double>;
TYPED_TEST_SUITE(LinearSolversOf, Scalars);

// a δv + b δp = r with a slope a in (0, 1] and a compliance b > 0 in every row; solved to a forcing term, 1e-8 in
// double precision and 1e-5 in single, which the condition of the system, below 1e3, leaves at a thousand times that.
TYPED_TEST(LinearSolversOf, iterative_solvers_agree_with_a_dense_factorisation) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const ContactProblem problem = test::pile(6, {.seed = seed});
    Solution solution;
    solution.resize_for(problem);
    for (const LinearSolver kind : kIterative) {
      SolverScratch s;
      ASSERT_TRUE(begin_island(problem, 0, {.warm_start = false}, solution, IslandForm::kTrees, s));
      FlatNewton<TypeParam> flat;
      flat.begin(s.island, s.scale, s.delassus, s.current.p);
      test::Random random(seed);
      const int n = s.island.nrow;
      Eigen::MatrixXd system = delassus(s);
      Eigen::VectorXd right(n);
      for (int c = 0; c < s.island.nblock; ++c)
        for (int i = s.island.row[std::size_t(c)]; i < s.island.row[std::size_t(c) + 1]; ++i) {
          const auto k = std::size_t(i);
          flat.linear.a[k] = TypeParam(random.uniform(0.1, 1));
          flat.linear.b[k] = TypeParam(random.uniform(0.1, 1) * s.scale[std::size_t(c)].normal);
          flat.linear.r[k] = TypeParam(random.uniform(-1, 1));
          right[i] = double(flat.linear.r[k]);
          system.row(i) *= double(flat.linear.a[k]);
          system(i, i) += double(flat.linear.b[k]);
        }
      std::vector<double> history;
      const double forcing = std::is_same_v<TypeParam, float> ? 1e-5 : 1e-8;
      const int taken = solve_iteratively(flat.island, {kind, forcing, 20000, &history}, flat.linear);
      const Eigen::VectorXd expected = system.fullPivLu().solve(right);
      for (int i = 0; i < n; ++i)
        EXPECT_NEAR(flat.linear.delta_p[std::size_t(i)], expected[i], 1e3 * forcing * expected.norm())
            << int(kind) << " row " << i;
      EXPECT_GT(taken, 1);
      ASSERT_EQ(history.size(), std::size_t(taken) + 1);
      EXPECT_EQ(history.front(), 1);
      EXPECT_LE(history.back(), forcing);
    }
  }
}

// One physics, whatever solves the linear systems.
TEST(LinearSolvers, the_papers_newton_ends_in_the_same_velocities_with_each) {
  int compared = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const ContactProblem problem = test::box_stack(1, 1, {.seed = seed, .friction = 0.4});
    const test::Solved direct = test::solve_cold(problem, "newton-fb");
    if (direct.stats.failed > 0) continue;
    for (const LinearSolver kind : kIterative) {
      Solution solution;
      const SolveStats stats =
          solve(problem, "newton-fb", {.max_iterations = 200, .warm_start = false, .linear_solver = kind}, solution);
      if (stats.failed > 0) continue;
      ++compared;
      EXPECT_EQ(stats.linear_iterations > 0, stats.iterations > 0);
      EXPECT_LE(certify(problem, solution).residual(), 1e-8);
      for (std::size_t d = 0; d < solution.u.size(); ++d)
        EXPECT_NEAR(solution.u[d], direct.solution.u[d], 1e-5) << "seed " << seed;
    }
  }
  EXPECT_GE(compared, 40);  // of 80
}

// Any positive scale states the same law: what they end in is the same, how often they get there is not.
TEST(LinearSolvers, every_preconditioner_states_the_same_law) {
  for (const char* name : {"identity", "h2"}) {
    int compared = 0;
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
      const ContactProblem problem = test::box_stack(1, 1, {.seed = seed, .friction = 0.4});
      const test::Solved newton = test::solve_cold(problem, "newton");
      Solution solution;
      const SolverSettings settings{
          .max_iterations = 200, .warm_start = false, .preconditioner = preconditioner_named(name)};
      const SolveStats stats = solve(problem, "newton-fb", settings, solution);
      if (stats.failed > 0 || stats.iterations == 0) continue;
      ++compared;
      for (std::size_t d = 0; d < solution.u.size(); ++d)
        EXPECT_NEAR(solution.u[d], newton.solution.u[d], 1e-5) << name << " seed " << seed;
    }
    EXPECT_GE(compared, 5) << name;
  }
}

}  // namespace
}  // namespace stiction
