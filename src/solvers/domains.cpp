#include "solvers/domains.hpp"

#include <algorithm>

namespace stiction {
namespace {

// Calls f with each tree that shares a block with this one, once for each such block.
template <class F>
void each_neighbour(const Island& island, const TreeBlocks& blocks, int tree, F&& f) {
  for (int block : blocks.of(tree)) {
    const auto c = std::size_t(block);
    const int other = island.tree_a[c] == tree ? island.tree_b[c] : island.tree_a[c];
    if (other >= 0) f(other);
  }
}

}  // namespace

void DomainPartition::grow_core(const Island& island, const TreeBlocks& blocks, int seed, int trees) {
  trees_.assign(1, seed);
  taken_[std::size_t(seed)] = 1;
  for (std::size_t k = 0; k < trees_.size(); ++k)
    each_neighbour(island, blocks, trees_[k], [&](int tree) {
      if (taken_[std::size_t(tree)] != 0 || int(trees_.size()) == trees) return;
      taken_[std::size_t(tree)] = 1;
      trees_.push_back(tree);
    });
}

void DomainPartition::add_neighbours(const Island& island, const TreeBlocks& blocks) {
  complete_ = trees_.size();
  for (std::size_t k = 0; k < complete_; ++k)
    each_neighbour(island, blocks, trees_[k], [&](int tree) {
      if (inside_[std::size_t(tree)] != 0) return;
      inside_[std::size_t(tree)] = 1;
      trees_.push_back(tree);
    });
}

void DomainPartition::write_domain(const Island& island, const TreeBlocks& blocks) {
  for (int tree : trees_) inside_[std::size_t(tree)] = 1;
  add_neighbours(island, blocks);
  add_neighbours(island, blocks);
  for (int tree : trees_) inside_[std::size_t(tree)] = 0;
  if (count_ == domains_.size()) domains_.emplace_back();
  Domain& domain = domains_[count_++];
  domain.tree = trees_;
  domain.block.clear();
  for (std::size_t k = 0; k < complete_; ++k) {
    const std::span<const int> own = blocks.of(trees_[k]);
    domain.block.insert(domain.block.end(), own.begin(), own.end());
  }
  std::sort(domain.tree.begin(), domain.tree.end());
  std::sort(domain.block.begin(), domain.block.end());
  domain.block.erase(std::unique(domain.block.begin(), domain.block.end()), domain.block.end());
}

void DomainPartition::start(const Island& island) {
  count_ = 0;
  taken_.assign(std::size_t(island.ntree), 0);
  inside_.assign(std::size_t(island.ntree), 0);
}

void DomainPartition::divide(const Island& island, const TreeBlocks& blocks, int trees, bool from_end) {
  start(island);
  for (int k = 0; k < island.ntree; ++k) {
    const int seed = from_end ? island.ntree - 1 - k : k;
    if (taken_[std::size_t(seed)] != 0) continue;
    grow_core(island, blocks, seed, trees);
    write_domain(island, blocks);
  }
}

void DomainPartition::divide_off(const Island& island, const TreeBlocks& blocks, int seed, int trees) {
  start(island);
  grow_core(island, blocks, seed, trees);
  write_domain(island, blocks);
}

void gather_domain(const Island& from, const Domain& domain, Island& to) {
  gather_blocks(from, domain.block, to);
  to.condensed = false;
  to.ntree = int(domain.tree.size());
  to.tree.clear();
  to.dof.assign(1, 0);
  for (int t : domain.tree) {
    to.tree.push_back(from.tree[std::size_t(t)]);
    to.dof.push_back(to.dof.back() + from.tree_size(t));
  }
  to.nv = to.dof.back();
  to.free_velocity.resize(std::size_t(to.nv));
  const auto local = [&](int tree) {
    if (tree < 0) return -1;
    return int(std::lower_bound(domain.tree.begin(), domain.tree.end(), tree) - domain.tree.begin());
  };
  for (int block : domain.block) {
    const auto c = std::size_t(block);
    to.tree_a.push_back(local(from.tree_a[c]));
    to.tree_b.push_back(local(from.tree_b[c]));
    to.jacobian_a.push_back(from.jacobian_a[c]);
    to.jacobian_b.push_back(from.jacobian_b[c]);
    to.bias.insert(to.bias.end(), from.bias.begin() + from.row[c], from.bias.begin() + from.row[c + 1]);
  }
}

}  // namespace stiction
