// Pairs with a plane: the half-space z ≤ 0 of the plane's frame, without bounds. Shape A is the plane.
#pragma once

#include "collide/cylinder.hpp"
#include "collide/manifold.hpp"

namespace stiction {

template <class T>
STICTION_HD_CALL int collide_plane_sphere(const ShapeT<T>& a, const ShapeT<T>& b, T margin, ContactPointT<T>* out) {
  const Vec3T<T> n = a.R.column(2);
  const T gap = dot(n, b.p - a.p) - b.size.x;
  out[0] = {b.p - n * (b.size.x + gap / T(2)), n, gap, feature_id(FeatureKind::kOther, 0)};
  return gap < margin ? 1 : 0;
}

template <class T>
STICTION_HD_CALL int collide_plane_capsule(const ShapeT<T>& a, const ShapeT<T>& b, T margin, ContactPointT<T>* out) {
  const Vec3T<T> n = a.R.column(2), axis = b.R.column(2);
  int count = 0;
  for (int i = 0; i < 2; ++i) {
    const Vec3T<T> end = b.p + axis * (i == 0 ? -b.size.y : b.size.y);
    const T gap = dot(n, end - a.p) - b.size.x;
    if (!(gap < margin)) continue;
    out[count++] = {end - n * (b.size.x + gap / T(2)), n, gap, feature_id(FeatureKind::kOther, i == 0 ? 1u : 2u)};
  }
  return count;
}

namespace detail {

// All vertices within the margin; of more than eight the outline and the deepest.
template <class T, class P>
STICTION_HD_CALL int collide_plane_polyhedron(const ShapeT<T>& a, const ShapeT<T>& b, const P& poly, T margin,
                                              ContactPointT<T>* out) {
  const Vec3T<T> n = a.R.column(2);
  // Height of a vertex: n·(p_b − p_a) + (Rᵀn)·v; the small numbers are added last.
  const Vec3T<T> n_b = transpose_times(b.R, n);
  const T height = dot(n, b.p - a.p);
  if (!(height + dot(n_b, poly.vertex(poly.support(-n_b))) < margin)) return 0;
  PointReducer<T> reducer(a.R.column(0), a.R.column(1));
  for (int i = 0; i < poly.vertex_count(); ++i) {
    const Vec3T<T> v = poly.vertex(i);
    const T gap = height + dot(n_b, v);
    if (gap < margin) {
      const Vec3T<T> point = b.p + b.R * v - n * (gap / T(2));
      reducer.add(point, gap, feature_id(FeatureKind::kVertexB, static_cast<std::uint32_t>(i)));
    }
  }
  return reducer.write(n, out);
}

}  // namespace detail

template <class T>
STICTION_HD_CALL int collide_plane_box(const ShapeT<T>& a, const ShapeT<T>& b, T margin, ContactPointT<T>* out) {
  return detail::collide_plane_polyhedron(a, b, detail::as_box(b), margin, out);
}

template <class T>
STICTION_HD_CALL int collide_plane_hull(const ShapeT<T>& a, const ShapeT<T>& b, T margin, ContactPointT<T>* out) {
  return detail::collide_plane_polyhedron(a, b, detail::as_hull(b), margin, out);
}

// The lowest rim points, and where a cap faces the plane the places on its rim.
template <class T>
STICTION_HD_CALL int collide_plane_cylinder(const ShapeT<T>& a, const ShapeT<T>& b, T margin, ContactPointT<T>* out) {
  const Vec3T<T> n = a.R.column(2);
  // Heights in the frame of the plane, at the cylinder: the small numbers are added last.
  const detail::PlacedCylinder<T> placed{detail::as_cylinder(b), {b.R, {}}};
  const T height = dot(n, b.p - a.p);
  if (!(height + dot(n, b.R * placed.own.point(-transpose_times(b.R, n))) < margin)) return 0;
  const detail::RimPoints<T> rim(placed, -n);
  detail::PointReducer<T> reducer(a.R.column(0), a.R.column(1));
  for (int i = 0; i < rim.count(); ++i) {
    if (!rim.has(i)) continue;
    const Vec3T<T> x = rim.point(i);
    const T gap = height + dot(n, x);
    if (gap < margin) reducer.add(b.p + x - n * (gap / T(2)), gap, feature_id(FeatureKind::kVertexB, rim.index(i)));
  }
  return reducer.write(n, out);
}

template <class T>
STICTION_HD_CALL int collide_plane_ellipsoid(const ShapeT<T>& a, const ShapeT<T>& b, T margin, ContactPointT<T>* out) {
  const Vec3T<T> n = a.R.column(2);
  const Vec3T<T> x = b.R * detail::as_ellipsoid(b).point(-transpose_times(b.R, n));
  const T gap = dot(n, b.p - a.p) + dot(n, x);
  out[0] = {b.p + x - n * (gap / T(2)), n, gap, feature_id(FeatureKind::kOther, 0)};
  return gap < margin ? 1 : 0;
}

}  // namespace stiction
