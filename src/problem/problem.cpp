// Derived parts of a contact problem: factors of the inertia blocks, islands, velocity scales.
#include <stiction/problem.hpp>

#include "laws/block.hpp"
#include "math/tree_cholesky.hpp"
#include "math/union_find.hpp"
#include "problem/finish.hpp"

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

constexpr double kLeastScale = 1e-9;  // of an island [m/s]
constexpr double kLeastShare = 1e-6;  // of the terms of a row's velocity, for which it counts at least

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
    join(parent, a, c);
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

// Whether the response matrix joins two blocks.
bool respond(const ContactProblem& p, int a, int b) {
  for (int i = p.block_row[std::size_t(a)]; i < p.block_row[std::size_t(a) + 1]; ++i)
    for (int j = p.block_row[std::size_t(b)]; j < p.block_row[std::size_t(b) + 1]; ++j)
      if (p.response[std::size_t(i) * std::size_t(p.nrow) + std::size_t(j)] != 0) return true;
  return false;
}

// Islands of a problem without trees, numbered by their lowest block.
void find_response_islands(ContactProblem& p) {
  std::vector<int>& parent = p.block_island;
  for (int b = 0; b < p.nblock; ++b) parent[std::size_t(b)] = b;
  for (int a = 0; a < p.nblock; ++a)
    for (int b = 0; b < a; ++b)
      if (respond(p, a, b) || respond(p, b, a)) join(parent, a, b);
  for (int b = 0; b < p.nblock; ++b) parent[std::size_t(b)] = find_root(parent, b);
  p.nisland = 0;
  // The root of a set is its lowest member, so the number of its island is known when the others come.
  for (int b = 0; b < p.nblock; ++b) {
    int& island = parent[std::size_t(b)];
    island = island == b ? p.nisland++ : parent[std::size_t(island)];
  }
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

// v = J ũ + b of rows [begin, end) of one block.
void free_contact_velocity(const ContactProblem& p, int block, int begin, int end, double* v) {
  const auto b = std::size_t(block);
  for (int k = begin; k < end; ++k) v[k] = p.bias[std::size_t(p.block_row[b] + k)];
  for (int side = 0; side < 2; ++side) {
    const int tree = side == 0 ? p.block_tree_a[b] : p.block_tree_b[b];
    if (tree < 0) continue;
    const double* J = p.jacobian.data() + (side == 0 ? p.block_jacobian_a[b] : p.block_jacobian_b[b]);
    const double* u = p.free_velocity.data() + p.tree_dof[std::size_t(tree)];
    const int n = p.tree_size(tree);
    for (int k = begin; k < end; ++k) v[k] += row_dot(J + k * n, u, n);
  }
}

// The sum of the sizes of what adds up to v of the first row.
double terms_of_velocity(const ContactProblem& p, int block) {
  const auto b = std::size_t(block);
  double sum = std::abs(p.bias[std::size_t(p.block_row[b])]);
  for (int side = 0; side < 2; ++side) {
    const int tree = side == 0 ? p.block_tree_a[b] : p.block_tree_b[b];
    if (tree < 0) continue;
    const double* J = p.jacobian.data() + (side == 0 ? p.block_jacobian_a[b] : p.block_jacobian_b[b]);
    const double* u = p.free_velocity.data() + p.tree_dof[std::size_t(tree)];
    for (int i = 0; i < p.tree_size(tree); ++i) sum += std::abs(J[i] * u[i]);
  }
  return sum;
}

// Largest v_n of the facets of the contact to which the block belongs: the deeper planes say nothing.
double nearest_facet_velocity(const ContactProblem& p, int block, double largest) {
  int first = block;
  while (p.block_law[std::size_t(first)] == Law::kNextFacet) --first;
  for (int f = first; f < p.facets_end(first); ++f) {
    double v[kMostBlockRows] = {};
    free_contact_velocity(p, f, 0, 1, v);
    largest = std::max(largest, v[0]);
  }
  return largest;
}

// W = J M⁻¹ Jᵀ of a block of one row.
double inverse_mass(const ContactProblem& p, int block, std::vector<double>& scratch) {
  const auto b = std::size_t(block);
  if (p.nresponse > 0) return p.response[std::size_t(p.block_row[b]) * std::size_t(p.nrow + 1)];
  double sum = 0;
  for (int side = 0; side < 2; ++side) {
    const int tree = side == 0 ? p.block_tree_a[b] : p.block_tree_b[b];
    if (tree < 0) continue;
    const double* J = p.jacobian.data() + (side == 0 ? p.block_jacobian_a[b] : p.block_jacobian_b[b]);
    const int n = p.tree_size(tree);
    scratch.assign(J, J + n);
    whiten(p.inertia_factor.data() + p.tree_inertia[std::size_t(tree)], n, scratch.data());
    sum += row_dot(scratch.data(), scratch.data(), n);
  }
  return sum;
}

// Share of a velocity that a row with a compliance alone takes away: W / (W + e/h).
double spring_response(const ContactProblem& p, int block, double W) {
  return W / (W + p.block_compliance[std::size_t(block)] / p.timestep);
}

// W |Π(−v / (W + e/h))|: by how much a box row alone would change its velocity v = J ũ + b [m/s]. Where J ũ and b
// cancel it is not taken below what their rounding errors can be told from, at the default tolerance.
double box_change(const ContactProblem& p, int block, double v, std::vector<double>& scratch) {
  const auto b = std::size_t(block);
  const double W = inverse_mass(p, block, scratch), h = p.timestep;
  if (!(W > 0)) return std::abs(v);
  const double response = spring_response(p, block, W);
  const double bias = std::abs(p.bias[std::size_t(p.block_row[b])]);
  const double terms = bias + std::abs(v - p.bias[std::size_t(p.block_row[b])]);
  const double wanted = response * std::max(std::abs(v), kLeastShare * terms);
  const double lower = h * W * p.block_lower[b], upper = h * W * p.block_upper[b];
  return std::max({std::min(wanted, std::max(-lower, upper)), lower, -upper});
}

// Scale of an island: the largest ‖J ũ + b‖ over contacts that close within the step and the largest change of velocity
// that a box row demands, at least g·h and 1e-9 m/s. Contacts that stay apart do not count: their gap / h says nothing
// about how fast anything moves. Where there is nothing else, they do. Of what moves fast along its contacts, without
// gravity, the scale is not taken below what rounding errors can be told from.
void find_scales(ContactProblem& p, std::vector<double>& scratch) {
  std::fill(p.island_scale.begin(), p.island_scale.end(), p.velocity_floor);
  for (const bool closing_only : {true, false}) {
    for (int b = 0; b < p.nblock; ++b) {
      double& scale = p.island_scale[std::size_t(p.block_island[std::size_t(b)])];
      if (!closing_only && scale > 0) continue;
      double v[kMostBlockRows] = {};
      free_contact_velocity(p, b, 0, 1, v);
      if (p.block_law[std::size_t(b)] == Law::kBox) {
        scale = std::max(scale, box_change(p, b, v[0], scratch));
        continue;
      }
      if (is_facet(p.block_law[std::size_t(b)])) v[0] = nearest_facet_velocity(p, b, v[0]);
      if (closing_only && !(v[0] < 0)) continue;
      // A spring gives way to most of what its compression says.
      if (p.block_compliance[std::size_t(b)] > 0) v[0] *= spring_response(p, b, inverse_mass(p, b, scratch));
      free_contact_velocity(p, b, 1, p.block_size(b), v);
      double squared = 0;
      for (const double entry : v) squared += entry * entry;
      scale = std::max(scale, std::sqrt(squared));
    }
  }
  double fastest = 0;
  for (const double u : p.free_velocity) fastest = std::max(fastest, std::abs(u));
  for (int b = 0; b < p.nblock && p.velocity_floor < kLeastShare * fastest; ++b) {
    double& scale = p.island_scale[std::size_t(p.block_island[std::size_t(b)])];
    if (scale > 0 && scale < kLeastShare * fastest) scale = std::max(scale, kLeastShare * terms_of_velocity(p, b));
  }
  for (double& scale : p.island_scale) scale = scale > 0 ? std::max(scale, kLeastScale) : 1;
}

}  // namespace

int factor_inertia(ContactProblem& p) {
  for (int t = 0; t < p.ntree; ++t) {
    const int start = p.tree_inertia[std::size_t(t)];
    if (!factor_tree(p.inertia.data() + start, p.tree_size(t), p.inertia_factor.data() + start)) return t;
  }
  return -1;
}

void connect_islands(ContactProblem& p, std::vector<double>& scratch) {
  p.nresponse > 0 ? find_response_islands(p) : find_islands(p);
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

}  // namespace stiction
