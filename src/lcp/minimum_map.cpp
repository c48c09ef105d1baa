// Method newton-minmap: damped Newton on H(z) = min(z, M z + q) = 0, on the scaled problem.
// Row i of the generalised Jacobian is e_i where z_i < w_i and row i of M otherwise. Where it is singular, or its step
// does not lower ½‖H‖², the step is that of Levenberg and Marquardt.
#include <Eigen/Dense>

#include <algorithm>
#include <cmath>

#include "lcp/methods.hpp"
#include "lcp/scaling.hpp"

namespace stiction::detail {
namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Eigen::VectorXd;

constexpr double kSufficient = 1e-4;  // Armijo's constant
constexpr int kHalvings = 20;

// Moves z along the step as far as ½‖H‖² falls enough; false if it does not.
bool search(const Matrix& M, const VectorXd& q, const VectorXd& step, double slope, VectorXd& z) {
  const auto merit = [&](const VectorXd& x) { return 0.5 * x.cwiseMin(M * x + q).squaredNorm(); };
  const double before = merit(z);
  double length = 1;
  for (int i = 0; i < kHalvings; ++i, length *= 0.5) {
    const VectorXd trial = z + length * step;
    if (merit(trial) <= before + kSufficient * length * slope) {
      z = trial;
      return true;
    }
  }
  return false;
}

}  // namespace

void solve_by_minimum_map(const Lcp& problem, const LcpSettings& settings, LcpResult& result) {
  ScaledLcp scaled;
  scale_lcp(problem, scaled);
  const Eigen::Index n = problem.n;
  const Matrix M = Eigen::Map<const Matrix>(scaled.M.data(), n, n);
  const VectorXd q = Eigen::Map<const VectorXd>(scaled.q.data(), n);
  VectorXd z = VectorXd::Zero(n);
  const int limit = settings.max_iterations > 0 ? settings.max_iterations : 200;
  double damping = 1e-6;
  while (true) {
    for (Eigen::Index i = 0; i < n; ++i) result.z[std::size_t(i)] = scaled.z(std::size_t(i), z[i]);
    judge_lcp(problem, result);
    if (result.certificate.residual() <= settings.tolerance || result.iterations >= limit) return;
    ++result.iterations;
    const VectorXd w = M * z + q, h = z.cwiseMin(w);
    Matrix jacobian = M;
    for (Eigen::Index i = 0; i < n; ++i)
      if (z[i] < w[i]) jacobian.row(i) = VectorXd::Unit(n, i).transpose();
    const VectorXd newton = jacobian.partialPivLu().solve(-h);
    if (newton.allFinite() && search(M, q, newton, -h.squaredNorm(), z)) continue;
    // (Jᵀ J + ν I) δ = −Jᵀ H
    const VectorXd gradient = jacobian.transpose() * h;
    bool moved = false;
    for (int attempt = 0; attempt < kHalvings && !moved; ++attempt) {
      Matrix normal = jacobian.transpose() * jacobian;
      normal.diagonal().array() += damping;
      const VectorXd step = normal.ldlt().solve(-gradient);
      moved = step.allFinite() && search(M, q, step, gradient.dot(step), z);
      damping = moved ? std::max(0.1 * damping, 1e-12) : 10 * damping;
    }
    if (!moved) {
      result.message = "newton-minmap stands at a point where ½‖min(z, w)‖² has no direction of descent";
      return;
    }
  }
}

}  // namespace stiction::detail
