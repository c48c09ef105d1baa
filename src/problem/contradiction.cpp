// Equalities that contradict each other: with W and v of the equality rows of an island, some y with W y = 0 (no motion
// follows from these impulses, so no motion changes yᵀ v either) and yᵀ v ≠ 0. Found by Gaussian elimination with
// diagonal pivots, which a semidefinite W allows: rows that are left without a pivot are combinations y of others.
#include <stiction/problem.hpp>

#include "math/tree_cholesky.hpp"

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

constexpr double kDependent = 1e-10;  // pivot relative to the largest, below which a row depends on the others
constexpr double kInvolved = 1e-6;    // share of a row in a combination, above which it is named

bool is_equality(const ContactProblem& p, int block) {
  const auto b = std::size_t(block);
  return p.block_law[b] == Law::kBox && p.block_lower[b] == -INFINITY && p.block_upper[b] == INFINITY &&
         p.block_compliance[b] == 0;
}

// The rows of an island's equalities: W, row-major, v = J ũ + b, and what y made of them.
struct Equalities {
  std::vector<int> block;
  std::vector<double> W, v, combination;

  std::size_t size() const { return block.size(); }
  void subtract(std::size_t i, std::size_t pivot) {  // row i −= factor · row pivot
    const std::size_t n = size();
    const double factor = W[i * n + pivot] / W[pivot * n + pivot];
    if (factor == 0) return;
    for (std::size_t j = 0; j < n; ++j) {
      W[i * n + j] -= factor * W[pivot * n + j];
      combination[i * n + j] -= factor * combination[pivot * n + j];
    }
    v[i] -= factor * v[pivot];
  }
};

Equalities gather(const ContactProblem& p, int island) {
  Equalities out;
  for (int k = p.island_block[std::size_t(island)]; k < p.island_block[std::size_t(island) + 1]; ++k)
    if (is_equality(p, p.island_block_list[std::size_t(k)])) out.block.push_back(p.island_block_list[std::size_t(k)]);
  const std::size_t n = out.size(), nv = std::size_t(p.nv);
  out.W.assign(n * n, 0.0);
  out.combination.assign(n * n, 0.0);
  std::vector<double> whitened(n * nv, 0.0);  // J L⁻¹
  for (std::size_t i = 0; i < n; ++i) {
    const auto b = std::size_t(out.block[i]);
    out.combination[i * (n + 1)] = 1;
    double v = p.bias[std::size_t(p.block_row[b])];
    for (int side = 0; side < 2; ++side) {
      const int tree = side == 0 ? p.block_tree_a[b] : p.block_tree_b[b];
      if (tree < 0) continue;
      const double* J = p.jacobian.data() + (side == 0 ? p.block_jacobian_a[b] : p.block_jacobian_b[b]);
      const auto first = std::size_t(p.tree_dof[std::size_t(tree)]);
      const int m = p.tree_size(tree);
      double* y = whitened.data() + i * nv + first;
      std::copy(J, J + m, y);
      whiten(p.inertia_factor.data() + p.tree_inertia[std::size_t(tree)], m, y);
      for (int d = 0; d < m; ++d) v += J[d] * p.free_velocity[first + std::size_t(d)];
    }
    out.v.push_back(v);
    for (std::size_t j = 0; j <= i; ++j) {
      double& w = out.W[i * n + j];
      for (std::size_t d = 0; d < nv; ++d) w += whitened[i * nv + d] * whitened[j * nv + d];
      out.W[j * n + i] = w;
    }
  }
  if (p.nresponse == 0) return out;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      out.W[i * n + j] = p.response[std::size_t(p.block_row[std::size_t(out.block[i])]) * std::size_t(p.nrow) +
                                    std::size_t(p.block_row[std::size_t(out.block[j])])];
  return out;
}

// Eliminates; returns the rows that have no pivot.
std::vector<std::size_t> eliminate(Equalities& e) {
  const std::size_t n = e.size();
  std::vector<std::size_t> left(n);
  for (std::size_t i = 0; i < n; ++i) left[i] = i;
  double least = 0;
  while (!left.empty()) {
    const auto pivot =
        std::max_element(left.begin(), left.end(), [&](auto i, auto j) { return e.W[i * (n + 1)] < e.W[j * (n + 1)]; });
    const std::size_t row = *pivot;
    if (least == 0) least = kDependent * e.W[row * (n + 1)];
    if (!(e.W[row * (n + 1)] > least)) break;
    left.erase(pivot);
    for (std::size_t i : left) e.subtract(i, row);
  }
  return left;
}

}  // namespace

std::vector<int> contradicting_rows(const ContactProblem& p, double tolerance) {
  std::vector<int> rows;
  for (int island = 0; island < p.nisland; ++island) {
    Equalities e = gather(p, island);
    const std::size_t n = e.size();
    for (std::size_t i : eliminate(e)) {
      if (!(std::abs(e.v[i]) > tolerance * p.island_scale[std::size_t(island)])) continue;
      for (std::size_t j = 0; j < n; ++j)
        if (std::abs(e.combination[i * n + j]) > kInvolved) rows.push_back(p.block_row[std::size_t(e.block[j])]);
    }
  }
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  return rows;
}

}  // namespace stiction
