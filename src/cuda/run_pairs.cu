// The kernels are in run_pairs_double.cu and run_pairs_float.cu: minutes each.
#include "cuda/leaves_pairs.hpp"
#include "cuda/leaves_queries.hpp"
#include "cuda/run_leaf.hpp"

namespace stiction::cuda {

void run_pairs(const RunSettings& settings, std::vector<LeafReport>& reports) {
  run_leaves(PairLeaves{}, settings, reports);
  run_leaves(QueryLeaves{}, settings, reports);
}

}  // namespace stiction::cuda
