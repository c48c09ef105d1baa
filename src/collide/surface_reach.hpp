// Which triangles of a surface a convex body can touch: not those from which a plane keeps it away. Two planes are
// asked: that of the triangle, and that across the line from the body's centre to the nearest point of the triangle.
// All is in the frame of the surface. A body has lowest(n): its point that goes farthest against n.
#pragma once

#include "collide/surface_query.hpp"

namespace stiction::detail {

// Does the body come nearer than `front` [m] to the plane through x across the line from its centre?
template <class Body, class T>
STICTION_HD bool reaches_point(const Vec3T<T>& x, const Body& body, const Vec3T<T>& centre, T front) {
  const Vec3T<T> apart = centre - x;
  const T distance = norm(apart);
  return !(distance > T(0)) || dot(apart, body.lowest(apart) - x) < front * distance;
}

// Does it come nearer than `front` to the plane of the triangle, or stay less than `back` behind it?
template <class Body, class T>
STICTION_HD bool reaches_plane(const SurfaceT<T>& s, int triangle, const Body& body, T front, T back) {
  const Vec3T<T> n = s.normal[triangle], x = s.vertex[s.triangle[3 * triangle]];
  return dot(n, body.lowest(n) - x) < front && dot(n, body.lowest(-n) - x) > -back;
}

// `front` ≤ `back`, which holds for bodies that are wholly behind the triangle too.
template <class Body, class T>
STICTION_HD bool reaches_triangle(const SurfaceT<T>& s, int triangle, const Body& body, const Vec3T<T>& centre, T front,
                                  T back) {
  return reaches_plane(s, triangle, body, front, back) &&
         reaches_point(nearest_in_triangle(s, triangle, centre, T(0)).foot, body, centre, back);
}

}  // namespace stiction::detail
