// Merges coplanar triangles by growing regions from the largest triangle on, so that the planes are those of triangles
// whose normals are well defined. Slivers (thinner than the tolerance) have no normal of their own worth keeping: they
// join whichever neighbour comes first.
#include "model/flat_faces.hpp"

#include <algorithm>
#include <map>
#include <numeric>

namespace stiction::detail {

namespace {

using Polygon = std::vector<int>;

class Merger {
 public:
  Merger(const std::vector<Vec3>& vertices, const std::vector<std::array<int, 3>>& triangles, double tolerance)
      : vertices_(vertices), triangles_(triangles), tolerance_(tolerance), region_(triangles.size(), -1) {
    for (std::size_t t = 0; t < triangles.size(); ++t) {
      for (std::size_t k = 0; k < 3; ++k) owner_[{triangles[t][k], triangles[t][(k + 1) % 3]}] = static_cast<int>(t);
      area_.push_back(area_vector({point(t, 0), point(t, 1), point(t, 2)}));
    }
  }

  std::vector<Polygon> run() {
    std::vector<std::size_t> order(triangles_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return norm_squared(area_[a]) > norm_squared(area_[b]); });
    std::vector<Polygon> faces;
    for (const std::size_t seed : order) {
      if (region_[seed] >= 0) continue;
      const std::vector<std::size_t> members = grow(seed);
      Polygon outline = trace(members);
      if (!outline.empty()) {
        faces.push_back(std::move(outline));
        continue;
      }
      // A region with a hole or a pinch is no polygon: its triangles stay as they are.
      for (const std::size_t t : members) faces.emplace_back(triangles_[t].begin(), triangles_[t].end());
    }
    drop_straight_vertices(faces);
    return faces;
  }

 private:
  Vec3 point(std::size_t t, std::size_t k) const { return vertices_[static_cast<std::size_t>(triangles_[t][k])]; }

  bool is_sliver(std::size_t t) const {
    double longest = 0;
    for (std::size_t k = 0; k < 3; ++k) longest = std::max(longest, norm(point(t, (k + 1) % 3) - point(t, k)));
    return 2 * norm(area_[t]) <= tolerance_ * longest;
  }

  // The seed and all triangles connected to it within its plane, marked as one region.
  std::vector<std::size_t> grow(std::size_t seed) {
    const Vec3 normal = normalized(area_[seed]), origin = point(seed, 0);
    const auto in_plane = [&](std::size_t t) {
      for (std::size_t k = 0; k < 3; ++k)
        if (std::abs(dot(normal, point(t, k) - origin)) > tolerance_) return false;
      return dot(area_[t], normal) > 0 || is_sliver(t);
    };
    std::vector<std::size_t> members{seed};
    region_[seed] = regions_;
    for (std::size_t i = 0; i < members.size(); ++i)
      for (std::size_t k = 0; k < 3; ++k) {
        const std::array<int, 3>& triangle = triangles_[members[i]];
        const auto across = owner_.find({triangle[(k + 1) % 3], triangle[k]});
        if (across == owner_.end()) continue;
        const std::size_t t = static_cast<std::size_t>(across->second);
        if (region_[t] >= 0 || !in_plane(t)) continue;
        region_[t] = regions_;
        members.push_back(t);
      }
    ++regions_;
    return members;
  }

  // The outline of a region, counter-clockwise; empty if it is not one simple loop.
  Polygon trace(const std::vector<std::size_t>& members) const {
    std::map<int, int> next;
    for (const std::size_t t : members)
      for (std::size_t k = 0; k < 3; ++k) {
        const int a = triangles_[t][k], b = triangles_[t][(k + 1) % 3];
        const auto across = owner_.find({b, a});
        const bool inside = across != owner_.end() && region_[static_cast<std::size_t>(across->second)] == region_[t];
        if (!inside && !next.emplace(a, b).second) return {};
      }
    Polygon outline;
    if (next.empty()) return outline;
    int vertex = next.begin()->first;
    do {
      outline.push_back(vertex);
      vertex = next.at(vertex);
    } while (vertex != outline.front() && outline.size() <= next.size());
    return outline.size() == next.size() ? outline : Polygon{};
  }

  // A vertex of two faces only lies in the middle of their common edge.
  static void drop_straight_vertices(std::vector<Polygon>& faces) {
    std::map<int, std::vector<std::size_t>> faces_of;
    for (std::size_t f = 0; f < faces.size(); ++f)
      for (const int v : faces[f]) faces_of[v].push_back(f);
    for (const auto& [vertex, owners] : faces_of) {
      if (owners.size() != 2 || faces[owners[0]].size() < 4 || faces[owners[1]].size() < 4) continue;
      for (const std::size_t f : owners) std::erase(faces[f], vertex);
    }
  }

  const std::vector<Vec3>& vertices_;
  const std::vector<std::array<int, 3>>& triangles_;
  double tolerance_;
  std::vector<int> region_;
  int regions_ = 0;
  std::map<std::pair<int, int>, int> owner_;  // triangle on the left of a directed edge
  std::vector<Vec3> area_;
};

}  // namespace

Vec3 area_vector(const std::vector<Vec3>& points) {
  Vec3 sum;
  // Relative to the first point: less rounding where the polygon is far from the origin.
  for (std::size_t i = 1; i + 1 < points.size(); ++i) sum += cross(points[i] - points[0], points[i + 1] - points[0]);
  return sum * 0.5;
}

std::vector<std::vector<int>> merge_flat_faces(const std::vector<Vec3>& vertices,
                                               const std::vector<std::array<int, 3>>& triangles, double tolerance) {
  return Merger(vertices, triangles, tolerance).run();
}

}  // namespace stiction::detail
