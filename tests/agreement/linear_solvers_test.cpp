// The linear solvers: iterative ones against a dense factorisation by Eigen, the paper's Newton on top of all of them,
// and what their settings say.
#include <gtest/gtest.h>

// Without Eigen's vector code, whose intrinsics some compilers warn about wherever it is used.
#define EIGEN_DONT_VECTORIZE
#include <Eigen/Dense>

#include <stiction/error.hpp>
#include <stiction/report.hpp>

#include "solvers/flat_newton.hpp"
#include "solvers/scratch.hpp"
#include "support/random_problem.hpp"
#include "support/solve_cold.hpp"

namespace stiction {
namespace {

constexpr LinearSolver kAll[] = {LinearSolver::kAuto,       LinearSolver::kDirect, LinearSolver::kLdlt,
                                 LinearSolver::kPcr,        LinearSolver::kPcg,    LinearSolver::kJacobi,
                                 LinearSolver::kGaussSeidel};
constexpr LinearPreconditioner kPreconditioners[] = {LinearPreconditioner::kDiagonal,
                                                     LinearPreconditioner::kBlockDiagonal};
constexpr std::pair<LinearSolver, LinearPreconditioner> kCases[] = {
    {LinearSolver::kPcr, kPreconditioners[0]},         {LinearSolver::kPcr, kPreconditioners[1]},
    {LinearSolver::kPcg, kPreconditioners[0]},         {LinearSolver::kPcg, kPreconditioners[1]},
    {LinearSolver::kJacobi, kPreconditioners[0]},      {LinearSolver::kJacobi, kPreconditioners[1]},
    {LinearSolver::kGaussSeidel, kPreconditioners[0]}, {LinearSolver::kGaussSeidel, kPreconditioners[1]}};

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
    for (const auto& [kind, preconditioner] : kCases) {
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
      const int taken = solve_iteratively(flat.island, {kind, forcing, 20000, preconditioner, &history}, flat.linear);
      const Eigen::VectorXd expected = system.fullPivLu().solve(right);
      for (int i = 0; i < n; ++i)
        EXPECT_NEAR(flat.linear.delta_p[std::size_t(i)], expected[i], 1e3 * forcing * expected.norm())
            << int(kind) << " preconditioner " << int(preconditioner) << " row " << i;
      EXPECT_GT(taken, 1);
      ASSERT_EQ(history.size(), std::size_t(taken) + 1);
      EXPECT_EQ(history.front(), 1);
      EXPECT_LE(history.back(), forcing);
    }
  }
}

// The block of a contact that is alone is the whole matrix: one iteration solves it, where the diagonal needs several,
// as the lever of the contact couples its rows.
TEST(LinearSolvers, a_block_preconditions_its_own_contact_exactly) {
  test::ProblemMaker maker;
  const int body = maker.add_random_tree(6);
  maker.add_random_block(body, -1, 3);
  const ContactProblem problem = maker.finish();
  Solution solution;
  solution.resize_for(problem);
  for (const auto& [kind, preconditioner] : kCases) {
    SolverScratch s;
    ASSERT_TRUE(begin_island(problem, 0, {.warm_start = false}, solution, IslandForm::kTrees, s));
    FlatNewton<double> flat;
    flat.begin(s.island, s.scale, s.delassus, s.current.p);
    for (std::size_t k = 0; k < flat.linear.a.size(); ++k) {
      flat.linear.a[k] = 1;
      flat.linear.b[k] = 0.01 * flat.island.own[k];
      flat.linear.r[k] = double(k) + 1;
    }
    const int taken = solve_iteratively(flat.island, {kind, 1e-8, 20000, preconditioner}, flat.linear);
    if (preconditioner == LinearPreconditioner::kBlockDiagonal)
      EXPECT_EQ(taken, 1) << int(kind);
    else
      EXPECT_GE(taken, 2) << int(kind);
  }
}

// One physics, whatever solves the linear systems.
TEST(LinearSolvers, the_papers_newton_ends_in_the_same_velocities_with_each) {
  int compared = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const ContactProblem problem = test::box_stack(1, 1, {.seed = seed, .friction = 0.4});
    const test::Solved newton = test::solve_cold(problem, "newton");
    ASSERT_EQ(newton.stats.failed, 0);
    for (const LinearSolver kind : kAll) {
      Solution solution;
      const SolveStats stats =
          solve(problem, "newton-fb", {.max_iterations = 200, .warm_start = false, .linear_solver = kind}, solution);
      if (stats.failed > 0) continue;
      ++compared;
      const bool iterative = kind >= LinearSolver::kPcr;
      EXPECT_EQ(stats.linear_iterations > 0, iterative && stats.iterations > 0);
      EXPECT_EQ(stats.factorisations > 0, !iterative && stats.iterations > 0);
      EXPECT_LE(certify(problem, solution).residual(), 1e-8);
      for (std::size_t d = 0; d < solution.u.size(); ++d)
        EXPECT_NEAR(solution.u[d], newton.solution.u[d], 1e-5) << "seed " << seed;
    }
  }
  EXPECT_GE(compared, 70);  // of 140
}

// `auto`: a robot on a floor is in contact space, bodies on bodies are factored as they are, thousands of them are not.
TEST(LinearSolvers, auto_chooses_by_the_size_of_the_island) {
  Island island;
  island.nrow = 300;
  EXPECT_EQ(choose_linear_solver(island, Precision::kDouble), LinearSolver::kLdlt);
  EXPECT_EQ(choose_linear_solver(island, Precision::kFloat), LinearSolver::kPcr);
  island.nrow = 10 * 1000 * 1000;
  EXPECT_EQ(choose_linear_solver(island, Precision::kDouble), LinearSolver::kPcr);
  island.condensed = true;
  EXPECT_EQ(choose_linear_solver(island, Precision::kDouble), LinearSolver::kDirect);

  const auto velocities = [](const ContactProblem& problem, LinearSolver kind) {
    Solution solution;
    solve(problem, "newton-fb", {.max_iterations = 20, .warm_start = false, .linear_solver = kind}, solution);
    return solution.u;
  };
  const ContactProblem robot =
      test::random_forest({.trees = 1, .dofs_low = 30, .dofs_high = 30, .blocks_per_pair = 4}, {.seed = 3});
  EXPECT_EQ(velocities(robot, LinearSolver::kAuto), velocities(robot, LinearSolver::kDirect));
  EXPECT_NE(velocities(robot, LinearSolver::kAuto), velocities(robot, LinearSolver::kLdlt));
  const ContactProblem stack = test::box_stack(6, 1, {.seed = 3});
  EXPECT_EQ(velocities(stack, LinearSolver::kAuto), velocities(stack, LinearSolver::kLdlt));
  EXPECT_NE(velocities(stack, LinearSolver::kAuto), velocities(stack, LinearSolver::kDirect));
}

// What a solver would not look at is refused, not passed over.
TEST(LinearSolvers, settings_that_a_solver_does_not_use_are_refused) {
  const ContactProblem problem = test::box_stack(1, 1);
  const auto error_of = [&](const std::string& solver, const SolverSettings& settings) -> std::string {
    Solution solution;
    try {
      solve(problem, solver, settings, solution);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  for (const char* solver : {"newton", "pgs", "admm", "lemke"}) {
    EXPECT_EQ(error_of(solver, {.linear_solver = LinearSolver::kDirect}), "");
    const std::string text = error_of(solver, {.linear_solver = LinearSolver::kPcr});
    EXPECT_NE(text.find("linear_solver = pcr has no effect with solver '" + std::string(solver) +
                        "': only newton-fb and newton-minmap use it"),
              text.npos)
        << text;
  }
  for (const auto& [name, settings] :
       {std::pair{"precision", SolverSettings{.precision = Precision::kFloat}},
        std::pair{"linear_iterations", SolverSettings{.linear_iterations = 7}},
        std::pair{"linear_forcing", SolverSettings{.linear_forcing = 0.5}},
        std::pair{"linear_preconditioner", SolverSettings{.linear_preconditioner = kPreconditioners[1]}}}) {
    EXPECT_NE(error_of("newton", settings).find(name), std::string::npos) << name;
    EXPECT_EQ(error_of("newton-fb", settings), "") << name;
    SolverSettings factored = settings;
    factored.linear_solver = LinearSolver::kLdlt;
    EXPECT_NE(error_of("newton-fb", factored).find(name), std::string::npos) << name;
  }
  EXPECT_NE(error_of("newton", {.preconditioner = Preconditioner::kIdentity}).find("preconditioner"),
            std::string::npos);
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
