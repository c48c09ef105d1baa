#include "solvers/gauss_seidel.hpp"

#include <algorithm>
#include <cmath>

#include "math/tree_cholesky.hpp"
#include "solvers/block_law.hpp"

namespace stiction {
namespace {

constexpr int kSweepsPerCheck = 10;

// W by which the tangential rows of a block are moved together: with more than two directions the largest sum of a row
// of W_tt, which no eigenvalue exceeds. Two directions have at most twice their larger entry, with which the step still
// does not grow an error.
double tangential_step(const SolverScratch& s, int c) {
  const int rows = s.island.block_size(c);
  double largest = s.scale[std::size_t(c)].tangent;
  if (rows <= 3) return largest;
  const double* W = s.delassus.data() + s.island.square[std::size_t(c)];
  for (int k = 1; k < rows; ++k) {
    double sum = 0;
    for (int l = 1; l < rows; ++l) sum += std::abs(W[rows * k + l]);
    largest = std::max(largest, sum);
  }
  return largest;
}

// δp of a relaxed contact: one projection on the cone with a step that no eigenvalue of W exceeds.
void relax_cone(const SolverScratch& s, int c, const double* v, const double* p, double* change) {
  with_rows(s.island.block_size(c), [&](auto rows) {
    constexpr int N = rows;
    if constexpr (N > 1) {
      const double* W = s.delassus.data() + s.island.square[std::size_t(c)];
      double largest = std::max(s.scale[std::size_t(c)].normal, s.scale[std::size_t(c)].tangent);
      for (int k = 0; k < N; ++k) {
        double sum = 0;
        for (int l = 0; l < N; ++l) sum += std::abs(W[N * k + l]);
        largest = std::max(largest, sum);
      }
      VecN<double, N> target;
      for (int k = 0; k < N; ++k) target[k] = p[k] - v[k] / largest;
      const VecN<double, N> next = RelaxedLaw<N>::project(target, s.island.friction[std::size_t(c)]);
      for (int k = 0; k < N; ++k) change[k] = next[k] - p[k];
    }
  });
}

// The tangential entries onto the pyramid's base of that radius.
void project_pyramid(int count, double radius, double* p) {
  with_rows(count, [&](auto rows) {
    constexpr int N = rows;
    if constexpr (N > 1) {
      VecN<double, N> y;
      for (int k = 1; k < N; ++k) y[k] = p[k];
      y = PyramidLaw<N>::project_tangent(y, radius);
      for (int k = 1; k < N; ++k) p[k] = y[k];
    }
  });
}

// One block: velocity from u, projection, and u again.
void relax_block(SolverScratch& s, int c) {
  const Island& island = s.island;
  const auto i = std::size_t(c);
  const int rows = island.block_size(c), first = island.row[i];
  double v[kMostBlockRows] = {}, change[kMostBlockRows] = {};
  block_velocity(island, c, s.current.u.data(), true, v);
  double* p = s.current.p.data() + first;
  if (!island.condensed) v[0] += island.compliance[i] * p[0];
  if (island.law[i] == Law::kRelaxed) {
    relax_cone(s, c, v, p, change);
    for (int k = 0; k < rows; ++k) p[k] += change[k];
    return add_response(s, c, change, s.current.u);
  }
  const double normal = island.law[i] == Law::kBox
                            ? BoxLaw::clamp(BoxLaw::target({v[0]}, {p[0]}, island.box[i], s.scale[i]), island.box[i])
                            : std::max(0.0, p[0] - v[0] / s.scale[i].normal);
  change[0] = normal - p[0];
  if (rows > 1) {
    // The tangential rows see the normal impulse already: v_t changes by W_tn δp_n.
    const double* W = s.delassus.data() + island.square[i];
    const double scale = tangential_step(s, c);
    double squared = 0;
    for (int k = 1; k < rows; ++k) {
      change[k] = p[k] - (v[k] + W[rows * k] * change[0]) / scale;
      squared += change[k] * change[k];
    }
    const double radius = island.friction[i] * normal, length = std::sqrt(squared);
    if (island.law[i] == Law::kPyramid) project_pyramid(rows, radius, change);
    const double factor = island.law[i] != Law::kPyramid && length > radius ? radius / length : 1.0;
    for (int k = 1; k < rows; ++k) change[k] = factor * change[k] - p[k];
  }
  for (int k = 0; k < rows; ++k) p[k] += change[k];
  add_response(s, c, change, s.current.u);
}

}  // namespace

// M⁻¹ J_cᵀ of both trees of every block, row by row of J, one after the other in scratch.response.
void prepare_response(SolverScratch& s) {
  const Island& island = s.island;
  s.response.clear();
  s.response_start.clear();
  if (island.condensed) return;  // it has W
  for (int c = 0; c < island.nblock; ++c)
    for (int side = 0; side < 2; ++side) {
      const auto i = std::size_t(c);
      const int tree = side == 0 ? island.tree_a[i] : island.tree_b[i];
      s.response_start.push_back(int(s.response.size()));
      if (tree < 0) continue;
      const double* J = side == 0 ? island.jacobian_a[i] : island.jacobian_b[i];
      const int n = island.tree_size(tree), rows = island.block_size(c);
      const double* L = island.tree_factor(tree);
      const std::size_t first = s.response.size();
      s.response.insert(s.response.end(), J, J + rows * n);
      for (int k = 0; k < rows; ++k) solve_tree(L, n, s.response.data() + first + std::size_t(k * n));
    }
}

void add_response(const SolverScratch& s, int c, const double* change, std::vector<double>& u_all) {
  const Island& island = s.island;
  const auto i = std::size_t(c);
  const int rows = island.block_size(c), first = island.row[i];
  if (island.condensed) {
    for (int j = 0; j < island.nrow; ++j)
      for (int k = 0; k < rows; ++k) u_all[std::size_t(j)] += island.response_row(j)[first + k] * change[k];
    return;
  }
  for (int side = 0; side < 2; ++side) {
    const int tree = side == 0 ? island.tree_a[i] : island.tree_b[i];
    if (tree < 0) continue;
    const int n = island.tree_size(tree);
    double* u = u_all.data() + island.dof[std::size_t(tree)];
    const double* response = s.response.data() + s.response_start[2 * i + std::size_t(side)];
    for (int k = 0; k < rows; ++k)
      for (int d = 0; d < n; ++d) u[d] += response[k * n + d] * change[k];
  }
}

bool gauss_seidel(double target, int sweeps, SolverScratch& s, int* counter) {
  prepare_response(s);
  evaluate(s, s.current);
  int next_check = 1;
  for (int sweep = 0; sweep < sweeps && s.current.residual > target; ++sweep) {
    // Forth and back: impulses travel up a stack as fast as down.
    for (int c = 0; c < s.island.nblock; ++c) relax_block(s, sweep % 2 == 0 ? c : s.island.nblock - 1 - c);
    if (counter != nullptr) ++*counter;
    if (sweep + 1 < next_check && sweep + 1 < sweeps) continue;
    evaluate(s, s.current);
    keep_best(s);
    next_check += std::min(next_check, kSweepsPerCheck);
  }
  return s.current.residual <= target;
}

}  // namespace stiction
