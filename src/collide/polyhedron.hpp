// Two kinds of convex polyhedra with one set of accessors, so that the routines on polyhedra are written once: a box,
// whose topology is arithmetic on indices, and a hull, which reads arrays. Coordinates are those of the shape frame.
//
// Box: vertex i has the signs of its bits (bit 0: +x, bit 1: +y, bit 2: +z); face 2k is −axis k, face 2k + 1 is +axis
// k; edge 4k + j runs along axis k, with the signs of the two following axes in the bits of j.
#pragma once

#include "collide/closest.hpp"

namespace stiction::detail {

// The first of the highest values; 0 where none is a number. Without branches that depend on them, and, as the first
// is repeated behind the last, without a remainder: there is room for a multiple of kWhole.
constexpr int kWhole = 16;
template <int room, class T>
STICTION_HD int highest_of(T (&value)[room], int count) {
  static_assert(room % kWhole == 0);
  const int whole = (count + kWhole - 1) / kWhole * kWhole;
  for (int i = count; i < whole; ++i) value[i] = value[0];
  T top = value[0];
#pragma omp simd reduction(max : top)
  for (int i = 0; i < whole; ++i) top = value[i] > top ? value[i] : top;
  T first = T(count);
#pragma omp simd reduction(min : first)
  for (int i = 0; i < whole; ++i) {
    const T index = value[i] == top ? T(i) : T(count);
    first = index < first ? index : first;
  }
  return first < T(count) ? static_cast<int>(first) : 0;
}

template <class T>
struct BoxPolyhedron {
  using Scalar = T;
  static constexpr int kSmallFace = 4;  // vertices of a face that are worth computing once
  Vec3T<T> h;                           // [m] half-sizes

  STICTION_HD int vertex_count() const { return 8; }
  STICTION_HD int face_count() const { return 6; }
  STICTION_HD int edge_count() const { return 12; }
  // Signs by arithmetic: as choices they would be branches that are taken at random.
  STICTION_HD Vec3T<T> vertex(int i) const {
    return {h.x * T(2 * (i & 1) - 1), h.y * T((i & 2) - 1), h.z * T(((i & 4) >> 1) - 1)};
  }
  STICTION_HD Vec3T<T> face_normal(int f) const {
    T n[3] = {T(0), T(0), T(0)};
    n[f >> 1] = T(2 * (f & 1) - 1);
    return {n[0], n[1], n[2]};
  }
  STICTION_HD T face_offset(int f) const {
    const T half[3] = {h.x, h.y, h.z};
    return half[f >> 1];
  }
  STICTION_HD int face_size(int) const { return 4; }
  // Counter-clockwise about +axis k: (−,−) (+,−) (+,+) (−,+) in the two following axes; reversed on the far side.
  STICTION_HD int face_vertex(int f, int slot) const {
    const int k = f >> 1, u = next_of_three(k), v = previous_of_three(k);
    const int i = slot ^ (f & 1 ? 0 : 3);
    const int su = (i ^ (i >> 1)) & 1, sv = i >> 1;
    return ((f & 1) << k) | (su << u) | (sv << v);
  }
  STICTION_HD int face_edge(int f, int slot) const {
    const int a = face_vertex(f, slot), b = face_vertex(f, (slot + 1) & 3);
    const int k = (a ^ b) >> 1;  // bit 0, 1, 2 → axis 0, 1, 2
    const int u = next_of_three(k), v = previous_of_three(k);
    return 4 * k + (((a >> u) & 1) | (((a >> v) & 1) << 1));
  }
  STICTION_HD int edge_vertex(int e, int end) const {
    const int k = e >> 2, u = next_of_three(k), v = previous_of_three(k);
    return (end << k) | ((e & 1) << u) | (((e >> 1) & 1) << v);
  }
  STICTION_HD int edge_face(int e, int side) const {
    const int k = e >> 2, u = next_of_three(k), v = previous_of_three(k);
    return side == 0 ? 2 * u + (e & 1) : 2 * v + ((e >> 1) & 1);
  }
  // Edges at a vertex.
  STICTION_HD int degree(int) const { return 3; }
  STICTION_HD int edge_at(int v, int k) const {
    const int i = next_of_three(k), j = previous_of_three(k);
    return 4 * k + (((v >> i) & 1) | (((v >> j) & 1) << 1));
  }
  // The vertex farthest along n; on ties the one with more positive signs. A hull takes a vertex to start from.
  STICTION_HD int support(const Vec3T<T>& n, int = 0) const {
    return (n.x >= T(0) ? 1 : 0) | (n.y >= T(0) ? 2 : 0) | (n.z >= T(0) ? 4 : 0);
  }
};

template <class T>
struct HullPolyhedron {
  using Scalar = T;
  static constexpr int kSmallFace = 8;
  HullT<T> hull;

  STICTION_HD int vertex_count() const { return hull.vertex_count; }
  STICTION_HD int face_count() const { return hull.face_count; }
  STICTION_HD int edge_count() const { return hull.edge_count; }
  STICTION_HD Vec3T<T> vertex(int i) const { return hull.vertex[i]; }
  STICTION_HD Vec3T<T> face_normal(int f) const { return hull.face_normal[f]; }
  STICTION_HD T face_offset(int f) const { return hull.face_offset[f]; }
  STICTION_HD int face_size(int f) const { return hull.face_start[f + 1] - hull.face_start[f]; }
  STICTION_HD int face_vertex(int f, int slot) const { return hull.face_vertex[hull.face_start[f] + slot]; }
  STICTION_HD int face_edge(int f, int slot) const { return hull.face_edge[hull.face_start[f] + slot]; }
  STICTION_HD int edge_vertex(int e, int end) const { return hull.edge[4 * e + end]; }
  STICTION_HD int edge_face(int e, int side) const { return hull.edge[4 * e + 2 + side]; }
  STICTION_HD int degree(int v) const { return hull.neighbour_start[v + 1] - hull.neighbour_start[v]; }
  STICTION_HD int edge_at(int v, int i) const { return hull.neighbour_edge[hull.neighbour_start[v] + i]; }
  // The vertex farthest along n: of few vertices by looking at all, which takes no branch that depends on the pose;
  // of many uphill along edges from the vertex `start`: on a convex body the top that has no higher neighbour is the
  // highest.
  STICTION_HD int support(const Vec3T<T>& n, int start = 0) const {
    return hull.vertex_count <= kFew ? highest_of_all(n) : uphill(n, start);
  }

 private:
  static constexpr int kFew = 64;

  STICTION_HD int highest_of_all(const Vec3T<T>& n) const {
    T along[kFew];
    for (int i = 0; i < hull.vertex_count; ++i) along[i] = dot(n, hull.vertex[i]);
    return highest_of(along, hull.vertex_count);
  }
  STICTION_HD int uphill(const Vec3T<T>& n, int start) const {
    int best = start;
    T most = dot(n, hull.vertex[start]);
    for (int step = 0; step < hull.vertex_count; ++step) {
      int next = -1;
      for (int i = hull.neighbour_start[best]; i < hull.neighbour_start[best + 1]; ++i) {
        const T along = dot(n, hull.vertex[hull.neighbour[i]]);
        if (along > most) most = along, next = hull.neighbour[i];
      }
      if (next < 0) break;
      best = next;
    }
    return best;
  }
};

template <class T>
STICTION_HD BoxPolyhedron<T> as_box(const ShapeT<T>& shape) {
  return {shape.size};
}
template <class T>
STICTION_HD HullPolyhedron<T> as_hull(const ShapeT<T>& shape) {
  return {shape.hull};
}

// The edge between two vertices, −1 if there is none.
template <class P>
STICTION_HD int edge_between(const P& poly, int v, int w) {
  for (int i = 0; i < poly.degree(v); ++i) {
    const int e = poly.edge_at(v, i);
    if (poly.edge_vertex(e, 0) == w || poly.edge_vertex(e, 1) == w) return e;
  }
  return -1;
}

// Edges that hold a feature of one vertex, or of two with an edge between them.
template <class P, class Visitor>
STICTION_HD void for_edges_at(const P& poly, const int* vertex, int count, const Visitor& visit) {
  if (count == 1)
    for (int i = 0; i < poly.degree(vertex[0]); ++i) visit(poly.edge_at(vertex[0], i));
  const int edge = count == 2 ? edge_between(poly, vertex[0], vertex[1]) : -1;
  if (edge >= 0) visit(edge);
}

// Calls visit(i, value(i)) for all i < count in order. Eight values at a time are computed together, which a compiler
// can do with vector instructions.
template <class T, class Value, class Visitor>
STICTION_HD void in_blocks(int count, const Value& value, const Visitor& visit) {
  constexpr int kBlock = 8;
  T block[kBlock];
  int first = 0;
  for (; first + kBlock <= count; first += kBlock) {
    for (int k = 0; k < kBlock; ++k) block[k] = value(first + k);
    for (int k = 0; k < kBlock; ++k) visit(first + k, block[k]);
  }
  for (; first < count; ++first) visit(first, value(first));
}

// The first of the faces with the highest value(f), a number. Of few faces without a branch that depends on the pose.
constexpr int kFewFaces = 128;
template <class T, class Value>
STICTION_HD int highest_face(int count, const Value& value) {
  if (count <= kFewFaces) {
    T values[kFewFaces];
    for (int f = 0; f < count; ++f) values[f] = value(f);
    return highest_of(values, count);
  }
  int best = 0;
  T most = value(0);
  in_blocks<T>(count, value, [&](int f, T x) {
    if (x > most) most = x, best = f;
  });
  return best;
}

// Calls visit(face, height of x over it) for all faces in order.
template <class P, class T, class Visitor>
STICTION_HD void for_heights(const P& poly, const Vec3T<T>& x, const Visitor& visit) {
  in_blocks<T>(
      poly.face_count(), [&](int f) { return dot(poly.face_normal(f), x) - poly.face_offset(f); }, visit);
}

// Is x inside, or on the surface?
template <class P, class T>
STICTION_HD bool encloses(const P& poly, const Vec3T<T>& x) {
  T highest = dot(poly.face_normal(0), x) - poly.face_offset(0);
#pragma omp simd reduction(max : highest)
  for (int f = 0; f < poly.face_count(); ++f) {
    const T height = dot(poly.face_normal(f), x) - poly.face_offset(f);
    highest = height > highest ? height : highest;
  }
  return highest <= T(0);
}

// The face whose normal goes most along n.
template <class P, class T>
STICTION_HD_CALL int face_along(const P& poly, const Vec3T<T>& n) {
  return highest_face<T>(poly.face_count(), [&](int f) { return dot(n, poly.face_normal(f)); });
}

template <class T>
STICTION_HD int face_along(const BoxPolyhedron<T>&, const Vec3T<T>& n) {
  const Vec3T<T> size = magnitude(n);
  int axis = 0;
  if (size.y > size[axis]) axis = 1;
  if (size.z > size[axis]) axis = 2;
  return 2 * axis + (n[axis] < T(0) ? 0 : 1);
}

// The face whose normal goes most along n among those at the farthest vertex along n. For a box that is face_along; the
// best face of a hull need not hold its farthest vertex.
template <class T>
STICTION_HD int face_at_support(const BoxPolyhedron<T>& poly, const Vec3T<T>& n) {
  return face_along(poly, n);
}

template <class T>
STICTION_HD_CALL int face_at_support(const HullPolyhedron<T>& poly, const Vec3T<T>& n) {
  const int vertex = poly.support(n);
  int best = -1;
  T most{};
  for (int i = 0; i < poly.degree(vertex); ++i)
    for (int side = 0; side < 2; ++side) {
      const int f = poly.edge_face(poly.edge_at(vertex, i), side);
      const T along = dot(n, poly.face_normal(f));
      if (best >= 0 && (along < most || (along == most && f >= best))) continue;
      most = along;
      best = f;
    }
  return best;
}

// Signed distance of a point x of the shape frame. A box has a closed form. A hull: the nearest face if x is inside;
// otherwise the nearest place of the surface.
template <class T>
STICTION_HD PointDistance<T> distance_to(const BoxPolyhedron<T>& box, const Vec3T<T>& x) {
  return distance_to_box(box.h, x);
}

// The edge at a vertex along which x comes nearer fastest; −1 if there is none.
template <class T>
STICTION_HD int rising_edge(const HullPolyhedron<T>& poly, int vertex, const Vec3T<T>& x) {
  const Vec3T<T> v = poly.vertex(vertex), away = x - v;
  int best = -1;
  T most{};  // square of the slope
  for (int i = 0; i < poly.degree(vertex); ++i) {
    const int e = poly.edge_at(vertex, i);
    const Vec3T<T> d = poly.vertex(poly.edge_vertex(e, poly.edge_vertex(e, 0) == vertex ? 1 : 0)) - v;
    const T along = dot(d, away);
    if (!(along > T(0)) || !(along * along > most * norm_squared(d))) continue;
    most = along * along / norm_squared(d);
    best = e;
  }
  return best;
}

template <class T>
STICTION_HD_CALL PointDistance<T> distance_to(const HullPolyhedron<T>& poly, const Vec3T<T>& x) {
  const auto height = [&](int f) { return dot(poly.face_normal(f), x) - poly.face_offset(f); };
  const int nearest = highest_face<T>(poly.face_count(), height);
  const PointDistance<T> to_face{height(nearest), poly.face_normal(nearest)};
  if (!(to_face.distance > T(0))) return to_face;

  // Outside: from face to face, each time across the edge or around the vertex that is nearest on it, as long as the
  // distance falls. On a convex body the place from which it does not is the nearest.
  bool found = false;
  T least{};
  Vec3T<T> offset{};
  int face = nearest;
  for (int step = 0; step < poly.face_count(); ++step) {
    const Vec3T<T> n = poly.face_normal(face);
    bool falls = false, above = true;
    int side = 0;
    T place{};
    for (int k = 0, size = poly.face_size(face); k < size; ++k) {
      const Vec3T<T> p = poly.vertex(poly.face_vertex(face, k));
      const Vec3T<T> e = poly.vertex(poly.face_vertex(face, k + 1 < size ? k + 1 : 0)) - p;
      if (dot(cross(e, n), x - p) <= T(0)) continue;
      above = false;
      const T t = closest_on_segment(p, e, x);
      const Vec3T<T> away = x - (p + e * t);
      if (found && !(norm_squared(away) < least)) continue;
      found = falls = true;
      least = norm_squared(away);
      offset = away;
      side = k, place = t;
    }
    if (above) return {dot(n, x) - poly.face_offset(face), n};
    if (!falls) break;
    int edge = poly.face_edge(face, side);
    if (place <= T(0) || place >= T(1)) {
      const int size = poly.face_size(face), next = side + 1 < size ? side + 1 : 0;
      const int vertex = poly.face_vertex(face, place <= T(0) ? side : next);
      edge = rising_edge(poly, vertex, x);
      if (edge < 0) break;
    }
    // Of the two faces of the edge the other one, or the one that the point is higher over.
    const int f = poly.edge_face(edge, 0), g = poly.edge_face(edge, 1);
    if (f == face || g == face) {
      face = f == face ? g : f;
    } else {
      const T over_f = dot(poly.face_normal(f), x) - poly.face_offset(f);
      face = over_f > dot(poly.face_normal(g), x) - poly.face_offset(g) ? f : g;
    }
  }
  const T distance = norm(offset);
  if (!found || !(distance > T(0))) return to_face;
  return {distance, offset / distance};
}

}  // namespace stiction::detail
