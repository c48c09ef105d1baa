// The sparse Newton matrix in body space solves the same system as the dense one in contact space:
//   (A W + B) δp = r,   δu = M⁻¹ Jᵀ δp,   W = J M⁻¹ Jᵀ.
#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "agreement/dense_newton.hpp"
#include "solvers/newton_matrix.hpp"
#include "support/random_problem.hpp"

namespace stiction::test {
namespace {

constexpr double kShift = 1e-9;
constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

struct Scene {
  const char* name;
  ContactProblem problem;
};

SceneOptions masses(double low, double high) {
  SceneOptions options;
  options.mass_low = low;
  options.mass_high = high;
  return options;
}

// Redundant contacts, long chains, mass ratios of a million, trees of one to 264 degrees of freedom, one-row blocks.
std::vector<Scene> scenes() {
  return {{"one body", pile(1)},
          {"stack of ten", box_stack(10, 1)},
          {"stack, each box a thousand times the one below", box_stack(3, 1000)},
          {"stack, each box a thousandth of the one below", box_stack(3, 1e-3)},
          {"wall of 64", box_wall(8, 8)},
          {"pile of 60", pile(60)},
          {"pile of 60, masses 1e-3 to 1e3", pile(60, masses(1e-3, 1e3))},
          {"chain", random_forest({.trees = 40, .dofs_high = 7, .extra_edges = 0, .grounded = 0.1})},
          {"forest of trees up to 40", random_forest({.trees = 15})},
          {"blocks of two to six rows", random_forest({.trees = 15, .many_rows = 1})},
          {"forest of small trees", random_forest({.trees = 40, .dofs_high = 3, .extra_edges = 2}, masses(1e-2, 1e2))},
          {"one tree of 264", random_forest({.trees = 1, .dofs_low = 264, .dofs_high = 264, .blocks_per_pair = 40})}};
}

// r = (A W + B) p for a random p: every redundant system made so has a solution.
Eigen::VectorXd consistent_right_side(const DenseNewton& dense, std::uint64_t seed) {
  Random random(seed);
  Eigen::VectorXd p(dense.J.rows());
  for (double& entry : p) entry = random.normal();
  return dense.A * (dense.J * (dense.MinvJt * p)) + dense.B * p;
}

struct Step {
  bool factored = false;
  double residual = std::numeric_limits<double>::quiet_NaN();
  Eigen::VectorXd delta_p, delta_u;
};

Step solve_in_body_space(const NewtonBlocks& blocks, const Eigen::VectorXd& r, double shift = kShift,
                         bool symmetric = false) {
  BodySpaceMatrix matrix;
  Step step;
  step.delta_p.setZero(blocks.island.nrow);
  step.delta_u.setZero(blocks.island.nv);
  matrix.prepare(blocks.island, blocks.delassus.data());
  step.factored = matrix.factor(blocks.A.data(), blocks.B.data(), shift, symmetric);
  if (step.factored) step.residual = matrix.solve(r.data(), 0, step.delta_p.data(), step.delta_u.data());
  return step;
}

// Each correction of the refinement shrinks the error by about ε / shift = 2e-7, the digits that r − A J δu loses, and
// refinement ends at a relative residual of 1e-11: two to three corrections. A single row may be ten times worse. What
// remains above is measured: compliances spread over 24 decades.
double tolerance_of(BlockKind kind) {
  switch (kind) {
    case BlockKind::kInactive:
      return 8 * kEpsilon;
    case BlockKind::kInteriorRows:
      return 1e-9;  // worst of the scenes: 1e-11
    case BlockKind::kInteriorBlock:
      return 1e-8;  // 1e-10
    default:
      return 1e-10;  // 5e-12
  }
}

TEST(BodySpaceMatrix, satisfies_every_row_of_the_contact_space_system) {
  for (const Scene& scene : scenes())
    for (BlockKind kind : kBlockKinds) {
      SCOPED_TRACE(scene.name + std::string(", ") + name_of(kind));
      const NewtonBlocks blocks(scene.problem, kind, 11);
      const DenseNewton dense(blocks);
      const Eigen::VectorXd r = consistent_right_side(dense, 5);
      const Step step = solve_in_body_space(blocks, r);
      ASSERT_TRUE(step.factored);
      EXPECT_LT(dense.backward_error(step.delta_p, r), tolerance_of(kind));
      EXPECT_LT(step.residual, 10 * tolerance_of(kind));
      // M δu = Jᵀ δp holds to rounding: two triangular solves with at most 264 terms each.
      const Eigen::VectorXd impulse = dense.MinvJt.cwiseAbs() * step.delta_p.cwiseAbs();
      EXPECT_LE((step.delta_u - dense.MinvJt * step.delta_p).cwiseAbs().maxCoeff(),
                2 * 264 * kEpsilon * impulse.maxCoeff());
    }
}

// Slopes a in [0, 1] and compliances b ≥ 0 on the diagonals, as complementarity functions have them: a third of the
// rows hold their velocity (b = 0), a third their impulse (a = 0).
void make_diagonal(NewtonBlocks& blocks, std::uint64_t seed) {
  Random random(seed);
  for (auto* list : {&blocks.A, &blocks.B}) std::fill(list->begin(), list->end(), 0.0);
  for (int c = 0; c < blocks.island.nblock; ++c)
    for (int k = 0, rows = blocks.island.block_size(c); k < rows; ++k) {
      const auto entry = std::size_t(blocks.island.square[std::size_t(c)] + (rows + 1) * k);
      const int kind = random.integer(0, 2);
      blocks.A[entry] = kind == 0 ? 0 : random.uniform(0.1, 1);
      blocks.B[entry] = kind == 1 ? 0 : random.uniform(0.1, 1) * blocks.delassus[entry];
    }
}

// LDLᵀ takes C = Cᵀ ≥ 0 as LU takes any C: the same rows to the same accuracy, and the same motion, redundant contacts
// included.
TEST(BodySpaceMatrix, symmetric_factorisation_solves_the_same_system) {
  for (const Scene& scene : scenes())
    for (int seed = 1; seed <= 3; ++seed) {
      SCOPED_TRACE(scene.name + std::string(", seed ") + std::to_string(seed));
      NewtonBlocks blocks(scene.problem, seed == 1 ? BlockKind::kSticking : BlockKind::kInactive, 11);
      if (seed > 1) make_diagonal(blocks, std::uint64_t(seed));
      const DenseNewton dense(blocks);
      const Eigen::VectorXd r = consistent_right_side(dense, 5);
      const Step lu = solve_in_body_space(blocks, r), ldlt = solve_in_body_space(blocks, r, kShift, true);
      ASSERT_TRUE(lu.factored && ldlt.factored);
      EXPECT_LT(dense.backward_error(ldlt.delta_p, r), tolerance_of(BlockKind::kSticking));
      EXPECT_LT((ldlt.delta_u - lu.delta_u).cwiseAbs().maxCoeff(), 1e-9 * lu.delta_u.cwiseAbs().maxCoeff());
    }
}

// A compliance below zero makes K indefinite: LU may go on, LDLᵀ without exchanges must not.
TEST(BodySpaceMatrix, symmetric_factorisation_reports_what_is_not_positive) {
  ProblemMaker maker;
  const int tree = maker.add_tree(1, {1.0}, {0.0});
  maker.add_block(Law::kUnilateral, 0, -1, {}, tree, {1.0}, {0});
  NewtonBlocks blocks(maker.finish(), BlockKind::kSticking, 1);
  const Eigen::VectorXd r = Eigen::VectorXd::Ones(1);
  EXPECT_TRUE(solve_in_body_space(blocks, r, 0.5, true).factored);
  blocks.B[0] = -1;  // D = −1/2, K = 1 − 2
  EXPECT_TRUE(solve_in_body_space(blocks, r, 0.5).factored);
  EXPECT_FALSE(solve_in_body_space(blocks, r, 0.5, true).factored);
}

// The fill-reducing order is found once for a pattern, whatever the values, and kept while islands of other sizes take
// turns with it.
TEST(BodySpaceMatrix, order_is_kept_while_the_pattern_stays) {
  const NewtonBlocks wall(box_wall(6, 6), BlockKind::kMixed, 2), stack(box_stack(10, 1), BlockKind::kMixed, 2);
  const NewtonBlocks heavy(box_wall(6, 6, masses(1, 100)), BlockKind::kSticking, 3),
      pile_40(pile(40), BlockKind::kMixed, 2);
  BodySpaceMatrix matrix;
  const auto orders_after = [&](const NewtonBlocks& blocks) {
    matrix.prepare(blocks.island, blocks.delassus.data());
    return matrix.orders();
  };
  EXPECT_EQ(orders_after(wall), 1);
  EXPECT_EQ(orders_after(wall), 1);
  EXPECT_EQ(orders_after(heavy), 1);
  EXPECT_EQ(orders_after(stack), 2);
  EXPECT_EQ(orders_after(wall), 2);
  EXPECT_EQ(orders_after(stack), 2);
  EXPECT_EQ(orders_after(pile_40), 3);  // as many bodies as the wall, which it replaces
  EXPECT_EQ(orders_after(wall), 4);
}

// Regular systems have one solution. With the backward error ω the forward error is at most κ ω in the norm in which
// the condition κ = ‖X⁻¹‖ ‖X‖ is taken; X is the matrix with rows and columns scaled to size one.
TEST(BodySpaceMatrix, agrees_with_the_dense_factorisation_of_regular_systems) {
  for (int seed = 1; seed <= 10; ++seed)
    for (BlockKind kind : {BlockKind::kInactive, BlockKind::kSticking, BlockKind::kSliding, BlockKind::kInterior,
                           BlockKind::kMixed, BlockKind::kInteriorRows}) {
      SCOPED_TRACE(name_of(kind) + std::string(", seed ") + std::to_string(seed));
      SceneOptions options = masses(0.1, 10);
      options.seed = std::uint64_t(seed);
      // Twelve trees of 10 to 30 degrees of freedom and at most 3 · 30 rows: J has full rank.
      const ContactProblem problem = random_forest({.trees = 12, .dofs_low = 10, .dofs_high = 30}, options);
      const NewtonBlocks blocks(problem, kind, std::uint64_t(seed));
      const DenseNewton dense(blocks);
      const Eigen::MatrixXd matrix = dense.matrix();
      const Eigen::VectorXd row = matrix.rowwise().lpNorm<Eigen::Infinity>();
      Eigen::MatrixXd X = row.cwiseInverse().asDiagonal() * matrix;
      const Eigen::VectorXd column = X.colwise().lpNorm<Eigen::Infinity>();
      X = X * column.cwiseInverse().asDiagonal();
      const Eigen::PartialPivLU<Eigen::MatrixXd> lu(X);
      const double condition =
          lu.inverse().cwiseAbs().rowwise().sum().maxCoeff() * X.cwiseAbs().rowwise().sum().maxCoeff();
      ASSERT_LT(condition, 1e8) << "the test system is not regular";

      const Eigen::VectorXd r = consistent_right_side(dense, std::uint64_t(seed));
      const Eigen::VectorXd scaled_r = r.cwiseQuotient(row);
      const Eigen::VectorXd expected = lu.solve(scaled_r).cwiseQuotient(column);
      const Step step = solve_in_body_space(blocks, r);
      ASSERT_TRUE(step.factored);
      const Eigen::VectorXd error = (step.delta_p - expected).cwiseProduct(column);
      EXPECT_LT(error.cwiseAbs().maxCoeff(),
                2 * condition * tolerance_of(kind) * expected.cwiseProduct(column).cwiseAbs().maxCoeff())
          << "rows " << matrix.rows() << ", condition " << condition;
    }
}

// Forces of redundant contacts are not unique, velocities are: if W δp = r = W p for sticking contacts, then
// ‖δu − M⁻¹ Jᵀ p‖²_M = (δp − p)ᵀ W (δp − p) = 0.
TEST(BodySpaceMatrix, redundant_sticking_contacts_have_one_velocity) {
  for (const Scene& scene : scenes()) {
    SCOPED_TRACE(scene.name);
    const NewtonBlocks blocks(scene.problem, BlockKind::kSticking, 3);
    const DenseNewton dense(blocks);
    Random random(9);
    Eigen::VectorXd p(dense.J.rows());
    for (double& entry : p) entry = random.normal();
    const Step step = solve_in_body_space(blocks, dense.J * (dense.MinvJt * p));
    ASSERT_TRUE(step.factored);
    const Eigen::VectorXd expected = dense.MinvJt * p;
    // Worst measured: 3e-11, on the stack whose masses rise by a thousand.
    EXPECT_LT((step.delta_u - expected).cwiseAbs().maxCoeff(), 1e-9 * expected.cwiseAbs().maxCoeff());
  }
}

// Any shift in the useful range gives the same velocities: it is taken out again.
TEST(BodySpaceMatrix, shift_does_not_show_in_the_result) {
  const NewtonBlocks blocks(box_wall(5, 5), BlockKind::kSticking, 3);
  const DenseNewton dense(blocks);
  const Eigen::VectorXd r = consistent_right_side(dense, 4);
  const Step reference = solve_in_body_space(blocks, r, 1e-9);
  for (double shift : {1e-6, 1e-7, 1e-8, 1e-10, 1e-11, 1e-12}) {
    const Step step = solve_in_body_space(blocks, r, shift);
    ASSERT_TRUE(step.factored) << shift;
    // Measured: 1e-11.
    EXPECT_LT((step.delta_u - reference.delta_u).cwiseAbs().maxCoeff(), 1e-10 * reference.delta_u.cwiseAbs().maxCoeff())
        << shift;
  }
}

// Redundant sticking contacts that demand velocities no rigid body has: no δp solves that, and the result says so.
TEST(BodySpaceMatrix, contradictory_rows_are_reported_by_the_residual) {
  const NewtonBlocks blocks(box_stack(3, 1), BlockKind::kSticking, 3);
  Random random(4);
  Eigen::VectorXd r(blocks.island.nrow);
  for (double& entry : r) entry = random.normal();
  const Step step = solve_in_body_space(blocks, r);
  ASSERT_TRUE(step.factored);
  EXPECT_TRUE(step.delta_p.allFinite());
  EXPECT_GT(step.residual, 0.1);
  EXPECT_LT(step.residual, 1.5);
}

// A row in which no tree can move (J = 0) has W_ii = 0; sticking then demands nothing of its impulse.
TEST(BodySpaceMatrix, row_without_motion_does_not_break_the_factorisation) {
  ProblemMaker maker;
  const int tree = maker.add_tree(1, {2.0}, {0.0});
  maker.add_block(Law::kCoulomb, 0.5, -1, {}, tree, {1.0, 0.0, 0.0}, {0, 0, 0});
  const NewtonBlocks blocks(maker.finish(), BlockKind::kSticking, 1);
  const Step step = solve_in_body_space(blocks, Eigen::Vector3d(3, 0, 0));
  ASSERT_TRUE(step.factored);
  EXPECT_NEAR(step.delta_p[0], 6, 1e-12);
  EXPECT_NEAR(step.delta_u[0], 3, 1e-12);
}

// One unit mass with one row: K = 1 + 1 / (B + shift). Exact numbers, so the breakdown is exact too.
TEST(BodySpaceMatrix, breakdown_is_reported) {
  ProblemMaker maker;
  const int tree = maker.add_tree(1, {1.0}, {0.0});
  maker.add_block(Law::kUnilateral, 0, -1, {}, tree, {1.0}, {0});
  NewtonBlocks blocks(maker.finish(), BlockKind::kSticking, 1);
  const Eigen::VectorXd r = Eigen::VectorXd::Ones(1);
  blocks.B[0] = -0.5;  // D = 0
  EXPECT_FALSE(solve_in_body_space(blocks, r, 0.5).factored);
  blocks.B[0] = -1.5;  // D = −1, K = 0
  EXPECT_FALSE(solve_in_body_space(blocks, r, 0.5).factored);
  blocks.B[0] = -2.5;  // D = −2, K = 1/2: regular
  EXPECT_TRUE(solve_in_body_space(blocks, r, 0.5).factored);
}

TEST(BodySpaceMatrix, not_a_number_ends_in_a_refusal_or_an_infinite_residual) {
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  const auto outcome = [](const NewtonBlocks& blocks, const Eigen::VectorXd& r) {
    const Step step = solve_in_body_space(blocks, r);
    return !step.factored || step.residual == std::numeric_limits<double>::infinity();
  };
  NewtonBlocks blocks(pile(30), BlockKind::kMixed, 2);
  const Eigen::VectorXd ones = Eigen::VectorXd::Ones(blocks.island.nrow);
  Eigen::VectorXd r = ones;
  r[40] = kNaN;
  EXPECT_TRUE(outcome(blocks, r));
  for (auto* list : {&blocks.A, &blocks.B}) {
    const double saved = (*list)[90];
    (*list)[90] = kNaN;
    EXPECT_TRUE(outcome(blocks, ones));
    (*list)[90] = std::numeric_limits<double>::infinity();
    EXPECT_TRUE(outcome(blocks, ones));
    (*list)[90] = saved;
  }
  blocks.problem.jacobian[500] = kNaN;
  EXPECT_TRUE(outcome(blocks, ones));
  blocks.problem.jacobian[500] = 1;
  blocks.problem.inertia[40] = kNaN;
  EXPECT_TRUE(outcome(blocks, ones));
}

TEST(BodySpaceMatrix, same_input_gives_the_same_bits) {
  const NewtonBlocks blocks(pile(80), BlockKind::kMixed, 2), other(box_wall(6, 6), BlockKind::kInterior, 2);
  const Eigen::VectorXd r = Eigen::VectorXd::Ones(blocks.island.nrow);
  const Step first = solve_in_body_space(blocks, r);
  // The same memory after another island.
  BodySpaceMatrix matrix;
  Eigen::VectorXd delta_p(other.island.nrow), delta_u(other.island.nv);
  const Eigen::VectorXd other_r = Eigen::VectorXd::Ones(other.island.nrow);
  matrix.prepare(other.island, other.delassus.data());
  ASSERT_TRUE(matrix.factor(other.A.data(), other.B.data(), kShift));
  matrix.solve(other_r.data(), 0, delta_p.data(), delta_u.data());
  delta_p.setZero(blocks.island.nrow);
  delta_u.setZero(blocks.island.nv);
  matrix.prepare(blocks.island, blocks.delassus.data());
  ASSERT_TRUE(matrix.factor(blocks.A.data(), blocks.B.data(), kShift));
  EXPECT_EQ(matrix.solve(r.data(), 0, delta_p.data(), delta_u.data()), first.residual);
  EXPECT_TRUE((delta_p.array() == first.delta_p.array()).all());
  EXPECT_TRUE((delta_u.array() == first.delta_u.array()).all());
}

}  // namespace
}  // namespace stiction::test
