// Symbolic factorisation of a symmetric block pattern for a multifrontal LU: which degrees of freedom are eliminated
// together (a front), which later ones each front touches (its border), where its numbers are stored, and where its
// update goes in the front that takes it up.
//
// A front with w pivots and border b, all rows padded to whole vectors (kLane):
//   corner  w × w   F₁₁, later its factors L₁₁ (unit) and U₁₁
//   right   w × b   F₁₂, later U₁₂
//   below   w × b   F₂₁ᵀ, later L₂₁ᵀ: transposed, so that both triangular solves run along rows
//   update  b × b   what its children add to F₂₂, later F₂₂ − L₂₁ U₁₂; on a stack, one level for each level of the tree
// Fronts are merged only where that stores no zeros: the kernels are fast enough on the six pivots of a single body
// that larger fronts with zeros in them never paid (docs/performance.md).
#pragma once

#include <cstddef>
#include <vector>

#include "solvers/block_order.hpp"

namespace stiction::detail {

struct Front {
  int width = 0, border = 0;
  int stride = 0, border_stride = 0;  // padded width and border
  int place = 0;                      // first pivot in the order of elimination
  int parent = -1;
  bool first_child = false;  // of its parent, in the order of elimination
  bool leaf = true;
  std::size_t corner = 0, right = 0, below = 0, update = 0;  // offsets
  int node_first = 0, node_last = 0;                         // pivots, as ranks in the order of elimination
  int rank_first = 0, rank_last = 0;                         // border: BlockPattern::border_rank
  int run_first = 0, run_last = 0;                           // border: BlockPattern::run
};

// A stretch of a front's border that is contiguous in the order of elimination and in the parent.
struct BorderRun {
  int local = 0;  // first position in the border
  int length = 0;
  int place = 0;   // first position in the order of elimination
  int target = 0;  // first position in the parent's pivots (in_pivots) or border
  bool in_pivots = false;
};

// Where block (i, j) of the matrix is summed up.
struct BlockPlace {
  std::size_t offset = 0;
  int stride = 0;
  bool transposed = false;
};

class BlockPattern {
 public:
  void analyse(const BlockGraph& graph);
  BlockPlace find(int i, int j) const;

  std::vector<Front> front;  // in the order of elimination, children before parents
  std::vector<BorderRun> run;
  std::vector<int> node_place;  // first degree of freedom of each node in the order of elimination
  std::size_t panel_size = 0;   // entries of all corner, right and below parts
  std::size_t update_size = 0;  // entries of the update stack
  int order = 0;                // degrees of freedom
  int widest = 0;               // largest stride
  int widest_border = 0;        // largest border_stride

 private:
  void merge();
  void number(const BlockGraph& graph);
  void find_borders(const BlockGraph& graph);
  void find_runs();
  void store();

  MinimumDegree minimum_degree_;
  EliminationTree tree_;
  std::vector<int> merged_into_, chain_next_, chain_last_;  // supernodes of the elimination tree that form one front
  std::vector<int> chain_head_, first_child_, next_sibling_, front_of_supernode_, open_;
  std::vector<int> rank_node_, node_rank_, rank_place_, node_front_;
  std::vector<int> border_rank_, mark_;
};

}  // namespace stiction::detail
