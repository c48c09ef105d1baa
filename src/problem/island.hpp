// One island of a ContactProblem in local numbering, with the three products that every solver needs:
//   v = J u + b,   g = Jᵀ p,   x ← M⁻¹ x.
// Solvers work in impulses p = h λ [N s].
#pragma once

#include <span>

#include <stiction/problem.hpp>

#include "laws/box.hpp"
#include "math/lanes.hpp"

namespace stiction {

struct Island {
  const ContactProblem* problem = nullptr;
  int index = 0;
  int ntree = 0, nblock = 0, nv = 0, nrow = 0;
  double scale = 0;  // velocity scale of the certificate [m/s]

  // Local tree t is tree[t] of the problem and has the local dofs dof[t] … dof[t+1].
  std::vector<int> tree, dof;
  // Local block c is block[c] of the problem and has the local rows row[c] … row[c+1], one to six. Matrices over the
  // rows of one block lie one after the other, row-major: that of block c from entry square[c] on.
  std::vector<int> block, row, square;
  // Local trees of each block, -1 if none, and their Jacobians (rows × dofs of the tree, row-major).
  std::vector<int> tree_a, tree_b;
  std::vector<const double*> jacobian_a, jacobian_b;
  std::vector<Law> law;
  std::vector<double> friction;        // μ [1]; 0 for other blocks than Coulomb's
  std::vector<double> compliance;      // of the normal row of a contact, in v_n = J_n u + b_n + e p_n [1/kg]
  bool compliant = false;              // whether a contact has one
  std::vector<BoxBounds<double>> box;  // of impulses; zero for other blocks than boxes
  std::vector<double> bias;            // b with the push-out factor applied [m/s]
  std::vector<double> free_velocity;   // ũ

  // A condensed island has no trees: its v = W p + b with the dense nrow × nrow matrix `response`, in which the
  // compliances are, and u stands for W p. Its rows are padded with zeros to whole vectors. `own_response` are the
  // blocks W_cc that scale its residuals: those of the island that it was condensed from, or, where the problem itself
  // has no trees, those of W.
  bool condensed = false;
  int response_stride = 0;
  detail::AlignedVector response;
  std::vector<double> own_response;
  // Makes room for nrow rows of zeros.
  void clear_response();
  double* response_row(int i) { return response.data() + std::ptrdiff_t(i) * response_stride; }
  const double* response_row(int i) const { return response.data() + std::ptrdiff_t(i) * response_stride; }

  // One past the last facet of the contact whose first one is block c; c + 1 for other laws.
  int facets_end(int c) const {
    int end = c + 1;
    while (end < nblock && law[std::size_t(end)] == Law::kNextFacet) ++end;
    return end;
  }
  int block_size(int c) const { return row[std::size_t(c) + 1] - row[std::size_t(c)]; }
  int tree_size(int t) const { return dof[std::size_t(t) + 1] - dof[std::size_t(t)]; }
  // L of local tree t, M = Lᵀ L (math/tree_cholesky.hpp).
  const double* tree_factor(int t) const {
    return problem->inertia_factor.data() + problem->tree_inertia[std::size_t(tree[std::size_t(t)])];
  }
};

// Fills the island; reuses its memory. push_out scales what the problem marks as push-out, one factor per block of
// it.
void gather_island(const ContactProblem& problem, int island, const std::vector<double>& push_out, Island& out);

// Laws, sizes and compliances of some blocks of an island, in local numbering. Trees, biases and W of `to` are left
// empty for the caller.
void gather_blocks(const Island& from, const std::vector<int>& blocks, Island& to);

// v = J u + b (b left out if with_bias is false). u has island.nv entries, v has island.nrow.
void contact_velocity(const Island& island, const double* u, bool with_bias, double* v);
// The same for one block, v of its own rows.
void block_velocity(const Island& island, int block, const double* u, bool with_bias, double* v);
// v += J u of one block, u that of all trees of the problem. Not for problems without trees.
void add_tree_velocity(const Island& island, int block, const double* u, double* v);
// v_n += e p_n of compliant contacts; nothing where W has that already.
void add_compliance(const Island& island, const double* p, double* v);
// The compliances to the diagonal of a W that was built without them.
void add_compliance_to_response(Island& island);
// g = Jᵀ p.
void generalized_impulse(const Island& island, const double* p, double* g);
// g += J_cᵀ p of one block, p of its own rows. Not for condensed islands.
void add_block_impulse(const Island& island, int block, const double* p, double* g);
// x ← M⁻¹ x by the Cholesky factors of the trees.
void apply_inverse_inertia(const Island& island, double* x);
// u of one tree, ũ + M⁻¹ Jᵀ p, from the impulses of its blocks, which ascend: to the bit what the three products over
// the whole island give. Not for condensed islands.
void velocity_of_tree(const Island& island, int tree, std::span<const int> blocks, const double* p, double* u);
// Diagonal block W_cc = J_c M⁻¹ J_cᵀ of each block, with its compliance, row-major, from entry square[c] on.
void delassus_diagonal(const Island& island, std::vector<double>& scratch, double* w);

}  // namespace stiction
