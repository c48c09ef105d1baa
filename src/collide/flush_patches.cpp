#include "collide/flush_patches.hpp"

#include <algorithm>

#include "collide/manifold.hpp"

namespace stiction {

void FlushPatches::flatten() {
  if (list_.size() < 2) return;
  std::sort(list_.begin(), list_.end(), [](const PairPoints& a, const PairPoints& b) {
    return a.bodies != b.bodies ? a.bodies < b.bodies : a.points < b.points;
  });
  for (auto first = list_.begin(), last = first; first != list_.end(); first = last) {
    while (last != list_.end() && last->bodies == first->bodies) ++last;
    if (last - first > 1) flatten(first, last);
  }
}

void FlushPatches::flatten(Iterator first, Iterator last) {
  points_.clear();
  for (auto pair = first; pair != last; ++pair)
    for (int c = 0; c < pair->count; ++c) {
      points_.push_back(pair->points[c]);
      points_.back().normal *= pair->sign;
    }
  done_.resize(points_.size());
  detail::flatten_patches(points_.data(), static_cast<int>(points_.size()), detail::kAcrossPairs, done_.data());
  auto flat = points_.begin();
  for (auto pair = first; pair != last; ++pair)
    for (int c = 0; c < pair->count; ++c) {
      pair->points[c] = *flat++;
      pair->points[c].normal *= pair->sign;
    }
}

}  // namespace stiction
