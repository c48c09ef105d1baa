// Method enumerate: of each pair (z_i, w_i) one is zero, which makes 2ⁿ pieces. With α the indices whose w is zero,
//
//   M_αα z_α = −q_α,   z_α ≥ 0,   w_ᾱ = M_ᾱα z_α + q_ᾱ ≥ 0.
//
// Where M_αα is regular the piece holds at most one point, a basic solution; where it is singular the piece is a
// polyhedron, whose points are looked for by linear feasibility if no basic solution exists.
#include <fmt/format.h>

#include <Eigen/Dense>

#include <algorithm>
#include <bit>
#include <cstdint>

#include "lcp/feasible.hpp"
#include "lcp/methods.hpp"
#include "lcp/scaling.hpp"

namespace stiction::detail {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kSingular = 1e-12;  // of the largest pivot

struct Piece {
  std::vector<int> active;  // α
  MatrixXd M;               // M_αα
  VectorXd right;           // −q_α
};

void fill_piece(const ScaledLcp& problem, int n, std::uint32_t set, Piece& piece) {
  piece.active.clear();
  for (int i = 0; i < n; ++i)
    if ((set >> unsigned(i) & 1u) != 0) piece.active.push_back(i);
  const auto size = Eigen::Index(piece.active.size());
  piece.M.resize(size, size);
  piece.right.resize(size);
  for (Eigen::Index i = 0; i < size; ++i) {
    const auto row = std::size_t(piece.active[std::size_t(i)]);
    piece.right[i] = -problem.q[row];
    for (Eigen::Index j = 0; j < size; ++j)
      piece.M(i, j) = problem.M[row * std::size_t(n) + std::size_t(piece.active[std::size_t(j)])];
  }
}

// z of the whole problem from z_α of the scaled one, judged.
bool accept(const Lcp& problem, const ScaledLcp& scaled, const Piece& piece, const VectorXd& z_active, double tolerance,
            LcpResult& result) {
  // Below zero beyond rounding: not of this piece, even if what is left after clamping were a solution.
  if (z_active.size() > 0 && z_active.minCoeff() < -tolerance * z_active.cwiseAbs().maxCoeff()) return false;
  std::fill(result.z.begin(), result.z.end(), 0.0);
  for (std::size_t i = 0; i < piece.active.size(); ++i) {
    const auto index = std::size_t(piece.active[i]);
    result.z[index] = std::max(0.0, scaled.z(index, z_active[Eigen::Index(i)]));
  }
  judge_lcp(problem, result);
  return result.certificate.residual() <= tolerance;
}

bool same(const std::vector<double>& a, const std::vector<double>& b, double tolerance) {
  double scale = 0, apart = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    scale = std::max({scale, a[i], b[i]});
    apart = std::max(apart, std::abs(a[i] - b[i]));
  }
  return apart <= tolerance * scale;
}

// A point of the polyhedron of a singular piece; the equations are pairs of inequalities.
bool find_point(const ScaledLcp& problem, int n, const Piece& piece, VectorXd& z_active) {
  const auto columns = piece.active.size();
  std::vector<double> G, g;
  for (int i = 0; i < n; ++i) {
    const bool active = std::find(piece.active.begin(), piece.active.end(), i) != piece.active.end();
    for (const double sign : {1.0, -1.0}) {
      if (sign < 0 && !active) continue;
      g.push_back(sign * problem.q[std::size_t(i)]);
      for (const int j : piece.active) G.push_back(sign * problem.M[std::size_t(i) * std::size_t(n) + std::size_t(j)]);
    }
  }
  Feasibility feasibility;
  if (feasibility.solve(G, g, int(columns)) != Feasibility::Answer::kFeasible) return false;
  z_active = Eigen::Map<const VectorXd>(feasibility.point().data(), Eigen::Index(columns));
  return true;
}

}  // namespace

void solve_by_enumeration(const Lcp& problem, const LcpSettings& settings, LcpResult& result) {
  if (problem.n > kLargestEnumeration)
    throw Error(fmt::format("LCP: enumerate visits 2ⁿ pieces and is for n ≤ {}, n is {}: use lemke",
                            kLargestEnumeration, problem.n));
  ScaledLcp scaled;
  scale_lcp(problem, scaled);
  Piece piece;
  std::vector<std::uint32_t> singular;
  for (std::uint32_t set = 0; set < 1u << unsigned(problem.n); ++set) {
    ++result.iterations;
    fill_piece(scaled, problem.n, set, piece);
    VectorXd z = VectorXd::Zero(piece.right.size());
    if (set != 0) {
      const Eigen::FullPivLU<MatrixXd> lu(piece.M);
      const VectorXd pivots = lu.matrixLU().diagonal().cwiseAbs();
      if (!(pivots.minCoeff() > kSingular * pivots.maxCoeff())) {
        singular.push_back(set);
        continue;
      }
      z = lu.solve(piece.right);
      z += lu.solve(piece.right - piece.M * z);
    }
    if (!accept(problem, scaled, piece, z, settings.tolerance, result)) continue;
    const bool known = std::any_of(result.solutions.begin(), result.solutions.end(),
                                   [&](const auto& other) { return same(other, result.z, 1e3 * settings.tolerance); });
    if (!known) result.solutions.push_back(result.z);
  }
  if (!result.solutions.empty()) {
    result.z = result.solutions.front();
    return;
  }
  for (const std::uint32_t set : singular) {
    fill_piece(scaled, problem.n, set, piece);
    VectorXd z;
    if (find_point(scaled, problem.n, piece, z) && accept(problem, scaled, piece, z, settings.tolerance, result))
      return;
  }
  std::fill(result.z.begin(), result.z.end(), 0.0);
  result.status = LcpStatus::kNoSolution;
  result.message = fmt::format("no solution: none of the {} pieces holds one", result.iterations);
  prove_infeasible(problem, settings, result);
}

}  // namespace stiction::detail
