// Contact of two convex polyhedra (boxes, hulls). In this order, each only if the one before did not settle it:
//  1. Face normals (separation.hpp). If the facing outlines overlap and the nearest corner of the overlap is as near as
//     the axis says, that is the contact: its corners are the manifold.
//  2. Apart: the closest points (gjk.hpp) give the normal, with the features that hold them: nearly parallel edges meet
//     in two points, everything else in one. A body that passes a corner is not held by extended face planes.
//  3. Touching or penetrating: the axis of least penetration, edges included; a face is preferred to an edge unless
//     the edge is better by 5 %.
#pragma once

#include "collide/gjk.hpp"
#include "collide/separation.hpp"

namespace stiction::detail {

// The edge of the polyhedron that holds its farthest vertex along n and is most nearly perpendicular to n (within
// 0.03 rad); −1 if there is none.
template <class P, class T>
STICTION_HD_CALL int flat_edge(const P& poly, const Vec3T<T>& n, T tolerance) {
  const T top = dot(n, poly.vertex(poly.support(n)));
  int best = -1;
  T least = T(9e-4);  // square of the slope
  for (int e = 0; e < poly.edge_count(); ++e) {
    const Vec3T<T> p = poly.vertex(poly.edge_vertex(e, 0)), q = poly.vertex(poly.edge_vertex(e, 1));
    const T rise = dot(n, q - p);
    if (top - maximum(dot(n, p), dot(n, q)) > tolerance) continue;
    const T slope_squared = rise * rise / norm_squared(q - p);
    if (slope_squared < least) {
      least = slope_squared;
      best = e;
    }
  }
  return best;
}

// The supporting feature of a polyhedron: an edge or a vertex, as a segment in the frame of A.
template <class T>
struct SupportFeature {
  Vec3T<T> p{}, d{};  // [m] p + t d, t in [0, 1]
  int edge = -1, vertex = -1;
};

// Contact of two features with the normal n (unit, frame of A) or, if `apart`, the direction of their closest points.
// Points are in the frame of A.
template <class T>
STICTION_HD_CALL int feature_contact(const SupportFeature<T>& a, const SupportFeature<T>& b, Vec3T<T> n, bool apart,
                                     T merge, T margin, ContactPointT<T>* out) {
  T s, t;
  closest_of_segments(a.p, a.d, b.p, b.d, s, t);
  const Vec3T<T> x = a.p + a.d * s, y = b.p + b.d * t;
  if (apart && dot(y - x, n) > T(0)) {
    // Crossing edges: their common perpendicular, which keeps its digits where the closest points are near.
    const Vec3T<T> common = cross(a.d, b.d);
    const bool crossing = norm_squared(common) > T(1e-4) * norm_squared(a.d) * norm_squared(b.d) && s > T(0) &&
                          s < T(1) && t > T(0) && t < T(1);
    n = normalized(crossing ? (dot(common, y - x) < T(0) ? -common : common) : y - x);
  }
  const T gap = dot(y - x, n);
  if (!(gap < margin)) return 0;
  std::uint32_t feature = feature_id(FeatureKind::kVertexA, static_cast<std::uint32_t>(a.vertex));
  if (a.edge >= 0)
    feature = b.edge >= 0 ? feature_edges(a.edge, b.edge)
                          : feature_id(FeatureKind::kVertexB, static_cast<std::uint32_t>(b.vertex));

  int count = 0;
  T least = margin;
  const T dd = dot(a.d, a.d), ee = dot(b.d, b.d);
  if (a.edge >= 0 && b.edge >= 0 && norm_squared(cross(a.d, b.d)) < T(9e-4) * dd * ee) {
    // Nearly parallel edges: the two ends of the stretch in which they lie along each other.
    const T s0 = clamped(dot(b.p - a.p, a.d) / dd, T(0), T(1)),
            s1 = clamped(dot(b.p + b.d - a.p, a.d) / dd, T(0), T(1));
    const T ends[2] = {minimum(s0, s1), maximum(s0, s1)};
    if ((ends[1] - ends[0]) * (ends[1] - ends[0]) * dd > T(4) * merge * merge) {
      for (int i = 0; i < 2; ++i) {
        const Vec3T<T> u = a.p + a.d * ends[i], w = b.p + b.d * closest_on_segment(b.p, b.d, u);
        const T end_gap = dot(w - u, n);
        if (!(end_gap < margin)) continue;
        least = minimum(least, end_gap);
        out[count++] = {(u + w) / T(2), n, end_gap, feature_edge_end(a.edge, b.edge, i)};
      }
    }
  }
  if (count == 0 || gap < least - merge) out[count++] = {(x + y) / T(2), n, gap, feature};
  return count;
}

template <class PA, class PB>
class PolyhedraContact {
 public:
  using T = typename PA::Scalar;

  STICTION_HD PolyhedraContact(const ShapeT<T>& a, const PA& A, const ShapeT<T>& b, const PB& B, T margin)
      : a_(a), b_(b) {
    pair_.A = A;
    pair_.B = B;
    const Vec3T<T> d = b.p - a.p;
    pair_.b_in_a.R = transpose(a.R) * b.R;
    pair_.a_in_b.R = transpose(pair_.b_in_a.R);
    pair_.b_in_a.t = transpose_times(a.R, d);
    pair_.a_in_b.t = transpose_times(b.R, -d);
    pair_.size = minimum(a.radius, b.radius);
    pair_.margin = margin;
  }

  STICTION_HD_CALL int run(ContactPointT<T>* out) {
    const T trust = pair_.trust(), margin = pair_.margin;
    const FaceAxis<T> of_a = face_axis(pair_.A, pair_.B, pair_.b_in_a, trust, pair_.tie());
    if (of_a.separation > margin) return 0;
    const FaceAxis<T> of_b = face_axis(pair_.B, pair_.A, pair_.a_in_b, trust, pair_.tie());
    if (of_b.separation > margin) return 0;
    choose_face(of_a, of_b);

    Vec3T<T> blend{};
    bool blended = false;
    if (separation_ > -trust) {
      if (separation_ < trust) {
        blend = normalized(of_a.blend - pair_.b_in_a.R * of_b.blend);
        blended = dot(blend, normal_) < Tolerance<T>::kAligned;
      }
      if (!blended) {
        FaceContact<T> contact;
        contact_on_face(of_reference_a_, face_, contact);
        // s ≤ distance ≤ least gap: settled if they agree up to rounding; nearer than trust, up to that.
        const T agreement = contact.least < trust ? trust : T(1e-6) * trust;
        if (contact.any && contact.least - separation_ <= agreement) return write(contact, of_reference_a_, out);
      }
    }

    const GjkResult<T> closest = gjk(pair_.A, pair_.B, pair_.b_in_a, normal_, trust, margin);
    if (closest.status == GjkStatus::kBeyond) return 0;
    if (closest.status == GjkStatus::kApart) return contact_apart(closest.v, out);
    if (blended) return contact_of_features(blend, false, out);

    const T bias = maximum(trust, T(0.05) * magnitude(separation_));
    const EdgeAxis<T> edge = edge_axis(pair_, separation_ + bias);
    if (edge.edge_a >= 0) {
      if (edge.separation > margin) return 0;
      return contact_of_edges(edge, out);
    }
    FaceContact<T> contact;
    contact_on_face(of_reference_a_, face_, contact);
    if (contact.any) return write(contact, of_reference_a_, out);
    return contact_of_features(normal_, false, out);
  }

 private:
  const ShapeT<T>&a_, &b_;
  PolyhedronPair<PA, PB> pair_;
  bool of_reference_a_ = true;
  int face_ = 0;
  T separation_{};     // [m] best of both
  Vec3T<T> normal_{};  // of the chosen face, from A to B, in the frame of A

  // A's face unless B's is better; by a wide margin where the two touch face to face, so that the choice does not flip.
  STICTION_HD void choose_face(const FaceAxis<T>& of_a, const FaceAxis<T>& of_b) {
    const Vec3T<T> n_a = pair_.A.face_normal(of_a.face);
    const Vec3T<T> n_b = -(pair_.b_in_a.R * pair_.B.face_normal(of_b.face));
    const bool facing = dot(n_a, n_b) > Tolerance<T>::kAligned;
    separation_ = maximum(of_a.separation, of_b.separation);
    const bool near = facing && separation_ < pair_.trust();
    of_reference_a_ = of_b.separation <= of_a.separation + (near ? T(1e-3) * pair_.size : pair_.tie());
    face_ = of_reference_a_ ? of_a.face : of_b.face;
    normal_ = of_reference_a_ ? n_a : n_b;
  }

  STICTION_HD void contact_on_face(bool of_a, int face, FaceContact<T>& contact) const {
    if (of_a)
      contact_on_face(pair_.A, pair_.B, pair_.b_in_a, true, face, contact);
    else
      contact_on_face(pair_.B, pair_.A, pair_.a_in_b, false, face, contact);
  }
  template <class R, class I>
  STICTION_HD void contact_on_face(const R& reference, const I& incident, const Placement<T>& place, bool of_a,
                                   int face, FaceContact<T>& contact) const {
    const Vec3T<T> n = reference.face_normal(face);
    const int incident_face = face_at_support(incident, -transpose_times(place.R, n));
    face_contact(reference, face, incident, place, incident_face, of_a, Tolerance<T>::kSlack * pair_.size,
                 Tolerance<T>::kMerge * pair_.size, pair_.margin, contact);
  }

  STICTION_HD int write(FaceContact<T>& contact, bool of_a, ContactPointT<T>* out) const {
    const Vec3T<T> n = of_a ? pair_.A.face_normal(face_) : -pair_.B.face_normal(face_);
    const int count = contact.points.write(n, out);
    if (of_a)
      from_outline(pair_.A, face_, contact, out, count);
    else
      from_outline(pair_.B, face_, contact, out, count);
    to_world(of_a ? a_ : b_, out, count);
    return count;
  }
  STICTION_HD static void to_world(const ShapeT<T>& frame, ContactPointT<T>* out, int count) {
    for (int i = 0; i < count; ++i) {
      out[i].point = frame.p + frame.R * out[i].point;
      out[i].normal = frame.R * out[i].normal;
    }
  }

  // Apart by v, from the closest point of A to that of B. Where a face is nearly perpendicular to v, the corners of the
  // overlap are contacts too, beside that of the closest features, whose normal is v.
  STICTION_HD int contact_apart(const Vec3T<T>& v, ContactPointT<T>* out) {
    const Vec3T<T> n = normalized(v);
    ContactPointT<T> closest[3];
    const int near = contact_of_features(n, true, closest);
    bool of_a = true;
    FaceContact<T> contact;
    contact_on_aligned_face(n, of_a, contact);
    int count = contact.any ? write(contact, of_a, out) : 0;
    if (count == 0 || contact.least - norm(v) > T(1e-6) * pair_.trust())
      for (int i = 0; i < near; ++i) insert(closest[i], out, count);
    return count;
  }
  // In the place of a point of the same features, else of the nearest if there are eight.
  STICTION_HD static void insert(const ContactPointT<T>& point, ContactPointT<T>* out, int& count) {
    int place = count;
    for (int i = 0; i < count; ++i)
      if (out[i].feature == point.feature) place = i;
    if (place == kMaxPoints) {
      place = 0;
      for (int i = 1; i < kMaxPoints; ++i)
        if (norm_squared(out[i].point - point.point) < norm_squared(out[place].point - point.point)) place = i;
    }
    out[place] = point;
    if (place == count) ++count;
  }

  // Contact on the face of A or B that is within the angle of kAligned to n; none if there is no such face.
  STICTION_HD void contact_on_aligned_face(const Vec3T<T>& n, bool& of_a, FaceContact<T>& contact) {
    const Vec3T<T> n_b = -transpose_times(pair_.b_in_a.R, n);
    const int face_a = face_along(pair_.A, n), face_b = face_along(pair_.B, n_b);
    const T along_a = dot(n, pair_.A.face_normal(face_a)), along_b = dot(n_b, pair_.B.face_normal(face_b));
    of_a = along_a >= along_b;
    face_ = of_a ? face_a : face_b;
    if (maximum(along_a, along_b) >= Tolerance<T>::kAligned) contact_on_face(of_a, face_, contact);
  }

  STICTION_HD SupportFeature<T> feature_of_a(int edge, int vertex) const {
    if (edge < 0) return {pair_.A.vertex(vertex), {}, -1, vertex};
    const Vec3T<T> p = pair_.A.vertex(pair_.A.edge_vertex(edge, 0));
    return {p, pair_.A.vertex(pair_.A.edge_vertex(edge, 1)) - p, edge, vertex};
  }
  STICTION_HD SupportFeature<T> feature_of_b(int edge, int vertex) const {
    if (edge < 0) return {pair_.b_in_a(pair_.B.vertex(vertex)), {}, -1, vertex};
    const Vec3T<T> p = pair_.b_in_a(pair_.B.vertex(pair_.B.edge_vertex(edge, 0)));
    return {p, pair_.b_in_a(pair_.B.vertex(pair_.B.edge_vertex(edge, 1))) - p, edge, vertex};
  }
  STICTION_HD int contact_of_features(const Vec3T<T>& n, bool apart, ContactPointT<T>* out) {
    const T merge = Tolerance<T>::kMerge * pair_.size, tolerance = apart ? merge : T(2) * pair_.trust();
    const Vec3T<T> n_b = -transpose_times(pair_.b_in_a.R, n);
    const SupportFeature<T> a = feature_of_a(flat_edge(pair_.A, n, tolerance), pair_.A.support(n));
    const SupportFeature<T> b = feature_of_b(flat_edge(pair_.B, n_b, tolerance), pair_.B.support(n_b));
    const int count = feature_contact(a, b, n, apart, merge, pair_.margin, out);
    to_world(a_, out, count);
    return count;
  }
  // Two edges that cross, or the nearly parallel face beside them if it is not deeper by more than 5 %.
  STICTION_HD int contact_of_edges(const EdgeAxis<T>& edge, ContactPointT<T>* out) {
    bool of_a = true;
    FaceContact<T> contact;
    contact_on_aligned_face(edge.normal, of_a, contact);
    if (contact.any && contact.least < pair_.trust() && contact.least > T(1.05) * edge.separation - pair_.trust())
      return write(contact, of_a, out);
    int count = feature_contact(feature_of_a(edge.edge_a, -1), feature_of_b(edge.edge_b, -1), edge.normal, false,
                                Tolerance<T>::kMerge * pair_.size, pair_.margin, out);
    to_world(a_, out, count);
    return count;
  }
};

}  // namespace stiction::detail

namespace stiction {

template <class T>
STICTION_HD_CALL int collide_box_box(const ShapeT<T>& a, const ShapeT<T>& b, T margin, ContactPointT<T>* out) {
  using Box = detail::BoxPolyhedron<T>;
  return detail::PolyhedraContact<Box, Box>(a, detail::as_box(a), b, detail::as_box(b), margin).run(out);
}

template <class T>
STICTION_HD_CALL int collide_box_hull(const ShapeT<T>& a, const ShapeT<T>& b, T margin, ContactPointT<T>* out) {
  using Box = detail::BoxPolyhedron<T>;
  using Hull = detail::HullPolyhedron<T>;
  return detail::PolyhedraContact<Box, Hull>(a, detail::as_box(a), b, detail::as_hull(b), margin).run(out);
}

template <class T>
STICTION_HD_CALL int collide_hull_hull(const ShapeT<T>& a, const ShapeT<T>& b, T margin, ContactPointT<T>* out) {
  using Hull = detail::HullPolyhedron<T>;
  return detail::PolyhedraContact<Hull, Hull>(a, detail::as_hull(a), b, detail::as_hull(b), margin).run(out);
}

}  // namespace stiction
