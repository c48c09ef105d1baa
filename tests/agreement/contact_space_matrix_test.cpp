// The Newton matrix in contact space where its diagonal entries are no pivots: (A W + B) δp = r with W = 1, B = 0 and
// A = (ε 1; 1 ε), whose elimination in order leaves 1/ε and loses all digits for ε below rounding. Rows must be
// exchanged, where ε = 0 because the factor breaks down, else because its solution shows it.
#include <gtest/gtest.h>

#include <cmath>

#include "solvers/newton_matrix.hpp"

namespace stiction {
namespace {

TEST(ContactSpaceMatrix, exchanges_rows_where_diagonal_pivots_are_poor) {
  for (const double epsilon : {0.0, 1e-300, 1e-17, 1e-14, 1e-10, 1e-4, 0.5}) {
    Island island;
    island.nblock = 1;
    island.nrow = island.nv = 2;
    island.row = {0, 2};
    island.square = {0, 4};
    island.condensed = true;
    island.clear_response();
    for (const int i : {0, 1}) island.response_row(i)[i] = 1;
    const double A[] = {epsilon, 1, 1, epsilon}, B[4] = {}, own[] = {1, 0, 0, 1}, r[] = {3, 1 + 2 * epsilon};
    ContactSpaceMatrix matrix;
    matrix.prepare(island, own);
    ASSERT_TRUE(matrix.factor(A, B, 0));
    double delta_p[2], delta_u[2];
    EXPECT_LE(matrix.solve(r, 0, delta_p, delta_u), 1e-13) << epsilon;
    // δp = (x, y): ε x + y = 3, x + ε y = 1 + 2 ε, so (1 − ε²) x = 1 − ε. The residual is 1e-13 of
    // r at most, the inverse 2.
    EXPECT_NEAR(delta_p[0], 1 / (1 + epsilon), 1e-12) << epsilon;
    EXPECT_NEAR(delta_p[1], 3 - epsilon / (1 + epsilon), 1e-12) << epsilon;
  }
}

}  // namespace
}  // namespace stiction
