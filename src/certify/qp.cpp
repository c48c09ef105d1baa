// The certificate of a quadratic programme, from (P, q, A, l, u, x, y) alone.
#include <algorithm>
#include <cmath>

#include <stiction/qp.hpp>

namespace stiction {
namespace {

constexpr double kNoBound = 1e20;

double largest_of(std::span<const double> x) {
  double out = 0;
  for (const double value : x) out = std::isnan(value) ? INFINITY : std::max(out, std::abs(value));
  return out;
}

}  // namespace

double QpCertificate::residual() const {
  return std::max({stationarity, feasibility, complementarity});
}

QpCertificate certify_qp(const Qp& problem, std::span<const double> x, std::span<const double> y) {
  QpCertificate out;
  const auto n = std::size_t(problem.n), m = std::size_t(problem.m);
  const double x_scale = largest_of(x), y_scale = largest_of(y);
  std::vector<double> gradient = problem.q, scale(n);
  double objective = 0, apart = 0;
  for (std::size_t j = 0; j < n; ++j) {
    scale[j] = std::abs(problem.q[j]);
    objective += problem.q[j] * x[j];
    for (std::size_t i = 0; i < n; ++i) {
      const double term = problem.P[j * n + i] * x[i];
      gradient[j] += term;
      scale[j] += std::abs(problem.P[j * n + i]) * x_scale;
      objective += 0.5 * term * x[j];
    }
  }
  for (std::size_t i = 0; i < m; ++i) {
    double row = 0, row_scale = 0;
    for (std::size_t j = 0; j < n; ++j) {
      const double a = problem.A[i * n + j];
      row += a * x[j];
      row_scale += std::abs(a) * x_scale;
      gradient[j] += a * y[i];
      scale[j] += std::abs(a) * y_scale;
    }
    const double l = problem.l[i], u = problem.u[i];
    const double violation = std::max({0.0, l - row, row - u});
    if (violation > 0) out.feasibility = std::max(out.feasibility, violation / (row_scale + std::abs(row < l ? l : u)));
    // y > 0 belongs to the upper bound, y < 0 to the lower one.
    const double own = y[i] > 0 ? u : l;
    if (y[i] != 0) apart += std::abs(own) < kNoBound ? std::abs(y[i] * (own - row)) : INFINITY;
  }
  for (std::size_t j = 0; j < n; ++j)
    if (gradient[j] != 0) out.stationarity = std::max(out.stationarity, std::abs(gradient[j]) / scale[j]);
  out.complementarity = apart / (1 + std::abs(objective));
  for (double* value : {&out.stationarity, &out.feasibility, &out.complementarity})
    if (std::isnan(*value)) *value = INFINITY;
  return out;
}

}  // namespace stiction
