// Sphere and capsule against box and hull. A capsule touches by balls on its core segment: the ball nearest to the
// solid, and, where the segment lies along a face or an edge (within 15°), the balls at the two ends of that stretch.
// Each has its own exact distance and normal. A core that enters the solid is pushed out along the axis of least
// penetration instead.
#pragma once

#include "collide/gjk.hpp"
#include "collide/pair_round.hpp"
#include "collide/separation.hpp"

namespace stiction::detail {

// Where the core of a capsule, p + t d with t in [0, 1], comes nearest to a polyhedron, in the frame of that one: not
// nearer than `touch` [m] if they are apart, and nearer than `margin` [m].
template <class T>
struct CorePlace {
  GjkStatus status = GjkStatus::kTouching;
  PointDistance<T> closest{};
  T t{};
  // Vertices of the polyhedron that span the feature of the closest point: 1 a vertex, 2 an edge, else a face.
  int vertex[3] = {}, count = 0;
};

template <class T>
STICTION_HD CorePlace<T> closest_of_core(const BoxPolyhedron<T>& box, const Vec3T<T>& p, const Vec3T<T>& d, T touch,
                                         T margin) {
  CorePlace<T> place;
  place.t = closest_to_box(box.h, p, d);
  const Vec3T<T> x = p + d * place.t;
  place.closest = distance_to(box, x);
  if (!(place.closest.distance < margin)) place.status = GjkStatus::kBeyond;
  if (place.status == GjkStatus::kBeyond || !(place.closest.distance > touch)) return place;
  place.status = GjkStatus::kApart;
  int corner = 0, free = 0;
  for (int k = 0; k < 3; ++k) {
    corner |= x[k] > T(0) ? 1 << k : 0;
    free |= magnitude(x[k]) < box.h[k] ? 1 << k : 0;
  }
  place.vertex[0] = corner & ~free;
  place.vertex[1] = corner | free;
  place.count = free == 0 ? 1 : ((free & (free - 1)) == 0 ? 2 : 3);
  return place;
}

// The core as a polyhedron of two vertices.
template <class T>
struct CoreEnds {
  Vec3T<T> p, d;  // [m]
  STICTION_HD int support(const Vec3T<T>& n, int = 0) const { return dot(n, d) > T(0) ? 1 : 0; }
  STICTION_HD Vec3T<T> vertex(int i) const { return i == 0 ? p : p + d; }
};

template <class T>
STICTION_HD CorePlace<T> closest_of_core(const HullPolyhedron<T>& hull, const Vec3T<T>& p, const Vec3T<T>& d, T touch,
                                         T margin) {
  const Placement<T> here{Mat3T<T>::identity(), {}};
  const GjkResult<T> found = gjk(hull, CoreEnds<T>{p, d}, here, p + d / T(2), touch, margin);
  CorePlace<T> place;
  place.status = found.status;
  if (found.status != GjkStatus::kApart) return place;
  const Vec3T<T> v = found.on_b - found.on_a;
  const T distance = norm(v);
  place.closest = {distance, v / distance, found.cut_short};
  if (!(distance < margin) && !found.cut_short) place.status = GjkStatus::kBeyond;
  place.t = closest_on_segment(p, d, found.on_b);
  for (int i = 0; i < found.count_a; ++i) place.vertex[i] = found.vertex_a[i];
  place.count = found.count_a;
  return place;
}

template <class T, class P>
class CapsuleContact {
 public:
  STICTION_HD CapsuleContact(const ShapeT<T>& capsule, const ShapeT<T>& solid, const P& poly, T margin)
      : solid_(solid), poly_(poly), radius_(capsule.size.x), margin_(margin) {
    const Vec3T<T> half = transpose_times(solid.R, capsule.R.column(2)) * capsule.size.y;
    p_ = transpose_times(solid.R, capsule.p - solid.p) - half;
    d_ = half * T(2);
    size_ = minimum(capsule.radius, solid.radius);
  }

  STICTION_HD_CALL int run(ContactPointT<T>* out) {
    // A core nearer than kTrust counts as inside.
    place_ = closest_of_core(poly_, p_, d_, Tolerance<T>::kTrust * size_, radius_ + margin_);
    switch (place_.status) {
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
    ball(place_.t, place_.closest, 0, &nearest);
    return marked(place_.closest.cut_short, out, add_closest(nearest, radius_, out, count));
  }

 private:
  const ShapeT<T>& solid_;
  P poly_;
  T radius_, margin_, size_{};  // [m]
  Vec3T<T> p_{}, d_{};          // [m]
  CorePlace<T> place_;

  // The contact of the ball at t, A being the capsule: the normal points into the solid.
  STICTION_HD int ball(T t, const PointDistance<T>& d, std::uint32_t feature, ContactPointT<T>* out) const {
    const T gap = d.distance - radius_;
    if (!(gap < margin_) && !d.cut_short) return 0;
    const Vec3T<T> x = p_ + d_ * t - d.normal * (radius_ + gap / T(2));
    set_contact(*out, solid_.p + solid_.R * x, -(solid_.R * d.normal), gap, feature_id(FeatureKind::kOther, feature));
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

  // The edge along the core (within 15°) that holds the closest point; −1 if there is none.
  STICTION_HD_CALL int edge_along() const {
    constexpr T kAlong = T(0.966);  // cos 15°
    int nearest = -1;
    T most = kAlong * kAlong;
    for_edges_at(poly_, place_.vertex, place_.count, [&](int e) {
      const Vec3T<T> along = poly_.vertex(poly_.edge_vertex(e, 1)) - poly_.vertex(poly_.edge_vertex(e, 0));
      const T dot_squared = dot(d_, along) * dot(d_, along), lengths = norm_squared(d_) * norm_squared(along);
      if (!(dot_squared > most * lengths)) return;
      most = dot_squared / lengths;
      nearest = e;
    });
    return nearest;
  }

  // The stretch of the core along the face or, if that fails, the edge that the closest point is at.
  STICTION_HD_CALL bool find_stretch(T& low, T& high) const {
    constexpr T kAlong = T(0.966);  // cos 15°
    const T least_length = T(0.01) * radius_;
    const int face = face_along(poly_, place_.closest.normal);
    const Vec3T<T> n = poly_.face_normal(face);
    if (dot(n, place_.closest.normal) > kAlong) {
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
