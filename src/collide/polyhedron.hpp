// Two kinds of convex polyhedra with one set of accessors, so that the routines on polyhedra are written once: a box,
// whose topology is arithmetic on indices, and a hull, which reads arrays. Coordinates are those of the shape frame.
//
// Box: vertex i has the signs of its bits (bit 0: +x, bit 1: +y, bit 2: +z); face 2k is −axis k, face 2k + 1 is +axis
// k; edge 4k + j runs along axis k, with the signs of the two following axes in the bits of j.
#pragma once

#include "collide/closest.hpp"

namespace stiction::detail {

template <class T>
struct BoxPolyhedron {
  using Scalar = T;
  static constexpr int kSmallFace = 4;  // vertices of a face that are worth computing once
  Vec3T<T> h;                           // [m] half-sizes

  STICTION_HD int vertex_count() const { return 8; }
  STICTION_HD int face_count() const { return 6; }
  STICTION_HD int edge_count() const { return 12; }
  STICTION_HD Vec3T<T> vertex(int i) const { return {i & 1 ? h.x : -h.x, i & 2 ? h.y : -h.y, i & 4 ? h.z : -h.z}; }
  STICTION_HD Vec3T<T> face_normal(int f) const {
    const T s = f & 1 ? T(1) : T(-1);
    const int k = f >> 1;
    return {k == 0 ? s : T(0), k == 1 ? s : T(0), k == 2 ? s : T(0)};
  }
  STICTION_HD T face_offset(int f) const { return h[f >> 1]; }
  STICTION_HD int face_size(int) const { return 4; }
  // Counter-clockwise about +axis k: (−,−) (+,−) (+,+) (−,+) in the two following axes; reversed on the far side.
  STICTION_HD int face_vertex(int f, int slot) const {
    const int k = f >> 1, u = k == 2 ? 0 : k + 1, v = k == 0 ? 2 : k - 1;
    const int i = f & 1 ? slot : 3 - slot;
    const int su = (i == 1 || i == 2) ? 1 : 0, sv = i >> 1;
    return ((f & 1) << k) | (su << u) | (sv << v);
  }
  STICTION_HD int face_edge(int f, int slot) const {
    const int a = face_vertex(f, slot), b = face_vertex(f, (slot + 1) & 3);
    const int k = (a ^ b) >> 1;  // bit 0, 1, 2 → axis 0, 1, 2
    const int u = k == 2 ? 0 : k + 1, v = k == 0 ? 2 : k - 1;
    return 4 * k + (((a >> u) & 1) | (((a >> v) & 1) << 1));
  }
  STICTION_HD int edge_vertex(int e, int end) const {
    const int k = e >> 2, u = k == 2 ? 0 : k + 1, v = k == 0 ? 2 : k - 1;
    return (end << k) | ((e & 1) << u) | (((e >> 1) & 1) << v);
  }
  STICTION_HD int edge_face(int e, int side) const {
    const int k = e >> 2, u = k == 2 ? 0 : k + 1, v = k == 0 ? 2 : k - 1;
    return side == 0 ? 2 * u + (e & 1) : 2 * v + ((e >> 1) & 1);
  }
  // The vertex farthest along n; on ties the one with more positive signs.
  STICTION_HD int support(const Vec3T<T>& n) const {
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
  STICTION_HD int support(const Vec3T<T>& n) const {
    int best = 0;
    T most = dot(n, hull.vertex[0]);
    for (int i = 1; i < hull.vertex_count; ++i) {
      const T along = dot(n, hull.vertex[i]);
      if (along > most) {
        most = along;
        best = i;
      }
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

// The face whose normal goes most along n.
template <class P, class T>
STICTION_HD_CALL int face_along(const P& poly, const Vec3T<T>& n) {
  int best = 0;
  T most = dot(n, poly.face_normal(0));
  for (int f = 1; f < poly.face_count(); ++f) {
    const T along = dot(n, poly.face_normal(f));
    if (along > most) {
      most = along;
      best = f;
    }
  }
  return best;
}

template <class T>
STICTION_HD int face_along(const BoxPolyhedron<T>&, const Vec3T<T>& n) {
  const Vec3T<T> size = abs(n);
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
  for (int f = 0; f < poly.face_count(); ++f) {
    const T along = dot(n, poly.face_normal(f));
    if (best >= 0 && !(along > most)) continue;
    bool holds = false;
    for (int k = 0; k < poly.face_size(f) && !holds; ++k) holds = poly.face_vertex(f, k) == vertex;
    if (!holds) continue;
    most = along;
    best = f;
  }
  return best >= 0 ? best : face_along(poly, n);
}

// Signed distance of a point x of the shape frame. A box has a closed form. A hull: the nearest face if x is inside or
// above that face; otherwise the nearest boundary edge of the faces that x sees.
template <class T>
STICTION_HD PointDistance<T> distance_to(const BoxPolyhedron<T>& box, const Vec3T<T>& x) {
  return distance_to_box(box.h, x);
}

template <class T>
STICTION_HD bool stands_over(const HullPolyhedron<T>& poly, int face, const Vec3T<T>& x) {
  for (int k = 0, size = poly.face_size(face); k < size; ++k) {
    const Vec3T<T> p = poly.vertex(poly.face_vertex(face, k));
    const Vec3T<T> e = poly.vertex(poly.face_vertex(face, k + 1 < size ? k + 1 : 0)) - p;
    if (dot(cross(e, poly.face_normal(face)), x - p) > T(0)) return false;
  }
  return true;
}

template <class T>
STICTION_HD_CALL PointDistance<T> distance_to(const HullPolyhedron<T>& poly, const Vec3T<T>& x) {
  int nearest = 0;
  T highest = dot(poly.face_normal(0), x) - poly.face_offset(0);
  for (int f = 1; f < poly.face_count(); ++f) {
    const T height = dot(poly.face_normal(f), x) - poly.face_offset(f);
    if (height > highest) {
      highest = height;
      nearest = f;
    }
  }
  const PointDistance<T> to_face{highest, poly.face_normal(nearest)};
  // The height over the highest face bounds the distance from below: over the face itself it is the distance.
  if (!(highest > T(0)) || stands_over(poly, nearest, x)) return to_face;

  bool found = false;
  T least{};
  Vec3T<T> offset{};
  for (int f = 0; f < poly.face_count(); ++f) {
    const T height = dot(poly.face_normal(f), x) - poly.face_offset(f);
    if (!(height > T(0)) || (found && height * height > least)) continue;
    bool above = true;
    for (int k = 0, size = poly.face_size(f); k < size; ++k) {
      const Vec3T<T> p = poly.vertex(poly.face_vertex(f, k));
      const Vec3T<T> e = poly.vertex(poly.face_vertex(f, k + 1 < size ? k + 1 : 0)) - p;
      if (dot(cross(e, poly.face_normal(f)), x - p) <= T(0)) continue;
      above = false;
      const Vec3T<T> away = x - (p + e * closest_on_segment(p, e, x));
      if (!found || norm_squared(away) < least) {
        found = true;
        least = norm_squared(away);
        offset = away;
      }
    }
    if (above) return {height, poly.face_normal(f)};
  }
  const T distance = norm(offset);
  if (!found || !(distance > T(0))) return to_face;
  return {distance, offset / distance};
}

}  // namespace stiction::detail
