// Closest points of a triangle and a point, a segment, another triangle or a smooth convex body, all in one frame.
// Host-device. The result is a point of each, so that rounding can make a distance too large only, and by rounding.
#pragma once

#include "collide/convex_distance.hpp"

namespace stiction::detail {

// A point, a segment or a triangle.
template <class T>
struct Corners {
  Vec3T<T> p[3] = {};
  int count = 0;
  STICTION_HD int side_count() const { return count == 3 ? 3 : count - 1; }
  STICTION_HD Vec3T<T> side(int k) const { return p[next_of_three(k)] - p[k]; }
};

// What is nearest so far: a point of each, and the items (triangles) that hold them. Crossing: at distance zero.
template <class T>
struct NearestPair {
  T squared{};              // [m²]
  Vec3T<T> on_a{}, on_b{};  // [m]
  int item_a = -1, item_b = -1;
  bool cut_short = false;  // a search among those that were asked ended by its bound

  STICTION_HD void take(const Vec3T<T>& a, const Vec3T<T>& b, int index_a, int index_b) {
    const T between = norm_squared(b - a);
    if (between < squared) squared = between, on_a = a, on_b = b, item_a = index_a, item_b = index_b;
  }
};

template <class T>
STICTION_HD_CALL Vec3T<T> nearest_point(const Corners<T>& triangle, const Vec3T<T>& x) {
  Simplex<T> s;
  for (int i = 0; i < 3; ++i) s.add(triangle.p[i] - x, i, i);
  SimplexPoint<T> nearest;
  if (!nearest_inside(s, 0, 1, 2, nearest)) {
    nearest = nearest_on_side(s, 0, 1);
    for (int i = 0; i < 2; ++i) {
      const SimplexPoint<T> other = nearest_on_side(s, i, 2);
      if (norm_squared(other.v) < norm_squared(nearest.v)) nearest = other;
    }
  }
  return triangle.p[0] * nearest.weight[0] + triangle.p[1] * nearest.weight[1] + triangle.p[2] * nearest.weight[2];
}

// Does the segment p + t d pass through the triangle, and where?
template <class T>
STICTION_HD bool passes_through(const Corners<T>& triangle, const Vec3T<T>& p, const Vec3T<T>& d, Vec3T<T>& at) {
  const Vec3T<T> n = cross(triangle.side(0), triangle.side(1));
  const T start = dot(n, p - triangle.p[0]), along = dot(n, d);
  if (!(start * (start + along) <= T(0)) || along == T(0)) return false;
  at = p - d * (start / along);
  for (int k = 0; k < 3; ++k)
    if (dot(cross(triangle.side(k), at - triangle.p[k]), n) < T(0)) return false;
  return true;
}

// Is every point of a farther along `axis` (any length) than every point of b, or the other way round, by more than the
// square root of `squared`?
template <class T>
STICTION_HD bool apart_along(const Vec3T<T>& axis, const Corners<T>& a, const Corners<T>& b, T squared) {
  T low_a = dot(axis, a.p[0]), high_a = low_a, low_b = dot(axis, b.p[0]), high_b = low_b;
  for (int i = 1; i < a.count; ++i) {
    const T along = dot(axis, a.p[i]);
    low_a = minimum(low_a, along), high_a = maximum(high_a, along);
  }
  for (int i = 1; i < 3; ++i) {
    const T along = dot(axis, b.p[i]);
    low_b = minimum(low_b, along), high_b = maximum(high_b, along);
  }
  const T between = maximum(low_a - high_b, low_b - high_a);
  return between > T(0) && between * between > squared * norm_squared(axis);
}

template <class T>
STICTION_HD_CALL void measure(const Corners<T>& a, int item_a, const Corners<T>& b, int item_b,
                              NearestPair<T>& nearest) {
  // Most are told to be farther by one of their normals or by the line between them.
  if (apart_along(b.p[0] - a.p[0], a, b, nearest.squared)) return;
  if (apart_along(cross(b.side(0), b.side(1)), a, b, nearest.squared)) return;
  if (a.count == 3 && apart_along(cross(a.side(0), a.side(1)), a, b, nearest.squared)) return;
  for (int i = 0; i < a.count; ++i) nearest.take(a.p[i], nearest_point(b, a.p[i]), item_a, item_b);
  if (a.count == 3)
    for (int i = 0; i < 3; ++i) nearest.take(nearest_point(a, b.p[i]), b.p[i], item_a, item_b);
  Vec3T<T> at;
  for (int i = 0; i < a.side_count(); ++i) {
    for (int j = 0; j < 3; ++j) {
      T s, t;
      closest_of_segments(a.p[i], a.side(i), b.p[j], b.side(j), s, t);
      nearest.take(a.p[i] + a.side(i) * s, b.p[j] + b.side(j) * t, item_a, item_b);
    }
    if (passes_through(b, a.p[i], a.side(i), at)) nearest.take(at, at, item_a, item_b);
  }
  if (a.count < 3) return;
  for (int j = 0; j < 3; ++j)
    if (passes_through(a, b.p[j], b.side(j), at)) nearest.take(at, at, item_a, item_b);
}

// A triangle as a convex body: flat, with the two normals as axes.
template <class T>
struct TriangleSupport {
  using Scalar = T;
  static constexpr bool kFaces = false;
  Corners<T> corners;

  STICTION_HD Vec3T<T> point(const Vec3T<T>& n) const {
    int best = 0;
    for (int i = 1; i < 3; ++i)
      if (dot(n, corners.p[i]) > dot(n, corners.p[best])) best = i;
    return corners.p[best];
  }
  STICTION_HD Vec3T<T> bend(const Vec3T<T>&, const Vec3T<T>&) const { return {}; }
  STICTION_HD FlatLine<T> line_of(const Vec3T<T>* x, int count) const { return line_between(x, count); }
  STICTION_HD Vec3T<T> on_line(const FlatLine<T>& line, const Vec3T<T>&) const { return line.middle; }
  STICTION_HD bool inside(const Vec3T<T>& x, T slack) const {
    return norm_squared(x - nearest_point(corners, x)) <= slack * slack;
  }
  STICTION_HD T thickness() const { return kNotThin<T>; }
  STICTION_HD int line_count() const { return 0; }
  STICTION_HD Vec3T<T> line(int) const { return {}; }
  STICTION_HD int axis_count() const { return 2; }
  STICTION_HD Vec3T<T> axis(int i, const Vec3T<T>&) const {
    const Vec3T<T> n = cross(corners.side(0), corners.side(1));
    return i == 0 ? n : -n;
  }
};

// A smooth convex body A, placed. `size` [m]: radius of the smaller.
template <class Solid, class T>
STICTION_HD_CALL void measure(const Solid& solid, const Placement<T>& place, T size, const Corners<T>& b, int item_b,
                              NearestPair<T>& nearest) {
  // Around the triangle, where searches begin.
  const Vec3T<T> centre = (b.p[0] + b.p[1] + b.p[2]) / T(3);
  const TriangleSupport<T> triangle{{{b.p[0] - centre, b.p[1] - centre, b.p[2] - centre}, 3}};
  using std::sqrt;
  const ConvexContact<T> found =
      convex_contact(triangle, solid, Placement<T>{place.R, place.t - centre}, size, sqrt(nearest.squared));
  if (!found.valid) return;
  nearest.cut_short = nearest.cut_short || found.cut_short;
  const Vec3T<T> on_b = centre + found.on_a;
  nearest.take(found.gap > T(0) ? centre + found.on_b : on_b, on_b, 0, item_b);
}

}  // namespace stiction::detail
