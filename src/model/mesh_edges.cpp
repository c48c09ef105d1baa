// Topology by sorting the sides of all triangles.
#include "model/mesh_edges.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace stiction::detail {

namespace {

std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

struct Side {
  int low, high;
  bool ascending;
  int triangle;
};

// Triangles that edges join, and whether each runs against the one that stands for its part.
class Parts {
 public:
  explicit Parts(std::size_t count) : parent_(count), against_(count, 0), size_(count, 1) {
    std::iota(parent_.begin(), parent_.end(), 0);
  }
  struct Place {
    int part;
    bool against;
  };
  Place of(int triangle) const {
    bool against = false;
    for (; parent_[at(triangle)] != triangle; triangle = parent_[at(triangle)])
      against = against != (against_[at(triangle)] != 0);
    return {triangle, against};
  }
  // Smaller parts go under larger ones, so that paths stay short.
  void join(int a, int b, bool turned) {
    Place pa = of(a), pb = of(b);
    if (pa.part == pb.part) return;
    if (size_[at(pa.part)] < size_[at(pb.part)]) std::swap(pa, pb);
    parent_[at(pb.part)] = pa.part;
    against_[at(pb.part)] = (pa.against != pb.against) != turned ? 1 : 0;
    size_[at(pa.part)] += size_[at(pb.part)];
  }

 private:
  std::vector<int> parent_;
  std::vector<char> against_;
  std::vector<int> size_;
};

// Of each part the fewer of the two that run against each other.
void count_parts(const Parts& parts, int triangles, MeshReport& report) {
  std::vector<std::array<int, 2>> ways(at(triangles), {0, 0});
  for (int t = 0; t < triangles; ++t) {
    const Parts::Place place = parts.of(t);
    ++ways[at(place.part)][place.against ? 1 : 0];
  }
  for (const auto& [with, against] : ways) {
    report.components += with + against > 0 ? 1 : 0;
    report.flipped_triangles += std::min(with, against);
  }
}

}  // namespace

std::vector<char> repeated(const std::vector<Corners>& triangles) {
  std::vector<std::pair<Corners, int>> sorted;
  sorted.reserve(triangles.size());
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    Corners c = triangles[t];
    std::rotate(c.begin(), std::min_element(c.begin(), c.end()), c.end());
    sorted.emplace_back(c, static_cast<int>(t));
  }
  std::sort(sorted.begin(), sorted.end());
  std::vector<char> result(triangles.size(), 0);
  for (std::size_t i = 1; i < sorted.size(); ++i)
    result[at(sorted[i].second)] = sorted[i].first == sorted[i - 1].first ? 1 : 0;
  return result;
}

void inspect_edges(const std::vector<Corners>& triangles, MeshReport& report) {
  const int count = static_cast<int>(triangles.size());
  std::vector<Side> sides;
  sides.reserve(3 * triangles.size());
  for (int t = 0; t < count; ++t) {
    const Corners& c = triangles[at(t)];
    for (std::size_t k = 0; k < 3; ++k) {
      const int from = c[k], to = c[(k + 1) % 3];
      sides.push_back({std::min(from, to), std::max(from, to), from < to, t});
    }
  }
  std::sort(sides.begin(), sides.end(), [](const Side& a, const Side& b) {
    return std::tie(a.low, a.high, a.triangle) < std::tie(b.low, b.high, b.triangle);
  });
  Parts parts(triangles.size());
  const auto same_edge = [](const Side& a, const Side& b) { return a.low == b.low && a.high == b.high; };
  for (auto first = sides.begin(); first != sides.end();) {
    auto end = first + 1;
    for (; end != sides.end() && same_edge(*first, *end); ++end)
      parts.join(first->triangle, end->triangle, first->ascending == end->ascending);
    const auto of_edge = end - first;
    if (of_edge == 1) ++report.boundary_edges;
    if (of_edge > 2) ++report.nonmanifold_edges;
    if (of_edge == 2 && first->ascending == (first + 1)->ascending) ++report.flipped_edges;
    first = end;
  }
  count_parts(parts, count, report);
  report.closed = report.boundary_edges == 0 && report.nonmanifold_edges == 0 && count > 0;
  report.oriented = report.flipped_edges == 0 && report.nonmanifold_edges == 0;
}

}  // namespace stiction::detail
