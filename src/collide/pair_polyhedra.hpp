// Contact of two convex polyhedra (boxes, hulls). In this order, each only if the one before did not settle it (hulls
// of many faces begin with 2):
//  1. Face normals (separation.hpp). If the facing outlines overlap and the nearest corner of the overlap is as near as
//     the axis says, that is the contact: its corners are the manifold.
//  2. Apart: the closest points (gjk.hpp) give the normal, with the features that hold them: nearly parallel edges meet
//     in two points, everything else in one. A body that passes a corner is not held by extended face planes. Other
//     corners within the margin are added with their own normals (corner_contact.hpp).
//  3. Touching or penetrating: the axis of least penetration, edges included; a face is preferred to an edge unless
//     the edge is better by 5 %. Where no face holds the contact, its features are those of the closest points after
//     the bodies were moved apart along the axis.
#pragma once

#include <type_traits>

#include "collide/box_contact.hpp"
#include "collide/corner_contact.hpp"
#include "collide/gjk.hpp"
#include "collide/separation.hpp"

namespace stiction::detail {

// An edge as a segment in the frame of A.
template <class T>
struct EdgeSegment {
  Vec3T<T> p{}, d{};  // [m] p + t d, t in [0, 1]
  int edge = -1;
};

// Nearly parallel edges: the two ends of the stretch in which they lie along each other. Apart, each
// end has the normal of its own closest points; touching, the common normal n, and ends that are not over each other,
// up to `beside` [m], are a matter of faces. Points are in the frame of A.
template <class T>
STICTION_HD_CALL int parallel_edges(const EdgeSegment<T>& a, const EdgeSegment<T>& b, const Vec3T<T>& n, bool apart,
                                    T beside, T margin, ContactPointT<T>* out) {
  const T dd = dot(a.d, a.d);
  const T s0 = clamped(dot(b.p - a.p, a.d) / dd, T(0), T(1)), s1 = clamped(dot(b.p + b.d - a.p, a.d) / dd, T(0), T(1));
  const T ends[2] = {minimum(s0, s1), maximum(s0, s1)};
  if ((ends[1] - ends[0]) * (ends[1] - ends[0]) * dd < T(4) * beside * beside) return 0;
  int count = 0;
  for (int i = 0; i < 2; ++i) {
    const Vec3T<T> x = a.p + a.d * ends[i], y = b.p + b.d * closest_on_segment(b.p, b.d, x);
    const Vec3T<T> normal = apart ? normalized(y - x) : n;
    const T gap = dot(y - x, normal);
    const bool over = apart ? dot(normal, n) > T(0.7) : norm_squared(y - x - n * gap) < beside * beside;
    if (gap < margin && over)
      set_contact(out[count++], (x + y) / T(2), normal, gap, feature_edge_end(a.edge, b.edge, i));
  }
  return count;
}

template <class PA, class PB>
class PolyhedraContact {
 public:
  using T = typename PA::Scalar;

  STICTION_HD PolyhedraContact(const ShapeT<T>& a, const PA& A, const ShapeT<T>& b, const PB& B, T margin)
      : a_(a), b_(b), pair_(polyhedron_pair(a, A, b, B, margin)) {}

  STICTION_HD_CALL int run(ContactPointT<T>* out) {
    const T trust = pair_.trust(), margin = pair_.margin;
    // The axes of small polyhedra cost less than a search for closest points, those of large ones more.
    const bool few = pair_.A.face_count() <= kFewFaces && pair_.B.face_count() <= kFewFaces;
    if (!few) {
      const GjkResult<T> closest = gjk(pair_.A, pair_.B, pair_.b_in_a, pair_.b_in_a.t, pair_.touch(), margin);
      if (closest.status == GjkStatus::kBeyond) return 0;
      if (closest.status == GjkStatus::kApart) return contact_near(closest, out);
    }
    const FaceAxis<T> of_a = face_axis(pair_.A, pair_.B, pair_.b_in_a, pair_.b_in_a.t, kNoFloor<T>, trust, pair_.tie());
    if (of_a.separation > margin) return 0;
    const FaceAxis<T> of_b =
        face_axis(pair_.B, pair_.A, pair_.a_in_b, -(pair_.a_in_b.R * pair_.A.face_normal(of_a.face)), of_a.separation,
                  trust, pair_.tie());
    if (of_b.separation > margin) return 0;
    choose_face(of_a, of_b);
    // A corner over the inside of a face is as near as the face says: no edge is better.
    if constexpr (kBoxes)
      if (separation_ > pair_.touch() && corner_of_boxes(out)) return 1;
    if constexpr (!kBoxes)
      if (separation_ > pair_.touch()) {
        FaceContact<T> contact;
        if (settle_on_face(contact)) return write(contact, of_reference_a_, out);
      }

    Vec3T<T> blend{};
    bool blended = false;
    if (separation_ > -trust && separation_ < pair_.touch()) {
      blend = normalized(of_a.blend - pair_.b_in_a.R * of_b.blend);
      blended = dot(blend, normal_) < Tolerance<T>::kAligned;
    }
    EdgeAxis<T> edge;
    edge.separation = separation_;
    if (few) edge = edge_axis(pair_, separation_, normal_);
    if (edge.separation > margin) return 0;
    // Where edges are farther apart than the face says, no corner of the face is as near as that.
    if (!blended && separation_ > -pair_.touch() && edge.separation < separation_ + pair_.touch()) {
      FaceContact<T> contact;
      if (settle_on_face(contact)) return write(contact, of_reference_a_, out);
    }

    // Of two boxes all axes are known: if they say that the boxes penetrate, there are no closest points to look for.
    // Of hulls only the edges near the chosen face were asked, and a point of both proves it.
    if (few && (edge.separation > -pair_.touch() || !(kBoxes || share_a_point(edge)))) {
      int count = 0;
      if (edge.separation > pair_.touch() && contact_of_crossing(edge, out, count)) return count;
      const Vec3T<T> start = edge.edge_a < 0 ? normal_ : edge.normal;
      const GjkResult<T> closest = gjk(pair_.A, pair_.B, pair_.b_in_a, start, pair_.touch(), margin);
      if (closest.status == GjkStatus::kBeyond) return 0;
      if (closest.status == GjkStatus::kApart) return contact_apart(closest, out);
    }
    if (blended) return contact_touching(blend, out);

    const T bias = maximum(trust, T(0.05) * magnitude(separation_));
    if (!few) edge = edge_axis(pair_, separation_ + bias, normal_);
    if (edge.edge_a >= 0 && edge.separation > separation_ + bias) {
      if (edge.separation > margin) return 0;
      return contact_of_edges(edge, out);
    }
    if constexpr (kBoxes)
      if (corner_of_boxes(out)) return 1;
    FaceContact<T> contact;
    contact_on_face(of_reference_a_, face_, Tolerance<T>::kSlack, contact);
    // The deepest place must be among the corners.
    if (contact.any && contact.least - separation_ <= bias) return write(contact, of_reference_a_, out);
    return contact_touching(normal_, out);
  }

 private:
  static constexpr bool kBoxes = std::is_same_v<PA, BoxPolyhedron<T>> && std::is_same_v<PB, BoxPolyhedron<T>>;
  static constexpr T kSineSquared = T(9e-4);  // of the angle below which edges lie along each other: 0.03 rad
  const ShapeT<T>&a_, &b_;
  PolyhedronPair<PA, PB> pair_;
  bool of_reference_a_ = true;
  int face_ = 0;
  T separation_{};     // [m] best of both
  Vec3T<T> normal_{};  // of the chosen face, from A to B, in the frame of A

  // Separation along the face of one polyhedron that goes most along n; none if n is not the normal of a face.
  template <class P, class Q>
  STICTION_HD static FaceAxis<T> face_near(const P& reference, const Q& other, const Placement<T>& place,
                                           const Vec3T<T>& n) {
    FaceAxis<T> axis;
    axis.face = face_along(reference, n);
    const Vec3T<T> normal = reference.face_normal(axis.face);
    axis.separation = T(-1);
    if (dot(normal, n) < Tolerance<T>::kAligned) return axis;
    axis.separation = dot(normal, place(other.vertex(other.support(-transpose_times(place.R, normal))))) -
                      reference.face_offset(axis.face);
    return axis;
  }
  // Apart: if the closest points lie on a face, its normal is their direction, and no other face needs a look.
  STICTION_HD int contact_near(const GjkResult<T>& closest, ContactPointT<T>* out) {
    const Vec3T<T> n = normalized(closest.on_b - closest.on_a);
    choose_face(face_near(pair_.A, pair_.B, pair_.b_in_a, n),
                face_near(pair_.B, pair_.A, pair_.a_in_b, -transpose_times(pair_.b_in_a.R, n)));
    FaceContact<T> contact;
    if (separation_ >= pair_.touch() && settle_on_face(contact)) return write(contact, of_reference_a_, out);
    return contact_apart(closest, out);
  }

  // Is the vertex that is deepest behind the chosen face, or a place where the two edges cross, in both bodies?
  STICTION_HD bool share_a_point(const EdgeAxis<T>& edge) const {
    const Vec3T<T> n_b = -transpose_times(pair_.b_in_a.R, normal_);
    if (of_reference_a_ ? encloses(pair_.A, pair_.b_in_a(pair_.B.vertex(pair_.B.support(n_b))))
                        : encloses(pair_.B, pair_.a_in_b(pair_.A.vertex(pair_.A.support(normal_)))))
      return true;
    if (edge.edge_a < 0) return false;
    const EdgeSegment<T> a = edge_of_a(edge.edge_a), b = edge_of_b(edge.edge_b);
    T s, t;
    closest_of_segments(a.p, a.d, b.p, b.d, s, t);
    return encloses(pair_.A, b.p + b.d * t);
  }

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

  // s ≤ distance ≤ least gap: settled if they agree up to rounding; nearer than touch, up to that. The slack of the
  // outline must not make up for an overlap that is not there: it is used only between faces that touch or nearly
  // so, so parallel that it moves no gap by more than touch, and that overlap by more than a line.
  STICTION_HD bool settle_on_face(FaceContact<T>& contact) const {
    const T touch = Tolerance<T>::kTouch, slack = Tolerance<T>::kSlack, width = Tolerance<T>::kMerge * pair_.size;
    if (separation_ < T(10) * pair_.touch()) {
      const T cosine = contact_on_face(of_reference_a_, face_, slack, contact);
      if (!contact.any || contact.least - separation_ > pair_.touch()) return false;
      const bool flush = (T(1) - cosine * cosine) * slack * slack < touch * touch;
      if (flush && contact.points.width_squared({T(0), T(0), T(1)}) > width * width) return true;
      contact = {};
    }
    contact_on_face(of_reference_a_, face_, Tolerance<T>::kGraze, contact);
    const T agreement = contact.least < pair_.touch() ? pair_.touch() : pair_.agree();
    return contact.any && contact.least - separation_ <= agreement;
  }
  // Returns the cosine of the angle between the facing faces.
  STICTION_HD T contact_on_face(bool of_a, int face, T slack, FaceContact<T>& contact) const {
    return of_a ? contact_on_face(pair_.A, pair_.B, pair_.b_in_a, true, face, slack, contact)
                : contact_on_face(pair_.B, pair_.A, pair_.a_in_b, false, face, slack, contact);
  }
  template <class R, class I>
  STICTION_HD T contact_on_face(const R& reference, const I& incident, const Placement<T>& place, bool of_a, int face,
                                T slack, FaceContact<T>& contact) const {
    const Vec3T<T> n_i = -transpose_times(place.R, reference.face_normal(face));
    const int incident_face = face_at_support(incident, n_i);
    face_contact(reference, face, incident, place, incident_face, of_a, slack * pair_.size,
                 Tolerance<T>::kMerge * pair_.size, pair_.margin, contact);
    return dot(n_i, incident.face_normal(incident_face));
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
  // One corner of a box over the chosen face of the other.
  STICTION_HD bool corner_of_boxes(ContactPointT<T>* out) const {
    const bool alone = of_reference_a_ ? corner_alone(pair_.A, face_, pair_.B, pair_.b_in_a, true, pair_.margin, *out)
                                       : corner_alone(pair_.B, face_, pair_.A, pair_.a_in_b, false, pair_.margin, *out);
    if (!alone) return false;
    if (!of_reference_a_) out->normal = -out->normal;
    to_world(of_reference_a_ ? a_ : b_, out, 1);
    return true;
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
    if (maximum(along_a, along_b) >= Tolerance<T>::kAligned)
      contact_on_face(of_a, face_, Tolerance<T>::kSlack, contact);
  }

  STICTION_HD EdgeSegment<T> edge_of_a(int edge) const {
    const Vec3T<T> p = pair_.A.vertex(pair_.A.edge_vertex(edge, 0));
    return {p, pair_.A.vertex(pair_.A.edge_vertex(edge, 1)) - p, edge};
  }
  STICTION_HD EdgeSegment<T> edge_of_b(int edge) const {
    const Vec3T<T> p = pair_.b_in_a(pair_.B.vertex(pair_.B.edge_vertex(edge, 0)));
    return {p, pair_.b_in_a(pair_.B.vertex(pair_.B.edge_vertex(edge, 1))) - p, edge};
  }
  // The two edges, holding the closest points, that are most nearly parallel and perpendicular to n (within 0.03 rad).
  STICTION_HD bool find_parallel(const GjkResult<T>& closest, const Vec3T<T>& n, EdgeSegment<T>& a,
                                 EdgeSegment<T>& b) const {
    const T limit = kSineSquared;
    T least = limit;
    for_edges_at(pair_.A, closest.vertex_a, closest.count_a, [&](int i) {
      const EdgeSegment<T> of_a = edge_of_a(i);
      const T dd = norm_squared(of_a.d), rise = dot(n, of_a.d);
      if (rise * rise > limit * dd) return;
      for_edges_at(pair_.B, closest.vertex_b, closest.count_b, [&](int j) {
        const EdgeSegment<T> of_b = edge_of_b(j);
        const T lengths = dd * norm_squared(of_b.d), sine_squared = norm_squared(cross(of_a.d, of_b.d));
        if (!(sine_squared < least * lengths)) return;
        least = sine_squared / lengths;
        a = of_a, b = of_b;
      });
    });
    return least < limit;
  }

  STICTION_HD std::uint32_t feature_of(const GjkResult<T>& closest, int edge_a, int edge_b) const {
    if (closest.count_a == 1) return feature_id(FeatureKind::kVertexA, static_cast<std::uint32_t>(closest.vertex_a[0]));
    if (closest.count_b == 1) return feature_id(FeatureKind::kVertexB, static_cast<std::uint32_t>(closest.vertex_b[0]));
    return feature_edges(edge_a, edge_b);
  }

  // Two edges whose common perpendicular is the best axis, where they cross at an angle; false where they do not.
  STICTION_HD bool contact_of_crossing(const EdgeAxis<T>& edge, ContactPointT<T>* out, int& count) const {
    if (edge.edge_a < 0) return false;
    if constexpr (kBoxes)
      if (edge.separation < pair_.margin && crossing_alone(pair_, edge, kSineSquared, *out)) {
        to_world(a_, out, count = 1);
        return true;
      }
    const EdgeSegment<T> a = edge_of_a(edge.edge_a), b = edge_of_b(edge.edge_b);
    if (norm_squared(cross(a.d, b.d)) < kSineSquared * norm_squared(a.d) * norm_squared(b.d)) return false;
    T s, t;
    closest_of_segments(a.p, a.d, b.p, b.d, s, t);
    if (!(s > T(0) && s < T(1) && t > T(0) && t < T(1))) return false;
    count = 0;
    if (!(edge.separation < pair_.margin)) return true;
    set_contact(out[count++], (a.p + a.d * s + (b.p + b.d * t)) / T(2), edge.normal, edge.separation,
                feature_edges(edge.edge_a, edge.edge_b));
    count = with_corners(edge.normal, count, out);
    return true;
  }

  // Touching or penetrating, with the normal n that separating axes chose: moved apart along n the bodies have closest
  // points, and their features are those that touch.
  STICTION_HD int contact_touching(const Vec3T<T>& n, ContactPointT<T>* out) const {
    const Vec3T<T> n_b = -transpose_times(pair_.b_in_a.R, n);
    const T separation =
        dot(n, pair_.b_in_a(pair_.B.vertex(pair_.B.support(n_b))) - pair_.A.vertex(pair_.A.support(n)));
    const T shift = T(Tolerance<T>::kDouble ? 1e-3 : 1e-2) * pair_.size - separation;
    Placement<T> moved = pair_.b_in_a;
    moved.t += n * shift;
    GjkResult<T> closest = gjk(pair_.A, pair_.B, moved, n, T(0), T(4) * (pair_.size + shift));
    if (closest.status != GjkStatus::kApart) return 0;
    closest.on_b -= n * shift;
    return contact_of_closest(closest, n, dot(n, closest.on_b - closest.on_a), false, out);
  }

  STICTION_HD int contact_apart(const GjkResult<T>& closest, ContactPointT<T>* out) const {
    const Vec3T<T> v = closest.on_b - closest.on_a;
    if (closest.count_a == 2 && closest.count_b == 2) {
      const int edge_a = edge_between(pair_.A, closest.vertex_a[0], closest.vertex_a[1]);
      const int edge_b = edge_between(pair_.B, closest.vertex_b[0], closest.vertex_b[1]);
      if (edge_a >= 0 && edge_b >= 0) {
        // Crossing edges: their common perpendicular, which keeps its digits where the closest points are near.
        const Vec3T<T> d = edge_of_a(edge_a).d, e = edge_of_b(edge_b).d, common = cross(d, e);
        if (norm_squared(common) > T(1e-4) * norm_squared(d) * norm_squared(e)) {
          const Vec3T<T> n = normalized(dot(common, v) < T(0) ? -common : common);
          return contact_of_closest(closest, n, dot(n, v), true, out);
        }
      }
    }
    return contact_of_closest(closest, normalized(v), norm(v), true, out);
  }

  // The closest points, or the ends of nearly parallel edges that hold them, and other corners within the margin.
  STICTION_HD int contact_of_closest(const GjkResult<T>& closest, const Vec3T<T>& n, T gap, bool apart,
                                     ContactPointT<T>* out) const {
    if (!(gap < pair_.margin) && !closest.cut_short) return 0;
    EdgeSegment<T> a, b;
    int count = 0;
    if (find_parallel(closest, n, a, b)) {
      const T beside = apart ? Tolerance<T>::kMerge * pair_.size : T(2) * pair_.trust();
      count = parallel_edges(a, b, n, apart, beside, pair_.margin, out);
    }
    bool held = false;
    for (int i = 0; i < count; ++i) held = held || out[i].gap - gap < pair_.agree();
    if (!held) {
      const int edge_a = closest.count_a == 2 ? edge_between(pair_.A, closest.vertex_a[0], closest.vertex_a[1]) : -1;
      const int edge_b = closest.count_b == 2 ? edge_between(pair_.B, closest.vertex_b[0], closest.vertex_b[1]) : -1;
      set_contact(out[count++], (closest.on_a + closest.on_b) / T(2), n, gap, feature_of(closest, edge_a, edge_b));
    }
    return marked(closest.cut_short, out, with_corners(n, count, out));
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
    // Less deep by as much, it misses the place where they are.
    if (contact.any && contact.least < T(0.95) * edge.separation + pair_.trust() &&
        contact.least > T(1.05) * edge.separation - pair_.trust())
      return write(contact, of_a, out);
    int count = 0;
    if (contact_of_crossing(edge, out, count)) return count;
    return contact_touching(edge.normal, out);
  }
};

}  // namespace stiction::detail

namespace stiction {

template <class T>
STICTION_HD_ROUTINE int collide_box_box(const ShapeT<T>& a, const ShapeT<T>& b, T margin, ContactPointT<T>* out) {
  using Box = detail::BoxPolyhedron<T>;
  return detail::PolyhedraContact<Box, Box>(a, detail::as_box(a), b, detail::as_box(b), margin).run(out);
}

template <class T>
STICTION_HD_ROUTINE int collide_box_hull(const ShapeT<T>& a, const ShapeT<T>& b, T margin, ContactPointT<T>* out) {
  using Box = detail::BoxPolyhedron<T>;
  using Hull = detail::HullPolyhedron<T>;
  return detail::PolyhedraContact<Box, Hull>(a, detail::as_box(a), b, detail::as_hull(b), margin).run(out);
}

template <class T>
STICTION_HD_ROUTINE int collide_hull_hull(const ShapeT<T>& a, const ShapeT<T>& b, T margin, ContactPointT<T>* out) {
  using Hull = detail::HullPolyhedron<T>;
  return detail::PolyhedraContact<Hull, Hull>(a, detail::as_hull(a), b, detail::as_hull(b), margin).run(out);
}

}  // namespace stiction
