// Triangles of a surface near a box, and the nearest place of a surface to a point with its side. Host-device; the
// stack holds one waiting node per level of the tree, which halves the triangles: 64 levels never fill.
#pragma once

#include "collide/closest.hpp"

namespace stiction::detail {

template <class T>
struct SearchBox {
  Vec3T<T> lower{}, upper{};  // [m] in the frame of the surface
};

template <class T>
STICTION_HD SearchBox<T> box_around(const Vec3T<T>& p, const Vec3T<T>& q, T reach) {
  const Vec3T<T> r{reach, reach, reach};
  return {min(p, q) - r, max(p, q) + r};
}

template <class T>
STICTION_HD bool overlaps(const SurfaceNodeT<T>& node, const SearchBox<T>& box) {
  return node.lower.x <= box.upper.x && box.lower.x <= node.upper.x && node.lower.y <= box.upper.y &&
         box.lower.y <= node.upper.y && node.lower.z <= box.upper.z && box.lower.z <= node.upper.z;
}

// [m²] between a box and a node of the surface; 0 where they overlap.
template <class T>
STICTION_HD T squared_between(const SearchBox<T>& box, const SurfaceNodeT<T>& node) {
  return norm_squared(max(max(node.lower - box.upper, box.lower - node.upper), Vec3T<T>{}));
}

template <class T>
struct SearchBall {
  Vec3T<T> centre{};
  T squared{};  // [m²] of the radius
};

template <class T>
STICTION_HD bool overlaps(const SurfaceNodeT<T>& node, const SearchBall<T>& ball) {
  return squared_between(SearchBox<T>{ball.centre, ball.centre}, node) <= ball.squared;
}

// What is within a distance of a segment, up to the corners of the boxes around its points.
template <class T>
struct SearchSegment {
  SearchBox<T> box;
  Vec3T<T> p{}, d{};  // [m] from p to p + d
  T reach{};          // [m]
};

template <class T>
STICTION_HD SearchSegment<T> segment_around(const Vec3T<T>& p, const Vec3T<T>& d, T reach) {
  return {box_around(p, p + d, reach), p, d, reach};
}

// Separating axes of a segment and a box: those of the box, and across both.
template <class T>
STICTION_HD bool overlaps(const SurfaceNodeT<T>& node, const SearchSegment<T>& segment) {
  if (!overlaps(node, segment.box)) return false;
  const Vec3T<T> across = magnitude(cross((node.lower + node.upper) / T(2) - segment.p, segment.d));
  const Vec3T<T> d = magnitude(segment.d), r{segment.reach, segment.reach, segment.reach};
  const Vec3T<T> half = (node.upper - node.lower) / T(2) + r;
  return across.x <= half.y * d.z + half.z * d.y && across.y <= half.z * d.x + half.x * d.z &&
         across.z <= half.x * d.y + half.y * d.x;
}

template <class T>
STICTION_HD SearchBox<T> moved_box(const SurfaceNodeT<T>& node, const Placement<T>& place, T reach) {
  const Vec3T<T> centre = place((node.lower + node.upper) / T(2)), half = (node.upper - node.lower) / T(2);
  const Vec3T<T> extent{dot(magnitude(place.R.row[0]), half) + reach, dot(magnitude(place.R.row[1]), half) + reach,
                        dot(magnitude(place.R.row[2]), half) + reach};
  return {centre - extent, centre + extent};
}

// Calls visit(triangle) for the leaves below `start` whose boxes overlap with a region.
template <class T, class Region, class Visitor>
STICTION_HD void for_triangles(const SurfaceT<T>& surface, int start, const Region& region, Visitor&& visit) {
  int stack[64];
  int waiting = 0;
  stack[waiting++] = start;
  while (waiting > 0) {
    const SurfaceNodeT<T>& node = surface.node[stack[--waiting]];
    if (!overlaps(node, region)) continue;
    if (node.count == 0) {
      if (node.first == 0) continue;  // a surface without triangles
      stack[waiting++] = node.first + 1;
      stack[waiting++] = node.first;
      continue;
    }
    for (int t = node.first; t < node.first + node.count; ++t) visit(t);
  }
}

// The lowest node that holds all that overlaps the box below `start`; −1 if nothing does.
template <class T>
STICTION_HD int narrowed(const SurfaceT<T>& surface, int start, const SearchBox<T>& box) {
  int at = start;
  if (!overlaps(surface.node[at], box)) return -1;
  for (int level = 0; level < 64; ++level) {
    const SurfaceNodeT<T>& node = surface.node[at];
    if (node.count > 0 || node.first == 0) break;
    const bool left = overlaps(surface.node[node.first], box), right = overlaps(surface.node[node.first + 1], box);
    if (left && right) break;
    if (!left && !right) return -1;
    at = left ? node.first : node.first + 1;
  }
  return at;
}

// Where a point is nearest to a triangle: inside it, on edge k or at vertex k.
enum class TrianglePart { kFace, kEdge, kVertex };

template <class T>
struct TrianglePoint {
  TrianglePart part = TrianglePart::kFace;
  int slot = 0;
  T height{};       // [m] over the plane of the triangle
  Vec3T<T> foot{};  // [m] the nearest point
  T squared{};      // [m²] its distance
};

// [m] of a point over the plane of a triangle.
template <class T>
STICTION_HD T height_over(const SurfaceT<T>& s, int triangle, const Vec3T<T>& p) {
  return dot(s.normal[triangle], p - s.vertex[s.triangle[3 * triangle]]);
}

// A point up to `slack` [m] beside the triangle counts as over it.
template <class T>
STICTION_HD TrianglePoint<T> nearest_in_triangle(const SurfaceT<T>& s, int triangle, const Vec3T<T>& p, T slack) {
  const int* index = s.triangle + 3 * triangle;
  const Vec3T<T> v[3] = {s.vertex[index[0]], s.vertex[index[1]], s.vertex[index[2]]}, n = s.normal[triangle];
  TrianglePoint<T> nearest;
  nearest.height = height_over(s, triangle, p);
  nearest.foot = p - n * nearest.height;
  nearest.squared = nearest.height * nearest.height;
  bool beside = false, found = false;
  for (int k = 0; k < 3; ++k) {
    const Vec3T<T> q = v[k], e = v[next_of_three(k)] - q, out = cross(e, n);
    const T away = dot(out, p - q);
    if (!(away > T(0)) || !(away * away > slack * slack * norm_squared(out))) continue;
    beside = true;
    const T t = closest_on_segment(q, e, p);
    const Vec3T<T> foot = q + e * t;
    const T squared = norm_squared(p - foot);
    if (found && !(squared < nearest.squared)) continue;
    found = true;
    nearest.foot = foot;
    nearest.squared = squared;
    nearest.part = t > T(0) && t < T(1) ? TrianglePart::kEdge : TrianglePart::kVertex;
    nearest.slot = t < T(1) ? k : next_of_three(k);
  }
  if (!beside) nearest.part = TrianglePart::kFace;
  return nearest;
}

// Outward normal of an edge: the sum of those of its triangles.
template <class T>
STICTION_HD Vec3T<T> edge_normal(const SurfaceT<T>& s, int edge) {
  const int first = s.edge[4 * edge + 2], second = s.edge[4 * edge + 3];
  return second < 0 ? s.normal[first] : s.normal[first] + s.normal[second];
}

// Outward normal of the part of a triangle where a point is nearest.
template <class T>
STICTION_HD Vec3T<T> part_normal(const SurfaceT<T>& s, int triangle, const TrianglePoint<T>& at) {
  if (at.part == TrianglePart::kFace) return s.normal[triangle];
  if (at.part == TrianglePart::kEdge) return edge_normal(s, s.triangle_edge[3 * triangle + at.slot]);
  return s.vertex_normal[s.triangle[3 * triangle + at.slot]];
}

// [m] distance of a point to the surface, `reach` if there is nothing within, and whether it is inside by what is
// nearest; nothing within: it is.
template <class T>
struct NearestSide {
  T distance{};
  bool inside = true;
};

template <class T>
STICTION_HD NearestSide<T> nearest_side(const SurfaceT<T>& s, int start, const Vec3T<T>& p, T reach, T slack) {
  T nearest = reach * reach;
  NearestSide<T> result;
  for_triangles(s, start, box_around(p, p, reach), [&](int t) {
    const TrianglePoint<T> at = nearest_in_triangle(s, t, p, slack);
    if (!(at.squared < nearest)) return;
    nearest = at.squared;
    result.inside = dot(part_normal(s, t, at), p - at.foot) < T(0);
  });
  using std::sqrt;
  result.distance = sqrt(nearest);
  return result;
}

// [m] depth of the segment p + t d inside a closed surface, at its place that is deepest below both triangles of an
// edge; 0 if that is outside.
template <class T>
STICTION_HD T depth_behind_edge(const SurfaceT<T>& s, int start, int edge, const Vec3T<T>& p, const Vec3T<T>& d,
                                T slack) {
  if (!s.closed) return T(0);
  const Vec3T<T> q = s.vertex[s.edge[4 * edge]], e = s.vertex[s.edge[4 * edge + 1]] - q;
  const Vec3T<T> across = s.normal[s.edge[4 * edge + 2]] - s.normal[s.edge[4 * edge + 3]];
  const T along = dot(across, d), t = along == T(0) ? T(0) : dot(across, q - p) / along;
  const Vec3T<T> x = p + d * minimum(maximum(t, T(0)), T(1));
  // The edge itself is within reach.
  const T reach = norm(x - q - e * closest_on_segment(q, e, x)) + slack;
  const NearestSide<T> nearest = nearest_side(s, start, x, reach, slack);
  return nearest.inside ? nearest.distance : T(0);
}

// Do both triangles of an edge fall away from the plane with the normal n through it, up to the sine `slack`?
template <class T>
STICTION_HD bool edge_supports(const SurfaceT<T>& s, int edge, const Vec3T<T>& n, T slack) {
  return dot(n, s.inward[2 * edge]) <= slack && dot(n, s.inward[2 * edge + 1]) <= slack;
}

// The same for the edges of a vertex.
template <class T>
STICTION_HD bool vertex_supports(const SurfaceT<T>& s, int vertex, const Vec3T<T>& n, T slack) {
  for (int i = s.neighbour_start[vertex]; i < s.neighbour_start[vertex + 1]; ++i) {
    const Vec3T<T> d = s.vertex[s.neighbour[i]] - s.vertex[vertex];
    const T along = dot(n, d);
    if (along > T(0) && along * along > slack * slack * norm_squared(d)) return false;
  }
  return true;
}

}  // namespace stiction::detail
