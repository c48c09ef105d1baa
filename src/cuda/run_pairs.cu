// The kernels are in run_pairs_double.cu and run_pairs_float.cu: half a minute and more each.
#include "cuda/leaves_pairs.hpp"
#include "cuda/run_leaf.hpp"

namespace stiction::cuda {

void run_pairs(const RunSettings& settings, std::vector<LeafReport>& reports) {
  run_leaves(PairLeaves{}, settings, reports);
}

}  // namespace stiction::cuda
