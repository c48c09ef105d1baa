// Pairs with a plane: the half-space z ≤ 0 of the plane's frame, without bounds. Shape A is the plane.
#pragma once

#include "collide/cylinder.hpp"
#include "collide/manifold.hpp"

namespace stiction {

template <class T>
STICTION_HD_ROUTINE int collide_plane_sphere(const ShapeT<T>& a, const ShapeT<T>& b, T margin, ContactPointT<T>* out) {
  const Vec3T<T> n = a.R.column(2);
  const T gap = dot(n, b.p - a.p) - b.size.x;
  set_contact(out[0], b.p - n * (b.size.x + gap / T(2)), n, gap, feature_id(FeatureKind::kOther, 0));
  return gap < margin ? 1 : 0;
}

template <class T>
STICTION_HD_ROUTINE int collide_plane_capsule(const ShapeT<T>& a, const ShapeT<T>& b, T margin, ContactPointT<T>* out) {
  const Vec3T<T> n = a.R.column(2), axis = b.R.column(2);
  int count = 0;
  for (int i = 0; i < 2; ++i) {
    const Vec3T<T> end = b.p + axis * (i == 0 ? -b.size.y : b.size.y);
    const T gap = dot(n, end - a.p) - b.size.x;
    if (!(gap < margin)) continue;
    set_contact(out[count++], end - n * (b.size.x + gap / T(2)), n, gap,
                feature_id(FeatureKind::kOther, i == 0 ? 1u : 2u));
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
  // Few vertices are sooner looked at than searched.
  if (poly.vertex_count() > 64 && !(height + dot(n_b, poly.vertex(poly.support(-n_b))) < margin)) return 0;
  const auto gap_of = [&](int i) { return height + dot(n_b, poly.vertex(i)); };
  const auto point_of = [&](int i, T gap) { return b.p + b.R * poly.vertex(i) - n * (gap / T(2)); };
  const auto feature_of = [](int i) { return feature_id(FeatureKind::kVertexB, static_cast<std::uint32_t>(i)); };
  int count = 0;
  in_blocks<T>(poly.vertex_count(), gap_of, [&](int i, T gap) {
    if (!(gap < margin)) return;
    if (count < kMaxPoints) set_contact(out[count], point_of(i, gap), n, gap, feature_of(i));
    ++count;
  });
  if (count <= kMaxPoints) return count;
  PointReducer<T> reducer(a.R.column(0), a.R.column(1));
  for (int i = 0; i < poly.vertex_count(); ++i) {
    const T gap = gap_of(i);
    if (gap < margin) reducer.add(point_of(i, gap), gap, feature_of(i));
  }
  return reducer.write(n, out);
}

}  // namespace detail

template <class T>
STICTION_HD_ROUTINE int collide_plane_box(const ShapeT<T>& a, const ShapeT<T>& b, T margin, ContactPointT<T>* out) {
  return detail::collide_plane_polyhedron(a, b, detail::as_box(b), margin, out);
}

template <class T>
STICTION_HD_ROUTINE int collide_plane_hull(const ShapeT<T>& a, const ShapeT<T>& b, T margin, ContactPointT<T>* out) {
  return detail::collide_plane_polyhedron(a, b, detail::as_hull(b), margin, out);
}

// The lowest rim points, and where a cap faces the plane the places on its rim: RimPoints in the frame of the cylinder.
template <class T>
STICTION_HD_ROUTINE int collide_plane_cylinder(const ShapeT<T>& a, const ShapeT<T>& b, T margin,
                                               ContactPointT<T>* out) {
  using std::sqrt;
  const Vec3T<T> n = a.R.column(2), n_b = transpose_times(b.R, n);
  const T height = dot(n, b.p - a.p), radius = b.size.x, half = b.size.y;
  const T tilt = sqrt(n_b.x * n_b.x + n_b.y * n_b.y);
  const bool tilted = tilt > Tolerance<T>::kTouch, cap = magnitude(n_b.z) > detail::kCapFaces<T>;
  const Vec3T<T> lowest{tilted ? -n_b.x / tilt : T(1), tilted ? -n_b.y / tilt : T(0), T(0)};
  const int end = n_b.z > T(0) ? 0 : 1;
  int count = 0;
  const auto add = [&](const Vec3T<T>& direction, int at_end, int index) {
    const Vec3T<T> x{radius * direction.x, radius * direction.y, half * T(2 * at_end - 1)};
    // The small numbers are added last.
    const T gap = height + dot(n_b, x);
    if (!(gap < margin)) return false;
    set_contact(out[count++], b.p + b.R * x - n * (gap / T(2)), n, gap,
                feature_id(FeatureKind::kVertexB, static_cast<std::uint32_t>(index)));
    return true;
  };
  if (!add(lowest, end, end)) return 0;
  if (!cap) {
    add(lowest, 1 - end, 1 - end);
    return count;
  }
  const int taken = detail::nearest_rim_place(lowest);
  for (int k = 0; k < detail::kRimPlaces; ++k)
    if (k != taken) add(detail::rim_place<T>(k), end, 2 + detail::kRimPlaces * end + k);
  return count;
}

template <class T>
STICTION_HD_ROUTINE int collide_plane_ellipsoid(const ShapeT<T>& a, const ShapeT<T>& b, T margin,
                                                ContactPointT<T>* out) {
  const Vec3T<T> n = a.R.column(2);
  const Vec3T<T> x = b.R * detail::as_ellipsoid(b).point(-transpose_times(b.R, n));
  const T gap = dot(n, b.p - a.p) + dot(n, x);
  set_contact(out[0], b.p + x - n * (gap / T(2)), n, gap, feature_id(FeatureKind::kOther, 0));
  return gap < margin ? 1 : 0;
}

}  // namespace stiction
