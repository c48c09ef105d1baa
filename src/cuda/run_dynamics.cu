#include "cuda/leaves_dynamics.hpp"
#include "cuda/run_leaf.cuh"

namespace stiction::cuda {

void run_dynamics(const RunSettings& settings, std::vector<LeafReport>& reports) {
  run_leaves(DynamicsLeaves{}, settings, reports);
}

}  // namespace stiction::cuda
