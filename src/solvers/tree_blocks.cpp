#include "solvers/tree_blocks.hpp"

namespace stiction {
namespace {

// Calls f(tree, block) for each tree of each block, in ascending order of the blocks.
template <class F>
void each_tree(const Island& island, F&& f) {
  for (int c = 0; c < island.nblock; ++c) {
    const int a = island.tree_a[std::size_t(c)], b = island.tree_b[std::size_t(c)];
    if (a >= 0) f(a, c);
    if (b >= 0 && b != a) f(b, c);
  }
}

}  // namespace

void TreeBlocks::list(const Island& island) {
  first_.assign(std::size_t(island.ntree) + 1, 0);
  each_tree(island, [&](int tree, int) { ++first_[std::size_t(tree) + 1]; });
  for (std::size_t t = 1; t < first_.size(); ++t) first_[t] += first_[t - 1];
  block_.resize(std::size_t(first_.back()));
  place_ = first_;
  each_tree(island, [&](int tree, int block) { block_[std::size_t(place_[std::size_t(tree)]++)] = block; });
}

}  // namespace stiction
