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

// Does it come nearer than `front` to the plane of the triangle and less than `back` behind it, and not out of `back`
// across the line? `front` ≤ `back`.
template <class Body, class T>
STICTION_HD bool reaches_triangle(const SurfaceT<T>& s, int triangle, const Body& body, const Vec3T<T>& centre, T front,
                                  T back) {
  const Vec3T<T> n = s.normal[triangle];
  return height_over(s, triangle, body.lowest(n)) < front && height_over(s, triangle, body.lowest(-n)) > -back &&
         reaches_point(nearest_in_triangle(s, triangle, centre, T(0)).foot, body, centre, back);
}

}  // namespace stiction::detail
