#include "solvers/contact_space.hpp"

#include <algorithm>

#include "math/tree_cholesky.hpp"
#include "math/whitened_columns.hpp"

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

// The lower half of a symmetric matrix from its upper one, square by square; those on the diagonal are whole.
void mirror(double* W, int n, int stride) {
  constexpr int kLane = detail::kLane;
  for (int i = kLane; i < n; i += kLane)
    for (int j = 0; j < i; j += kLane)
      detail::turn(W + std::ptrdiff_t(j) * stride + i, stride, kLane, W + std::ptrdiff_t(i) * stride + j, stride,
                   std::min(kLane, n - i));
}

// W = Xᵀ X of one tree with X = L⁻ᵀ J_tᵀ; where there are others, it is added to what these gave.
void add_tree(int tree, ContactSpaceScratch& s, Island& island) {
  const int n = island.tree_size(tree);
  s.row.clear();
  s.jacobian.clear();
  each_block_of(island, tree, [&](int first, int rows, const double* jacobian) {
    for (int i = 0; i < rows; ++i) {
      s.row.push_back(first + i);
      s.jacobian.push_back(jacobian + std::ptrdiff_t(i) * n);
    }
  });
  const int count = int(s.row.size()), stride = detail::padded(count, detail::kLane);
  s.whitened.resize(std::size_t(n) * std::size_t(stride));
  double* X = s.whitened.data();
  detail::gather_columns(s.jacobian.data(), count, n, X, stride);
  detail::whiten_columns(island.tree_factor(tree), n, X, stride);
  // All rows move the only tree of an island.
  if (island.ntree > 1) s.part.resize(std::size_t(count) * std::size_t(stride));
  double* part = island.ntree > 1 ? s.part.data() : island.response.data();
  detail::form_upper_product(part, stride, count, stride, {X, stride, 1}, X, stride, n);
  mirror(part, count, stride);
  if (island.ntree == 1) return;
  for (int i = 0; i < count; ++i) {
    double* to = island.response_row(s.row[std::size_t(i)]);
    const double* from = part + std::ptrdiff_t(i) * stride;
    for (int j = 0; j < count; ++j) to[s.row[std::size_t(j)]] += from[j];
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
  island.clear_response();
  for (int t = 0; t < island.ntree; ++t) add_tree(t, s, island);
  add_compliance_to_response(island);
  island.own_response.resize(std::size_t(island.square.back()));
  double* own = island.own_response.data();
  for (int c = 0; c < island.nblock; ++c)
    for (int i = 0, first = island.row[std::size_t(c)], rows = island.block_size(c); i < rows; ++i, own += rows) {
      const double* from = island.response_row(first + i) + first;
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
