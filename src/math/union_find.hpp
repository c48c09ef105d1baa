// A forest over the members of sets: each member has a parent, the root of a set is its own, and the least of it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace stiction {

// Root of a member's set, with path halving.
inline int find_root(std::vector<int>& parent, int member) {
  while (parent[std::size_t(member)] != member) {
    int& up = parent[std::size_t(member)];
    up = parent[std::size_t(up)];
    member = up;
  }
  return member;
}

inline void join(std::vector<int>& parent, int a, int b) {
  const int root_a = find_root(parent, a), root_b = find_root(parent, b);
  parent[std::size_t(std::max(root_a, root_b))] = std::min(root_a, root_b);
}

}  // namespace stiction
