// Cylinder against sphere, capsule, box, hull and cylinder; the cylinder is B. The closest points or the axis of least
// penetration (convex_distance.hpp) say what faces what:
//  - cap on face or cap: the corners of the overlap (disc_contact.hpp), with one normal;
//  - side on face: the ends of the line of the side that lies over the face;
//  - an edge, a core or the line of another side along the cap or the side: the ends of the stretch in which it does;
//  - anything else: the closest points.
// To all but the first, rim points and vertices within the margin are added with their own normals and gaps, so that a
// cylinder that rocks cannot drive its other end in within a step.
#pragma once

#include "collide/convex_distance.hpp"
#include "collide/corner_contact.hpp"
#include "collide/disc_contact.hpp"
#include "collide/pair_round.hpp"

namespace stiction::detail {

// cos, sin of the angles within which a line lies along a plane: 0.03 rad.
template <class T>
constexpr T kLineAlong = T(0.03);

// Index of the closest points, beyond those of the ends of edges.
constexpr std::uint32_t kClosest = 1u << 21;

// Ends of the part of a line p + t d, t in [0, 1], that lies along the cap or the side of a cylinder, in whose frame it
// is, with their distances to that surface.
template <class T>
struct LineEnds {
  int count = 0;
  T t[2] = {};
  PointDistance<T> own[2] = {};
};

// `along`: cosine of the angle from the cylinder's axis to the outward direction of the contact. Shorter than `least`
// [m] the line is a point.
template <class T>
STICTION_HD_CALL LineEnds<T> line_along(const CylinderSupport<T>& c, const Vec3T<T>& p, const Vec3T<T>& d, T along,
                                        T least) {
  LineEnds<T> ends;
  T low = T(0), high = T(1);
  const bool cap = magnitude(along) > Tolerance<T>::kAligned;
  const T off = cap ? d.z * d.z : norm_squared(radial(d));
  if (off > kLineAlong<T> * kLineAlong<T> * norm_squared(d)) return ends;
  const T sign = sign_of(along);
  if (cap) {
    T t[2];
    if (!cross_rim(CapView<T>{{}, {T(0), T(0), T(1)}, c.radius}, radial(p), radial(d), t)) return ends;
    low = maximum(low, t[0]), high = minimum(high, t[1]);
  } else if (magnitude(along) < kLineAlong<T> && magnitude(d.z) > T(0)) {
    const T t0 = (-c.half - p.z) / d.z, t1 = (c.half - p.z) / d.z;
    low = maximum(low, minimum(t0, t1)), high = minimum(high, maximum(t0, t1));
  } else {
    return ends;
  }
  if (!(high > low) || !((high - low) * (high - low) * norm_squared(d) > least * least)) return ends;
  for (int i = 0; i < 2; ++i) {
    ends.t[i] = i == 0 ? low : high;
    const Vec3T<T> x = p + d * ends.t[i], r = radial(x);
    const T length = norm(r);
    ends.own[i] = cap ? PointDistance<T>{sign * x.z - c.half, {T(0), T(0), sign}}
                      : PointDistance<T>{length - c.radius, normalized(r)};
  }
  ends.count = 2;
  return ends;
}

// Collects contacts in the frame of A, where B is the cylinder. `swept`: radius of the ball that the core A carries.
template <class T>
class CylinderContact {
 public:
  STICTION_HD CylinderContact(const ConvexContact<T>& closest, const PlacedCylinder<T>& b, T swept, T size, T margin,
                              ContactPointT<T>* out)
      : closest_(closest),
        b_(b),
        list_{out, 0, closest.gap - swept - T(1e-3) * size - T(0.1) * magnitude(closest.gap - swept), margin,
              Tolerance<T>::kMerge * size},
        swept_(swept),
        size_(size) {}

  STICTION_HD const Vec3T<T>& normal() const { return closest_.normal; }
  STICTION_HD int count() const { return list_.count; }
  // cos of the angle between the axis of B and the normal.
  STICTION_HD T along() const { return dot(b_.axis(), closest_.normal); }
  STICTION_HD bool cap_faces() const { return magnitude(along()) > Tolerance<T>::kAligned; }

  // A line of A, p + t d with t in [0, 1], along B.
  STICTION_HD void add_line(const Vec3T<T>& p, const Vec3T<T>& d, int edge) {
    const Vec3T<T> x = b_.local(p);
    const LineEnds<T> ends = line_along(b_.own, x, b_.local(p + d) - x, -along(), T(0.01) * size_);
    for (int i = 0; i < ends.count; ++i) add_on_a(p + d * ends.t[i], ends.own[i], feature_edge_end(edge, 0, i));
  }
  // The line of B's side that faces the cylinder A, whose own frame this is, along A.
  STICTION_HD void add_own_line(const CylinderSupport<T>& A) {
    const RimPoints<T> rim(b_, -normal());
    const Vec3T<T> p = rim.lowest(0), d = rim.lowest(1) - p;
    const LineEnds<T> ends = line_along(A, p, d, normal().z, T(0.01) * size_);
    for (int i = 0; i < ends.count; ++i) {
      const Vec3T<T> n = ends.own[i].normal, x = p + d * ends.t[i];
      const T gap = ends.own[i].distance;
      if (dot(n, normal()) > T(0.7)) list_.add({x - n * (gap / T(2)), n, gap, feature_edge_end(0, 1, i)});
    }
  }

  // Is the nearest corner of an overlap of flat faces as near as the closest points? Between faces at an angle, far
  // apart, the closest points have another normal.
  STICTION_HD bool holds(const FaceContact<T>& corners) const {
    const T tolerance = Tolerance<T>::kTouch * size_ + T(1e-3) * maximum(-closest_.gap, T(0));
    return corners.any && corners.least < list_.margin && magnitude(corners.least - closest_.gap) <= tolerance;
  }
  // A point of A with its own distance to B.
  STICTION_HD void add_vertex(const Vec3T<T>& x, std::uint32_t index) {
    // Its distance to B is at least its distance from the plane across n that B reaches to.
    if (dot(normal(), closest_.on_b - x) >= list_.margin) return;
    add_on_a(x, distance_to(b_.own, b_.local(x)), feature_id(FeatureKind::kVertexA, index));
  }
  // A rim point of B with its distance to A, whose outward normal it brings.
  template <class Solid>
  STICTION_HD void add_rim_points(const Solid& A) {
    const RimPoints<T> rim(b_, -normal());
    for (int i = 0; i < rim.count(); ++i) {
      if (!rim.has(i)) continue;
      const Vec3T<T> x = rim.point(i);
      if (dot(normal(), x - closest_.on_a) >= list_.margin) continue;
      const PointDistance<T> own = distance_to(A, x);
      if (dot(own.normal, normal()) > T(0.7))
        list_.add({x - own.normal * (own.distance / T(2)), own.normal, own.distance,
                   feature_id(FeatureKind::kVertexB, rim.index(i))});
    }
  }
  // A contact of two surfaces, if it is within the margin.
  STICTION_HD void add(const ContactPointT<T>& point) { list_.add(point); }
  // The closest points, unless a contact that stands already is as near. They take the place of an end of a line nearer
  // than a hundredth of the size.
  STICTION_HD void add_closest_points() {
    const T gap = closest_.gap - swept_, tolerance = Tolerance<T>::kTouch * size_ + T(1e-3) * maximum(-gap, T(0));
    ContactPointT<T> point{closest_.on_a + normal() * (swept_ + gap / T(2)), normal(), gap,
                           feature_id(FeatureKind::kOther, kClosest), closest_.cut_short};
    int place = -1;
    T distance = T(1e-4) * size_ * size_;
    for (int i = 0; i < list_.count; ++i) {
      if (list_.out[i].gap - gap < tolerance) return;
      const T apart = norm_squared(list_.out[i].point - point.point);
      if (apart < distance) distance = apart, place = i;
    }
    if (place < 0) return list_.add(point);
    point.feature = list_.out[place].feature;
    list_.out[place] = point;
  }

 private:
  const ConvexContact<T>& closest_;
  const PlacedCylinder<T>& b_;
  CornerList<T> list_;
  T swept_, size_;  // [m]

  STICTION_HD void add_on_a(const Vec3T<T>& x, const PointDistance<T>& own, std::uint32_t feature) {
    const Vec3T<T> n = -(b_.place.R * own.normal);
    const T gap = own.distance - swept_;
    if (dot(n, normal()) > T(0.7)) list_.add({x + n * (swept_ + gap / T(2)), n, gap, feature});
  }
};

template <class T>
STICTION_HD void to_world(const ShapeT<T>& frame, ContactPointT<T>* out, int count) {
  for (int i = 0; i < count; ++i) {
    out[i].point = frame.p + frame.R * out[i].point;
    out[i].normal = frame.R * out[i].normal;
  }
}

// The line of the side of B over a face of A.
template <class P, class T>
STICTION_HD_CALL void side_on_face(const P& poly, int face, const PlacedCylinder<T>& b, T slack,
                                   CylinderContact<T>& contact) {
  Vec3T<T> u, w;
  face_axes(poly, face, u, w);
  const Vec3T<T> n = poly.face_normal(face);
  const T offset = poly.face_offset(face);
  const auto own = own_outline(poly, face, u, w);
  const RimPoints<T> rim(b, -n);
  const Vec3T<T> p = rim.lowest(0), d = rim.lowest(1) - p;
  const CutSegment<T> cut =
      cut_segment(own, Vec3T<T>{dot(u, p), dot(w, p), T(0)}, Vec3T<T>{dot(u, p + d), dot(w, p + d), T(0)}, slack);
  if (cut.empty) return;
  for (int i = 0; i < 2; ++i) {
    const Vec3T<T> x = p + d * cut.t[i];
    const T gap = dot(n, x) - offset;
    const std::uint32_t feature = cut.side[i] < 0 ? feature_id(FeatureKind::kVertexB, static_cast<std::uint32_t>(i))
                                                  : feature_edges(own.edge_index(cut.side[i]), i);
    contact.add({x - n * (gap / T(2)), n, gap, feature});
  }
}

// Edges of A that are as far along n as A reaches, and across n.
template <class P, class T>
STICTION_HD_CALL void add_edges(const P& poly, CylinderContact<T>& contact) {
  const Vec3T<T> n = contact.normal();
  const T reach = dot(n, poly.vertex(poly.support(n)));
  for (int e = 0; e < poly.edge_count(); ++e) {
    const Vec3T<T> p = poly.vertex(poly.edge_vertex(e, 0)), d = poly.vertex(poly.edge_vertex(e, 1)) - p;
    const T rise = dot(n, d), length_squared = norm_squared(d), slack_squared = kLineAlong<T> * kLineAlong<T>;
    const T below = reach - maximum(dot(n, p), dot(n, p) + rise);
    if (rise * rise > slack_squared * length_squared || below * below > slack_squared * length_squared) continue;
    contact.add_line(p, d, e);
  }
}

template <class T, class P>
STICTION_HD_CALL int collide_polyhedron_cylinder(const ShapeT<T>& a, const P& poly, const ShapeT<T>& b, T margin,
                                                 ContactPointT<T>* out) {
  const T size = minimum(a.radius, b.radius), slack = Tolerance<T>::kSlack * size;
  const PlacedCylinder<T> placed{as_cylinder(b), placement(a, b)};
  const ConvexContact<T> closest = convex_contact(PolyhedronSupport<P>{poly}, placed.own, placed.place, size, margin);
  if (!closest.valid) return 0;
  CylinderContact<T> contact(closest, placed, T(0), size, margin, out);
  const int face = face_along(poly, closest.normal);
  const bool on_face = dot(poly.face_normal(face), closest.normal) > Tolerance<T>::kAligned;
  if (on_face && contact.cap_faces()) {
    FaceContact<T> corners;
    const Vec3T<T> n =
        cap_on_face(poly, face, placed, closest.normal, slack, Tolerance<T>::kMerge * size, margin, corners);
    if (contact.holds(corners)) {
      const int count = corners.points.write(n, out);
      from_outline(poly, face, corners, out, count);
      to_world(a, out, count);
      return marked(closest.cut_short, out, count);
    }
  }
  if (on_face && !contact.cap_faces())
    side_on_face(poly, face, placed, slack, contact);
  else
    add_edges(poly, contact);
  contact.add_closest_points();
  contact.add_rim_points(poly);
  for (int k = 0; k < poly.face_size(face); ++k) {
    const int index = poly.face_vertex(face, k);
    contact.add_vertex(poly.vertex(index), static_cast<std::uint32_t>(index));
  }
  to_world(a, out, contact.count());
  return marked(closest.cut_short, out, contact.count());
}

}  // namespace stiction::detail

namespace stiction {

template <class T>
STICTION_HD_ROUTINE int collide_sphere_cylinder(const ShapeT<T>& a, const ShapeT<T>& b, T margin,
                                                ContactPointT<T>* out) {
  return detail::collide_sphere_solid(a, b, detail::as_cylinder(b), margin, out);
}

template <class T>
STICTION_HD_ROUTINE int collide_capsule_cylinder(const ShapeT<T>& a, const ShapeT<T>& b, T margin,
                                                 ContactPointT<T>* out) {
  const T size = minimum(a.radius, b.radius), radius = a.size.x;
  const detail::PlacedCylinder<T> placed{detail::as_cylinder(b), detail::placement(a, b)};
  const detail::ConvexContact<T> closest =
      detail::convex_contact(detail::as_segment(a), placed.own, placed.place, size, margin + radius);
  if (!closest.valid) return 0;
  detail::CylinderContact<T> contact(closest, placed, radius, size, margin, out);
  contact.add_line({T(0), T(0), -a.size.y}, {T(0), T(0), T(2) * a.size.y}, 0);
  contact.add_closest_points();
  detail::to_world(a, out, contact.count());
  return marked(closest.cut_short, out, contact.count());
}

template <class T>
STICTION_HD_ROUTINE int collide_box_cylinder(const ShapeT<T>& a, const ShapeT<T>& b, T margin, ContactPointT<T>* out) {
  return detail::collide_polyhedron_cylinder(a, detail::as_box(a), b, margin, out);
}

template <class T>
STICTION_HD_ROUTINE int collide_hull_cylinder(const ShapeT<T>& a, const ShapeT<T>& b, T margin, ContactPointT<T>* out) {
  return detail::collide_polyhedron_cylinder(a, detail::as_hull(a), b, margin, out);
}

template <class T>
STICTION_HD_ROUTINE int collide_cylinder_cylinder(const ShapeT<T>& a, const ShapeT<T>& b, T margin,
                                                  ContactPointT<T>* out) {
  const T size = minimum(a.radius, b.radius);
  const detail::CylinderSupport<T> own = detail::as_cylinder(a);
  const detail::PlacedCylinder<T> placed{detail::as_cylinder(b), detail::placement(a, b)};
  const detail::ConvexContact<T> closest = detail::convex_contact(own, placed.own, placed.place, size, margin);
  if (!closest.valid) return 0;
  detail::CylinderContact<T> contact(closest, placed, T(0), size, margin, out);
  const T along = closest.normal.z;
  if (magnitude(along) > Tolerance<T>::kAligned && contact.cap_faces()) {
    const T sign = sign_of(along);
    detail::FaceContact<T> corners;
    const Vec3T<T> n = detail::cap_on_cap(own, along < T(0) ? 0 : 1, placed, closest.normal,
                                          Tolerance<T>::kSlack * size, Tolerance<T>::kMerge * size, margin, corners);
    if (contact.holds(corners)) {
      const int count = corners.points.write(n, out);
      for (int i = 0; i < count; ++i) out[i].point.z = sign * (out[i].point.z + own.half);
      detail::to_world(a, out, count);
      return marked(closest.cut_short, out, count);
    }
  }
  const detail::PlacedCylinder<T> self{own, {Mat3T<T>::identity(), {}}};
  const detail::RimPoints<T> rim(self, closest.normal);
  // The line of A's side along B, else the line of B's side on A's cap.
  if (magnitude(along) < detail::kLineAlong<T>) contact.add_line(rim.lowest(0), rim.lowest(1) - rim.lowest(0), 0);
  if (contact.count() == 0) contact.add_own_line(own);
  contact.add_closest_points();
  contact.add_rim_points(own);
  for (int i = 0; i < rim.count(); ++i)
    if (rim.has(i)) contact.add_vertex(rim.point(i), rim.index(i));
  detail::to_world(a, out, contact.count());
  return marked(closest.cut_short, out, contact.count());
}

}  // namespace stiction
