#include "cuda/leaves_trees.hpp"
#include "cuda/run_leaf.cuh"

namespace stiction::cuda {

void run_trees(const RunSettings& settings, std::vector<LeafReport>& reports) {
  run_leaves(TreeLeaves{}, settings, reports);
}

}  // namespace stiction::cuda
