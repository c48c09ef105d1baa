// Problems of the literature in files: FCLIB's local and global forms are the problem that was written, W = J M⁻¹ Jᵀ
// and q = J ũ + b; text problems that make no sense say where.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <string>

#include <stiction/recording.hpp>

#include "io/hdf5_group.hpp"
#include "io/same_bits.hpp"
#include "support/random_problem.hpp"

namespace stiction {
namespace {

using test::error_of;
using FrictionFile = test::FileTest;

// A box on the floor, another on top, and an equality that keeps both at the same height of their centres' velocities.
ContactProblem make_stack() {
  test::ProblemMaker maker({.seed = 3, .timestep = 0.01, .gap = 0});
  const int low = maker.add_box({0, 0, 0.1}, {0.1, 0.1, 0.1}, 1.0, true);
  const int high = maker.add_box({0, 0, 0.3}, {0.1, 0.1, 0.1}, 2.0, true);
  for (const Vec3& corner : {Vec3{0.1, 0.1, 0}, Vec3{-0.1, 0.1, 0}, Vec3{0, -0.1, 0}}) {
    maker.add_contact(-1, low, corner, {0, 0, 1});
    maker.add_contact(low, high, corner + Vec3{0, 0, 0.2}, {0, 0, 1});
  }
  maker.add_block(Law::kBox, 0, low, {0, 0, 1, 0, 0, 0}, high, {0, 0, -1, 0, 0, 0}, {0.01});
  ContactProblem p = maker.finish();
  p.block_lower.back() = -INFINITY;
  p.block_upper.back() = INFINITY;
  EXPECT_EQ(finish_problem(p), -1);
  return p;
}

// v = J u + b or W h λ + b of all rows.
std::vector<double> row_velocities(const ContactProblem& p, const Solution& s) {
  std::vector<double> v = p.bias;
  const auto n = std::size_t(p.nrow);
  if (p.nresponse > 0)
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) v[i] += p.response[i * n + j] * p.timestep * s.lambda[j];
  for (int b = 0; b < p.nblock; ++b)
    for (int side = 0; side < 2; ++side) {
      const auto i = std::size_t(b);
      const int tree = side == 0 ? p.block_tree_a[i] : p.block_tree_b[i];
      if (tree < 0) continue;
      const double* J = p.jacobian.data() + (side == 0 ? p.block_jacobian_a[i] : p.block_jacobian_b[i]);
      for (int k = 0; k < p.block_size(b); ++k)
        for (int d = 0; d < p.tree_size(tree); ++d)
          v[std::size_t(p.block_row[i] + k)] +=
              J[k * p.tree_size(tree) + d] * s.u[std::size_t(p.tree_dof[std::size_t(tree)] + d)];
    }
  return v;
}

Solution solved(const ContactProblem& problem) {
  Solution solution;
  solve(problem, "newton", {.tolerance = 1e-11, .warm_start = false}, solution);
  EXPECT_LE(certify(problem, solution).residual(), 1e-10);
  return solution;
}

TEST_F(FrictionFile, both_forms_of_a_problem_have_its_solution) {
  const ContactProblem problem = make_stack();
  const std::vector<double> expected = row_velocities(problem, solved(problem));
  write_fclib_problem(file("local.hdf5"), problem, FclibForm::kLocal);
  write_fclib_problem(file("global.hdf5"), problem, FclibForm::kGlobal);
  EXPECT_EQ(list_problems(file("local.hdf5")), std::vector<std::string>{"local"});
  const ContactProblem local = read_problem(file("local.hdf5"), "local");
  const ContactProblem global = read_problem(file("global.hdf5"), "global");
  EXPECT_EQ(local.ntree, 0);
  EXPECT_EQ(local.nresponse, 19 * 19);
  for (const ContactProblem* read : {&local, &global}) {
    const std::vector<double> velocity = row_velocities(*read, solved(*read));
    ASSERT_EQ(velocity.size(), expected.size());
    // Free velocities of 0.5 m/s, solved to 1e-10 of them.
    for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(velocity[i], expected[i], 1e-9) << i;
  }
}

TEST_F(FrictionFile, the_global_form_finds_the_bodies_again) {
  const ContactProblem problem = make_stack();
  write_fclib_problem(file("g.hdf5"), problem, FclibForm::kGlobal);
  const ContactProblem read = read_problem(file("g.hdf5"), "g");
  EXPECT_EQ(read.tree_dof, (std::vector<int>{0, 6, 12}));
  EXPECT_EQ(read.inertia, problem.inertia);
  EXPECT_EQ(read.jacobian, problem.jacobian);
  EXPECT_EQ(read.bias, problem.bias);
  EXPECT_EQ(read.block_friction, problem.block_friction);
  EXPECT_EQ(read.block_law, problem.block_law);
  for (std::size_t i = 0; i < problem.free_velocity.size(); ++i)  // through f = M ũ
    EXPECT_NEAR(read.free_velocity[i], problem.free_velocity[i], 1e-14);
}

TEST_F(FrictionFile, a_problem_without_trees_keeps_its_bits_in_our_own_format) {
  write_fclib_problem(file("l.hdf5"), make_stack(), FclibForm::kLocal);
  const ContactProblem problem = read_problem(file("l.hdf5"), "l");
  write_problem(file("own.h5"), "l", problem);
  test::expect_same_bits(problem, read_problem(file("own.h5"), "l"));
}

TEST_F(FrictionFile, laws_that_the_format_has_not_are_refused_by_block) {
  ContactProblem problem = make_stack();
  problem.block_upper.back() = 3;
  const auto write = [&] { write_fclib_problem(file("x.hdf5"), problem, FclibForm::kGlobal); };
  EXPECT_NE(error_of(write).find("block 6 has bounds"), std::string::npos) << error_of(write);
  test::ProblemMaker maker;
  const int tree = maker.add_random_tree(8);
  maker.add_random_block(tree, -1, 6);
  problem = maker.finish();
  EXPECT_NE(error_of(write).find("block 0 has 6 rows"), std::string::npos) << error_of(write);
}

struct BadText {
  const char *text, *message;
};

class BadFrictionText : public FrictionFile, public testing::WithParamInterface<BadText> {};

TEST_P(BadFrictionText, is_refused_with_its_place) {
  std::ofstream(file("bad.fcp")) << GetParam().text;
  const std::string message = error_of([&] { read_problem(file("bad.fcp"), "bad"); });
  EXPECT_NE(message.find("bad.fcp"), std::string::npos) << message;
  EXPECT_NE(message.find(GetParam().message), std::string::npos) << message;
}

#define LOCAL "kind local\ndim 2\nnc 1\n"
#define GLOBAL \
  "kind global\ndim 2\nnc 1\nmatrix H 2 2 2\n0 0 1\n1 1 1\nvector f 2\n1\n1\nvector w 2\n0\n0\nvector mu 1\n0.5\n"
#define REST "vector q 2\n-1\n0\nvector mu 1\n0.5\n"
INSTANTIATE_TEST_SUITE_P(
    text, BadFrictionText,
    testing::Values(
        BadText{"hello\n", "no text problem"},
        BadText{LOCAL "matrix W 2 2 2\n0 0 -1\n1 1 -1\n" REST, "diagonal entry -1.000000 in row 0, which must be"},
        BadText{LOCAL "matrix W 2 2 1\n1 1 1\n" REST, "diagonal entry 0.000000 in row 0, where it must be > 0"},
        BadText{LOCAL "matrix W 2 2 0\n" REST, "diagonal entry 0.000000 in row 0, where it must be > 0"},
        BadText{LOCAL "matrix W 2 2 1\n0 0 1\nmatrix W 2 2 1\n0 0 1\n" REST, "bad.fcp:6: holds W a second time"},
        BadText{LOCAL "matrix W 2 2 1\n0 0 1\n" REST "vector q 2\n-1\n0\n", "holds q a second time"},
        BadText{LOCAL "matrix W 2 2 1\n0 0 nan\n" REST, "W is not finite in row 0, column 0"},
        BadText{LOCAL "matrix W 2 2 1\n0 0 one\n" REST, "bad.fcp:5: 'one' is not a number"},
        BadText{LOCAL "matrix W 2 2 1\n0 2 1\n" REST, "bad.fcp:5: entry (0, 2) is outside"},
        BadText{LOCAL "matrix W 2 2 3\n0 0 1\n", "ends before 'row column value', an entry of matrix W"},
        BadText{LOCAL "matrix W 3 3 0\n" REST, "W is a 3 × 3 matrix, expected 2 × 2"},
        BadText{LOCAL "matrix V 3 3 0\n" REST, "bad.fcp:4: 'matrix V' is not understood"},
        BadText{LOCAL "matrix W 2 2 3\n0 0 1\n0 1 0.9\n1 1 1\n" REST, "not symmetric in row 1, column 0"},
        BadText{LOCAL "matrix W 2 2 4\n0 0 1\n0 1 2\n1 0 2\n1 1 1\n" REST, "indefinite: its rows up to row 1"},
        BadText{LOCAL "matrix W 2 2 2\n0 0 1\n1 1 1\nvector q 2\n-1\ninf\nvector mu 1\n0.5\n", "q[1] is not finite"},
        BadText{LOCAL "matrix W 2 2 2\n0 0 1\n1 1 1\nvector q 2\n-1\n0\nvector mu 1\n-0.5\n",
                "the friction coefficient of contact 0 is -0.5"},
        BadText{LOCAL "matrix W 2 2 2\n0 0 1\n1 1 1\nvector q 2\n-1\n0\n", "has nc 1 and 0 friction coefficients"},
        BadText{GLOBAL "matrix M 2 2 2\n0 0 1\n1 1 -1\n", "M is not positive definite"},
        BadText{GLOBAL "matrix M 2 2 3\n0 0 1\n0 1 3\n1 1 1\n", "M is not positive definite"},
        BadText{"kind global\ndim 2\nnc 1\nmatrix M 2 2 2\n0 0 1\n1 1 1\nmatrix H 2 2 0\nvector f 2\n1\n1\nvector w "
                "2\n0\n0\nvector mu 1\n0.5\n",
                "no degree of freedom moves contact 0"}));

TEST_F(FrictionFile, damaged_fclib_matrices_are_named) {
  write_fclib_problem(file("a.hdf5"), make_stack(), FclibForm::kLocal);
  const auto change = [&](const char* field, std::vector<int> values) {
    const detail::Group W = detail::Group::open_file(file("a.hdf5"), true).open_group("fclib_local").open_group("W");
    W.remove(field);
    W.write({field, "", ""}, detail::Scalar::kInt32, {values.size()}, values.data());
  };
  const auto message = [&] { return error_of([&] { read_problem(file("a.hdf5"), "a"); }); };
  change("nz", {-2});  // the list p of entries is none of rows
  EXPECT_NE(message().find("'/fclib_local/W/p' should lead from 0"), std::string::npos) << message();
  change("nz", {-7});
  EXPECT_NE(message().find("'/fclib_local/W/nz' is -7"), std::string::npos) << message();
  change("nz", {1 << 30});
  EXPECT_NE(message().find("'/fclib_local/W' should have"), std::string::npos) << message();
}

// Two equalities along the same direction that demand different velocities, and a third that depends on one of them but
// agrees with it.
TEST(Contradiction, rows_of_contradicting_equalities_are_named) {
  test::ProblemMaker maker;
  const int body = maker.add_box({0, 0, 0}, {0.1, 0.1, 0.1}, 1.0, true);
  maker.add_block(Law::kBox, 0, body, {1, 0, 0, 0, 0, 0}, -1, {}, {0.5});
  maker.add_block(Law::kBox, 0, body, {0, 1, 0, 0, 0, 0}, -1, {}, {0.1});
  maker.add_block(Law::kBox, 0, body, {2, 0, 0, 0, 0, 0}, -1, {}, {-1});
  maker.add_block(Law::kBox, 0, body, {0, 2, 0, 0, 0, 0}, -1, {}, {0.2});
  ContactProblem problem = maker.finish();
  problem.block_lower.assign(4, -INFINITY);
  problem.block_upper.assign(4, INFINITY);
  ASSERT_EQ(finish_problem(problem), -1);
  EXPECT_EQ(contradicting_rows(problem), (std::vector<int>{0, 2}));
  Solution solution;
  EXPECT_EQ(solve(problem, "newton", {.warm_start = false}, solution).failed, 1);
  problem.bias[2] = 1;
  ASSERT_EQ(finish_problem(problem), -1);
  EXPECT_TRUE(contradicting_rows(problem).empty());
  EXPECT_EQ(solve(problem, "newton", {.warm_start = false}, solution).failed, 0);
}

}  // namespace
}  // namespace stiction
