// Sphere and capsule against box and hull. A capsule touches by balls on its core segment: the ball nearest to the
// solid, and, where the segment lies along a face or an edge (within 15°), the balls at the two ends of that stretch.
// Each has its own exact distance and normal. A core that enters the solid is pushed out along the axis of least
// penetration instead.
#pragma once

#include "collide/convex_distance.hpp"
#include "collide/pair_round.hpp"
#include "collide/separation.hpp"

namespace stiction::detail {

// The core of a capsule, p + t d with t in [0, 1], in the frame of a polyhedron.
template <class T, class P>
class CapsuleContact {
 public:
  STICTION_HD CapsuleContact(const ShapeT<T>& capsule, const ShapeT<T>& solid, const P& poly, T margin)
      : solid_(solid), poly_(poly), radius_(capsule.size.x), margin_(margin) {
    axis_ = transpose_times(solid.R, capsule.R.column(2));
    for (int k = 0; k < 2; ++k) across_[k] = transpose_times(solid.R, capsule.R.column(k));
    const Vec3T<T> centre = transpose_times(solid.R, capsule.p - solid.p);
    p_ = centre - axis_ * capsule.size.y;
    d_ = axis_ * (T(2) * capsule.size.y);
    size_ = minimum(capsule.radius, solid.radius);
  }

  STICTION_HD_CALL int run(ContactPointT<T>* out) {
    switch (find_closest()) {
      case GjkStatus::kBeyond:
        return 0;
      case GjkStatus::kTouching:
        return from_inside(out);
      default:
        break;
    }
    T low, high;
    int count = 0;
    if (find_stretch(low, high)) {
      count += ball(low, distance_to(poly_, p_ + d_ * low), 1, out + count);
      count += ball(high, distance_to(poly_, p_ + d_ * high), 2, out + count);
    }
    ContactPointT<T> nearest;
    ball(t_, closest_, 0, &nearest);
    return marked(closest_.cut_short, out, add_closest(nearest, radius_, out, count));
  }

 private:
  const ShapeT<T>& solid_;
  P poly_;
  T radius_, margin_, size_{};  // [m]
  Vec3T<T> p_{}, d_{};          // [m]
  PointDistance<T> closest_{};
  T t_{};  // parameter of the closest point
  Vec3T<T> axis_{}, across_[2];

  // The contact of the ball at t, A being the capsule: the normal points into the solid.
  STICTION_HD int ball(T t, const PointDistance<T>& d, std::uint32_t feature, ContactPointT<T>* out) const {
    const T gap = d.distance - radius_;
    if (!(gap < margin_) && !d.cut_short) return 0;
    const Vec3T<T> x = p_ + d_ * t - d.normal * (radius_ + gap / T(2));
    *out = {solid_.p + solid_.R * x, -(solid_.R * d.normal), gap, feature_id(FeatureKind::kOther, feature)};
    return 1;
  }

  // The part of the core over a face.
  STICTION_HD CutSegment<T> cut_core(int face) const {
    Vec3T<T> u, w;
    face_axes(poly_, face, u, w);
    const Vec3T<T> q = p_ + d_;
    const auto outline = own_outline(poly_, face, u, w);
    return cut_segment(outline, Vec3T<T>{dot(u, p_), dot(w, p_), T(0)}, Vec3T<T>{dot(u, q), dot(w, q), T(0)},
                       Tolerance<T>::kSlack * size_);
  }

  // The closest points of core and solid; a core nearer than kTrust counts as inside.
  STICTION_HD_CALL GjkStatus find_closest() {
    const Placement<T> core{Mat3T<T>::from_columns(across_[0], across_[1], axis_), p_ + d_ / T(2)};
    const ClosestPoints<T> found = closest_points(PolyhedronSupport<P>{poly_}, SegmentSupport<T>{norm(d_) / T(2)}, core,
                                                  core.t, Tolerance<T>::kTrust * size_, radius_ + margin_, kFinest<T>);
    if (found.status != GjkStatus::kApart) return found.status;
    const T distance = norm(found.v);
    closest_ = {distance, found.v / distance, found.cut_short};
    t_ = closest_on_segment(p_, d_, found.on_b);
    return distance - radius_ < margin_ || found.cut_short ? GjkStatus::kApart : GjkStatus::kBeyond;
  }

  // The edge along the core (within 15°) that holds the closest point; −1 if there is none.
  STICTION_HD_CALL int edge_along() const {
    constexpr T kAlong = T(0.966);  // cos 15°
    int nearest = -1;
    T least = closest_.distance * closest_.distance * (T(1) + T(Tolerance<T>::kDouble ? 1e-9 : 1e-4)), most{};
    for (int e = 0; e < poly_.edge_count(); ++e) {
      const Vec3T<T> q = poly_.vertex(poly_.edge_vertex(e, 0));
      const Vec3T<T> along = poly_.vertex(poly_.edge_vertex(e, 1)) - q;
      const T dot_squared = dot(d_, along) * dot(d_, along), lengths = norm_squared(d_) * norm_squared(along);
      if (dot_squared < kAlong * kAlong * lengths || !(dot_squared > most * lengths)) continue;
      T s, t;
      closest_of_segments(p_, d_, q, along, s, t);
      if (norm_squared(p_ + d_ * s - (q + along * t)) > least) continue;
      most = dot_squared / lengths;
      nearest = e;
    }
    return nearest;
  }

  // The stretch of the core along the face or, if that fails, the edge that the closest point is at.
  STICTION_HD_CALL bool find_stretch(T& low, T& high) const {
    constexpr T kAlong = T(0.966);  // cos 15°
    const T least_length = T(0.01) * radius_;
    const int face = face_along(poly_, closest_.normal);
    const Vec3T<T> n = poly_.face_normal(face);
    if (dot(n, closest_.normal) > kAlong) {
      const CutSegment<T> cut = cut_core(face);
      low = cut.t[0], high = cut.t[1];
      return !cut.empty && (high - low) * (high - low) * norm_squared(d_) > least_length * least_length;
    }
    const T dd = norm_squared(d_);
    const int edge = edge_along();
    if (edge < 0 || !(dd > T(0))) return false;
    const Vec3T<T> q = poly_.vertex(poly_.edge_vertex(edge, 0)), e = poly_.vertex(poly_.edge_vertex(edge, 1)) - q;
    const T s0 = clamped(dot(q - p_, d_) / dd, T(0), T(1)), s1 = clamped(dot(q + e - p_, d_) / dd, T(0), T(1));
    low = minimum(s0, s1), high = maximum(s0, s1);
    return (high - low) * (high - low) * dd > least_length * least_length;
  }

  STICTION_HD_CALL int from_inside(ContactPointT<T>* out) const {
    const SegmentAxis<T> axis = segment_axis(poly_, p_, d_, T(0.95));
    const Vec3T<T> n = axis.normal;
    const int face = axis.face, edge = axis.edge;
    if (edge >= 0) {
      const Vec3T<T> q = poly_.vertex(poly_.edge_vertex(edge, 0));
      T s, t;
      closest_of_segments(p_, d_, q, poly_.vertex(poly_.edge_vertex(edge, 1)) - q, s, t);
      return ball(s, {axis.separation, n}, 0, out);
    }
    const CutSegment<T> cut = cut_core(face);
    const T ends[2] = {cut.empty ? T(0) : cut.t[0], cut.empty ? T(1) : cut.t[1]};
    const T slope = dot(n, d_), at = dot(n, p_) - poly_.face_offset(face);
    int count = 0;
    for (int i = 0; i < 2; ++i) count += ball(ends[i], {at + slope * ends[i], n}, i == 0 ? 1u : 2u, out + count);
    return count;
  }
};

}  // namespace stiction::detail

namespace stiction {

template <class T>
STICTION_HD_ROUTINE int collide_sphere_box(const ShapeT<T>& a, const ShapeT<T>& b, T margin, ContactPointT<T>* out) {
  return detail::collide_sphere_solid(a, b, detail::as_box(b), margin, out);
}

template <class T>
STICTION_HD_ROUTINE int collide_sphere_hull(const ShapeT<T>& a, const ShapeT<T>& b, T margin, ContactPointT<T>* out) {
  return detail::collide_sphere_solid(a, b, detail::as_hull(b), margin, out);
}

template <class T>
STICTION_HD_ROUTINE int collide_capsule_box(const ShapeT<T>& a, const ShapeT<T>& b, T margin, ContactPointT<T>* out) {
  return detail::CapsuleContact<T, detail::BoxPolyhedron<T>>(a, b, detail::as_box(b), margin).run(out);
}

template <class T>
STICTION_HD_ROUTINE int collide_capsule_hull(const ShapeT<T>& a, const ShapeT<T>& b, T margin, ContactPointT<T>* out) {
  return detail::CapsuleContact<T, detail::HullPolyhedron<T>>(a, b, detail::as_hull(b), margin).run(out);
}

}  // namespace stiction
