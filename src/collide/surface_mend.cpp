#include "collide/surface_mend.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

#include "math/union_find.hpp"
#include "model/mesh_tables.hpp"

namespace stiction::detail {

namespace {

constexpr double kOnePlace = 2e-7;  // of the size: what single precision may set apart
constexpr int kLeafSize = 8;

using Triangle = std::array<int, 3>;
using Triangles = std::vector<Triangle>;
using Edge = std::pair<int, int>;

std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}
Edge edge_of(const Triangle& t, int k) {
  return std::minmax(t[at(k)], t[at((k + 1) % 3)]);
}

// With each vertex at its place; without triangles that have no area.
Triangles placed(const std::vector<Vec3>& vertices, const Triangles& triangles, const std::vector<int>& place) {
  Triangles result;
  result.reserve(triangles.size());
  for (const Triangle& t : triangles) {
    const Triangle moved{place[at(t[0])], place[at(t[1])], place[at(t[2])]};
    const Vec3 p = vertices[at(moved[0])], d = vertices[at(moved[1])] - p, e = vertices[at(moved[2])] - p;
    const double longest = std::max({norm_squared(d), norm_squared(e), norm_squared(e - d)});
    if (norm(cross(d, e)) > 1e-12 * longest) result.push_back(moved);
  }
  return result;
}

// Edges in ascending order, with the number of their triangles.
std::vector<std::pair<Edge, int>> count_edges(const Triangles& triangles) {
  std::vector<Edge> all;
  all.reserve(3 * triangles.size());
  for (const Triangle& t : triangles)
    for (int k = 0; k < 3; ++k) all.push_back(edge_of(t, k));
  std::sort(all.begin(), all.end());
  std::vector<std::pair<Edge, int>> result;
  for (const Edge& edge : all)
    if (!result.empty() && result.back().first == edge)
      ++result.back().second;
    else
      result.emplace_back(edge, 1);
  return result;
}

// The vertices of rims.
std::vector<int> rim_vertices(const std::vector<std::pair<Edge, int>>& edges) {
  std::vector<int> result;
  for (const auto& [edge, count] : edges)
    if (count == 1) result.insert(result.end(), {edge.first, edge.second});
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

// Points in a tree of boxes.
class PointTree {
 public:
  PointTree(const std::vector<Vec3>& points, std::vector<int> of) : points_(points), order_(std::move(of)) {
    if (!order_.empty()) split(0, order_.size());
  }
  // Calls visit(point) for all in a box.
  template <class Visit>
  void in_box(const Vec3& lower, const Vec3& upper, Visit&& visit) const {
    if (!nodes_.empty()) in_box(0, lower, upper, visit);
  }

 private:
  struct Node {
    Vec3 lower, upper;
    std::size_t begin, end, right;  // right: 0 for a leaf; the left child follows its parent
  };
  const std::vector<Vec3>& points_;
  std::vector<int> order_;
  std::vector<Node> nodes_;

  std::size_t split(std::size_t begin, std::size_t end) {
    Vec3 lower = points_[at(order_[begin])], upper = lower;
    for (std::size_t i = begin; i < end; ++i) {
      lower = min(lower, points_[at(order_[i])]);
      upper = max(upper, points_[at(order_[i])]);
    }
    const std::size_t node = nodes_.size();
    nodes_.push_back({lower, upper, begin, end, 0});
    if (end - begin <= kLeafSize) return node;
    const Vec3 size = upper - lower;
    const int axis = size.x >= size.y && size.x >= size.z ? 0 : (size.y >= size.z ? 1 : 2);
    const std::size_t middle = begin + (end - begin) / 2;
    const auto first = order_.begin();
    std::nth_element(first + std::ptrdiff_t(begin), first + std::ptrdiff_t(middle), first + std::ptrdiff_t(end),
                     [&](int a, int b) { return points_[at(a)][axis] < points_[at(b)][axis]; });
    split(begin, middle);
    const std::size_t right = split(middle, end);
    nodes_[node].right = right;
    return node;
  }
  template <class Visit>
  void in_box(std::size_t index, const Vec3& lower, const Vec3& upper, Visit& visit) const {
    const Node& node = nodes_[index];
    const auto apart = [&](int axis) { return node.upper[axis] < lower[axis] || node.lower[axis] > upper[axis]; };
    if (apart(0) || apart(1) || apart(2)) return;
    if (node.right > 0) {
      in_box(index + 1, lower, upper, visit);
      in_box(node.right, lower, upper, visit);
      return;
    }
    for (std::size_t i = node.begin; i < node.end; ++i) visit(order_[i]);
  }
};

Vec3 same(double r) {
  return {r, r, r};
}

// Vertices of rims that are at one place up to `slack` [m] become the first of them.
Triangles weld_rims(const std::vector<Vec3>& vertices, const Triangles& triangles, double slack) {
  const std::vector<int> rims = rim_vertices(count_edges(triangles));
  const PointTree tree(vertices, rims);
  std::vector<int> place(vertices.size());
  std::iota(place.begin(), place.end(), 0);
  for (const int v : rims)
    tree.in_box(vertices[at(v)] - same(slack), vertices[at(v)] + same(slack), [&](int w) {
      if (w < v && norm(vertices[at(v)] - vertices[at(w)]) <= slack)
        place[at(v)] = std::min(place[at(v)], place[at(w)]);
    });
  return placed(vertices, triangles, place);
}

// Without the walls between solids that touch: pairs of triangles of opposite sides, whose edges are all of other walls
// or have the surfaces of both solids. A surface that has two sides everywhere stays.
Triangles remove_walls(const Triangles& triangles) {
  std::map<Triangle, std::array<std::vector<std::size_t>, 2>> by_place;  // and by side
  for (std::size_t i = 0; i < triangles.size(); ++i) {
    Triangle t = triangles[i];
    std::rotate(t.begin(), std::min_element(t.begin(), t.end()), t.end());
    const bool turned = t[1] > t[2];
    if (turned) std::swap(t[1], t[2]);
    by_place[t][turned ? 1 : 0].push_back(i);
  }
  std::vector<char> wall(triangles.size(), 0);
  for (const auto& [place, sides] : by_place)
    for (std::size_t k = 0; k < std::min(sides[0].size(), sides[1].size()); ++k)
      wall[sides[0][k]] = wall[sides[1][k]] = 1;
  if (std::find(wall.begin(), wall.end(), 1) == wall.end()) return triangles;
  // A fin ends where nothing else begins, and is none.
  struct Around {
    int others = 0;
    std::vector<std::size_t> walls;
  };
  std::map<Edge, Around> edges;
  for (std::size_t i = 0; i < triangles.size(); ++i)
    for (int k = 0; k < 3; ++k) {
      Around& around = edges[edge_of(triangles[i], k)];
      if (wall[i])
        around.walls.push_back(i);
      else
        ++around.others;
    }
  std::vector<const Around*> ends;
  ends.reserve(edges.size());
  for (const auto& [edge, around] : edges) ends.push_back(&around);
  while (!ends.empty()) {
    const Around& around = *ends.back();
    ends.pop_back();
    const auto is_wall = [&](std::size_t i) { return wall[i] != 0; };
    if (around.others >= 2 || std::count_if(around.walls.begin(), around.walls.end(), is_wall) > 2) continue;
    for (const std::size_t i : around.walls) {
      if (!std::exchange(wall[i], 0)) continue;
      for (int k = 0; k < 3; ++k) ends.push_back(&edges[edge_of(triangles[i], k)]);
    }
  }
  const bool any_other = std::find(wall.begin(), wall.end(), 0) != wall.end();
  Triangles result;
  for (std::size_t i = 0; i < triangles.size(); ++i)
    if (!any_other || !wall[i]) result.push_back(triangles[i]);
  return result;
}

// A triangle with places along its sides: on[k] from vertex k to the next.
struct Cut {
  Triangle vertex;
  std::array<std::vector<int>, 3> on;
};

void split_at_places(Cut cut, Triangles& result) {
  for (std::size_t k = 0; k < 3; ++k) {
    if (cut.on[k].empty()) continue;
    const std::size_t l = (k + 1) % 3, m = (k + 2) % 3;
    const auto middle = cut.on[k].begin() + std::ptrdiff_t(cut.on[k].size() / 2);
    const int place = *middle;
    split_at_places(
        {{cut.vertex[k], place, cut.vertex[m]}, {std::vector<int>(cut.on[k].begin(), middle), {}, cut.on[m]}}, result);
    split_at_places(
        {{place, cut.vertex[l], cut.vertex[m]}, {std::vector<int>(middle + 1, cut.on[k].end()), cut.on[l], {}}},
        result);
    return;
  }
  result.push_back(cut.vertex);
}

std::vector<std::pair<Edge, int>>::const_iterator find_edge(const std::vector<std::pair<Edge, int>>& edges,
                                                            const Edge& edge) {
  return std::lower_bound(edges.begin(), edges.end(), std::pair{edge, 0});
}

// The part that each triangle belongs to, by its least triangle: what shares a side with one other is one with it.
std::vector<int> parts_of(const Triangles& triangles, const std::vector<std::pair<Edge, int>>& edges) {
  std::vector<int> first(edges.size(), -1), part(triangles.size());
  std::iota(part.begin(), part.end(), 0);
  for (int t = 0; t < int(triangles.size()); ++t)
    for (int k = 0; k < 3; ++k) {
      const auto entry = find_edge(edges, edge_of(triangles[at(t)], k));
      int& other = first[std::size_t(entry - edges.begin())];
      if (other >= 0 && entry->second == 2) join(part, t, other);
      other = t;
    }
  for (int t = 0; t < int(triangles.size()); ++t) part[at(t)] = find_root(part, t);
  return part;
}

bool is_one(const std::vector<int>& part) {
  return std::adjacent_find(part.begin(), part.end(), std::not_equal_to<>()) == part.end();
}

// Triangles split where vertices with an edge along them lie on their rims, or those of other parts on their sides:
// within a part a thin triangle has its own vertices next to the sides of others.
Triangles split_sides(const std::vector<Vec3>& vertices, const Triangles& triangles, double slack) {
  const auto edges = count_edges(triangles);
  const std::vector<int> part = parts_of(triangles, edges);
  const bool has_parts = !is_one(part);
  std::vector<int> used;
  std::vector<std::pair<int, int>> parts_at(vertices.size(), {int(triangles.size()), -1});  // least, greatest
  for (std::size_t i = 0; i < triangles.size(); ++i)
    for (const int v : triangles[i]) {
      auto& [least, greatest] = parts_at[at(v)];
      if (greatest < 0) used.push_back(v);
      least = std::min(least, part[i]);
      greatest = std::max(greatest, part[i]);
    }
  std::vector<std::vector<int>> neighbours(vertices.size());
  for (const auto& [edge, count] : edges) {
    neighbours[at(edge.first)].push_back(edge.second);
    neighbours[at(edge.second)].push_back(edge.first);
  }
  const PointTree tree(vertices, used);
  Triangles result;
  for (std::size_t i = 0; i < triangles.size(); ++i) {
    const Triangle& t = triangles[i];
    Cut cut{t, {}};
    for (int k = 0; k < 3; ++k) {
      const bool rim = find_edge(edges, edge_of(t, k))->second == 1;
      if (!rim && !has_parts) continue;
      const Vec3 p = vertices[at(t[at(k)])], q = vertices[at(t[at((k + 1) % 3)])], d = q - p;
      std::vector<std::pair<double, int>> found;
      tree.in_box(min(p, q) - same(slack), max(p, q) + same(slack), [&](int v) {
        const bool own = parts_at[at(v)] == std::pair{part[i], part[i]};
        if ((own && !rim) || std::find(t.begin(), t.end(), v) != t.end()) return;
        const auto share_of = [&](int w) { return dot(vertices[at(w)] - p, d) / norm_squared(d); };
        const auto is_on = [&](int w) { return norm(vertices[at(w)] - p - d * share_of(w)) <= slack; };
        const double share = share_of(v);
        if (!(share > 0 && share < 1) || !is_on(v)) return;
        const std::vector<int>& others = neighbours[at(v)];
        if (std::any_of(others.begin(), others.end(), is_on)) found.emplace_back(share, v);
      });
      std::sort(found.begin(), found.end());
      for (const auto& [share, v] : found) cut.on[at(k)].push_back(v);
    }
    split_at_places(std::move(cut), result);
  }
  return result;
}

}  // namespace

Triangles mended_triangles(const std::vector<Vec3>& vertices, const Triangles& triangles) {
  Triangles result = placed(vertices, triangles, welded_vertices(vertices));
  const auto edges = count_edges(result);
  const bool is_clean = std::all_of(edges.begin(), edges.end(), [](const auto& edge) { return edge.second == 2; });
  if (result.empty() || (is_clean && is_one(parts_of(result, edges)))) return result;
  Vec3 lower = vertices[at(result[0][0])], upper = lower;
  for (const Triangle& t : result)
    for (const int v : t) lower = min(lower, vertices[at(v)]), upper = max(upper, vertices[at(v)]);
  const double slack = kOnePlace * norm(upper - lower);
  result = split_sides(vertices, weld_rims(vertices, result, slack), slack);
  return remove_walls(result);
}

}  // namespace stiction::detail
