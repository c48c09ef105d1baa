#include "collide/surface.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <numeric>
#include <tuple>

#include "collide/gjk.hpp"
#include "collide/surface_mend.hpp"
#include "model/mesh_tables.hpp"

namespace stiction {

namespace {

constexpr int kLeafSize = 2;
// Sine of the angle below which an edge or the cone of a vertex is flat: coordinates in single precision are off by
// 1e-7 of the size.
constexpr double kFlat = 1e-5;
constexpr double kSmallHoles = 0.05;  // of the surface: it has an outside all the same

using Triangles = std::vector<std::array<int, 3>>;

std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}
int size_of(const auto& list) {
  return static_cast<int>(list.size());
}

// One side of a triangle.
struct Side {
  int low, high;  // its vertices in ascending order
  bool ascending;
  int triangle, slot;
};

// Six times the volume that triangles enclose, seen from a vertex: small holes do not matter.
double volume(const std::vector<Vec3>& vertices, const Triangles& triangles) {
  const Vec3 o = triangles.empty() ? Vec3{} : vertices[at(triangles[0][0])];
  return std::accumulate(triangles.begin(), triangles.end(), 0.0, [&](double sum, const std::array<int, 3>& t) {
    return sum + dot(vertices[at(t[0])] - o, cross(vertices[at(t[1])] - o, vertices[at(t[2])] - o));
  });
}

// Area that is missing to a closed surface as a part of the surface: of closed triangles Σ A n = 0, of a flat sheet
// all.
double hole_share(const std::vector<Vec3>& vertices, const Triangles& triangles) {
  Vec3 sum{};
  double area = 0;
  for (const auto& t : triangles) {
    const Vec3 p = vertices[at(t[0])], twice = cross(vertices[at(t[1])] - p, vertices[at(t[2])] - p);
    sum += twice;
    area += norm(twice);
  }
  return area > 0 ? norm(sum) / area : 1;
}

// From a side into its triangle, at right angles.
Vec3 direction_into(const std::vector<Vec3>& vertices, const Triangles& triangles, const Side& side) {
  const auto& t = triangles[at(side.triangle)];
  const Vec3 p = vertices[at(side.low)], d = vertices[at(side.high)] - p;
  const Vec3 opposite = vertices[at(t[0] + t[1] + t[2] - side.low - side.high)] - p;
  return normalized(opposite - d * (dot(opposite, d) / dot(d, d)));
}

// Pairs of sides of one edge with the space between them, where solids meet in it: what is one surface on the outside
// stays one. As many sides must run each way.
void pair_across_space(const std::vector<Vec3>& vertices, const Triangles& triangles, const std::vector<Side>& sides,
                       std::pair<std::size_t, std::size_t> range, bool inside_out,
                       std::vector<std::array<int, 2>>& pairs) {
  const Side& first = sides[range.first];
  const Vec3 axis = normalized(vertices[at(first.high)] - vertices[at(first.low)]);
  const Vec3 u = direction_into(vertices, triangles, first), w = cross(axis, u);
  struct Turn {
    long long angle;  // about the edge [µrad]
    bool closes;      // the space before it; else it opens the space after it
    int side;
  };
  constexpr double kRound = 2 * std::numbers::pi;
  std::vector<Turn> turns;
  for (std::size_t i = range.first; i < range.second; ++i) {
    const Vec3 into = direction_into(vertices, triangles, sides[i]);
    const double angle = std::atan2(dot(into, w), dot(into, u));
    const long long rounded = std::llround((angle < -1e-6 ? angle + kRound : angle) * 1e6);
    turns.push_back({rounded, sides[i].ascending == inside_out, static_cast<int>(i)});
  }
  std::sort(turns.begin(), turns.end(), [](const Turn& a, const Turn& b) {
    return std::tuple(a.angle, a.closes, a.side) < std::tuple(b.angle, b.closes, b.side);
  });
  std::vector<int> open;
  for (int round = 0; round < 2; ++round)
    for (Turn& turn : turns) {
      if (turn.side < 0) continue;
      if (!turn.closes) {
        if (round == 0) open.push_back(turn.side);
      } else if (!open.empty()) {
        const bool up = sides[at(turn.side)].ascending;
        pairs.push_back({up ? open.back() : turn.side, up ? turn.side : open.back()});
        open.pop_back();
        turn.side = -1;
      }
    }
}

// Triangles in the order of the leaves of a tree that halves them along the longest side of the box of their centres.
template <class T>
class TreeOfBoxes {
 public:
  TreeOfBoxes(const std::vector<Vec3>& vertices, const Triangles& triangles) : order(triangles.size()) {
    std::iota(order.begin(), order.end(), 0);
    box_.reserve(triangles.size());
    for (const auto& t : triangles) {
      const Vec3 a = vertices[at(t[0])], b = vertices[at(t[1])], c = vertices[at(t[2])];
      box_.push_back({min(a, min(b, c)), max(a, max(b, c))});
    }
    nodes.emplace_back();
    split(0, 0, size_of(order));
  }

  std::vector<int> order;
  std::vector<SurfaceNodeT<T>> nodes;

 private:
  struct Box {
    Vec3 lower, upper;
    Vec3 centre() const { return lower + upper; }  // twice the centre
  };
  std::vector<Box> box_;

  void split(int node, int begin, int end) {
    if (begin == end) return;
    Box all = box_[at(order[at(begin)])];
    Vec3 low = all.centre(), high = low;
    for (int i = begin + 1; i < end; ++i) {
      const Box& box = box_[at(order[at(i)])];
      all = {min(all.lower, box.lower), max(all.upper, box.upper)};
      low = min(low, box.centre());
      high = max(high, box.centre());
    }
    const auto narrow = [](const Vec3& v) { return Vec3T<T>{T(v.x), T(v.y), T(v.z)}; };
    nodes[at(node)].lower = narrow(all.lower);
    nodes[at(node)].upper = narrow(all.upper);
    if (end - begin <= kLeafSize) {
      nodes[at(node)].first = begin;
      nodes[at(node)].count = end - begin;
      return;
    }
    const Vec3 extent = high - low;
    const int axis = extent.x >= extent.y && extent.x >= extent.z ? 0 : (extent.y >= extent.z ? 1 : 2);
    const int middle = begin + (end - begin) / 2;
    std::nth_element(order.begin() + begin, order.begin() + middle, order.begin() + end, [&](int a, int b) {
      const double x = box_[at(a)].centre()[axis], y = box_[at(b)].centre()[axis];
      return x != y ? x < y : a < b;
    });
    const int children = size_of(nodes);
    nodes[at(node)].first = children;
    nodes.resize(nodes.size() + 2);
    split(children, begin, middle);
    split(children + 1, middle, end);
  }
};

// Is there a direction n with n·d < 0 for all d: does the hull of the unit vectors d leave out the origin?
bool spans_cone(const std::vector<Vec3>& directions) {
  if (directions.empty()) return false;
  detail::Simplex<double> simplex;
  Vec3 v = directions[0];
  for (int iteration = 0; iteration < 64; ++iteration) {
    const auto nearest = std::min_element(directions.begin(), directions.end(),
                                          [&](const Vec3& a, const Vec3& b) { return dot(v, a) < dot(v, b); });
    const int index = static_cast<int>(nearest - directions.begin());
    bool known = false;
    for (int i = 0; i < simplex.count; ++i) known = known || simplex.vertex_a[i] == index;
    if (known) break;
    simplex.add(*nearest, index, index);
    if (!detail::nearest_on_simplex(simplex, v) || norm(v) < kFlat) return false;
  }
  const double least = std::transform_reduce(
      directions.begin(), directions.end(), 1.0, [](double a, double b) { return std::min(a, b); },
      [&](const Vec3& d) { return dot(normalized(v), d); });
  return least > kFlat;
}

}  // namespace

template <class T>
Surface<T>::Surface(const TriangleMesh& mesh) {
  const std::vector<Vec3> vertices = detail::points_of(mesh);
  const auto narrow = [](const Vec3& v) { return Vec3T<T>{T(v.x), T(v.y), T(v.z)}; };
  Triangles own = detail::mended_triangles(vertices, detail::triangles_of(mesh));
  const TreeOfBoxes<T> tree(vertices, own);
  node_ = tree.nodes;
  Triangles sorted;
  sorted.reserve(own.size());
  for (const int t : tree.order) sorted.push_back(own[at(t)]);
  own = sorted;
  const int count = size_of(own);

  const auto find_sides = [&own, count] {
    std::vector<Side> sides;
    sides.reserve(own.size() * 3);
    for (int t = 0; t < count; ++t)
      for (int k = 0; k < 3; ++k) {
        const int v = own[at(t)][at(k)], w = own[at(t)][at((k + 1) % 3)];
        sides.push_back({std::min(v, w), std::max(v, w), v < w, t, k});
      }
    // Sides of one edge are neighbours; those that run one way and the other way alternate where they can.
    std::sort(sides.begin(), sides.end(), [](const Side& a, const Side& b) {
      return std::tuple(a.low, a.high, a.ascending, a.triangle) < std::tuple(b.low, b.high, b.ascending, b.triangle);
    });
    return sides;
  };
  std::vector<Side> sides = find_sides();

  // Pairs of sides; a second of −1 is a rim.
  std::vector<std::array<int, 2>> pairs;
  const bool inside_out = volume(vertices, own) < 0;
  closed_ = outward_ = count > 0;
  for (std::size_t begin = 0, end = 0; begin < sides.size(); begin = end) {
    while (end < sides.size() && sides[end].low == sides[begin].low && sides[end].high == sides[begin].high) ++end;
    std::size_t up = begin;
    while (up < end && !sides[up].ascending) ++up;
    closed_ = closed_ && 2 * (up - begin) == end - begin;
    std::size_t a = begin, b = up;
    if (end - begin > 2 && 2 * (up - begin) == end - begin) {
      pair_across_space(vertices, own, sides, {begin, end}, inside_out, pairs);
      continue;
    }
    for (; a < up && b < end; ++a, ++b) pairs.push_back({static_cast<int>(a), static_cast<int>(b)});
    // What is left runs one way: neighbours that are turned against each other, then a rim.
    for (std::size_t rest = a < up ? a : b, last = a < up ? up : end; rest < last; rest += 2) {
      pairs.push_back({static_cast<int>(rest), rest + 1 < last ? static_cast<int>(rest + 1) : -1});
      outward_ = outward_ && rest + 1 == last;
    }
  }
  outward_ = outward_ && hole_share(vertices, own) < kSmallHoles;
  if (outward_ && inside_out) {
    for (auto& t : own) std::swap(t[1], t[2]);
    // Side k from vertex k to the next: sides 0 and 2 change places.
    for (Side& side : sides) side.slot = 2 - side.slot;
  }

  Vec3 centre{};
  for (const Vec3& v : vertices) vertex_.push_back(narrow(v));
  for (const auto& t : own) {
    const Vec3 a = vertices[at(t[0])], b = vertices[at(t[1])], c = vertices[at(t[2])];
    normal_.push_back(narrow(normalized(cross(b - a, c - a))));
    triangle_.insert(triangle_.end(), t.begin(), t.end());
    centre += (a + b + c) / (3.0 * count);
    for (const Vec3& v : {a, b, c}) radius_ = std::max(radius_, T(norm(v)));
  }

  // Edges with what lies beside them.
  triangle_edge_.assign(at(3 * count), -1);
  std::vector<std::vector<int>> around(vertices.size());
  for (const auto& pair : pairs) {
    const int edge = size_of(edge_) / 4;
    const Side& first = sides[at(pair[0])];
    const Side* second = pair[1] < 0 ? nullptr : &sides[at(pair[1])];
    for (const int value : {first.low, first.high, first.triangle, second ? second->triangle : -1})
      edge_.push_back(value);
    const Vec3 in_first = direction_into(vertices, own, first),
               in_second = second ? direction_into(vertices, own, *second) : Vec3{};
    inward_.push_back(narrow(in_first));
    inward_.push_back(narrow(in_second));
    triangle_edge_[at(3 * first.triangle + first.slot)] = edge;
    if (second) triangle_edge_[at(3 * second->triangle + second->slot)] = edge;
    const auto& t = own[at(first.triangle)];
    const Vec3 normal =
        normalized(cross(vertices[at(t[1])] - vertices[at(t[0])], vertices[at(t[2])] - vertices[at(t[0])]));
    const double below = dot(normal, in_second);
    edge_feature_.push_back(!second || below < -kFlat || (!closed_ && below > kFlat) ? 1 : 0);
    around[at(first.low)].push_back(first.high);
    around[at(first.high)].push_back(first.low);
  }

  // Normals of vertices: those of the triangles, weighted by angle (J. A. Bærentzen, H. Aanæs, "Signed distance
  // computation using the angle weighted pseudonormal", 2005).
  std::vector<Vec3> sum(vertices.size());
  for (int t = 0; t < count; ++t)
    for (int k = 0; k < 3; ++k) {
      const Vec3 p = vertices[at(own[at(t)][at(k)])];
      const Vec3 d = normalized(vertices[at(own[at(t)][at((k + 1) % 3)])] - p);
      const Vec3 e = normalized(vertices[at(own[at(t)][at((k + 2) % 3)])] - p);
      const Vec3T<T>& n = normal_[at(t)];
      sum[at(own[at(t)][at(k)])] +=
          Vec3{double(n.x), double(n.y), double(n.z)} * std::acos(std::clamp(dot(d, e), -1.0, 1.0));
    }
  neighbour_start_.push_back(0);
  for (std::size_t v = 0; v < vertices.size(); ++v) {
    std::vector<Vec3> directions;
    directions.reserve(around[v].size());
    for (const int w : around[v]) directions.push_back(normalized(vertices[at(w)] - vertices[v]));
    vertex_feature_.push_back(spans_cone(directions) ? 1 : 0);
    const Vec3 outward = outward_ ? sum[v] : vertices[v] - centre;
    const double length = norm(outward);
    vertex_normal_.push_back(narrow(length > 0 ? outward / length : Vec3{}));
    neighbour_.insert(neighbour_.end(), around[v].begin(), around[v].end());
    neighbour_start_.push_back(size_of(neighbour_));
  }

  // Each vertex and edge is counted by the first triangle that has it.
  std::vector<char> vertex_taken(vertices.size()), edge_taken(pairs.size());
  for (std::size_t t = 0; t < own.size(); ++t) {
    unsigned bits = 0;
    for (unsigned k = 0; k < 3; ++k) {
      char& vertex = vertex_taken[at(own[t][k])];
      char& edge = edge_taken[at(triangle_edge_[3 * t + k])];
      if (!vertex) bits |= 1u << k;
      if (!edge) bits |= 8u << k;
      vertex = edge = 1;
    }
    owned_.push_back(static_cast<unsigned char>(bits));
  }
}

template <class T>
SurfaceT<T> Surface<T>::view() const {
  SurfaceT<T> view;
  view.vertex = vertex_.data();
  view.vertex_normal = vertex_normal_.data();
  view.vertex_feature = vertex_feature_.data();
  view.neighbour_start = neighbour_start_.data();
  view.neighbour = neighbour_.data();
  view.triangle = triangle_.data();
  view.triangle_edge = triangle_edge_.data();
  view.owned = owned_.data();
  view.normal = normal_.data();
  view.edge = edge_.data();
  view.edge_feature = edge_feature_.data();
  view.inward = inward_.data();
  view.node = node_.data();
  view.vertex_count = size_of(vertex_);
  view.triangle_count = size_of(normal_);
  view.edge_count = size_of(edge_feature_);
  view.closed = closed_;
  view.outward = outward_;
  return view;
}

ShapeSurfaces::ShapeSurfaces(const Model& model) : of_shape_(model.shape_type.size(), -1) {
  const bool any = std::any_of(model.shape_type.begin(), model.shape_type.end(), [](ShapeType type) {
    return type == ShapeType::kMesh || type == ShapeType::kHeightField;
  });
  if (!any) return;
  std::map<std::pair<ShapeType, int>, int> shared;  // by table and number
  for (std::size_t s = 0; s < of_shape_.size(); ++s) {
    const ShapeType type = model.shape_type[s];
    int number = -1;
    if (type == ShapeType::kMesh) number = model.shape_mesh[s];
    if (type == ShapeType::kHeightField) number = model.shape_height_field[s];
    if (type == ShapeType::kHull) number = model.shape_hull[s];
    if (type == ShapeType::kBox) number = static_cast<int>(s);
    if (number < 0) continue;
    const auto [entry, is_new] = shared.try_emplace({type, number}, size_of(surfaces_));
    if (is_new) {
      if (type == ShapeType::kMesh) surfaces_.emplace_back(detail::mesh_of(model, number));
      if (type == ShapeType::kHeightField) surfaces_.emplace_back(detail::height_field_of(model, number));
      if (type == ShapeType::kHull) surfaces_.emplace_back(detail::hull_of(model, number));
      if (type == ShapeType::kBox) surfaces_.emplace_back(detail::box_of(model.shape_size[s]));
    }
    of_shape_[s] = entry->second;
  }
}

template class Surface<double>;
template class Surface<float>;

}  // namespace stiction
