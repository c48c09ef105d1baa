// Pairs of shapes whose boxes overlap, from a tree of bounding boxes that is built anew each step: shapes are sorted
// along a Morton curve and the tree halves that order. Chosen over sweep and prune, which meets a layer of a pile per
// shape (N^(5/3) tests), and over a grid, which needs shapes of one size. It keeps nothing from step to step, so a
// replayed step sees the same pairs; the set of pairs is that of all overlaps, whatever the order. Few shapes need no
// tree: each box is held against all others, several at once.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "math/vec3.hpp"

namespace stiction {

// Axis-aligned box; empty (overlapping nothing) where lower > upper.
struct Bounds {
  Vec3 lower, upper;  // [m]
};

inline bool overlap(const Bounds& a, const Bounds& b) {
  return a.lower.x <= b.upper.x && b.lower.x <= a.upper.x && a.lower.y <= b.upper.y && b.lower.y <= a.upper.y &&
         a.lower.z <= b.upper.z && b.lower.z <= a.upper.z;
}

constexpr int kAtOnce = 8;  // boxes that few shapes are held against at once

// Which pairs (i, j), i < j, of few shapes are of interest, in a form that is laid beside their gaps.
class WantedPairs {
 public:
  template <class Wanted>
  WantedPairs(int count, Wanted&& wanted) : padded_((count + kAtOnce - 1) / kAtOnce * kAtOnce) {
    barrier_.assign(static_cast<std::size_t>(count) * static_cast<std::size_t>(padded_), kNever);
    for (int i = 0; i < count; ++i)
      for (int j = i + 1; j < count; ++j)
        if (wanted(i, j)) barrier_[static_cast<std::size_t>(i * padded_ + j)] = -kNever;
  }
  // A bound on the gap from below for each pair (i, j), (i, j + 1) …: infinite where the pair is not wanted.
  const double* barrier(int i, int j) const { return barrier_.data() + (i * padded_ + j); }

 private:
  static constexpr double kNever = std::numeric_limits<double>::infinity();
  int padded_;
  std::vector<double> barrier_;
};

class BroadPhase {
 public:
  // Whether so few shapes take no tree.
  static bool is_few(std::size_t shapes) { return shapes <= kFew; }

  // For many shapes: calls of visit(i, j), i < j, for every overlap of bounds[i] and bounds[j] with moving[i] or
  // moving[j]; the order is a function of the bounds.
  template <class Visitor>
  void find_pairs(const std::vector<Bounds>& bounds, const std::vector<char>& moving, Visitor&& visit) {
    build(bounds);
    const auto meet = [&](int i, int j) {
      if (!overlap(sorted_[static_cast<std::size_t>(i)], sorted_[static_cast<std::size_t>(j)])) return;
      const int a = order_[static_cast<std::size_t>(i)].shape, b = order_[static_cast<std::size_t>(j)].shape;
      if (!moving[static_cast<std::size_t>(a)] && !moving[static_cast<std::size_t>(b)]) return;
      if (a < b)
        visit(a, b);
      else
        visit(b, a);
    };
    // Leaf by leaf: partners stand in the same leaf or in a later one, so that each pair is met once.
    for (int leaf = 0; leaf * kLeafSize < static_cast<int>(order_.size()); ++leaf) {
      const int begin = leaf * kLeafSize, end = end_of(leaf);
      for (int i = begin; i < end; ++i)
        for (int j = i + 1; j < end; ++j) meet(i, j);
      walk_after(leaf, [&](int other) {
        const Bounds& box = node_[static_cast<std::size_t>(leaves_ + other)];
        for (int i = begin; i < end; ++i) {
          if (!overlap(box, sorted_[static_cast<std::size_t>(i)])) continue;
          for (int j = other * kLeafSize; j < end_of(other); ++j) meet(i, j);
        }
      });
    }
  }

  // For few shapes: calls of visit(i, j, gap), gap the largest gap along an axis, negative where the boxes overlap, for
  // all pairs that `wanted` names and in which it is at most `reach`; i < j in ascending order.
  template <class Visitor>
  void find_near(const std::vector<Bounds>& bounds, const WantedPairs& wanted, double reach, Visitor&& visit) {
    list_boxes(bounds);
    const int count = static_cast<int>(bounds.size());
    for (int i = 0; i + 1 < count; ++i)
      for (int first = (i + 1) / kAtOnce * kAtOnce; first < count; first += kAtOnce) {
        double gap[kAtOnce];
        if (!(measure_gaps(i, first, wanted, gap) <= reach)) continue;
        for (int j = first; j < first + kAtOnce; ++j)
          if (gap[j - first] <= reach) visit(i, j, gap[j - first]);
      }
  }

  // Builds the tree for visits.
  void build(const std::vector<Bounds>& bounds);
  // Calls of visitor(i) for the shapes whose box, as those of all nodes above, `enter` accepts.
  template <class Enter, class Visitor>
  void visit(Enter&& enter, Visitor&& visitor) const {
    if (!order_.empty()) walk(enter, visitor);
  }

 private:
  static constexpr std::size_t kFew = 128;  // from about 150 shapes on the tree is faster
  static constexpr int kLeafSize = 4;
  struct Entry {
    std::uint32_t code;
    int shape;
  };
  std::vector<Entry> order_;
  std::vector<Bounds> sorted_;  // bounds in the order of the curve
  std::vector<Bounds> node_;    // complete binary tree: root 1, children 2k and 2k + 1, leaves_ leaves
  int leaves_ = 0;

  // Few shapes: the sides of their boxes along x, y, z, up to a multiple of kAtOnce; empty boxes are infinitely far.
  std::vector<double> lower_[3], upper_[3];  // [m]

  void list_boxes(const std::vector<Bounds>& bounds);
  // The largest gap along an axis between box i and each of the boxes from `first` on; returns the least of these.
  double measure_gaps(int i, int first, const WantedPairs& wanted, double* gap) const;

  // The place behind the last shape of a leaf.
  int end_of(int leaf) const {
    const int end = (leaf + 1) * kLeafSize, count = static_cast<int>(order_.size());
    return end < count ? end : count;
  }

  // Calls of visitor(other) for the leaves behind `leaf` whose boxes overlap its own.
  template <class Visitor>
  void walk_after(int leaf, Visitor&& visitor) const {
    const Bounds& box = node_[static_cast<std::size_t>(leaves_ + leaf)];
    // What stands behind are the right siblings on the way up to the root.
    for (int up = leaves_ + leaf; up > 1; up /= 2) {
      if (up % 2 != 0) continue;
      int stack[64];
      int waiting = 0;
      stack[waiting++] = up + 1;
      while (waiting > 0) {
        const int k = stack[--waiting];
        if (!overlap(node_[static_cast<std::size_t>(k)], box)) continue;
        if (k >= leaves_) {
          visitor(k - leaves_);
          continue;
        }
        stack[waiting++] = 2 * k + 1;
        stack[waiting++] = 2 * k;
      }
    }
  }

  template <class Enter, class Visitor>
  void walk(Enter&& enter, Visitor&& visitor) const {  // from the root
    const int count = static_cast<int>(order_.size());
    // Depth first; at most one sibling per level waits.
    int stack[64];
    int waiting = 0;
    stack[waiting++] = 1;
    while (waiting > 0) {
      const int k = stack[--waiting];
      if (!enter(node_[static_cast<std::size_t>(k)])) continue;
      if (k < leaves_) {
        stack[waiting++] = 2 * k + 1;
        stack[waiting++] = 2 * k;
        continue;
      }
      const int begin = (k - leaves_) * kLeafSize, end = begin + kLeafSize < count ? begin + kLeafSize : count;
      for (int j = begin; j < end; ++j)
        if (enter(sorted_[static_cast<std::size_t>(j)])) visitor(order_[static_cast<std::size_t>(j)].shape);
    }
  }
};

}  // namespace stiction
