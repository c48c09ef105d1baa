// Quadratic programmes through ProxSuite: Bambade, El-Kazdadi, Taylor, Carpentier, "PROX-QP: Yet another quadratic
// programming solver for robotics and beyond" (2022). Rows with l = u go to it as equalities.
#include <fmt/format.h>

#include <proxsuite/proxqp/dense/dense.hpp>

#include <algorithm>
#include <cmath>

#include <stiction/qp.hpp>

#include "lcp/feasible.hpp"

namespace stiction {
namespace {

namespace dense = proxsuite::proxqp::dense;
using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Eigen::VectorXd;

constexpr double kNoBound = 1e20;
// ProxSuite's own test condemns problems that are only badly scaled: it is asked for little, and linear feasibility
// decides where nothing was found.
constexpr double kStrict = 1e-10;
constexpr int kMostForProof = 1000;  // rows and columns of that question

void require_size(const std::vector<double>& values, std::size_t size, const char* name, const char* what) {
  if (values.size() != size)
    throw Error(fmt::format("QP: {} has {} entries: it must have {}, {}", name, values.size(), size, what));
}

void require_finite(const std::vector<double>& values, const char* name) {
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!std::isfinite(values[i])) throw Error(fmt::format("QP: entry {} of {} is {}", i, name, values[i]));
}

void check(const Qp& p, const QpSettings& settings) {
  if (p.n < 0 || p.m < 0) throw Error(fmt::format("QP: n is {} and m is {}: they must be at least 0", p.n, p.m));
  const auto n = std::size_t(p.n), m = std::size_t(p.m);
  require_size(p.P, n * n, "P", "n × n");
  require_size(p.q, n, "q", "n");
  require_size(p.A, m * n, "A", "m × n");
  require_size(p.l, m, "l", "m");
  require_size(p.u, m, "u", "m");
  require_finite(p.P, "P");
  require_finite(p.q, "q");
  require_finite(p.A, "A");
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (std::abs(p.P[i * n + j] - p.P[j * n + i]) > 1e-12 * (std::abs(p.P[i * n + j]) + std::abs(p.P[j * n + i])))
        throw Error(fmt::format("QP: P is not symmetric: entries ({}, {}) and ({}, {}) differ", i, j, j, i));
  for (std::size_t i = 0; i < m; ++i) {
    if (p.l[i] <= p.u[i] && p.l[i] < kNoBound && p.u[i] > -kNoBound) continue;
    throw Error(fmt::format("QP: row {} has the bounds {} and {}, which leave no value", i, p.l[i], p.u[i]));
  }
  if (!(settings.tolerance > 0))
    throw Error(fmt::format("QP: tolerance is {}: it must be greater than 0", settings.tolerance));
  if (settings.max_iterations < 1)
    throw Error(fmt::format("QP: max_iterations is {}: it must be at least 1", settings.max_iterations));
}

// Rows of A with an equality, or with inequalities, in the order in which they stand.
struct RowSet {
  std::vector<int> rows;
  Matrix A;
  VectorXd lower, upper;

  void fill(const Qp& p) {
    const auto count = Eigen::Index(rows.size());
    A.resize(count, p.n);
    lower.resize(count);
    upper.resize(count);
    for (Eigen::Index k = 0; k < count; ++k) {
      const int i = rows[std::size_t(k)];
      A.row(k) = Eigen::Map<const VectorXd>(p.A.data() + std::ptrdiff_t(i) * p.n, p.n).transpose();
      lower[k] = std::max(p.l[std::size_t(i)], -kNoBound);
      upper[k] = std::min(p.u[std::size_t(i)], kNoBound);
    }
  }
};

// Rows G (x⁺ − x⁻) + g ≥ 0 of a question about a free x.
struct Inequalities {
  std::vector<double> G, g;
  int n = 0;

  void add(const double* row, double sign, double constant) {
    double largest = std::abs(constant);
    for (int j = 0; j < n; ++j) largest = std::max(largest, std::abs(row[j]));
    const double factor = largest > 0 ? sign / largest : 0;
    for (const double side : {1.0, -1.0})
      for (int j = 0; j < n; ++j) G.push_back(side * factor * row[j]);
    g.push_back(std::abs(factor) * constant);
  }
  detail::Feasibility::Answer ask() const {
    if (2 * n + int(g.size()) > kMostForProof) return detail::Feasibility::Answer::kUnknown;
    return detail::Feasibility().solve(G, g, 2 * n);
  }
};

// Why there is no minimum: no x satisfies the rows, or one may go on for ever along d with P d = 0 and qᵀ d < 0.
QpStatus explain(const Qp& p) {
  using Answer = detail::Feasibility::Answer;
  Inequalities rows{{}, {}, p.n}, direction{{}, {}, p.n};
  for (std::size_t i = 0; i < std::size_t(p.m); ++i) {
    const double* row = p.A.data() + i * std::size_t(p.n);
    if (p.l[i] > -kNoBound) {
      rows.add(row, 1, -p.l[i]);
      direction.add(row, 1, 0);
    }
    if (p.u[i] < kNoBound) {
      rows.add(row, -1, p.u[i]);
      direction.add(row, -1, 0);
    }
  }
  if (rows.ask() == Answer::kInfeasible) return QpStatus::kInfeasible;
  for (std::size_t i = 0; i < std::size_t(p.n); ++i)
    for (const double sign : {1.0, -1.0}) direction.add(p.P.data() + i * std::size_t(p.n), sign, 0);
  direction.add(p.q.data(), -1, -1);
  return direction.ask() == Answer::kFeasible ? QpStatus::kUnbounded : QpStatus::kNotConverged;
}

}  // namespace

const char* qp_status_name(QpStatus status) {
  switch (status) {
    case QpStatus::kSolved:
      return "solved";
    case QpStatus::kInfeasible:
      return "infeasible";
    case QpStatus::kUnbounded:
      return "unbounded";
    case QpStatus::kNotConverged:
      break;
  }
  return "not converged";
}

QpResult solve_qp(const Qp& problem, const QpSettings& settings) {
  check(problem, settings);
  RowSet equal, apart;
  for (int i = 0; i < problem.m; ++i)
    (problem.l[std::size_t(i)] == problem.u[std::size_t(i)] ? equal : apart).rows.push_back(i);
  equal.fill(problem);
  apart.fill(problem);
  const Matrix P = Eigen::Map<const Matrix>(problem.P.data(), problem.n, problem.n);
  const VectorXd q = Eigen::Map<const VectorXd>(problem.q.data(), problem.n);

  dense::QP<double> solver(problem.n, Eigen::Index(equal.rows.size()), Eigen::Index(apart.rows.size()));
  solver.settings.max_iter = settings.max_iterations;
  solver.settings.check_duality_gap = true;
  // Its residuals are measured by other scales than those of the certificate: where they disagree, it goes on.
  QpResult result;
  double accuracy = 0.1 * settings.tolerance;
  solver.settings.eps_primal_inf = solver.settings.eps_dual_inf = kStrict;
  solver.init(P, q, equal.A, equal.lower, apart.A, apart.lower, apart.upper);
  for (int round = 0; round < 4; ++round, accuracy *= 0.01) {
    solver.settings.eps_abs = solver.settings.eps_rel = accuracy;
    solver.settings.eps_duality_gap_abs = solver.settings.eps_duality_gap_rel = accuracy;
    if (round > 0)
      solver.settings.initial_guess = proxsuite::proxqp::InitialGuessStatus::WARM_START_WITH_PREVIOUS_RESULT;
    solver.solve();
    const auto& found = solver.results;
    result.iterations += int(found.info.iter);
    result.x.assign(found.x.data(), found.x.data() + problem.n);
    result.y.assign(std::size_t(problem.m), 0);
    for (std::size_t k = 0; k < equal.rows.size(); ++k) result.y[std::size_t(equal.rows[k])] = found.y[Eigen::Index(k)];
    for (std::size_t k = 0; k < apart.rows.size(); ++k) result.y[std::size_t(apart.rows[k])] = found.z[Eigen::Index(k)];
    // What rounding leaves of a multiplier on the side where there is no bound; stationarity judges the rest.
    for (std::size_t i = 0; i < result.y.size(); ++i)
      if (result.y[i] > 0 ? problem.u[i] >= kNoBound : problem.l[i] <= -kNoBound) result.y[i] = 0;
    result.certificate = certify_qp(problem, result.x, result.y);
    if (result.certificate.residual() <= settings.tolerance) result.status = QpStatus::kSolved;
    if (found.info.status != proxsuite::proxqp::QPSolverOutput::PROXQP_SOLVED || result.status == QpStatus::kSolved)
      break;
  }
  if (result.status == QpStatus::kNotConverged) result.status = explain(problem);
  const VectorXd x = Eigen::Map<const VectorXd>(result.x.data(), problem.n);
  result.objective = 0.5 * x.dot(P * x) + q.dot(x) + problem.constant;
  result.message = fmt::format("{} after {} iterations, residual {:.1e}", qp_status_name(result.status),
                               result.iterations, result.certificate.residual());
  return result;
}

}  // namespace stiction
