#include "collide/hull.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace stiction {

namespace {

// One side of a face: from vertex `from` to vertex `to`, both numbers within the hull.
struct Side {
  int low, high;  // the two vertices in ascending order
  bool ascending;
  int slot, face;
};

[[noreturn]] void not_closed(const Model& model, int hull) {
  std::string name = "hull " + std::to_string(hull);
  for (int s = 0; s < model.nshape; ++s)
    if (model.shape_hull[static_cast<std::size_t>(s)] == hull)
      name = "hull of shape '" + model.shape_name[static_cast<std::size_t>(s)] + "'";
  throw Error(name + ": not a closed surface: every edge must border two faces, in opposite directions");
}

}  // namespace

template <class T>
HullArrays<T>::HullArrays(const Model& model) {
  const auto narrow = [](const Vec3& v) { return Vec3T<T>{T(v.x), T(v.y), T(v.z)}; };
  first_edge_.push_back(0);
  first_slot_.push_back(0);
  first_vertex_ = model.hull_vertex;
  first_face_ = model.hull_face;
  for (const Vec3& v : model.hull_vertex_position) vertex_.push_back(narrow(v));
  for (const Vec3& n : model.hull_face_normal) normal_.push_back(narrow(n));
  std::vector<Side> sides;
  for (int hull = 0; hull < model.nhull; ++hull) {
    const auto h = static_cast<std::size_t>(hull);
    const int vertices = first_vertex_[h + 1] - first_vertex_[h];
    const PointsT<T> vertex = vertex_.from(first_vertex_[h]), normal = normal_.from(first_face_[h]);
    T radius = 0;
    for (int v = 0; v < vertices; ++v) radius = std::max(radius, norm(vertex[v]));
    radius_.push_back(radius);

    sides.clear();
    const int slots_before = static_cast<int>(face_vertex_.size());
    for (int f = first_face_[h]; f < first_face_[h + 1]; ++f) {
      const auto face = static_cast<std::size_t>(f);
      // The supporting plane, so that rounding in the vertices leaves none outside.
      const Vec3T<T> n = normal[f - first_face_[h]];
      T offset = dot(n, vertex[0]);
      for (int v = 1; v < vertices; ++v) offset = std::max(offset, dot(n, vertex[v]));
      offset_.push_back(offset);
      face_start_.push_back(static_cast<int>(face_vertex_.size()) - slots_before);
      const int from = model.hull_face_vertex[face], to = model.hull_face_vertex[face + 1];
      for (int slot = from; slot < to; ++slot) {
        const int v = model.hull_face_vertex_index[static_cast<std::size_t>(slot)];
        const int w = model.hull_face_vertex_index[static_cast<std::size_t>(slot + 1 < to ? slot + 1 : from)];
        sides.push_back(
            {std::min(v, w), std::max(v, w), v < w, static_cast<int>(face_vertex_.size()), f - first_face_[h]});
        face_vertex_.push_back(v);
        face_edge_.push_back(-1);
      }
    }
    face_start_.push_back(static_cast<int>(face_vertex_.size()) - slots_before);

    // The two sides of an edge are neighbours once they are sorted by their vertices.
    std::sort(sides.begin(), sides.end(), [](const Side& a, const Side& b) {
      return std::array{a.low, a.high, a.ascending ? 0 : 1} < std::array{b.low, b.high, b.ascending ? 0 : 1};
    });
    if (sides.size() % 2 != 0) not_closed(model, hull);
    int edges = 0;
    for (std::size_t i = 0; i < sides.size(); i += 2) {
      const Side &a = sides[i], &b = sides[i + 1];
      if (a.low != b.low || a.high != b.high || a.ascending == b.ascending) not_closed(model, hull);
      for (int value : {a.low, a.high, a.face, b.face}) edge_.push_back(value);
      face_edge_[static_cast<std::size_t>(a.slot)] = edges;
      face_edge_[static_cast<std::size_t>(b.slot)] = edges++;
    }
    add_neighbours(vertices, edges);
    first_edge_.push_back(first_edge_.back() + edges);
    first_slot_.push_back(static_cast<int>(face_vertex_.size()));
  }
}

// Of the last hull, whose edges are the last `edges` ones.
template <class T>
void HullArrays<T>::add_neighbours(int vertices, int edges) {
  const int* edge = edge_.data() + edge_.size() - 4 * static_cast<std::size_t>(edges);
  std::vector<int> start(static_cast<std::size_t>(vertices) + 1, 0);
  for (int e = 0; e < edges; ++e)
    for (int side = 0; side < 2; ++side) ++start[static_cast<std::size_t>(edge[4 * e + side]) + 1];
  for (std::size_t v = 1; v < start.size(); ++v) start[v] += start[v - 1];
  neighbour_start_.insert(neighbour_start_.end(), start.begin(), start.end());
  const std::size_t first = neighbour_.size();
  neighbour_.resize(first + 2 * static_cast<std::size_t>(edges));
  neighbour_edge_.resize(neighbour_.size());
  for (int e = 0; e < edges; ++e)
    for (int side = 0; side < 2; ++side) {
      const std::size_t place = first + static_cast<std::size_t>(start[static_cast<std::size_t>(edge[4 * e + side])]++);
      neighbour_[place] = edge[4 * e + 1 - side];
      neighbour_edge_[place] = e;
    }
}

template <class T>
HullT<T> HullArrays<T>::view(int hull) const {
  const auto h = static_cast<std::size_t>(hull);
  HullT<T> view;
  view.vertex = vertex_.from(first_vertex_[h]);
  view.face_normal = normal_.from(first_face_[h]);
  view.face_offset = offset_.data() + first_face_[h];
  // Every hull has one closing entry more than faces.
  view.face_start = face_start_.data() + first_face_[h] + hull;
  view.face_vertex = face_vertex_.data() + first_slot_[h];
  view.face_edge = face_edge_.data() + first_slot_[h];
  view.edge = edge_.data() + 4 * first_edge_[h];
  view.neighbour_start = neighbour_start_.data() + first_vertex_[h] + hull;
  view.neighbour = neighbour_.data() + 2 * first_edge_[h];
  view.neighbour_edge = neighbour_edge_.data() + 2 * first_edge_[h];
  view.vertex_count = first_vertex_[h + 1] - first_vertex_[h];
  view.face_count = first_face_[h + 1] - first_face_[h];
  view.edge_count = first_edge_[h + 1] - first_edge_[h];
  return view;
}

template class HullArrays<double>;
template class HullArrays<float>;

}  // namespace stiction
