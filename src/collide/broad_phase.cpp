#include "collide/broad_phase.hpp"

#include "math/lanes.hpp"

#include <algorithm>
#include <limits>

namespace stiction {

namespace {

// Spreads ten bits to every third place.
std::uint32_t spread(std::uint32_t x) {
  x = (x | (x << 16)) & 0x030000ffu;
  x = (x | (x << 8)) & 0x0300f00fu;
  x = (x | (x << 4)) & 0x030c30c3u;
  return (x | (x << 2)) & 0x09249249u;
}

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr Bounds kEmpty{{kInfinity, kInfinity, kInfinity}, {-kInfinity, -kInfinity, -kInfinity}};

Bounds joined(const Bounds& a, const Bounds& b) {
  return {min(a.lower, b.lower), max(a.upper, b.upper)};
}

bool has_volume(const Bounds& box) {
  return box.lower.x <= box.upper.x && is_finite((box.lower + box.upper) * 0.5);
}

}  // namespace

void BroadPhase::list_boxes(const std::vector<Bounds>& bounds) {
  const std::size_t padded = (bounds.size() + kAtOnce - 1) / kAtOnce * kAtOnce;
  for (int k = 0; k < 3; ++k) {
    lower_[k].assign(padded, kInfinity);
    upper_[k].assign(padded, -kInfinity);
  }
  for (std::size_t i = 0; i < bounds.size(); ++i) {
    if (!has_volume(bounds[i])) continue;
    for (int k = 0; k < 3; ++k) {
      lower_[k][i] = bounds[i].lower[k];
      upper_[k][i] = bounds[i].upper[k];
    }
  }
}

double BroadPhase::measure_gaps(int i, int first, const WantedPairs& wanted, double* gap) const {
  using detail::kLane;
  static_assert(kAtOnce % kLane == 0);
  detail::Pack least = detail::Pack{} + kInfinity;
  for (int c = 0; c < kAtOnce; c += kLane) {
    detail::Pack widest = detail::load_pack(wanted.barrier(i, first) + c);
    for (int k = 0; k < 3; ++k) {
      const auto own = static_cast<std::size_t>(i);
      const detail::Pack above = detail::load_pack(lower_[k].data() + first + c) - upper_[k][own];
      const detail::Pack below = lower_[k][own] - detail::load_pack(upper_[k].data() + first + c);
      widest = above > widest ? above : widest;
      widest = below > widest ? below : widest;
    }
    detail::store_pack(gap + c, widest);
    least = widest < least ? widest : least;
  }
  double nearest = least[0];
  for (int lane = 1; lane < kLane; ++lane) nearest = std::min(nearest, least[lane]);
  return nearest;
}

void BroadPhase::build(const std::vector<Bounds>& bounds) {
  // The curve runs through the box of all centres.
  Bounds centres = kEmpty;
  order_.clear();
  for (std::size_t i = 0; i < bounds.size(); ++i) {
    if (!has_volume(bounds[i])) continue;
    const Vec3 centre = (bounds[i].lower + bounds[i].upper) * 0.5;
    order_.push_back({0, static_cast<int>(i)});
    centres = joined(centres, {centre, centre});
  }
  const Vec3 extent = centres.upper - centres.lower;
  const double widest = std::max({extent.x, extent.y, extent.z});
  const double scale = widest > 0 && widest < kInfinity ? 1023.0 / widest : 0;
  for (Entry& entry : order_) {
    const Bounds& box = bounds[static_cast<std::size_t>(entry.shape)];
    const Vec3 cell = ((box.lower + box.upper) * 0.5 - centres.lower) * scale;
    entry.code = spread(static_cast<std::uint32_t>(cell.x)) | (spread(static_cast<std::uint32_t>(cell.y)) << 1) |
                 (spread(static_cast<std::uint32_t>(cell.z)) << 2);
  }
  std::sort(order_.begin(), order_.end(),
            [](const Entry& a, const Entry& b) { return a.code != b.code ? a.code < b.code : a.shape < b.shape; });

  const int count = static_cast<int>(order_.size());
  leaves_ = 1;
  while (leaves_ * kLeafSize < count) leaves_ *= 2;
  sorted_.resize(order_.size());
  node_.resize(static_cast<std::size_t>(2 * leaves_));
  for (std::size_t i = 0; i < order_.size(); ++i) sorted_[i] = bounds[static_cast<std::size_t>(order_[i].shape)];
  for (int leaf = 0; leaf < leaves_; ++leaf) {
    Bounds box = kEmpty;
    for (int j = leaf * kLeafSize; j < std::min(count, (leaf + 1) * kLeafSize); ++j)
      box = joined(box, sorted_[static_cast<std::size_t>(j)]);
    node_[static_cast<std::size_t>(leaves_ + leaf)] = box;
  }
  for (int k = leaves_ - 1; k > 0; --k)
    node_[static_cast<std::size_t>(k)] =
        joined(node_[static_cast<std::size_t>(2 * k)], node_[static_cast<std::size_t>(2 * k + 1)]);
}

}  // namespace stiction
