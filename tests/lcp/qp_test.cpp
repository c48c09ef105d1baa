// Quadratic programmes: the certificate on answers known on paper, and the collection of Maros and Mészáros.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <sstream>

#include <stiction/qp.hpp>

#include "support/shared_data.hpp"

namespace stiction {
namespace {

// The point of x₁ + x₂ ≥ 1 nearest to the origin is (½, ½), its multiplier −½.
TEST(Qp, the_nearest_point_of_a_half_space_is_found) {
  const Qp problem{2, 1, {1, 0, 0, 1}, {0, 0}, {1, 1}, {1}, {INFINITY}, 3};
  const QpResult result = solve_qp(problem);
  EXPECT_EQ(result.status, QpStatus::kSolved) << result.message;
  EXPECT_NEAR(result.x[0], 0.5, 1e-9);
  EXPECT_NEAR(result.x[1], 0.5, 1e-9);
  EXPECT_NEAR(result.y[0], -0.5, 1e-9);
  EXPECT_NEAR(result.objective, 3.25, 1e-9);
}

TEST(Qp, the_certificate_sees_each_kind_of_error) {
  const Qp problem{2, 1, {1, 0, 0, 1}, {0, 0}, {1, 1}, {1}, {INFINITY}, 0};
  EXPECT_LE(certify_qp(problem, std::vector{0.5, 0.5}, std::vector{-0.5}).residual(), 1e-15);
  EXPECT_GT(certify_qp(problem, std::vector{0.6, 0.4}, std::vector{-0.5}).stationarity, 0.05);
  EXPECT_GT(certify_qp(problem, std::vector{0.4, 0.4}, std::vector{-0.4}).feasibility, 0.05);
  EXPECT_GT(certify_qp(problem, std::vector{0.6, 0.6}, std::vector{-0.6}).complementarity, 0.05);
  // A multiplier for a bound that is not there.
  EXPECT_EQ(certify_qp(problem, std::vector{-0.5, -0.5}, std::vector{0.5}).complementarity, INFINITY);
}

TEST(Qp, problems_without_a_minimum_are_named) {
  const Qp infeasible{1, 2, {1}, {0}, {1, 1}, {1, -INFINITY}, {INFINITY, 0}, 0};
  EXPECT_EQ(solve_qp(infeasible).status, QpStatus::kInfeasible);
  const Qp unbounded{2, 1, {1, 0, 0, 0}, {0, 1}, {0, 1}, {-INFINITY}, {1}, 0};
  EXPECT_EQ(solve_qp(unbounded).status, QpStatus::kUnbounded);
}

TEST(Qp, bad_input_is_refused) {
  const auto message = [](const Qp& problem) {
    try {
      solve_qp(problem);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(message({2, 0, {1, 0, 0}, {0, 0}, {}, {}, {}, 0}), "QP: P has 3 entries: it must have 4, n × n");
  EXPECT_EQ(message({2, 0, {1, 2, 0, 1}, {0, 0}, {}, {}, {}, 0}),
            "QP: P is not symmetric: entries (1, 0) and (0, 1) differ");
  EXPECT_EQ(message({1, 1, {1}, {0}, {1}, {2}, {1}, 0}), "QP: row 0 has the bounds 2 and 1, which leave no value");
  EXPECT_EQ(message({1, 0, {1}, {NAN}, {}, {}, {}, 0}), "QP: entry 0 of q is nan");
}

TEST(QpCollection, every_problem_reaches_its_published_optimum) {
  if (test::shared_data().empty()) GTEST_SKIP() << "../shared/data is absent";
  const std::filesystem::path folder = test::shared_data() / "problems/qp_maros_meszaros";
  std::ifstream index(folder / "index.csv");
  std::string line;
  std::getline(index, line);
  int count = 0;
  while (std::getline(index, line)) {
    std::vector<std::string> cells;
    std::istringstream stream(line);
    for (std::string cell; std::getline(stream, cell, ',');) cells.push_back(cell);
    const QpResult result = solve_qp(read_qp((folder / (cells[0] + ".qp")).string()));
    EXPECT_EQ(result.status, QpStatus::kSolved) << cells[0] << ": " << result.message;
    // The table has nine digits.
    const double optimum = std::stod(cells[6]);
    EXPECT_NEAR(result.objective, optimum, 1e-8 * (1 + std::abs(optimum))) << cells[0];
    ++count;
  }
  EXPECT_EQ(count, 23);
}

}  // namespace
}  // namespace stiction
