#include "solvers/compliant_contacts.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "solvers/pyramid_programme.hpp"
#include "solvers/scratch.hpp"

namespace stiction {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// Share of the tolerance to which the programme is solved: the certificate measures the same by other norms.
constexpr double kShare = 0.1;

// A and −b of the island: w = A p + c.
struct Rows {
  MatrixXd A;
  VectorXd c;
  VectorXd weight;                 // S of least squares, 1 for the stiffest row
  std::vector<int> free, bounded;  // rows without bounds, and the others in the order of the island
};

bool is_free(const Island& island, int block) {
  const BoxBounds<double>& box = island.box[std::size_t(block)];
  return island.law[std::size_t(block)] == Law::kBox && box.lower == -INFINITY && box.upper == INFINITY;
}

// e/h of row k of a block.
double row_compliance(const Island& island, int block, int k) {
  const ContactProblem& p = *island.problem;
  const auto b = std::size_t(island.block[std::size_t(block)]);
  return (k == 0 ? p.block_compliance[b] : p.block_friction_compliance[b]) / p.timestep;
}

void fill_rows(const Island& island, Rows& rows) {
  const auto n = std::size_t(island.nrow);
  std::vector<double> p(n), g(std::size_t(island.nv)), v(n);
  rows.A.resize(island.nrow, island.nrow);
  rows.c.resize(island.nrow);
  for (std::size_t j = 0; j < n; ++j) {
    p[j] = 1;
    generalized_impulse(island, p.data(), g.data());
    apply_inverse_inertia(island, g.data());
    contact_velocity(island, g.data(), false, v.data());
    p[j] = 0;
    for (std::size_t i = 0; i < n; ++i) rows.A(Index(i), Index(j)) = v[i];
  }
  contact_velocity(island, island.free_velocity.data(), true, rows.c.data());
  for (int c = 0; c < island.nblock; ++c)
    for (int k = 0; k < island.block_size(c); ++k) {
      const int row = island.row[std::size_t(c)] + k;
      // W of a problem without trees has the compliances of its normal rows already.
      if (!island.condensed || k > 0 || island.law[std::size_t(c)] == Law::kBox)
        rows.A(row, row) += row_compliance(island, c, k);
      (is_free(island, c) ? rows.free : rows.bounded).push_back(row);
    }
  rows.A = (0.5 * (rows.A + rows.A.transpose())).eval();
}

// S: 1, or the least e of the island over that of the row. A row that is rigid up to a bound counts as the softest one.
void fill_weights(const Island& island, bool forces, Rows& rows) {
  rows.weight = VectorXd::Ones(island.nrow);
  if (!forces) return;
  VectorXd e(island.nrow);
  double least = INFINITY, most = 0;
  for (int c = 0; c < island.nblock; ++c)
    for (int k = 0; k < island.block_size(c); ++k) {
      const double own = e[island.row[std::size_t(c)] + k] = row_compliance(island, c, k);
      if (own > 0) least = std::min(least, own);
      most = std::max(most, own);
    }
  if (!(most > 0)) return;
  for (const int row : rows.free) rows.weight[row] = e[row] > 0 ? least / e[row] : 1;
  for (const int row : rows.bounded) rows.weight[row] = least / (e[row] > 0 ? e[row] : most);
}

// The bounded rows of the island as intervals and pyramids of y.
void add_bounds(const Island& island, PyramidProgramme& out) {
  int at = 0;
  for (int c = 0; c < island.nblock; ++c) {
    if (is_free(island, c)) continue;
    const auto i = std::size_t(c);
    const int count = island.block_size(c);
    if (island.law[i] == Law::kBox)
      out.intervals.push_back({at, island.box[i].lower, island.box[i].upper});
    else
      out.pyramids.push_back({at, count, island.friction[i]});
    at += count;
  }
}

// What is left for the bounded rows, and the way back to the free ones: p_F = −Z (A_FC y + c_F) or its least squares.
class Elimination {
 public:
  Elimination(const Rows& rows, bool least_squares) : rows_(rows), least_squares_(least_squares) {
    const std::vector<int>&F = rows.free, &C = rows.bounded;
    if (least_squares) {
      // S A = [A_F A_C]: what A_F cannot reach, Q₂ᵀ (A_C y + S c), is to be small.
      if (!F.empty()) qr_.compute(rows.weight.asDiagonal() * rows.A(Eigen::all, F));
      const Index rank = F.empty() ? 0 : qr_.rank();
      MatrixXd all(rows.A.rows(), Index(C.size()) + 1);
      all << rows.A(Eigen::all, C), rows.c;
      all = (rows.weight.asDiagonal() * all).eval();
      if (!F.empty()) all.applyOnTheLeft(qr_.householderQ().adjoint());
      G = all.bottomLeftCorner(all.rows() - rank, Index(C.size()));
      g = all.bottomRightCorner(all.rows() - rank, 1);
      H = G.transpose() * G;
      q = G.transpose() * g;
    } else {
      H = rows.A(C, C);
      q = rows.c(C);
      if (F.empty()) return;
      factor_.compute(rows.A(F, F));
      H -= rows.A(C, F) * factor_.solve(MatrixXd(rows.A(F, C)));
      q -= rows.A(C, F) * factor_.solve(VectorXd(rows.c(F)));
    }
  }

  VectorXd all_rows(const VectorXd& y) const {
    const std::vector<int>&F = rows_.free, &C = rows_.bounded;
    VectorXd p = VectorXd::Zero(rows_.c.size());
    p(C) = y;
    // Once more for what rounding left.
    for (int k = 0; k < 2 && !F.empty(); ++k) {
      const VectorXd w = rows_.A * p + rows_.c;
      p(F) -=
          least_squares_ ? VectorXd(qr_.solve(rows_.weight.cwiseProduct(w))) : VectorXd(factor_.solve(VectorXd(w(F))));
    }
    return p;
  }

  MatrixXd H, G;  // as PyramidProgramme has them
  VectorXd q, g;

 private:
  const Rows& rows_;
  bool least_squares_;
  Eigen::ColPivHouseholderQR<MatrixXd> qr_;
  Eigen::LDLT<MatrixXd> factor_;
};

// Returns the velocities of the island's trees.
std::vector<double> write_solution(const Island& island, const VectorXd& p, Solution& solution) {
  const ContactProblem& problem = *island.problem;
  std::vector<double> u(std::size_t(island.nv));
  generalized_impulse(island, p.data(), u.data());
  apply_inverse_inertia(island, u.data());
  for (int t = 0; t < island.ntree; ++t) {
    const int to = problem.tree_dof[std::size_t(island.tree[std::size_t(t)])], from = island.dof[std::size_t(t)];
    for (int d = 0; d < island.tree_size(t); ++d) {
      u[std::size_t(from + d)] += problem.free_velocity[std::size_t(to + d)];
      solution.u[std::size_t(to + d)] = u[std::size_t(from + d)];
    }
  }
  for (int c = 0; c < island.nblock; ++c) {
    const int to = problem.block_row[std::size_t(island.block[std::size_t(c)])], from = island.row[std::size_t(c)];
    for (int k = 0; k < island.block_size(c); ++k)
      solution.lambda[std::size_t(to + k)] = p[from + k] / problem.timestep;
  }
  return u;
}

VectorXd warm_start(const Island& island, const SolverSettings& settings, const Solution& solution,
                    const std::vector<int>& bounded) {
  VectorXd p = VectorXd::Zero(island.nrow);
  const ContactProblem& problem = *island.problem;
  for (int c = 0; c < island.nblock && settings.warm_start; ++c) {
    const int from = problem.block_row[std::size_t(island.block[std::size_t(c)])], to = island.row[std::size_t(c)];
    for (int k = 0; k < island.block_size(c); ++k)
      p[to + k] = problem.timestep * solution.lambda[std::size_t(from + k)];
  }
  if (!p.allFinite()) p.setZero();
  return p(bounded);
}

}  // namespace

int compliant_rows(const ContactProblem& p, int island) {
  int rows = 0;
  bool any = false;
  for (int k = p.island_block[std::size_t(island)]; k < p.island_block[std::size_t(island) + 1]; ++k) {
    const int block = p.island_block_list[std::size_t(k)];
    any = any || is_compliant(p.block_law[std::size_t(block)]);
    rows += p.block_size(block);
  }
  return any ? rows : 0;
}

IslandResult solve_compliant(const ContactProblem& problem, int index, const SolverSettings& settings, SolverScratch& s,
                             Solution& solution) {
  const auto begin = std::chrono::steady_clock::now();
  Island& island = s.island;
  gather_island(problem, index, solution.push_out, island);
  IslandResult result;
  if (island.nrow > kMostCompliantRows) {
    write_solution(island, VectorXd::Zero(island.nrow), solution);
    return result;
  }
  Rows rows;
  fill_rows(island, rows);
  const auto has = [&](Law law) { return std::find(island.law.begin(), island.law.end(), law) != island.law.end(); };
  const bool forces = has(Law::kCompliantForce), least_squares = forces || has(Law::kCompliant);
  fill_weights(island, forces, rows);
  const Elimination left(rows, least_squares);
  // H_kk times a change of y_k is a velocity under the least energy; that of least squares is A_kk times the change.
  VectorXd unit = VectorXd::Ones(Index(rows.bounded.size()));
  if (least_squares) unit = left.H.diagonal().cwiseQuotient(VectorXd(rows.A.diagonal()(rows.bounded)).cwiseMax(1e-300));
  PyramidProgramme programme{left.H, left.q, left.G, left.g, unit, {}, {}};
  add_bounds(island, programme);
  VectorXd y = warm_start(island, settings, solution, rows.bounded);
  const double enough = kShare * settings.tolerance * island.scale;
  const bool finite = rows.A.allFinite() && rows.c.allFinite();
  const double residual = finite ? solve_programme(programme, enough, y, result.factorisations) : INFINITY;
  result.solved = residual <= settings.tolerance * island.scale;
  const VectorXd p = finite ? left.all_rows(y) : VectorXd::Zero(island.nrow);
  const std::vector<double> u = write_solution(island, p, solution);
  if (settings.trace != nullptr) {
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    const VectorXd lambda = p / problem.timestep;
    settings.trace->points.push_back(
        {index, result.iterations(), seconds, u, {lambda.data(), lambda.data() + lambda.size()}});
  }
  return result;
}

}  // namespace stiction
