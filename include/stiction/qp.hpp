// Convex quadratic programmes, solved by ProxSuite's dense solver and certified by own code:
//
//   minimise ½ xᵀ P x + qᵀ x   subject to   l ≤ A x ≤ u.
//
// With multipliers y of the rows, positive at the upper and negative at the lower bound: P x + q + Aᵀ y = 0.
#pragma once

#include <span>
#include <string>
#include <vector>

#include <stiction/error.hpp>

namespace stiction {

struct Qp {
  int n = 0, m = 0;          // variables, rows
  std::vector<double> P, q;  // n × n, symmetric and positive semidefinite; n
  std::vector<double> A;     // m × n, row-major
  std::vector<double> l, u;  // m; −∞ and ∞ (or 1e20 and beyond) where there is no bound
  double constant = 0;       // added to the objective
};

enum class QpStatus {
  kSolved = 0,        // the certificate is within the tolerance
  kInfeasible = 1,    // no x satisfies the rows: linear feasibility says so (Farkas)
  kUnbounded = 2,     // feasible, and the objective falls for ever along a direction
  kNotConverged = 3,  // limit of iterations
};
const char* qp_status_name(QpStatus status);

struct QpSettings {
  double tolerance = 1e-8;     // > 0, of every residual of the certificate
  int max_iterations = 10000;  // of the proximal method
};

// Each relative to the size that the terms of its row or column may have.
struct QpCertificate {
  double stationarity = 0;     // largest |P x + q + Aᵀ y|_j / (|q_j| + Σ |P_ji| max|x| + Σ |A_ij| max|y|)
  double feasibility = 0;      // largest distance of (A x)_i from [l_i, u_i] / (Σ |A_ij| max|x| + |bound|)
  double complementarity = 0;  // Σ_i |y_i| · distance to the bound of its sign / (1 + |½ xᵀ P x + qᵀ x|)
  double residual() const;
};

struct QpResult {
  QpStatus status = QpStatus::kNotConverged;
  std::vector<double> x, y;
  double objective = 0;  // with the constant
  QpCertificate certificate;
  int iterations = 0;
  std::string message;  // one sentence
};

// Error if the shapes do not fit, a number is not one, a row has l > u or P is not symmetric.
QpResult solve_qp(const Qp& problem, const QpSettings& settings = {});

QpCertificate certify_qp(const Qp& problem, std::span<const double> x, std::span<const double> y);

// Text: `n N`, `m M`, `r CONSTANT`, then `matrix P|A rows columns entries` with lines `i j value`, and
// `vector q|l|u entries` with a line for each value. Error with file and line.
Qp read_qp(const std::string& path);

}  // namespace stiction
