#include "solvers/contact_space.hpp"

#include <algorithm>

#include "math/tree_cholesky.hpp"

namespace stiction {
namespace {

// Measured: matrices over the bodies are the cheaper ones above this many rows, and where the trees are small.
constexpr int kMostRows = 90, kRowsPerDof = 2;

// Calls f(first row, rows, J) for each block that moves the tree.
template <class F>
void each_block_of(const Island& island, int tree, F&& f) {
  for (int c = 0; c < island.nblock; ++c) {
    const auto i = std::size_t(c);
    if (island.tree_a[i] == tree)
      f(island.row[i], island.block_size(c), island.jacobian_a[i]);
    else if (island.tree_b[i] == tree)
      f(island.row[i], island.block_size(c), island.jacobian_b[i]);
  }
}

// X = L⁻ᵀ J_tᵀ, one column for each row of the island that moves the tree, so that all of them are whitened at once.
void whiten_columns(const Island& island, int tree, int stride, double* X) {
  const int n = island.tree_size(tree);
  int column = 0;
  each_block_of(island, tree, [&](int, int rows, const double* jacobian) {
    for (int i = 0; i < rows; ++i, ++column)
      for (int d = 0; d < n; ++d) X[d * stride + column] = jacobian[i * n + d];
  });
  for (int d = 0; d < n; ++d) std::fill(X + d * stride + column, X + (d + 1) * stride, 0.0);
  const double* L = island.tree_factor(tree);
  for (int k = n - 1; k >= 0; --k) {
    double* from = X + k * stride;
    const double inverse = L[k * n + k];
    for (int i = 0; i < stride; ++i) from[i] *= inverse;
    for (int j = 0; j < k; ++j)
      if (const double l = L[k * n + j]; l != 0) detail::add_scaled(X + j * stride, -l, from, stride);
  }
}

// W += Xᵀ X of one tree; W = Xᵀ X where it is the only one.
void add_tree(int tree, ContactSpaceScratch& s, Island& island) {
  s.row.clear();
  each_block_of(island, tree, [&](int first, int rows, const double*) {
    for (int i = 0; i < rows; ++i) s.row.push_back(first + i);
  });
  const int n = island.tree_size(tree), count = int(s.row.size()), stride = detail::padded(count, detail::kLane);
  s.whitened.resize(std::size_t(n) * std::size_t(stride));
  s.part.resize(std::size_t(count) * std::size_t(stride));
  double* X = s.whitened.data();
  whiten_columns(island, tree, stride, X);
  detail::form_upper_product(s.part.data(), stride, count, stride, {X, stride, 1}, X, stride, n);
  for (int i = 0; i < count; ++i) {
    double* part = s.part.data() + std::ptrdiff_t(i) * stride;
    for (int j = 0; j < i; ++j) part[j] = s.part[std::size_t(j * stride + i)];
    double* to = island.response.data() + std::ptrdiff_t(s.row[std::size_t(i)]) * island.nrow;
    if (island.ntree == 1)
      std::copy(part, part + count, to);
    else
      for (int j = 0; j < count; ++j) to[s.row[std::size_t(j)]] += part[j];
  }
}

}  // namespace

bool prefers_contact_space(const Island& island) {
  if (island.condensed || island.nrow > kMostRows) return false;
  int largest = 0;
  for (int t = 0; t < island.ntree; ++t) largest = std::max(largest, island.tree_size(t));
  return island.nrow <= std::max(island.nv, kRowsPerDof * largest);
}

void enter_contact_space(ContactSpaceScratch& s, Island& island) {
  s.free.resize(std::size_t(island.nrow));
  contact_velocity(island, island.free_velocity.data(), false, s.free.data());
  island.response.resize(std::size_t(island.nrow) * std::size_t(island.nrow));
  if (island.ntree != 1) std::fill(island.response.begin(), island.response.end(), 0.0);
  for (int t = 0; t < island.ntree; ++t) add_tree(t, s, island);
  add_compliance_to_response(island);
  island.own_response.resize(std::size_t(island.square.back()));
  double* own = island.own_response.data();
  for (int c = 0; c < island.nblock; ++c)
    for (int i = 0, first = island.row[std::size_t(c)], rows = island.block_size(c); i < rows; ++i, own += rows) {
      const double* from = island.response.data() + std::ptrdiff_t(first + i) * island.nrow + first;
      for (int k = 0; k < rows; ++k) own[k] = from[k];
    }
  island.free_velocity.swap(s.free);
  island.nv = island.nrow;
  island.condensed = true;
}

void tree_velocity(const Island& island, const double* p, std::vector<double>& u) {
  u.assign(std::size_t(island.dof.back()), 0.0);
  for (int c = 0; c < island.nblock; ++c) add_block_impulse(island, c, p + island.row[std::size_t(c)], u.data());
  for (int t = 0; t < island.ntree; ++t) {
    double* own = u.data() + island.dof[std::size_t(t)];
    solve_tree(island.tree_factor(t), island.tree_size(t), own);
    const double* free =
        island.problem->free_velocity.data() + island.problem->tree_dof[std::size_t(island.tree[std::size_t(t)])];
    for (int d = 0; d < island.tree_size(t); ++d) own[d] += free[d];
  }
}

}  // namespace stiction
