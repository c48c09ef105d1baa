#include "cuda/leaves_laws.hpp"
#include "cuda/run_leaf.cuh"

namespace stiction::cuda {

void run_laws(const RunSettings& settings, std::vector<LeafReport>& reports) {
  run_leaves(LawLeaves{}, settings, reports);
}

}  // namespace stiction::cuda
