// Where faces and edges of a surface go on beyond their ends: into the solid, where the surface rises beyond them. A
// body in a hollow is beyond the borders of its faces and the bends of its edges before it is through, and behind their
// planes and lines all the same.
#pragma once

#include "collide/surface_query.hpp"

namespace stiction::detail {

// Does the surface rise beyond edge `slot` of a triangle, seen from the side of n?
template <class T>
STICTION_HD bool rises_beyond(const SurfaceT<T>& s, int triangle, int slot, const Vec3T<T>& n) {
  const int edge = s.triangle_edge[3 * triangle + slot];
  if (s.edge[4 * edge + 3] < 0) return false;
  return dot(n, s.inward[2 * edge + (s.edge[4 * edge + 2] == triangle ? 1 : 0)]) > T(1e-5);
}

// The same around a corner of the triangle: is all that meets there level with it or rises? Not on a border.
template <class T>
STICTION_HD bool rises_around(const SurfaceT<T>& s, int triangle, int slot, const Vec3T<T>& n) {
  const int edge = s.triangle_edge[3 * triangle + slot],
            other = s.triangle_edge[3 * triangle + previous_of_three(slot)];
  if (s.edge[4 * edge + 3] < 0 || s.edge[4 * other + 3] < 0) return false;
  const int vertex = s.triangle[3 * triangle + slot];
  bool any = false;
  for (int i = s.neighbour_start[vertex]; i < s.neighbour_start[vertex + 1]; ++i) {
    const Vec3T<T> d = s.vertex[s.neighbour[i]] - s.vertex[vertex];
    const T rise = dot(n, d), level = T(1e-5) * norm(d);
    if (rise < -level) return false;
    any = any || rise > level;
  }
  return any;
}

// Does an edge go on at its end (0 or 1) for a contact along n: straight, or into the bend of a hollow, where the
// surface rises beyond the end? n counts as far as the triangles of the edge fall away from it.
template <class T>
STICTION_HD bool goes_on_at(const SurfaceT<T>& s, int edge, int end, const Vec3T<T>& n) {
  constexpr T kBeyond = T(0.3), kStraight = T(0.9998), kLevel = T(1e-5), kSteep = T(-0.02);
  Vec3T<T> up = n;
  for (int k = 0; k < 2; ++k) up -= s.inward[2 * edge + k] * maximum(T(0), dot(up, s.inward[2 * edge + k]));
  const int vertex = s.edge[4 * edge + end];
  const Vec3T<T> out = normalized(s.vertex[vertex] - s.vertex[s.edge[4 * edge + 1 - end]]);
  for (int i = s.neighbour_start[vertex]; i < s.neighbour_start[vertex + 1]; ++i) {
    const Vec3T<T> d = s.vertex[s.neighbour[i]] - s.vertex[vertex];
    const T size = norm(d), along = dot(out, d), rise = dot(up, d);
    if (rise > kLevel * size && maximum(along, rise) > kBeyond * size) return true;
    if (along > kStraight * size && rise > kSteep * size) return true;
  }
  return false;
}

// Does a triangle go on, into the solid, at a place beyond the part of it that is nearest there?
template <class T>
STICTION_HD bool goes_on(const SurfaceT<T>& s, int triangle, const TrianglePoint<T>& at, const Vec3T<T>& n) {
  return at.part == TrianglePart::kEdge ? rises_beyond(s, triangle, at.slot, n) : rises_around(s, triangle, at.slot, n);
}

// Is a place in front of a triangle and beyond a part of it not behind the triangles next to that part either? Else it
// is on the other side of a solid, or around a bend. It may be `slack` [m] behind them.
template <class T>
STICTION_HD bool is_in_hollow(const SurfaceT<T>& s, int triangle, const TrianglePoint<T>& at, const Vec3T<T>& p,
                              T slack) {
  const bool in_front = dot(s.normal[triangle], p - s.vertex[s.triangle[3 * triangle]]) >= T(0);
  const int sides = at.part == TrianglePart::kEdge ? 1 : 2;
  for (int k = 0; k < sides; ++k) {
    const int edge = s.triangle_edge[3 * triangle + (k == 0 ? at.slot : previous_of_three(at.slot))];
    const int first = s.edge[4 * edge + 2], next = first == triangle ? s.edge[4 * edge + 3] : first;
    if (next < 0) continue;
    const T height = dot(s.normal[next], p - s.vertex[s.triangle[3 * next]]);
    if ((in_front ? height : -height) < -slack) return false;
  }
  return true;
}

// An edge that is a feature and ends at a corner of the triangle, across n; −1 if there is none.
template <class T>
STICTION_HD int straight_edge_at(const SurfaceT<T>& s, int triangle, int slot, const Vec3T<T>& n) {
  for (int side = 0; side < 2; ++side) {
    const int edge = s.triangle_edge[3 * triangle + (side == 0 ? slot : previous_of_three(slot))];
    const Vec3T<T> d = s.vertex[s.edge[4 * edge + 1]] - s.vertex[s.edge[4 * edge]];
    const T along = dot(n, d);
    if (s.edge_feature[edge] && along * along <= T(Tolerance<T>::kDouble ? 1e-12 : 1e-6) * norm_squared(d)) return edge;
  }
  return -1;
}

}  // namespace stiction::detail
