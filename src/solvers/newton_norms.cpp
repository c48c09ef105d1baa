// Norms of the Newton system at a solution, from which the limits of rounding follow (Macklin et al. 2019, eqs. 91,
// 92).
#include <stiction/problem.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include "solvers/block_law.hpp"
#include "solvers/dense_lu.hpp"
#include "solvers/natural_newton.hpp"
#include "solvers/scratch.hpp"

namespace stiction {
namespace {

double length(const std::vector<double>& x) {
  double largest = 0;
  for (double value : x) largest = std::max(largest, std::abs(value));
  return largest;
}

// A W + B of the island, column by column.
void newton_matrix(SolverScratch& s, std::vector<double>& out) {
  const int n = s.island.nrow;
  out.assign(std::size_t(n) * std::size_t(n), 0.0);
  std::vector<double> p(std::size_t(n), 0.0), u(std::size_t(s.island.nv)), v(std::size_t(n), 0.0);
  for (int j = 0; j < n; ++j) {
    p[std::size_t(j)] = 1;
    generalized_impulse(s.island, p.data(), u.data());
    apply_inverse_inertia(s.island, u.data());
    contact_velocity(s.island, u.data(), false, v.data());
    add_compliance(s.island, p.data(), v.data());
    for (int c = 0; c < s.island.nblock; ++c) {
      const int first = s.island.row[std::size_t(c)], rows = s.island.block_size(c);
      for (int i = 0; i < rows; ++i)
        for (int k = 0; k < rows; ++k) {
          const auto entry = std::size_t(s.island.square[std::size_t(c)] + rows * i + k);
          out[std::size_t(first + i) * std::size_t(n) + std::size_t(j)] +=
              s.A[entry] * v[std::size_t(first + k)] + s.B[entry] * p[std::size_t(first + k)];
        }
    }
    p[std::size_t(j)] = 0;
  }
}

double row_sum_norm(const std::vector<double>& matrix, int n) {
  double largest = 0;
  for (int i = 0; i < n; ++i) {
    double sum = 0;
    for (int j = 0; j < n; ++j) sum += std::abs(matrix[std::size_t(i) * std::size_t(n) + std::size_t(j)]);
    largest = std::max(largest, sum);
  }
  return largest;
}

double inverse_norm(const std::vector<double>& matrix, int n) {
  DenseLu lu;
  double* to = lu.resize(n);
  for (int i = 0; i < n; ++i)
    std::copy_n(matrix.data() + std::ptrdiff_t(i) * n, n, to + std::ptrdiff_t(i) * lu.stride());
  if (!lu.factor()) return INFINITY;
  std::vector<double> inverse(matrix.size()), x(std::size_t(n), 0.0);
  for (int j = 0; j < n; ++j) {
    std::fill(x.begin(), x.end(), 0.0);
    x[std::size_t(j)] = 1;
    lu.solve(x.data());
    for (int i = 0; i < n; ++i) inverse[std::size_t(i) * std::size_t(n) + std::size_t(j)] = x[std::size_t(i)];
  }
  return row_sum_norm(inverse, n);
}

}  // namespace

NewtonNorms newton_norms(const ContactProblem& problem, const Solution& solution) {
  NewtonNorms out;
  SolverScratch s;
  std::vector<double> matrix;
  for (int island = 0; island < problem.nisland; ++island) {
    if (!begin_island(problem, island, {}, solution, IslandForm::kTrees, s)) continue;
    linearise_blocks(0, s);
    newton_matrix(s, matrix);
    const double norm = row_sum_norm(matrix, s.island.nrow), inverse = inverse_norm(matrix, s.island.nrow);
    const bool singular = !(norm * inverse * std::numeric_limits<double>::epsilon() < 1);
    out.matrix = std::max(out.matrix, norm);
    out.inverse = std::max(out.inverse, singular ? INFINITY : inverse);
    out.impulse = std::max(out.impulse, length(s.current.p));
  }
  return out;
}

}  // namespace stiction
