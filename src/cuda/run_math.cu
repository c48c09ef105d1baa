#include "cuda/leaves_math.hpp"
#include "cuda/run_leaf.cuh"

namespace stiction::cuda {

void run_math(const RunSettings& settings, std::vector<LeafReport>& reports) {
  run_leaves(MathLeaves{}, settings, reports);
}

}  // namespace stiction::cuda
