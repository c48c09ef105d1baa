// Domains of a large island: neighbouring trees and all the blocks that touch them or one of their neighbours, so that
// domains overlap. domain_sweeps.hpp solves them one after the other.
#pragma once

#include <span>

#include "solvers/tree_blocks.hpp"

namespace stiction {

struct Domain {
  std::vector<int> tree, block;  // of the island, ascending; the trees are all that the blocks touch
};

// Keeps its memory from call to call.
class DomainPartition {
 public:
  // Domains around about `trees` trees each, grown in breadth from one tree to those that it touches. Growth starts at
  // the first tree that has no domain yet, or, if from_end, at the last one: two partitions with other boundaries.
  void divide(const Island& island, const TreeBlocks& blocks, int trees, bool from_end);
  // One domain, grown from this tree.
  void divide_off(const Island& island, const TreeBlocks& blocks, int seed, int trees);
  std::span<const Domain> domains() const { return {domains_.data(), count_}; }

 private:
  void start(const Island& island);  // no domains yet
  void grow_core(const Island& island, const TreeBlocks& blocks, int seed, int trees);
  void add_neighbours(const Island& island, const TreeBlocks& blocks);
  void write_domain(const Island& island, const TreeBlocks& blocks);

  std::vector<Domain> domains_;
  std::size_t count_ = 0;             // so many of them; the others are memory of earlier calls
  std::vector<char> taken_, inside_;  // trees in the core of a domain so far; trees of this domain
  std::vector<int> trees_;            // trees of this domain
  std::size_t complete_ = 0;          // so many of them have all their blocks in it
};

// The island of a domain: its blocks and trees in local numbering, with laws, biases and masses of `from`. Its free
// velocities are left to the caller.
void gather_domain(const Island& from, const Domain& domain, Island& to);

}  // namespace stiction
