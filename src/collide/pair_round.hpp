// Pairs of spheres and capsules. A capsule is the ball of its radius swept along the segment ±half-length on its z
// axis: contacts are found between the cores (points, segments) and moved out by the radii.
#pragma once

#include "collide/closest.hpp"

namespace stiction {

namespace detail {

// The contact of two balls around p and q; `direction()` stands in for the normal where the centres coincide.
template <class T, class Direction>
STICTION_HD ContactPointT<T> ball_contact(const Vec3T<T>& p, T radius_p, const Vec3T<T>& q, T radius_q,
                                          const Direction& direction, std::uint32_t feature) {
  const Vec3T<T> d = q - p;
  const T distance = norm(d);
  // Below the square of the rounding of the radii the direction is noise.
  const bool defined = distance > T(Tolerance<T>::kDouble ? 1e-12 : 1e-5) * (radius_p + radius_q);
  const Vec3T<T> normal = defined ? d / distance : direction();
  const T along = defined ? distance : dot(d, normal);
  const T gap = along - (radius_p + radius_q);
  return {p + normal * (radius_p + gap / T(2)), normal, gap, feature};
}

// Farther apart than the margin, told without a root.
template <class T>
STICTION_HD bool balls_beyond(const Vec3T<T>& p, T radius_p, const Vec3T<T>& q, T radius_q, T margin) {
  const T reach = radius_p + radius_q + margin;
  return reach > T(0) && norm_squared(q - p) > reach * reach;
}

// A sphere against a solid that knows the distance of a point.
template <class T, class Solid>
STICTION_HD_CALL int collide_sphere_solid(const ShapeT<T>& a, const ShapeT<T>& b, const Solid& solid, T margin,
                                          ContactPointT<T>* out) {
  const PointDistance<T> d = distance_to(solid, transpose_times(b.R, a.p - b.p));
  const T gap = d.distance - a.size.x;
  if (!(gap < margin) && !d.cut_short) return 0;
  const Vec3T<T> n = -(b.R * d.normal);
  set_contact(out[0], a.p + n * (a.size.x + gap / T(2)), n, gap, feature_id(FeatureKind::kOther, 0), d.cut_short);
  return 1;
}

// Adds the closest contact to the ends of a stretch (count of them are in out) unless these hold it up to rounding; it
// takes the place of an end nearer than a tenth of the radius [m].
template <class T>
STICTION_HD int add_closest(const ContactPointT<T>& closest, T radius, ContactPointT<T>* out, int count) {
  int place = count;
  T distance = T(0.01) * radius * radius;
  std::uint32_t feature = closest.feature;
  for (int i = 0; i < count; ++i) {
    if (out[i].gap - closest.gap < T(Tolerance<T>::kDouble ? 1e-10 : 1e-4) * radius) return count;
    if (norm_squared(out[i].point - closest.point) < distance) {
      distance = norm_squared(out[i].point - closest.point);
      place = i;
      feature = out[i].feature;
    }
  }
  out[place] = closest;
  out[place].feature = feature;
  return place < count ? count : count + 1;
}

// Any unit vector perpendicular to d.
template <class T>
STICTION_HD Vec3T<T> any_perpendicular(const Vec3T<T>& d) {
  Vec3T<T> t1, t2;
  tangent_frame(normalized(d), t1, t2);
  return t1;
}

}  // namespace detail

template <class T>
STICTION_HD_ROUTINE int collide_sphere_sphere(const ShapeT<T>& a, const ShapeT<T>& b, T margin, ContactPointT<T>* out) {
  const auto up = [] { return Vec3T<T>{T(0), T(0), T(1)}; };
  out[0] = detail::ball_contact(a.p, a.size.x, b.p, b.size.x, up, feature_id(FeatureKind::kOther, 0));
  return out[0].gap < margin ? 1 : 0;
}

template <class T>
STICTION_HD_ROUTINE int collide_sphere_capsule(const ShapeT<T>& a, const ShapeT<T>& b, T margin,
                                               ContactPointT<T>* out) {
  const Vec3T<T> axis = b.R.column(2);
  const T t = clamped(dot(a.p - b.p, axis), -b.size.y, b.size.y);
  const Vec3T<T> ball = b.p + axis * t;
  if (detail::balls_beyond(a.p, a.size.x, ball, b.size.x, margin)) return 0;
  const auto across = [&] { return detail::any_perpendicular(axis); };
  out[0] = detail::ball_contact(a.p, a.size.x, ball, b.size.x, across, feature_id(FeatureKind::kOther, 0));
  return out[0].gap < margin ? 1 : 0;
}

// The closest pair of points, and, where the axes are within 15° of parallel, the two ends of the stretch in which the
// capsules lie along each other.
template <class T>
STICTION_HD_ROUTINE int collide_capsule_capsule(const ShapeT<T>& a, const ShapeT<T>& b, T margin,
                                                ContactPointT<T>* out) {
  const Vec3T<T> axis_a = a.R.column(2), axis_b = b.R.column(2);
  const Vec3T<T> p = a.p - axis_a * a.size.y, d = axis_a * (T(2) * a.size.y);
  const Vec3T<T> q = b.p - axis_b * b.size.y, e = axis_b * (T(2) * b.size.y);
  T s, t;
  closest_of_segments(p, d, q, e, s, t);
  if (detail::balls_beyond(p + d * s, a.size.x, q + e * t, b.size.x, margin)) return 0;
  // Crossing cores: their common perpendicular, from the centre of A to that of B.
  const auto fallback = [&] {
    const Vec3T<T> perpendicular = cross(axis_a, axis_b);
    const bool parallel = norm_squared(perpendicular) < Tolerance<T>::kParallelSquared;
    const Vec3T<T> n = parallel ? detail::any_perpendicular(axis_a) : normalized(perpendicular);
    return dot(n, b.p - a.p) < T(0) ? -n : n;
  };
  const ContactPointT<T> closest =
      detail::ball_contact(p + d * s, a.size.x, q + e * t, b.size.x, fallback, feature_id(FeatureKind::kOther, 0));
  if (!(closest.gap < margin)) return 0;

  int count = 0;
  const T along = dot(axis_a, axis_b);
  const T dd = dot(d, d);
  if (magnitude(along) > T(0.966) && dd > T(0)) {
    const T s0 = clamped(dot(q - p, d) / dd, T(0), T(1)), s1 = clamped(dot(q + e - p, d) / dd, T(0), T(1));
    const T ends[2] = {minimum(s0, s1), maximum(s0, s1)};
    // A stretch shorter than a hundredth of the radius is one point.
    if ((ends[1] - ends[0]) * T(2) * a.size.y > T(0.01) * minimum(a.size.x, b.size.x)) {
      for (int i = 0; i < 2; ++i) {
        const Vec3T<T> x = p + d * ends[i];
        const Vec3T<T> y = q + e * closest_on_segment(q, e, x);
        out[count] = detail::ball_contact(
            x, a.size.x, y, b.size.x, [&] { return closest.normal; },
            feature_id(FeatureKind::kOther, i == 0 ? 1u : 2u));
        if (out[count].gap < margin) ++count;
      }
    }
  }
  return detail::add_closest(closest, minimum(a.size.x, b.size.x), out, count);
}

}  // namespace stiction
