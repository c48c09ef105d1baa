// Domains of large islands: what they hold, and that sweeps over them lead to the solution that Gauss–Seidel sweeps and
// the certificate know too.
#include <gtest/gtest.h>

#include <stiction/report.hpp>

#include "solvers/domain_sweeps.hpp"
#include "solvers/gauss_seidel.hpp"
#include "support/random_problem.hpp"

namespace stiction {
namespace {

constexpr int kBodies = 600;

struct Started {
  ContactProblem problem;
  Solution solution;
  SolverScratch scratch;

  explicit Started(const test::SceneOptions& options) : problem(test::pile(kBodies, options)) {
    solution.resize_for(problem);
    EXPECT_TRUE(begin_island(problem, 0, {}, solution, IslandForm::kTrees, scratch));
  }
};

TEST(domains, hold_all_blocks_of_their_trees_and_together_all_of_the_island) {
  const Started s({.seed = 2});
  const Island& island = s.scratch.island;
  TreeBlocks blocks;
  blocks.list(island);
  for (const bool from_end : {false, true}) {
    DomainPartition partition;
    partition.divide(island, blocks, 40, from_end);
    EXPECT_GE(partition.domains().size(), std::size_t(island.ntree / 40));
    std::vector<int> visits(std::size_t(island.nblock), 0);
    for (const Domain& domain : partition.domains()) {
      std::vector<int> touched;
      for (int block : domain.block) {
        ++visits[std::size_t(block)];
        for (int tree : {island.tree_a[std::size_t(block)], island.tree_b[std::size_t(block)]})
          if (tree >= 0) touched.push_back(tree);
      }
      std::sort(touched.begin(), touched.end());
      touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
      EXPECT_EQ(touched, domain.tree);
    }
    EXPECT_GE(*std::min_element(visits.begin(), visits.end()), 1);
    EXPECT_GT(*std::max_element(visits.begin(), visits.end()), 1) << "domains overlap";
  }
}

TEST(domains, a_change_in_one_place_is_evaluated_there_to_the_bits_of_the_whole) {
  Started s({.seed = 5, .friction = 0.5});
  SolverScratch& scratch = s.scratch;
  LocalEvaluation evaluation;
  evaluation.start(scratch);
  DomainPartition place;
  place.divide_off(scratch.island, evaluation.tree_blocks(), kBodies / 2, 30);
  const Domain& domain = place.domains().front();
  ASSERT_LT(domain.block.size(), std::size_t(scratch.island.nblock / 2));
  for (int block : domain.block)
    for (int i = scratch.island.row[std::size_t(block)]; i < scratch.island.row[std::size_t(block) + 1]; ++i)
      scratch.current.p[std::size_t(i)] = 0.01 * double(i % 7);
  Iterate whole;
  whole.copy(scratch.current);
  evaluate(scratch, whole);
  ASSERT_NE(whole.u, scratch.current.u);
  evaluation.update(domain.tree, scratch);
  EXPECT_EQ(scratch.current.u, whole.u);
  EXPECT_EQ(scratch.current.v, whole.v);
  EXPECT_EQ(evaluation.residual().largest, whole.residual);
  EXPECT_EQ(evaluation.residual().squared, whole.squared);
  EXPECT_EQ(block_residual(scratch, whole, evaluation.worst_block()), whole.residual);
}

// Without friction the velocities are those of least kinetic distance from the free ones, so unique. Two answers whose
// blocks are complementary up to r differ by ‖u − u'‖²_M ≤ Σ (p + p') r, and the least mass bounds each entry.
TEST(domains, sweeps_agree_with_gauss_seidel_where_the_velocities_are_unique) {
  const test::SceneOptions options{.seed = 3, .friction = 0};
  Started domains(options), blocks(options);
  const double target = 1e-8 * domains.scratch.island.scale;
  ASSERT_TRUE(domain_sweeps(target, domains.scratch));
  ASSERT_TRUE(gauss_seidel(target, 100'000, blocks.scratch));
  double impulses = 0, inertia = INFINITY;
  for (std::size_t i = 0; i < domains.scratch.current.p.size(); ++i)
    impulses += std::abs(domains.scratch.current.p[i]) + std::abs(blocks.scratch.current.p[i]);
  for (int t = 0; t < domains.problem.ntree; ++t)
    for (int d = 0; d < 6; ++d)
      inertia =
          std::min(inertia, domains.problem.inertia[std::size_t(domains.problem.tree_inertia[std::size_t(t)] + 7 * d)]);
  const double bound = std::sqrt(impulses * target / inertia);
  ASSERT_LT(bound, 0.01 * domains.scratch.island.scale);
  for (std::size_t i = 0; i < domains.scratch.current.u.size(); ++i)
    EXPECT_NEAR(domains.scratch.current.u[i], blocks.scratch.current.u[i], bound);
}

TEST(domains, sweeps_meet_the_certificate_with_friction) {
  Started s({.seed = 4, .friction = 0.5});
  const double tolerance = 1e-8;
  ASSERT_TRUE(domain_sweeps(0.1 * tolerance * s.scratch.island.scale, s.scratch));
  finish_island(s.scratch, s.solution);
  const Certificate certificate = certify(s.problem, s.solution);
  for (const double residual :
       {certificate.momentum, certificate.complementarity, certificate.cone, certificate.dissipation})
    EXPECT_LE(residual, tolerance);
  EXPECT_EQ(s.scratch.result.factorisations, 0) << "of the whole island";
}

TEST(domains, what_is_left_in_one_place_is_mended_there) {
  Started s({.seed = 4, .friction = 0.5});
  const Island& island = s.scratch.island;
  const double target = 1e-9 * island.scale;
  ASSERT_TRUE(domain_sweeps(target, s.scratch));
  // An impulse is lost at the block that shares its trees with the fewest others.
  const auto sharing = [&](int c) {
    int count = 0;
    for (int other = 0; other < island.nblock; ++other)
      for (int tree : {island.tree_a[std::size_t(c)], island.tree_b[std::size_t(c)]})
        count += tree >= 0 && (island.tree_a[std::size_t(other)] == tree || island.tree_b[std::size_t(other)] == tree);
    return count;
  };
  int lost = -1;
  for (int c = 0; c < island.nblock; ++c)
    if (s.scratch.normal(s.scratch.current.p, c) > 0 && (lost < 0 || sharing(c) < sharing(lost))) lost = c;
  s.scratch.set_normal(s.scratch.current.p, lost, 0);
  evaluate(s.scratch, s.scratch.current);
  ASSERT_GT(s.scratch.current.residual, 1e3 * target);
  s.scratch.best.copy(s.scratch.current);
  s.scratch.domains.reset();
  EXPECT_TRUE(domain_sweeps(target, s.scratch));
  EXPECT_LE(s.scratch.best.residual, target);
  EXPECT_TRUE(s.scratch.domains->partition[0].domains().empty()) << "no sweep was needed";
}

}  // namespace
}  // namespace stiction
