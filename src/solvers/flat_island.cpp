#include "solvers/flat_island.hpp"

#include "math/tree_cholesky.hpp"

#include <algorithm>

namespace stiction {
namespace {

template <class T>
void copy(const std::vector<double>& from, std::vector<T>& to) {
  to.resize(from.size());
  std::transform(from.begin(), from.end(), to.begin(), [](double x) { return T(x); });
}

template <class T>
void append(const double* from, int count, std::vector<T>& to) {
  for (int i = 0; i < count; ++i) to.push_back(T(from[i]));
}

}  // namespace

template <class T>
void FlatIsland<T>::gather(const Island& island, const std::vector<BlockScale<double>>& scales,
                           const std::vector<double>& delassus) {
  ntree = island.ntree;
  nblock = island.nblock;
  nv = island.nv;
  nrow = island.nrow;
  condensed = island.condensed;
  dof = island.dof;
  row = island.row;
  square = island.square;
  tree_a = island.tree_a;
  tree_b = island.tree_b;
  law = island.law;
  copy(island.bias, bias);
  copy(island.free_velocity, free_velocity);
  copy(island.friction, friction);
  copy(island.compliance, compliance);
  response.clear();
  for (int i = 0; condensed && i < nrow; ++i)
    response.insert(response.end(), island.response_row(i), island.response_row(i) + nrow);
  copy(delassus, own_block);
  for (auto* list : {&jacobian, &factor, &own}) list->clear();
  for (auto* list : {&jacobian_a, &jacobian_b, &factor_offset}) list->clear();
  box.clear();
  scale.clear();
  for (int c = 0; c < nblock; ++c) {
    const auto i = std::size_t(c);
    const int rows = island.block_size(c);
    const BoxBounds<double>& bounds = island.box[i];
    box.push_back({T(bounds.lower), T(bounds.upper), T(bounds.compliance)});
    scale.push_back({T(scales[i].normal), T(scales[i].tangent)});
    for (int k = 0; k < rows; ++k) own.push_back(T(delassus[std::size_t(island.square[i] + (rows + 1) * k)]));
    jacobian_a.push_back(int(jacobian.size()));
    if (!condensed && tree_a[i] >= 0) append(island.jacobian_a[i], rows * tree_size(tree_a[i]), jacobian);
    jacobian_b.push_back(int(jacobian.size()));
    if (!condensed && tree_b[i] >= 0) append(island.jacobian_b[i], rows * tree_size(tree_b[i]), jacobian);
  }
  for (int t = 0; !condensed && t < ntree; ++t) {
    factor_offset.push_back(int(factor.size()));
    append(island.tree_factor(t), tree_size(t) * tree_size(t), factor);
  }
}

template <class T>
void FlatIsland<T>::response_to(const T* p, T* u) const {
  if (condensed) {
    for (int i = 0; i < nrow; ++i) u[i] = row_dot(response.data() + std::ptrdiff_t(i) * nrow, p, nrow);
    return;
  }
  std::fill(u, u + nv, T(0));
  for (int c = 0; c < nblock; ++c) {
    const auto i = std::size_t(c);
    for (const auto& [tree, start] : {std::pair{tree_a[i], jacobian_a[i]}, std::pair{tree_b[i], jacobian_b[i]}}) {
      if (tree < 0) continue;
      const int n = tree_size(tree);
      T* y = u + dof[std::size_t(tree)];
      for (int k = 0; k < block_size(c); ++k)
        for (int d = 0; d < n; ++d) y[d] += jacobian[std::size_t(start + k * n + d)] * p[row[i] + k];
    }
  }
  for (int t = 0; t < ntree; ++t)
    solve_tree(factor.data() + factor_offset[std::size_t(t)], tree_size(t), u + dof[std::size_t(t)]);
}

template <class T>
T FlatIsland<T>::row_velocity(int c, int k, const T* u) const {
  const auto i = std::size_t(c);
  if (condensed) return u[row[i] + k];
  T sum = T(0);
  for (const auto& [tree, start] : {std::pair{tree_a[i], jacobian_a[i]}, std::pair{tree_b[i], jacobian_b[i]}})
    if (tree >= 0)
      sum += row_dot(jacobian.data() + start + k * tree_size(tree), u + dof[std::size_t(tree)], tree_size(tree));
  return sum;
}

template <class T>
void FlatIsland<T>::velocity(const T* u, const T* p, bool with_bias, T* v) const {
  for (int c = 0; c < nblock; ++c)
    for (int k = 0, first = row[std::size_t(c)]; k < block_size(c); ++k) {
      T& out = v[first + k];
      out = row_velocity(c, k, u);
      if (k == 0 && !condensed) out += compliance[std::size_t(c)] * p[first];
      if (with_bias) out += bias[std::size_t(first + k)];
    }
}

template <class T>
void FlatIsland<T>::prepare_rows() {
  moved_ = jacobian;
  for (int c = 0; !condensed && c < nblock; ++c) {
    const auto i = std::size_t(c);
    for (const auto& [tree, start] : {std::pair{tree_a[i], jacobian_a[i]}, std::pair{tree_b[i], jacobian_b[i]}}) {
      if (tree < 0) continue;
      const int n = tree_size(tree);
      const T* L = factor.data() + factor_offset[std::size_t(tree)];
      for (int k = 0; k < block_size(c); ++k) solve_tree(L, n, moved_.data() + start + k * n);
    }
  }
}

template <class T>
void FlatIsland<T>::add_row(int c, int k, T impulse, T* u) const {
  const auto i = std::size_t(c);
  if (condensed) {
    for (int j = 0; j < nrow; ++j)
      u[j] += response[std::size_t(j) * std::size_t(nrow) + std::size_t(row[i] + k)] * impulse;
    return;
  }
  for (const auto& [tree, start] : {std::pair{tree_a[i], jacobian_a[i]}, std::pair{tree_b[i], jacobian_b[i]}}) {
    if (tree < 0) continue;
    const int n = tree_size(tree);
    for (int d = 0; d < n; ++d) u[dof[std::size_t(tree)] + d] += moved_[std::size_t(start + k * n + d)] * impulse;
  }
}

template struct FlatIsland<float>;
template struct FlatIsland<double>;

}  // namespace stiction
