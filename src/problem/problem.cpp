// Derived parts of a contact problem: Cholesky factors of the inertia blocks, islands, velocity scales; and its check.
#include <stiction/error.hpp>
#include <stiction/problem.hpp>

#include "laws/block.hpp"
#include "math/cholesky.hpp"
#include "problem/finish.hpp"

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

constexpr double kLeastScale = 1e-9;  // of an island [m/s]
constexpr double kLeastShare = 1e-6;  // of the terms of a box row's velocity, for which it counts at least

// Root of a tree's set in the union–find forest kept in tree_island, with path halving.
int find_root(std::vector<int>& parent, int tree) {
  while (parent[std::size_t(tree)] != tree) {
    int& up = parent[std::size_t(tree)];
    up = parent[std::size_t(up)];
    tree = up;
  }
  return tree;
}

int any_tree(const ContactProblem& p, std::size_t block) {
  return p.block_tree_a[block] >= 0 ? p.block_tree_a[block] : p.block_tree_b[block];
}

// Islands are numbered by their lowest tree, so the numbering is a function of the problem alone.
void find_islands(ContactProblem& p) {
  std::vector<int>& parent = p.tree_island;
  for (int t = 0; t < p.ntree; ++t) parent[std::size_t(t)] = t;
  for (int b = 0; b < p.nblock; ++b) {
    const int a = p.block_tree_a[std::size_t(b)], c = p.block_tree_b[std::size_t(b)];
    if (a < 0 || c < 0) continue;
    const int root_a = find_root(parent, a), root_c = find_root(parent, c);
    parent[std::size_t(std::max(root_a, root_c))] = std::min(root_a, root_c);
  }
  for (int t = 0; t < p.ntree; ++t) parent[std::size_t(t)] = find_root(parent, t);
  // island_tree_list serves as scratch: number of the island of each root that has a block, else -1.
  std::vector<int>& number = p.island_tree_list;
  std::fill(number.begin(), number.end(), -1);
  for (int b = 0; b < p.nblock; ++b) number[std::size_t(parent[std::size_t(any_tree(p, std::size_t(b)))])] = 0;
  p.nisland = 0;
  for (int& n : number)
    if (n == 0) n = p.nisland++;
  for (int t = 0; t < p.ntree; ++t) parent[std::size_t(t)] = number[std::size_t(parent[std::size_t(t)])];
  for (int b = 0; b < p.nblock; ++b)
    p.block_island[std::size_t(b)] = p.tree_island[std::size_t(any_tree(p, std::size_t(b)))];
}

// Members of each island by counting sort: first[i] … first[i+1] index into list, which ascends within an island.
void list_members(const std::vector<int>& island_of, int nisland, std::vector<int>& first, std::vector<int>& list) {
  first.assign(std::size_t(nisland) + 1, 0);
  for (int i : island_of)
    if (i >= 0) ++first[std::size_t(i) + 1];
  for (std::size_t i = 0; i < std::size_t(nisland); ++i) first[i + 1] += first[i];
  for (std::size_t member = 0; member < island_of.size(); ++member)
    if (island_of[member] >= 0) list[std::size_t(first[std::size_t(island_of[member])]++)] = int(member);
  for (std::size_t i = std::size_t(nisland); i > 0; --i) first[i] = first[i - 1];
  first[0] = 0;
}

// v = J ũ + b of one block.
void free_contact_velocity(const ContactProblem& p, int block, double* v) {
  const auto b = std::size_t(block);
  const int rows = p.block_size(block);
  for (int k = 0; k < rows; ++k) v[k] = p.bias[std::size_t(p.block_row[b] + k)];
  for (int side = 0; side < 2; ++side) {
    const int tree = side == 0 ? p.block_tree_a[b] : p.block_tree_b[b];
    if (tree < 0) continue;
    const double* J = p.jacobian.data() + (side == 0 ? p.block_jacobian_a[b] : p.block_jacobian_b[b]);
    const double* u = p.free_velocity.data() + p.tree_dof[std::size_t(tree)];
    const int n = p.tree_size(tree);
    for (int k = 0; k < rows; ++k)
      for (int d = 0; d < n; ++d) v[k] += J[k * n + d] * u[d];
  }
}

// W = J M⁻¹ Jᵀ of a block of one row.
double inverse_mass(const ContactProblem& p, int block, std::vector<double>& scratch) {
  const auto b = std::size_t(block);
  double sum = 0;
  for (int side = 0; side < 2; ++side) {
    const int tree = side == 0 ? p.block_tree_a[b] : p.block_tree_b[b];
    if (tree < 0) continue;
    const double* J = p.jacobian.data() + (side == 0 ? p.block_jacobian_a[b] : p.block_jacobian_b[b]);
    const int n = p.tree_size(tree);
    scratch.assign(J, J + n);
    cholesky_forward(p.inertia_factor.data() + p.tree_inertia[std::size_t(tree)], n, scratch.data());
    for (double y : scratch) sum += y * y;
  }
  return sum;
}

// W |Π(−v / (W + e/h))|: by how much a box row alone would change its velocity v = J ũ + b [m/s]. Where J ũ and b
// cancel it is not taken below what their rounding errors can be told from, at the default tolerance.
double box_change(const ContactProblem& p, int block, double v, std::vector<double>& scratch) {
  const auto b = std::size_t(block);
  const double W = inverse_mass(p, block, scratch), h = p.timestep;
  if (!(W > 0)) return std::abs(v);
  const double response = W / (W + p.block_compliance[b] / h);
  const double bias = std::abs(p.bias[std::size_t(p.block_row[b])]);
  const double terms = bias + std::abs(v - p.bias[std::size_t(p.block_row[b])]);
  const double wanted = response * std::max(std::abs(v), kLeastShare * terms);
  const double lower = h * W * p.block_lower[b], upper = h * W * p.block_upper[b];
  return std::max({std::min(wanted, std::max(-lower, upper)), lower, -upper});
}

// Scale of an island: the largest ‖J ũ + b‖ over contacts that close within the step and the largest change of velocity
// that a box row demands, at least g·h and 1e-9 m/s. Contacts that stay apart do not count: their gap / h says nothing
// about how fast anything moves. Where there is nothing else, they do.
void find_scales(ContactProblem& p, std::vector<double>& scratch) {
  std::fill(p.island_scale.begin(), p.island_scale.end(), p.velocity_floor);
  for (const bool closing_only : {true, false}) {
    for (int b = 0; b < p.nblock; ++b) {
      double& scale = p.island_scale[std::size_t(p.block_island[std::size_t(b)])];
      if (!closing_only && scale > 0) continue;
      double v[kMostBlockRows] = {};
      free_contact_velocity(p, b, v);
      if (p.block_law[std::size_t(b)] == Law::kBox) {
        scale = std::max(scale, box_change(p, b, v[0], scratch));
        continue;
      }
      if (closing_only && !(v[0] < 0)) continue;
      double squared = 0;
      for (const double entry : v) squared += entry * entry;
      scale = std::max(scale, std::sqrt(squared));
    }
  }
  for (double& scale : p.island_scale) scale = scale > 0 ? std::max(scale, kLeastScale) : 1;
}

[[noreturn]] void reject(const std::string& what) {
  throw Error("contact problem: " + what);
}

void require_finite(const std::vector<double>& values, const char* name) {
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!std::isfinite(values[i])) reject(std::string(name) + "[" + std::to_string(i) + "] is not finite");
}

void check_box(const ContactProblem& p, std::size_t block, const std::string& name) {
  const double lower = p.block_lower[block], upper = p.block_upper[block], e = p.block_compliance[block];
  if (!(lower <= upper) || lower == INFINITY || upper == -INFINITY)
    reject(name + " has the bounds " + std::to_string(lower) + " and " + std::to_string(upper) +
           ", which leave no force");
  if (!(e >= 0) || !std::isfinite(e)) reject(name + " has the compliance " + std::to_string(e) + ", which must be ≥ 0");
}

void check_blocks(const ContactProblem& p) {
  for (int b = 0; b < p.nblock; ++b) {
    const auto i = std::size_t(b);
    const std::string name = "block " + std::to_string(b);
    if (p.block_law[i] < Law::kUnilateral || p.block_law[i] > Law::kBox)
      reject(name + " has the unknown law " + std::to_string(int(p.block_law[i])));
    const bool friction = p.block_law[i] == Law::kCoulomb;
    const int rows = p.block_size(b);
    if (friction ? rows < 2 || rows > kMostBlockRows : rows != 1)
      reject(name + " has " + std::to_string(rows) + " rows, its law needs " + (friction ? "two to six" : "one"));
    if (!(p.block_friction[i] >= 0) || !std::isfinite(p.block_friction[i]))
      reject(name + " has the friction coefficient " + std::to_string(p.block_friction[i]) + ", which must be ≥ 0");
    if (p.block_law[i] == Law::kBox) check_box(p, i, name);
    if (p.block_tree_a[i] < 0 && p.block_tree_b[i] < 0) reject(name + " touches no tree");
    if (p.block_tree_a[i] == p.block_tree_b[i]) reject(name + " names the same tree twice");
    for (int side = 0; side < 2; ++side) {
      const int tree = side == 0 ? p.block_tree_a[i] : p.block_tree_b[i];
      const int start = side == 0 ? p.block_jacobian_a[i] : p.block_jacobian_b[i];
      if (tree < 0) continue;
      if (tree >= p.ntree) reject(name + " names tree " + std::to_string(tree) + " of " + std::to_string(p.ntree));
      if (start < 0 || start + rows * p.tree_size(tree) > p.njacobian)
        reject(name + " points outside the Jacobian array");
    }
  }
}

void check_inertia(const ContactProblem& p) {
  for (int t = 0; t < p.ntree; ++t) {
    const int n = p.tree_size(t), start = p.tree_inertia[std::size_t(t)];
    if (n < 1 || start < 0 || start + n * n > p.ninertia)
      reject("tree " + std::to_string(t) + " has no inertia block of its size");
    const double* M = p.inertia.data() + start;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < i; ++j)
        if (std::abs(M[i * n + j] - M[j * n + i]) > 1e-12 * std::sqrt(std::abs(M[i * n + i] * M[j * n + j])))
          reject("the inertia of tree " + std::to_string(t) + " is not symmetric in row " + std::to_string(i) +
                 ", column " + std::to_string(j));
  }
}

}  // namespace

int factor_inertia(ContactProblem& p) {
  for (int t = 0; t < p.ntree; ++t) {
    const int start = p.tree_inertia[std::size_t(t)];
    if (!cholesky_factor(p.inertia.data() + start, p.tree_size(t), p.inertia_factor.data() + start)) return t;
  }
  return -1;
}

void connect_islands(ContactProblem& p, std::vector<double>& scratch) {
  find_islands(p);
  list_members(p.tree_island, p.nisland, p.island_tree, p.island_tree_list);
  list_members(p.block_island, p.nisland, p.island_block, p.island_block_list);
  p.island_scale.resize(std::size_t(p.nisland));
  find_scales(p, scratch);
}

int finish_problem(ContactProblem& p) {
  p.resize();
  const int bad = factor_inertia(p);
  std::vector<double> scratch;
  if (bad < 0) connect_islands(p, scratch);
  return bad;
}

void check_problem(const ContactProblem& p) {
  if (!(p.timestep > 0) || !std::isfinite(p.timestep)) reject("the time step must be > 0");
  if (!(p.velocity_floor >= 0)) reject("the velocity floor must be ≥ 0");
  if (int(p.tree_dof.size()) != p.ntree + 1 || p.tree_dof.back() != p.nv) reject("tree_dof does not end at nv");
  if (int(p.block_row.size()) != p.nblock + 1 || p.block_row.back() != p.nrow) reject("block_row does not end at nrow");
  require_finite(p.inertia, "inertia");
  require_finite(p.free_velocity, "free_velocity");
  require_finite(p.jacobian, "jacobian");
  require_finite(p.bias, "bias");
  check_inertia(p);
  check_blocks(p);
}

}  // namespace stiction
