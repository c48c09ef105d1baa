// The blocks of each tree of an island.
#pragma once

#include <span>

#include "problem/island.hpp"

namespace stiction {

// Keeps its memory from call to call.
class TreeBlocks {
 public:
  void list(const Island& island);
  // Ascending.
  std::span<const int> of(int tree) const {
    const auto t = std::size_t(tree);
    return {block_.data() + first_[t], block_.data() + first_[t + 1]};
  }

 private:
  std::vector<int> first_, block_;  // of tree t: block_[first_[t]] … block_[first_[t + 1] − 1]
  std::vector<int> place_;
};

}  // namespace stiction
