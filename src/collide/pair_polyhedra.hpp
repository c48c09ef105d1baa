// Contact of two convex polyhedra (boxes, hulls). In this order, each only if the one before did not settle it:
//  1. Face normals (separation.hpp). If the facing outlines overlap and the nearest corner of the overlap is as near as
//     the axis says, that is the contact: its corners are the manifold.
//  2. Apart: the closest points (gjk.hpp) give the normal, with the features that hold them: nearly parallel edges meet
//     in two points, everything else in one. A body that passes a corner is not held by extended face planes. Other
//     corners within the margin are added with their own normals (corner_contact.hpp).
//  3. Touching or penetrating: the axis of least penetration, edges included; a face is preferred to an edge unless
//     the edge is better by 5 %.
#pragma once

#include "collide/corner_contact.hpp"
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

// Nearly parallel edges (within 0.03 rad): the two ends of the stretch in which they lie along each other. Apart, each
// end has the normal of its own closest points; touching, the common normal n, and ends that are not over each other,
// up to `beside` [m], are a matter of faces. Points are in the frame of A.
template <class T>
STICTION_HD_CALL int parallel_edges(const SupportFeature<T>& a, const SupportFeature<T>& b, const Vec3T<T>& n,
                                    bool apart, T beside, T margin, ContactPointT<T>* out) {
  const T dd = dot(a.d, a.d), ee = dot(b.d, b.d);
  if (a.edge < 0 || b.edge < 0 || norm_squared(cross(a.d, b.d)) > T(9e-4) * dd * ee) return 0;
  const T s0 = clamped(dot(b.p - a.p, a.d) / dd, T(0), T(1)), s1 = clamped(dot(b.p + b.d - a.p, a.d) / dd, T(0), T(1));
  const T ends[2] = {minimum(s0, s1), maximum(s0, s1)};
  if ((ends[1] - ends[0]) * (ends[1] - ends[0]) * dd < T(4) * beside * beside) return 0;
  int count = 0;
  for (int i = 0; i < 2; ++i) {
    const Vec3T<T> x = a.p + a.d * ends[i], y = b.p + b.d * closest_on_segment(b.p, b.d, x);
    const Vec3T<T> normal = apart ? normalized(y - x) : n;
    const T gap = dot(y - x, normal);
    const bool over = apart ? dot(normal, n) > T(0.7) : norm_squared(y - x - n * gap) < beside * beside;
    if (gap < margin && over) out[count++] = {(x + y) / T(2), normal, gap, feature_edge_end(a.edge, b.edge, i)};
  }
  return count;
}

// Contact of two features with the normal n in their closest points.
template <class T>
STICTION_HD_CALL int feature_contact(const SupportFeature<T>& a, const SupportFeature<T>& b, const Vec3T<T>& n,
                                     T margin, ContactPointT<T>* out) {
  T s, t;
  closest_of_segments(a.p, a.d, b.p, b.d, s, t);
  const Vec3T<T> x = a.p + a.d * s, y = b.p + b.d * t;
  std::uint32_t feature = feature_id(FeatureKind::kVertexA, static_cast<std::uint32_t>(a.vertex));
  if (a.edge >= 0)
    feature = b.edge >= 0 ? feature_edges(a.edge, b.edge)
                          : feature_id(FeatureKind::kVertexB, static_cast<std::uint32_t>(b.vertex));
  out[0] = {(x + y) / T(2), n, dot(y - x, n), feature};
  return out[0].gap < margin ? 1 : 0;
}

// The edge between two vertices, −1 if there is none.
template <class P>
STICTION_HD int edge_between(const P& poly, int v, int w) {
  for (int e = 0; e < poly.edge_count(); ++e) {
    const int p = poly.edge_vertex(e, 0), q = poly.edge_vertex(e, 1);
    if ((p == v && q == w) || (p == w && q == v)) return e;
  }
  return -1;
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
    if (closest.status == GjkStatus::kApart) return contact_apart(closest, out);
    if (blended) return contact_of_features(blend, out);

    const T bias = maximum(trust, T(0.05) * magnitude(separation_));
    const EdgeAxis<T> edge = edge_axis(pair_, separation_ + bias);
    if (edge.edge_a >= 0) {
      if (edge.separation > margin) return 0;
      return contact_of_edges(edge, out);
    }
    FaceContact<T> contact;
    contact_on_face(of_reference_a_, face_, contact);
    if (contact.any) return write(contact, of_reference_a_, out);
    return contact_of_features(normal_, out);
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
  STICTION_HD int edges_along(const Vec3T<T>& n, bool apart, T tolerance, SupportFeature<T>& a, SupportFeature<T>& b,
                              ContactPointT<T>* out) const {
    const Vec3T<T> n_b = -transpose_times(pair_.b_in_a.R, n);
    a = feature_of_a(flat_edge(pair_.A, n, tolerance), pair_.A.support(n));
    b = feature_of_b(flat_edge(pair_.B, n_b, tolerance), pair_.B.support(n_b));
    return parallel_edges(a, b, n, apart, tolerance, pair_.margin, out);
  }

  // Touching: the features that n, a direction in which no face tells the normal, supports.
  STICTION_HD int contact_of_features(const Vec3T<T>& n, ContactPointT<T>* out) const {
    SupportFeature<T> a, b;
    const int count = edges_along(n, false, T(2) * pair_.trust(), a, b, out);
    return with_corners(n, count > 0 ? count : feature_contact(a, b, n, pair_.margin, out), out);
  }

  // Apart: the closest points, or the ends of nearly parallel edges that hold them.
  STICTION_HD int contact_apart(const GjkResult<T>& closest, ContactPointT<T>* out) const {
    const Vec3T<T> v = closest.on_b - closest.on_a;
    Vec3T<T> n = normalized(v);
    ContactPointT<T> nearest{(closest.on_a + closest.on_b) / T(2), n, norm(v), 0};
    if (closest.count_a == 1) {
      nearest.feature = feature_id(FeatureKind::kVertexA, static_cast<std::uint32_t>(closest.vertex_a[0]));
    } else if (closest.count_b == 1) {
      nearest.feature = feature_id(FeatureKind::kVertexB, static_cast<std::uint32_t>(closest.vertex_b[0]));
    } else {
      const int edge_a = edge_between(pair_.A, closest.vertex_a[0], closest.vertex_a[1]);
      const int edge_b = edge_between(pair_.B, closest.vertex_b[0], closest.vertex_b[1]);
      nearest.feature = feature_edges(edge_a, edge_b);
      if (edge_a >= 0 && edge_b >= 0) {
        // Crossing edges: their common perpendicular, which keeps its digits where the closest points are near.
        const Vec3T<T> d = feature_of_a(edge_a, -1).d, e = feature_of_b(edge_b, -1).d, common = cross(d, e);
        if (norm_squared(common) > T(1e-4) * norm_squared(d) * norm_squared(e)) {
          n = normalized(dot(common, v) < T(0) ? -common : common);
          nearest.normal = n;
          nearest.gap = dot(n, v);
        }
      }
    }
    if (!(nearest.gap < pair_.margin)) return 0;
    SupportFeature<T> a, b;
    int count = edges_along(n, true, Tolerance<T>::kMerge * pair_.size, a, b, out);
    bool held = false;
    for (int i = 0; i < count; ++i) held = held || out[i].gap - nearest.gap < T(1e-6) * pair_.trust();
    if (!held) out[count++] = nearest;
    return with_corners(n, count, out);
  }
  STICTION_HD int with_corners(const Vec3T<T>& n, int count, ContactPointT<T>* out) const {
    if (count == 0) return 0;
    T nearest = out[0].gap;
    for (int i = 1; i < count; ++i) nearest = minimum(nearest, out[i].gap);
    count = add_corners(pair_, n, nearest, out, count);
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
    const SupportFeature<T> a = feature_of_a(edge.edge_a, -1), b = feature_of_b(edge.edge_b, -1);
    const int count = feature_contact(a, b, edge.normal, pair_.margin, out);
    return with_corners(edge.normal, count, out);
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
