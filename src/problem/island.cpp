#include "problem/island.hpp"

#include "math/row_sums.hpp"
#include "math/tree_cholesky.hpp"

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

// The products of one block with one of its trees are written for one and three rows and, as most contacts are those of
// free bodies, for six degrees of freedom (Rows = 0, Dofs = 0: any number). The order of operations is the same for
// all.

// y += Jᵀ p
void add_transposed(const double* jacobian, int rows, int dofs, const double* p, double* y) {
  if (rows == 3 && dofs == 6) {
    for (int j = 0; j < 6; ++j)
      for (int i = 0; i < 3; ++i) y[j] += jacobian[i * 6 + j] * p[i];
    return;
  }
  detail::add_rows_times(p, jacobian, rows, dofs, y);
}

// v += J u
template <int Rows, int Dofs>
void add_product_rows(const double* jacobian, int rows, int dofs, const double* u, double* v) {
  const int m = Rows > 0 ? Rows : rows, n = Dofs > 0 ? Dofs : dofs;
  for (int i = 0; i < m; ++i) {
    v[i] += row_dot(jacobian + i * n, u, n);
  }
}
void add_product(const double* jacobian, int rows, int dofs, const double* u, double* v) {
  if (rows == 1) return add_product_rows<1, 0>(jacobian, rows, dofs, u, v);
  if (rows != 3) return add_product_rows<0, 0>(jacobian, rows, dofs, u, v);
  if (dofs == 6) return add_product_rows<3, 6>(jacobian, rows, dofs, u, v);
  add_product_rows<3, 0>(jacobian, rows, dofs, u, v);
}

// W of the island's rows, and its diagonal blocks.
void gather_response(const ContactProblem& problem, Island& out) {
  out.condensed = true;
  out.nv = out.nrow;
  out.free_velocity.assign(std::size_t(out.nrow), 0.0);
  out.clear_response();
  out.own_response.clear();
  for (std::size_t c = 0; c < out.block.size(); ++c) {
    const int block = out.block[c], first = problem.block_row[std::size_t(block)], rows = problem.block_size(block);
    for (int i = 0; i < rows; ++i) {
      const double* from = problem.response.data() + std::size_t(first + i) * std::size_t(problem.nrow);
      double* to = out.response_row(out.row[c] + i);
      for (int other : out.block)
        to = std::copy(from + problem.block_row[std::size_t(other)], from + problem.block_row[std::size_t(other) + 1],
                       to);
      out.own_response.insert(out.own_response.end(), from + first, from + first + rows);
    }
  }
  add_compliance_to_response(out);
  for (std::size_t c = 0; c < out.compliance.size(); ++c)
    out.own_response[std::size_t(out.square[c])] += out.compliance[c];
}

}  // namespace

void Island::clear_response() {
  response_stride = detail::padded(nrow, detail::kLane);
  response.assign(std::size_t(nrow) * std::size_t(response_stride), 0.0);
}

void gather_island(const ContactProblem& problem, int island, const std::vector<double>& push_out, Island& out) {
  const auto index = std::size_t(island);
  out.problem = &problem;
  out.condensed = false;
  out.index = island;
  out.scale = problem.island_scale[index];
  const int* trees = problem.island_tree_list.data() + problem.island_tree[index];
  const int* blocks = problem.island_block_list.data() + problem.island_block[index];
  out.ntree = problem.island_tree[index + 1] - problem.island_tree[index];
  out.nblock = problem.island_block[index + 1] - problem.island_block[index];
  out.tree.assign(trees, trees + out.ntree);
  out.block.assign(blocks, blocks + out.nblock);

  out.dof.clear();
  out.free_velocity.clear();
  out.dof.push_back(0);
  for (int t : out.tree) {
    const int first = problem.tree_dof[std::size_t(t)], last = problem.tree_dof[std::size_t(t) + 1];
    out.dof.push_back(out.dof.back() + last - first);
    for (int d = first; d < last; ++d) out.free_velocity.push_back(problem.free_velocity[std::size_t(d)]);
  }
  out.nv = out.dof.back();

  // Trees of an island ascend, so the local number of a tree is found by bisection.
  const auto local = [&](int tree) {
    if (tree < 0) return -1;
    return int(std::lower_bound(out.tree.begin(), out.tree.end(), tree) - out.tree.begin());
  };
  for (auto* list : {&out.row, &out.square, &out.tree_a, &out.tree_b}) list->clear();
  for (auto* list : {&out.jacobian_a, &out.jacobian_b}) list->clear();
  for (auto* list : {&out.friction, &out.bias, &out.compliance}) list->clear();
  out.compliant = false;
  out.law.clear();
  out.box.clear();
  out.row.push_back(0);
  out.square.push_back(0);
  const double h = problem.timestep;
  for (int block : out.block) {
    const auto b = std::size_t(block);
    const int rows = problem.block_size(block), first = problem.block_row[b];
    out.row.push_back(out.row.back() + rows);
    out.square.push_back(out.square.back() + rows * rows);
    out.tree_a.push_back(local(problem.block_tree_a[b]));
    out.tree_b.push_back(local(problem.block_tree_b[b]));
    out.jacobian_a.push_back(problem.jacobian.data() + problem.block_jacobian_a[b]);
    out.jacobian_b.push_back(problem.jacobian.data() + problem.block_jacobian_b[b]);
    out.friction.push_back(has_friction(problem.block_law[b]) ? problem.block_friction[b] : 0.0);
    out.law.push_back(problem.block_law[b]);
    // Impulses p = h λ: the bounds are h l and h u, and e λ = (e / h) p.
    out.box.push_back({h * problem.block_lower[b], h * problem.block_upper[b], problem.block_compliance[b] / h});
    const bool contact = problem.block_law[b] != Law::kBox;
    out.compliance.push_back(contact ? problem.block_compliance[b] / h : 0.0);
    out.compliant = out.compliant || out.compliance.back() > 0;
    for (int i = 0; i < rows; ++i) {
      const double bias = problem.bias[std::size_t(first + i)];
      out.bias.push_back(i == 0 ? bias + (1 - push_out[b]) * push_out_speed(problem, b) : bias);
    }
  }
  out.nrow = out.row.back();
  if (problem.nresponse > 0) gather_response(problem, out);
}

void gather_blocks(const Island& from, const std::vector<int>& blocks, Island& to) {
  to.problem = from.problem;
  to.index = from.index;
  to.scale = from.scale;
  to.compliant = from.compliant;
  for (auto* list : {&to.block, &to.tree_a, &to.tree_b}) list->clear();
  for (auto* list : {&to.jacobian_a, &to.jacobian_b}) list->clear();
  for (auto* list : {&to.friction, &to.compliance, &to.bias}) list->clear();
  to.law.clear();
  to.box.clear();
  to.row.assign(1, 0);
  to.square.assign(1, 0);
  for (int block : blocks) {
    const auto c = std::size_t(block);
    const int rows = from.block_size(block);
    to.block.push_back(from.block[c]);
    to.row.push_back(to.row.back() + rows);
    to.square.push_back(to.square.back() + rows * rows);
    to.friction.push_back(from.friction[c]);
    to.compliance.push_back(from.compliance[c]);
    to.law.push_back(from.law[c]);
    to.box.push_back(from.box[c]);
  }
  to.nblock = int(blocks.size());
  to.nrow = to.row.back();
}

void block_velocity(const Island& island, int block, const double* u, bool with_bias, double* v) {
  const auto i = std::size_t(block);
  const int rows = island.block_size(block), first = island.row[i];
  for (int k = 0; k < rows; ++k) v[k] = with_bias ? island.bias[std::size_t(first + k)] : 0.0;
  if (island.condensed) {
    for (int k = 0; k < rows; ++k) v[k] += u[first + k];
    return;
  }
  for (const auto& [tree, jacobian] :
       {std::pair{island.tree_a[i], island.jacobian_a[i]}, std::pair{island.tree_b[i], island.jacobian_b[i]}})
    if (tree >= 0) add_product(jacobian, rows, island.tree_size(tree), u + island.dof[std::size_t(tree)], v);
}

void add_tree_velocity(const Island& island, int block, const double* u, double* v) {
  const auto i = std::size_t(block);
  for (const auto& [tree, jacobian] :
       {std::pair{island.tree_a[i], island.jacobian_a[i]}, std::pair{island.tree_b[i], island.jacobian_b[i]}}) {
    if (tree < 0) continue;
    const int first = island.problem->tree_dof[std::size_t(island.tree[std::size_t(tree)])];
    add_product(jacobian, island.block_size(block), island.tree_size(tree), u + first, v);
  }
}

void contact_velocity(const Island& island, const double* u, bool with_bias, double* v) {
  if (island.condensed) {
    for (int i = 0; i < island.nrow; ++i) v[i] = u[i] + (with_bias ? island.bias[std::size_t(i)] : 0.0);
    return;
  }
  for (int c = 0; c < island.nblock; ++c) block_velocity(island, c, u, with_bias, v + island.row[std::size_t(c)]);
}

void add_compliance(const Island& island, const double* p, double* v) {
  if (!island.compliant || island.condensed) return;
  for (std::size_t c = 0; c < std::size_t(island.nblock); ++c)
    v[island.row[c]] += island.compliance[c] * p[island.row[c]];
}

void add_compliance_to_response(Island& island) {
  for (std::size_t c = 0; island.compliant && c < std::size_t(island.nblock); ++c)
    island.response_row(island.row[c])[island.row[c]] += island.compliance[c];
}

void add_block_impulse(const Island& island, int block, const double* p, double* g) {
  const auto i = std::size_t(block);
  const int rows = island.block_size(block);
  for (const auto& [tree, jacobian] :
       {std::pair{island.tree_a[i], island.jacobian_a[i]}, std::pair{island.tree_b[i], island.jacobian_b[i]}})
    if (tree >= 0) add_transposed(jacobian, rows, island.tree_size(tree), p, g + island.dof[std::size_t(tree)]);
}

void generalized_impulse(const Island& island, const double* p, double* g) {
  std::fill(g, g + island.nv, 0.0);
  if (island.condensed) {
    for (int i = 0; i < island.nrow; ++i) g[i] = row_dot(island.response_row(i), p, island.nrow);
    return;
  }
  for (int c = 0; c < island.nblock; ++c) add_block_impulse(island, c, p + island.row[std::size_t(c)], g);
}

void apply_inverse_inertia(const Island& island, double* x) {
  if (island.condensed) return;
  for (int t = 0; t < island.ntree; ++t)
    solve_tree(island.tree_factor(t), island.tree_size(t), x + island.dof[std::size_t(t)]);
}

void velocity_of_tree(const Island& island, int tree, std::span<const int> blocks, const double* p, double* u) {
  const int first = island.dof[std::size_t(tree)], n = island.tree_size(tree);
  double* x = u + first;
  std::fill(x, x + n, 0.0);
  for (int block : blocks) {
    const auto c = std::size_t(block);
    for (const auto& [of, jacobian] :
         {std::pair{island.tree_a[c], island.jacobian_a[c]}, std::pair{island.tree_b[c], island.jacobian_b[c]}})
      if (of == tree) add_transposed(jacobian, island.block_size(block), n, p + island.row[c], x);
  }
  solve_tree(island.tree_factor(tree), n, x);
  for (int d = 0; d < n; ++d) x[d] += island.free_velocity[std::size_t(first + d)];
}

void delassus_diagonal(const Island& island, std::vector<double>& scratch, double* w) {
  if (island.condensed) {
    std::copy(island.own_response.begin(), island.own_response.end(), w);
    return;
  }
  for (int c = 0; c < island.nblock; ++c) {
    const auto i = std::size_t(c);
    const int rows = island.block_size(c);
    double* block = w + island.square[i];
    std::fill(block, block + rows * rows, 0.0);
    for (const auto& [tree, jacobian] :
         {std::pair{island.tree_a[i], island.jacobian_a[i]}, std::pair{island.tree_b[i], island.jacobian_b[i]}}) {
      if (tree < 0) continue;
      const int n = island.tree_size(tree);
      const double* L = island.tree_factor(tree);
      // W_cc = Yᵀ Y with Y = L⁻ᵀ J_cᵀ, here stored row by row of J.
      scratch.resize(std::size_t(rows * n));
      double* y = scratch.data();
      std::copy(jacobian, jacobian + rows * n, y);
      whiten(L, n, rows, y);
      for (int k = 0; k < rows; ++k)
        for (int l = 0; l <= k; ++l) {
          const double sum = row_dot(y + k * n, y + l * n, n);
          block[rows * k + l] += sum;
          if (l < k) block[rows * l + k] += sum;
        }
    }
    block[0] += island.compliance[i];
  }
}

}  // namespace stiction
