// The current iterate of a large island where impulses change in one place at a time: velocities and residuals are
// found anew for the trees of that place and their blocks only, with the operations of evaluate() and so to its bits.
// What a change costs does not grow with the island.
#pragma once

#include "solvers/scratch.hpp"
#include "solvers/tree_blocks.hpp"

namespace stiction {

struct BlocksResidual {
  double largest = 0;  // natural map of a block, ∞ if one is not finite [m/s]
  double squared = 0;  // Σ of their squares [m²/s²]
};

// Keeps its memory from call to call.
class LocalEvaluation {
 public:
  // Looks at every block of current, whose u and v follow from its p.
  void start(const SolverScratch& scratch);
  // Impulses of blocks changed, which touch no other trees than these.
  void update(const std::vector<int>& trees, SolverScratch& scratch);

  const TreeBlocks& tree_blocks() const { return tree_blocks_; }
  // Of some blocks, and of all.
  BlocksResidual residual_of(const std::vector<int>& blocks) const;
  BlocksResidual residual() const;
  // The block with the largest, and how many are above a bound [m/s].
  int worst_block() const;
  int count_above(double bound) const;

 private:
  TreeBlocks tree_blocks_;
  std::vector<double> squared_;  // of each block's natural map [m²/s²]
  std::vector<int> seen_;        // the last update that looked at each block
  int updates_ = 0;
};

}  // namespace stiction
