// Ellipsoid against everything but the plane; the ellipsoid is B. Its surface is smooth and has no flat part: one
// point, from the closest points or the axis of least penetration (convex_distance.hpp).
#pragma once

#include "collide/convex_distance.hpp"
#include "collide/ellipsoid.hpp"
#include "collide/pair_round.hpp"

namespace stiction::detail {

// `swept`: [m] radius of the ball that the core A carries.
template <class SA, class T>
STICTION_HD_CALL int collide_with_ellipsoid(const ShapeT<T>& a, const SA& core, T swept, const ShapeT<T>& b, T margin,
                                            ContactPointT<T>* out) {
  const ConvexContact<T> closest =
      convex_contact(core, as_ellipsoid(b), placement(a, b), minimum(a.radius, b.radius), margin + swept);
  if (!closest.valid) return 0;
  const T gap = closest.gap - swept;
  const Vec3T<T> n = a.R * closest.normal;
  set_contact(
      out[0],
      a.p + a.R * (closest.on_a + closest.on_b - closest.normal * closest.gap) / T(2) + n * (swept + gap / T(2)), n,
      gap, feature_id(FeatureKind::kOther, 0), closest.cut_short);
  return 1;
}

}  // namespace stiction::detail

namespace stiction {

template <class T>
STICTION_HD_ROUTINE int collide_sphere_ellipsoid(const ShapeT<T>& a, const ShapeT<T>& b, T margin,
                                                 ContactPointT<T>* out) {
  return detail::collide_sphere_solid(a, b, detail::as_ellipsoid(b), margin, out);
}

template <class T>
STICTION_HD_ROUTINE int collide_capsule_ellipsoid(const ShapeT<T>& a, const ShapeT<T>& b, T margin,
                                                  ContactPointT<T>* out) {
  return detail::collide_with_ellipsoid(a, detail::as_segment(a), a.size.x, b, margin, out);
}

template <class T>
STICTION_HD_ROUTINE int collide_box_ellipsoid(const ShapeT<T>& a, const ShapeT<T>& b, T margin, ContactPointT<T>* out) {
  using Box = detail::PolyhedronSupport<detail::BoxPolyhedron<T>>;
  return detail::collide_with_ellipsoid(a, Box{detail::as_box(a)}, T(0), b, margin, out);
}

template <class T>
STICTION_HD_ROUTINE int collide_hull_ellipsoid(const ShapeT<T>& a, const ShapeT<T>& b, T margin,
                                               ContactPointT<T>* out) {
  using Hull = detail::PolyhedronSupport<detail::HullPolyhedron<T>>;
  return detail::collide_with_ellipsoid(a, Hull{detail::as_hull(a)}, T(0), b, margin, out);
}

template <class T>
STICTION_HD_ROUTINE int collide_cylinder_ellipsoid(const ShapeT<T>& a, const ShapeT<T>& b, T margin,
                                                   ContactPointT<T>* out) {
  return detail::collide_with_ellipsoid(a, detail::as_cylinder(a), T(0), b, margin, out);
}

template <class T>
STICTION_HD_ROUTINE int collide_ellipsoid_ellipsoid(const ShapeT<T>& a, const ShapeT<T>& b, T margin,
                                                    ContactPointT<T>* out) {
  return detail::collide_with_ellipsoid(a, detail::as_ellipsoid(a), T(0), b, margin, out);
}

}  // namespace stiction
