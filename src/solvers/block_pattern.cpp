#include "solvers/block_pattern.hpp"

#include <algorithm>

#include "solvers/block_kernels.hpp"

namespace stiction::detail {

void BlockPattern::analyse(const BlockGraph& graph) {
  minimum_degree_.order(graph, tree_);
  merge();
  number(graph);
  find_borders(graph);
  find_runs();
  store();
}

// Merges a supernode into its parent where that stores no zeros: its border is all of the parent. A front is then a
// chain of supernodes, children first.
void BlockPattern::merge() {
  const int n = tree_.size();
  const auto count = std::size_t(n);
  merged_into_.assign(count, -1);
  chain_next_.assign(count, -1);
  chain_head_.resize(count);
  chain_last_.resize(count);
  for (int s = 0; s < n; ++s) at(chain_head_, s) = at(chain_last_, s) = s;
  for (int s = 0; s < n; ++s) {
    const int p = at(tree_.parent, s);
    if (p < 0) continue;
    if (at(tree_.border, s) != at(tree_.width, p) + at(tree_.border, p)) continue;
    at(merged_into_, s) = p;
    at(tree_.width, p) += at(tree_.width, s);
    at(chain_next_, at(chain_last_, s)) = at(chain_head_, p);
    at(chain_head_, p) = at(chain_head_, s);
  }
}

// Numbers the fronts in postorder and their pivots in the order of elimination.
void BlockPattern::number(const BlockGraph& graph) {
  const int n = tree_.size();
  first_child_.assign(std::size_t(n), -1);
  next_sibling_.assign(std::size_t(n), -1);
  front_of_supernode_.assign(std::size_t(n), -1);
  open_.clear();
  for (int s = n - 1; s >= 0; --s) {
    if (at(merged_into_, s) >= 0) continue;
    int p = at(tree_.parent, s);
    while (p >= 0 && at(merged_into_, p) >= 0) p = at(merged_into_, p);
    at(tree_.parent, s) = p;
    if (p < 0) {
      open_.push_back(s);
    } else {
      at(next_sibling_, s) = at(first_child_, p);
      at(first_child_, p) = s;
    }
  }
  front.clear();
  rank_node_.clear();
  rank_place_.clear();
  const auto nodes = std::size_t(graph.size());
  node_rank_.resize(nodes);
  node_place.resize(nodes);
  node_front_.resize(nodes);
  order = 0;
  while (!open_.empty()) {
    const int s = open_.back();
    if (at(first_child_, s) >= 0) {  // children first; each is taken off its parent's list as it is opened
      open_.push_back(at(first_child_, s));
      at(first_child_, s) = at(next_sibling_, at(first_child_, s));
      continue;
    }
    open_.pop_back();
    const int index = int(front.size());
    at(front_of_supernode_, s) = index;
    Front& f = front.emplace_back();
    f.place = order;
    f.node_first = int(rank_node_.size());
    for (int member = at(chain_head_, s); member >= 0; member = at(chain_next_, member))
      for (int k = at(tree_.pivot_first, member); k < at(tree_.pivot_first, member + 1); ++k) {
        const int node = at(tree_.pivot, k);
        at(node_rank_, node) = int(rank_node_.size());
        at(node_place, node) = order;
        at(node_front_, node) = index;
        rank_node_.push_back(node);
        rank_place_.push_back(order);
        order += at(graph.weight, node);
      }
    f.node_last = int(rank_node_.size());
    f.width = order - f.place;
  }
  rank_place_.push_back(order);
  for (int s = 0; s < n; ++s)
    if (at(merged_into_, s) < 0 && at(tree_.parent, s) >= 0)
      at(front, at(front_of_supernode_, s)).parent = at(front_of_supernode_, at(tree_.parent, s));
}

// border(f) = (neighbours of its pivots ∪ borders of its children) \ what is eliminated up to f, as sorted ranks.
void BlockPattern::find_borders(const BlockGraph& graph) {
  const int n = int(front.size());
  first_child_.assign(std::size_t(n), -1);
  next_sibling_.assign(std::size_t(n), -1);
  mark_.assign(std::size_t(graph.size()), -1);
  border_rank_.clear();
  for (int index = 0; index < n; ++index) {
    Front& f = at(front, index);
    const auto take = [&](int rank) {
      if (rank < f.node_last || at(mark_, rank) == index) return;
      at(mark_, rank) = index;
      border_rank_.push_back(rank);
    };
    f.rank_first = int(border_rank_.size());
    for (int rank = f.node_first; rank < f.node_last; ++rank) {
      const int node = at(rank_node_, rank);
      for (int k = at(graph.first, node); k < at(graph.first, node + 1); ++k)
        take(at(node_rank_, at(graph.neighbour, k)));
    }
    for (int child = at(first_child_, index); child >= 0; child = at(next_sibling_, child))
      for (int k = at(front, child).rank_first; k < at(front, child).rank_last; ++k) take(at(border_rank_, k));
    f.rank_last = int(border_rank_.size());
    std::sort(border_rank_.begin() + f.rank_first, border_rank_.begin() + f.rank_last);
    f.border = 0;
    for (int k = f.rank_first; k < f.rank_last; ++k)
      f.border += at(rank_place_, at(border_rank_, k) + 1) - at(rank_place_, at(border_rank_, k));
    f.leaf = at(first_child_, index) < 0;
    if (f.parent >= 0) {
      f.first_child = at(first_child_, f.parent) < 0;
      at(next_sibling_, index) = at(first_child_, f.parent);
      at(first_child_, f.parent) = index;
    }
  }
}

// The border of each front as stretches that keep together in its parent.
void BlockPattern::find_runs() {
  run.clear();
  for (Front& f : front) {
    f.run_first = int(run.size());
    if (f.parent >= 0) {
      const Front& parent = at(front, f.parent);
      int local = 0, k_parent = parent.rank_first, target = 0;
      for (int k = f.rank_first; k < f.rank_last; ++k) {
        const int rank = at(border_rank_, k), place = at(rank_place_, rank);
        const int length = at(rank_place_, rank + 1) - place;
        const bool in_pivots = rank < parent.node_last;
        if (!in_pivots)
          for (; at(border_rank_, k_parent) != rank; ++k_parent) {
            const int passed = at(border_rank_, k_parent);
            target += at(rank_place_, passed + 1) - at(rank_place_, passed);
          }
        const int position = in_pivots ? place - parent.place : target;
        BorderRun* last = int(run.size()) > f.run_first ? &run.back() : nullptr;
        if (last && last->in_pivots == in_pivots && last->place + last->length == place &&
            last->target + last->length == position)
          last->length += length;
        else
          run.push_back({local, length, place, position, in_pivots});
        local += length;
      }
    }
    f.run_last = int(run.size());
  }
}

void BlockPattern::store() {
  panel_size = update_size = 0;
  widest = widest_border = 0;
  for (Front& f : front) {
    f.stride = padded(f.width, kPanel);
    f.border_stride = padded(f.border, kLane);
    widest = std::max(widest, f.stride);
    widest_border = std::max(widest_border, f.border_stride);
    const auto width = std::size_t(f.width);
    f.corner = panel_size;
    f.right = f.corner + width * std::size_t(f.stride);
    f.below = f.right + width * std::size_t(f.border_stride);
    panel_size = f.below + width * std::size_t(f.border_stride);
  }
  // Parents come after children: a front's update lies above those of all its ancestors.
  for (int index = int(front.size()) - 1; index >= 0; --index) {
    Front& f = at(front, index);
    if (f.parent >= 0) {
      const Front& parent = at(front, f.parent);
      f.update = parent.update + std::size_t(parent.border) * std::size_t(parent.border_stride);
    }
    update_size = std::max(update_size, f.update + std::size_t(f.border) * std::size_t(f.border_stride));
  }
}

BlockPlace BlockPattern::find(int i, int j) const {
  const Front& f = at(front, at(node_front_, i));
  const Front& g = at(front, at(node_front_, j));
  if (&f == &g)
    return {f.corner + std::size_t(at(node_place, i) - f.place) * std::size_t(f.stride) +
                std::size_t(at(node_place, j) - f.place),
            f.stride, false};
  const bool transposed = g.place < f.place;  // j is eliminated first: the block is a column of its front
  const Front& h = transposed ? g : f;
  const int pivot = transposed ? j : i, other = transposed ? i : j;
  int column = 0;
  for (int k = h.rank_first; at(border_rank_, k) != at(node_rank_, other); ++k)
    column += at(rank_place_, at(border_rank_, k) + 1) - at(rank_place_, at(border_rank_, k));
  const std::size_t row = std::size_t(at(node_place, pivot) - h.place) * std::size_t(h.border_stride);
  return {(transposed ? h.below : h.right) + row + std::size_t(column), h.border_stride, transposed};
}

}  // namespace stiction::detail
