// Sparse block LU of a matrix with symmetric pattern and unsymmetric values, multifrontal (Duff, Reid 1983, "The
// multifrontal solution of indefinite sparse symmetric linear equations", with unsymmetric fronts). Rows are exchanged
// inside the pivots of a front only, so the order found by BlockPattern holds for any values; a pivot that vanishes
// against the matrix is reported, not perturbed.
//
// Symmetric positive definite values need half the work: LDLᵀ without exchanges, from the upper triangles of corners
// and updates. What it leaves is an LU (U = D Lᵀ, the parts below are right parts scaled), so solutions are the same.
//
// Of each size of graphs (64 to 127 nodes, …) the last order and pattern are kept: while the graph of an island stays,
// nothing is ordered again, also where one factor serves islands of several sizes in turn.
#pragma once

#include <array>
#include <limits>

#include "solvers/block_kernels.hpp"
#include "solvers/block_pattern.hpp"

namespace stiction::detail {

class BlockFactor {
 public:
  // Order, pattern and memory. Keeps its memory from call to call.
  void analyse(const BlockGraph& graph);
  const BlockPattern& pattern() const { return *pattern_; }
  // How many graphs were ordered so far.
  int orders() const { return orders_; }

  // Sets all entries to zero; then entries are added at BlockPattern::find places of values(). Of a symmetric matrix
  // only blocks (i, j) with node_place[i] ≤ node_place[j] are read.
  void clear(bool symmetric);
  double* values() { return panel_.data(); }

  // False if the matrix is singular to working precision for this order, or not finite; a symmetric one also where it
  // is not positive definite.
  bool factor(bool symmetric);
  // x ← matrix⁻¹ x. x is in the order of elimination: node i at pattern().node_place[i].
  void solve(double* x);

 private:
  void set_least_pivots(const Front& front);
  bool eliminate(const Front& front);
  bool eliminate_symmetric(const Front& front);
  void pass_up(const Front& front, bool symmetric);
  void solve_lower(const Front& front, double* x);
  void solve_upper(const Front& front, double* x);

  struct Kept {
    BlockGraph graph;
    BlockPattern pattern;
  };
  std::array<Kept, std::numeric_limits<unsigned>::digits + 1> kept_;  // by the digits of the number of nodes
  const BlockPattern* pattern_ = nullptr;
  int orders_ = 0;
  AlignedVector panel_, update_;
  AlignedVector own_, border_;   // part of x that belongs to a front's pivots and border
  std::vector<int> pivot_;       // row exchanges, by place
  std::vector<double> inverse_;  // reciprocal pivots, by place
  std::vector<double> least_;    // a smaller pivot is breakdown, by place
};

}  // namespace stiction::detail
