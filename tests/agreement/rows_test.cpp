// Problems with equalities, bounds, compliance and contacts, whose solution is known by construction.
#include <gtest/gtest.h>

#include <cmath>

#include "solvers/gauss_seidel.hpp"
#include "solvers/newton_path.hpp"
#include "solvers/proximal.hpp"
#include "support/solve_cold.hpp"
#include "support/solved_problem.hpp"

#include <stiction/report.hpp>

namespace stiction::test {
namespace {

SolvedProblem draw(std::uint64_t seed, double one_row, const RowOptions& rows = {}, double many_rows = 0) {
  SceneOptions options;
  options.seed = seed;
  options.friction = 0.5;
  options.mass_low = 0.1, options.mass_high = 10;
  ForestOptions forest;
  forest.trees = int(1 + seed % 6), forest.dofs_low = 3, forest.dofs_high = 20;
  forest.blocks_per_pair = 3, forest.one_row = one_row, forest.many_rows = many_rows;
  return solve_by_construction(random_forest(forest, options), rows, seed);
}

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

TEST(Rows, certificate_is_silent_on_the_constructed_solution) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    const SolvedProblem made = draw(seed, 0.7);
    // Rounding of J u⁺ against b, relative to the island's scale.
    EXPECT_LT(certify(made.problem, made.solution).residual(), 1e-12) << "seed " << seed;
  }
}

// Without contact the problem is convex and u⁺ is unique: the solver must find the constructed one.
TEST(Rows, newton_finds_the_velocity_of_problems_without_friction) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const SolvedProblem made = draw(seed, 1);
    const Solved newton = solve_cold(made.problem, "newton");
    EXPECT_LE(newton.residual, 1e-8) << "seed " << seed;
    EXPECT_EQ(newton.stats.failed, 0) << "seed " << seed;
    EXPECT_LT(distance(newton.solution.u, made.solution.u), 1e-5) << "seed " << seed;
  }
}

// Friction in one to five directions, as torsion, rolling and one-way sliding have it.
TEST(Rows, newton_solves_blocks_of_two_to_six_rows) {
  int rows[kMostBlockRows + 1] = {};
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const SolvedProblem made = draw(seed, 0.2, {}, 1);
    for (int b = 0; b < made.problem.nblock; ++b) ++rows[made.problem.block_size(b)];
    EXPECT_LT(certify(made.problem, made.solution).residual(), 1e-12) << "seed " << seed;
    const Solved newton = solve_cold(made.problem, "newton");
    EXPECT_LE(newton.residual, 1e-8) << "seed " << seed;
    EXPECT_EQ(newton.stats.failed, 0) << "seed " << seed;
  }
  for (int n = 1; n <= kMostBlockRows; ++n) EXPECT_GT(rows[n], 100) << n << " rows";
}

TEST(Rows, newton_solves_rows_and_contacts_together) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const SolvedProblem made = draw(seed, 0.6);
    const Solved newton = solve_cold(made.problem, "newton");
    EXPECT_LE(newton.residual, 1e-8) << "seed " << seed;
  }
}

TEST(Rows, the_papers_newton_agrees_with_newton_where_it_solves) {
  for (const char* name : {"newton-fb", "newton-minmap"}) {
    int solved = 0;
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
      const SolvedProblem made = draw(seed, 1);
      const Solved paper = solve_cold(made.problem, name);
      if (paper.stats.failed > 0) continue;
      ++solved;
      EXPECT_LE(paper.residual, 1e-8) << name << " seed " << seed;
      EXPECT_LT(distance(paper.solution.u, made.solution.u), 1e-5) << name << " seed " << seed;
    }
    EXPECT_GE(solved, 70) << name;
  }
}

// Each link of the chain alone, on convex problems, where each must arrive.
TEST(Rows, interior_path_proximal_continuation_and_sweeps_each_solve_rows) {
  int swept = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    SolvedProblem made = draw(seed, 1);
    SolverScratch s;
    const SolverSettings settings{.warm_start = false};
    ASSERT_TRUE(begin_island(made.problem, 0, settings, made.solution, IslandForm::kTrees, s));
    const double tolerance = 1e-8 * s.island.scale;
    const Targets targets{0.1 * tolerance, tolerance};
    EXPECT_TRUE(follow_path(targets, {}, s)) << "seed " << seed << " residual " << s.best.residual;
    ASSERT_TRUE(begin_island(made.problem, 0, settings, made.solution, IslandForm::kTrees, s));
    EXPECT_TRUE(s.current.residual <= tolerance || proximal_continuation(tolerance, settings.max_iterations, s))
        << "seed " << seed;
    ASSERT_TRUE(begin_island(made.problem, 0, settings, made.solution, IslandForm::kTrees, s));
    const double before = s.current.residual;
    swept += gauss_seidel(tolerance, 3000, s);
    EXPECT_LE(s.best.residual, before) << "seed " << seed;
  }
  EXPECT_GE(swept, 80);
}

// Every equality three times over: rank-deficient, consistent. Forces are not unique, the velocity is.
TEST(Rows, redundant_equalities_converge) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    ProblemMaker maker;
    Random& random = maker.random();
    const int dofs = int(4 + seed % 8);
    const int a = maker.add_random_tree(dofs), b = maker.add_random_tree(6);
    for (int k = 0; k < 3; ++k) {
      std::vector<double> J_a(static_cast<std::size_t>(dofs)), J_b(6);
      for (double& x : J_a) x = random.normal();
      for (double& x : J_b) x = random.normal();
      for (double factor : {1.0, -2.0, 1.0}) {
        std::vector<double> scaled_a = J_a, scaled_b = J_b;
        for (double& x : scaled_a) x *= factor;
        for (double& x : scaled_b) x *= factor;
        maker.add_block(Law::kUnilateral, 0, a, scaled_a, b, scaled_b, {0.3 * factor});
      }
    }
    ContactProblem problem = maker.finish();
    for (std::size_t k = 0; k < std::size_t(problem.nblock); ++k) {
      problem.block_law[k] = Law::kBox;
      problem.block_lower[k] = -INFINITY, problem.block_upper[k] = INFINITY;
    }
    finish_problem(problem);
    const Solved newton = solve_cold(problem, "newton");
    EXPECT_LE(newton.residual, 1e-8) << "seed " << seed;
    EXPECT_LE(newton.stats.factorisations, 3) << "seed " << seed << ": the problem is linear";
  }
}

// Both ways to factor the Newton matrix solve the same rows.
TEST(Rows, dense_and_sparse_paths_agree) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    const SolvedProblem made = draw(seed, 1, {.equality = 0.6, .one_sided = 0, .two_sided = 0, .compliant = 0.5});
    Island island;
    std::vector<double> scratch;
    gather_island(made.problem, 0, made.solution.push_out, island);
    const auto blocks = std::size_t(island.nblock);
    std::vector<double> delassus(blocks), A(blocks, 1.0), B(blocks), r(blocks);
    delassus_diagonal(island, scratch, delassus.data());
    for (std::size_t c = 0; c < blocks; ++c) B[c] = island.box[c].compliance, r[c] = island.bias[c];
    std::vector<double> p_dense(blocks), p_sparse(blocks), v_dense(blocks), u_sparse(std::size_t(island.nv)), u_dense;
    Island condensed = island;
    ContactSpaceScratch space;
    enter_contact_space(space, condensed);
    ContactSpaceMatrix dense;
    dense.prepare(condensed, delassus.data());
    ASSERT_TRUE(dense.factor(A.data(), B.data(), 1e-10));
    BodySpaceMatrix sparse;
    sparse.prepare(island, delassus.data());
    ASSERT_TRUE(sparse.factor(A.data(), B.data(), 1e-9));
    const double dense_error = dense.solve(r.data(), 0, p_dense.data(), v_dense.data());
    // δu = M⁻¹ Jᵀ δp
    tree_velocity(condensed, p_dense.data(), u_dense);
    for (std::size_t d = 0; d < u_dense.size(); ++d) u_dense[d] -= island.free_velocity[d];
    const double sparse_error = sparse.solve(r.data(), 0, p_sparse.data(), u_sparse.data());
    EXPECT_LT(dense_error, 1e-10) << "seed " << seed;
    EXPECT_LT(sparse_error, 1e-9) << "seed " << seed;
    EXPECT_LT(distance(u_dense, u_sparse), 1e-6) << "seed " << seed;
  }
}

TEST(Rows, bad_boxes_are_rejected_with_the_block_named) {
  const SolvedProblem made = draw(3, 1, {.equality = 1, .one_sided = 0, .two_sided = 0});
  const auto message = [&](auto&& change) {
    ContactProblem p = made.problem;
    change(p);
    return refusal(p);
  };
  EXPECT_EQ(message([](auto&) {}), "");
  EXPECT_NE(message([](auto& p) { p.block_lower[0] = 1, p.block_upper[0] = 0; }).find("block 0"), std::string::npos);
  EXPECT_NE(message([](auto& p) { p.block_lower[0] = NAN; }).find("bounds"), std::string::npos);
  EXPECT_NE(message([](auto& p) { p.block_compliance[0] = -1; }).find("compliance"), std::string::npos);
}

}  // namespace
}  // namespace stiction::test
