// The pairs of shapes and the queries on the GPU in float. One file for all of them: the large routines are calls on
// the device and are compiled once.
#include "cuda/leaves_pairs.hpp"
#include "cuda/leaves_queries.hpp"
#include "cuda/run_leaf.cuh"

namespace stiction::cuda {

#define STICTION_PAIR_ON_GPU(type_a, type_b, routine, most, points)                 \
  template DeviceReport run_on_gpu<PairLeaf<ShapeType::type_a, ShapeType::type_b>>( \
      const std::vector<float>&, const Results<float>&, const RunSettings&);
STICTION_PAIR_TABLE(STICTION_PAIR_ON_GPU)
#undef STICTION_PAIR_ON_GPU
#define STICTION_LEAF_ON_GPU(leaf) \
  template DeviceReport run_on_gpu<leaf>(const std::vector<float>&, const Results<float>&, const RunSettings&);
STICTION_LEAF_ON_GPU(AnyPair)
STICTION_LEAF_ON_GPU(RayLeaf)
STICTION_LEAF_ON_GPU(DistanceLeaf)
#undef STICTION_LEAF_ON_GPU

}  // namespace stiction::cuda
