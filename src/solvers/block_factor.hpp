// Sparse block LU of a matrix with symmetric pattern and unsymmetric values, multifrontal (Duff, Reid 1983, "The
// multifrontal solution of indefinite sparse symmetric linear equations", with unsymmetric fronts). Rows are exchanged
// inside the pivots of a front only, so the order found by BlockPattern holds for any values; a pivot that vanishes
// against the matrix is reported, not perturbed.
#pragma once

#include "solvers/block_kernels.hpp"
#include "solvers/block_pattern.hpp"

namespace stiction::detail {

class BlockFactor {
 public:
  // Order, pattern and memory. Keeps its memory from call to call.
  void analyse(const BlockGraph& graph);
  const BlockPattern& pattern() const { return pattern_; }

  // Sets all entries to zero; then entries are added at BlockPattern::find places of values().
  void clear();
  double* values() { return panel_.data(); }

  // False if the matrix is singular to working precision for this order, or not finite.
  bool factor();
  // x ← matrix⁻¹ x. x is in the order of elimination: node i at pattern().node_place[i].
  void solve(double* x);

 private:
  void set_least_pivots(const Front& front);
  bool eliminate(const Front& front);
  void pass_up(const Front& front);
  void solve_lower(const Front& front, double* x);
  void solve_upper(const Front& front, double* x);

  BlockPattern pattern_;
  AlignedVector panel_, update_;
  AlignedVector own_, border_;   // part of x that belongs to a front's pivots and border
  std::vector<int> pivot_;       // row exchanges, by place
  std::vector<double> inverse_;  // reciprocal pivots, by place
  std::vector<double> least_;    // a smaller pivot is breakdown, by place
};

}  // namespace stiction::detail
