// One translation unit for all pairs: the large routines are calls on the device and are compiled once.
#include "cuda/leaves_pairs.hpp"
#include "cuda/run_leaf.cuh"

namespace stiction::cuda {

void run_pairs(const RunSettings& settings, std::vector<LeafReport>& reports) {
  run_leaves(PairLeaves{}, settings, reports);
}

}  // namespace stiction::cuda
