// Contact of a face of one polyhedron (reference) with the facing one of another (incident): the corners of the overlap
// of the two outlines, seen along the reference normal. A corner is a vertex of either face inside the other outline or
// a crossing of two edges; its gap is the distance along the reference normal at that place, so that a flush stack
// keeps gaps to rounding.
//
// The corners are those of Sutherland-Hodgman clipping, but found in an order that does not matter: incident edges are
// cut by the reference sides (Cyrus-Beck), and a vertex on the other outline (up to a slack) goes before a crossing, so
// that aligned boxes always meet in the same four features.
#pragma once

#include "collide/manifold.hpp"
#include "collide/polyhedron.hpp"

namespace stiction::detail {

// A face seen from the reference face: vertices as (x, y) along two axes of the reference plane and height over it.
// Axes and origin are in the frame of the face's own polyhedron. Small faces are computed once.
template <class P>
class Outline {
 public:
  using T = typename P::Scalar;

  STICTION_HD Outline(const P& poly, int face, const Vec3T<T>& u, const Vec3T<T>& w, const Vec3T<T>& n,
                      const Vec3T<T>& origin)
      : poly_(poly), face_(face), size_(poly.face_size(face)), u_(u), w_(w), n_(n), origin_(origin) {
    if (size_ <= P::kSmallFace)
      for (int k = 0; k < size_; ++k) small_[k] = compute(k);
  }
  STICTION_HD int size() const { return size_; }
  STICTION_HD int next(int slot) const { return slot + 1 < size_ ? slot + 1 : 0; }
  STICTION_HD Vec3T<T> vertex(int slot) const { return size_ <= P::kSmallFace ? small_[slot] : compute(slot); }
  STICTION_HD int vertex_index(int slot) const { return poly_.face_vertex(face_, slot); }
  STICTION_HD int edge_index(int slot) const { return poly_.face_edge(face_, slot); }

 private:
  const P& poly_;
  int face_, size_;
  Vec3T<T> u_, w_, n_, origin_;
  Vec3T<T> small_[P::kSmallFace];

  STICTION_HD Vec3T<T> compute(int slot) const {
    const Vec3T<T> v = poly_.vertex(poly_.face_vertex(face_, slot));
    return {dot(u_, v) + origin_.x, dot(w_, v) + origin_.y, dot(n_, v) + origin_.z};
  }
};

// Axes of the plane of a face: along its first side, and to its left.
template <class P, class T>
STICTION_HD void face_axes(const P& poly, int face, Vec3T<T>& u, Vec3T<T>& w) {
  u = normalized(poly.vertex(poly.face_vertex(face, 1)) - poly.vertex(poly.face_vertex(face, 0)));
  w = cross(poly.face_normal(face), u);
}

template <class T>
STICTION_HD void face_axes(const BoxPolyhedron<T>&, int face, Vec3T<T>& u, Vec3T<T>& w) {
  const int k = face >> 1;
  T along_u[3] = {T(0), T(0), T(0)}, along_w[3] = {T(0), T(0), T(0)};
  along_u[next_of_three(k)] = T(2 * (face & 1) - 1);
  along_w[previous_of_three(k)] = T(1);
  u = {along_u[0], along_u[1], along_u[2]};
  w = {along_w[0], along_w[1], along_w[2]};
}

// The outline of a face in its own axes (face_axes), with heights of zero up to rounding.
template <class P>
STICTION_HD Outline<P> own_outline(const P& poly, int face, const Vec3T<typename P::Scalar>& u,
                                   const Vec3T<typename P::Scalar>& w) {
  using T = typename P::Scalar;
  return {poly, face, u, w, poly.face_normal(face), {T(0), T(0), -poly.face_offset(face)}};
}

// That of a box: a rectangle about the origin.
template <class T>
class BoxOutline {
 public:
  STICTION_HD BoxOutline(const BoxPolyhedron<T>& poly, int face) : poly_(poly), face_(face) {
    const int k = face >> 1;
    const T half[3] = {poly.h.x, poly.h.y, poly.h.z};
    half_[0] = half[next_of_three(k)];
    half_[1] = half[previous_of_three(k)];
  }
  STICTION_HD int size() const { return 4; }
  STICTION_HD int next(int slot) const { return (slot + 1) & 3; }
  // Face 2k + 1 starts at (−, −), face 2k, whose first axis is turned, at (+, +).
  STICTION_HD Vec3T<T> vertex(int slot) const {
    const int i = face_ & 1 ? slot : slot ^ 2;
    return {half_[0] * T((((i + 1) & 3) >> 1) * 2 - 1), half_[1] * T((i & 2) - 1), T(0)};
  }
  STICTION_HD int vertex_index(int slot) const { return poly_.face_vertex(face_, slot); }
  STICTION_HD int edge_index(int slot) const { return poly_.face_edge(face_, slot); }
  STICTION_HD T half(int axis) const { return half_[axis]; }
  // The side beyond +x (0), −x (1), +y (2), −y (3).
  STICTION_HD int side(int direction) const {
    const int slot = direction == 0 ? 1 : (direction == 1 ? 3 : (direction == 2 ? 2 : 0));
    return face_ & 1 ? slot : slot ^ 2;
  }

 private:
  const BoxPolyhedron<T>& poly_;
  int face_;
  T half_[2];
};

template <class T>
STICTION_HD BoxOutline<T> own_outline(const BoxPolyhedron<T>& poly, int face, const Vec3T<T>&, const Vec3T<T>&) {
  return {poly, face};
}

// What is collected: points below the margin, and their least gap. Points have the coordinates of Outline, with the
// height midway between the surfaces. Corners at or above the margin need not be found.
template <class T>
struct FaceContact {
  Vec3T<T> u{}, w{};  // axes of the reference face
  PointReducer<T> points{{T(1), T(0), T(0)}, {T(0), T(1), T(0)}};
  bool any = false;
  T least{};  // [m]

  STICTION_HD void corner(const Vec3T<T>& midpoint, T gap, T margin, T merge, std::uint32_t feature) {
    if (!any || gap < least) least = gap;
    any = true;
    if (gap < margin && !points.merge(midpoint, gap, merge)) points.add(midpoint, gap, feature);
  }
};

// Distance of x from the side e that starts at p, positive to its right, times the length of e.
template <class T>
STICTION_HD T right_of(const Vec3T<T>& p, const Vec3T<T>& e, const Vec3T<T>& x) {
  return e.y * (x.x - p.x) - e.x * (x.y - p.y);
}
// A slack in the same measure; the 1-norm is an upper bound of the length within a factor of √2.
template <class T>
STICTION_HD T side_slack(const Vec3T<T>& e, T slack) {
  return (magnitude(e.x) + magnitude(e.y)) * slack;
}

// sense: +1 if the outline runs counter-clockwise, −1 if clockwise.
template <class F, class T>
STICTION_HD_CALL bool inside_outline(const F& face, T sense, const Vec3T<T>& x, T slack) {
  Vec3T<T> p = face.vertex(face.size() - 1);
  for (int k = 0; k < face.size(); ++k) {
    const Vec3T<T> q = face.vertex(k), e = q - p;
    if (right_of(p, e, x) * sense > side_slack(e, slack)) return false;
    p = q;
  }
  return true;
}

template <class T>
STICTION_HD bool inside_outline(const BoxOutline<T>& face, T, const Vec3T<T>& x, T slack) {
  return magnitude(x.x) <= face.half(0) + slack && magnitude(x.y) <= face.half(1) + slack;
}

// Part of a segment inside the reference outline: parameters and the sides that cut it (−1: an end of the segment).
template <class T>
struct CutSegment {
  T t[2] = {T(0), T(1)};
  int side[2] = {-1, -1};
  bool parallel[2] = {false, false};  // cut at less than 1e-3 rad
  bool empty = false;
};

template <class F, class T>
STICTION_HD_CALL CutSegment<T> cut_segment(const F& face, const Vec3T<T>& p, const Vec3T<T>& q, T slack) {
  CutSegment<T> cut;
  Vec3T<T> start = face.vertex(0);
  for (int k = 0; k < face.size(); ++k) {
    const Vec3T<T> end = face.vertex(face.next(k)), e = end - start;
    const T dp = right_of(start, e, p), dq = right_of(start, e, q);
    start = end;
    const T tolerance = side_slack(e, slack);
    if (dp <= tolerance && dq <= tolerance) continue;
    if (dp > tolerance && dq > tolerance) {
      cut.empty = true;
      return cut;
    }
    const int which = dp > tolerance ? 0 : 1;
    const T t = clamped(dp / (dp - dq), T(0), T(1));
    if (which == 0 ? t > cut.t[0] || cut.side[0] < 0 : t < cut.t[1] || cut.side[1] < 0) {
      cut.t[which] = t;
      cut.side[which] = k;
      const T sine = dp - dq, dx = q.x - p.x, dy = q.y - p.y;
      cut.parallel[which] = sine * sine < T(1e-6) * (e.x * e.x + e.y * e.y) * (dx * dx + dy * dy);
    }
  }
  cut.empty = cut.t[0] > cut.t[1];
  return cut;
}

template <class T>
STICTION_HD_CALL CutSegment<T> cut_segment(const BoxOutline<T>& face, const Vec3T<T>& p, const Vec3T<T>& q, T slack) {
  CutSegment<T> cut;
  const T from[4] = {p.x, -p.x, p.y, -p.y}, to[4] = {q.x, -q.x, q.y, -q.y};
  for (int direction = 0; direction < 4; ++direction) {
    const T half = face.half(direction >> 1), dp = from[direction] - half, dq = to[direction] - half;
    if (dp <= slack && dq <= slack) continue;
    if (dp > slack && dq > slack) {
      cut.empty = true;
      return cut;
    }
    const int which = dp > slack ? 0 : 1;
    const T t = clamped(dp / (dp - dq), T(0), T(1));
    if (which == 0 ? t > cut.t[0] || cut.side[0] < 0 : t < cut.t[1] || cut.side[1] < 0) {
      cut.t[which] = t;
      cut.side[which] = face.side(direction);
      const T dx = q.x - p.x, dy = q.y - p.y;
      cut.parallel[which] = (dp - dq) * (dp - dq) < T(1e-6) * (dx * dx + dy * dy);
    }
  }
  cut.empty = cut.t[0] > cut.t[1];
  return cut;
}

// A crossing of two nearly parallel edges adds nothing if points of the manifold lie along them on both sides of it.
template <class T>
STICTION_HD bool between_others(const PointReducer<T>& points, const Vec3T<T>& x, const Vec3T<T>& direction) {
  const T length_squared = direction.x * direction.x + direction.y * direction.y;
  bool before = false, after = false;
  for (int i = 0; i < points.stored(); ++i) {
    const T lateral = right_of(x, direction, points.kept(i).point);
    if (lateral * lateral > T(1.6e-5) * length_squared * length_squared) continue;
    const T along = direction.x * (points.kept(i).point.x - x.x) + direction.y * (points.kept(i).point.y - x.y);
    before = before || along < T(0);
    after = after || along > T(0);
  }
  return before && after;
}

template <class R, class I, class T>
STICTION_HD_CALL void face_contact(const R& reference, int face, const I& incident, const Placement<T>& place,
                                   int incident_face, bool reference_is_a, T slack, T merge, T margin,
                                   FaceContact<T>& contact) {
  face_axes(reference, face, contact.u, contact.w);
  const Vec3T<T> u = contact.u, w = contact.w, n = reference.face_normal(face);
  const auto own = own_outline(reference, face, u, w);
  const Vec3T<T> u_i = transpose_times(place.R, u), w_i = transpose_times(place.R, w),
                 n_i = transpose_times(place.R, n);
  const Outline<I> other(incident, incident_face, u_i, w_i, n_i,
                         {dot(u, place.t), dot(w, place.t), dot(n, place.t) - reference.face_offset(face)});
  const FeatureKind incident_vertex = reference_is_a ? FeatureKind::kVertexB : FeatureKind::kVertexA;
  const FeatureKind reference_vertex = reference_is_a ? FeatureKind::kVertexA : FeatureKind::kVertexB;

  for (int i = 0; i < other.size(); ++i) {
    const Vec3T<T> v = other.vertex(i);
    if (!(v.z < margin) || !inside_outline(own, T(1), v, slack)) continue;
    contact.corner({v.x, v.y, v.z / T(2)}, v.z, margin, merge,
                   feature_id(incident_vertex, static_cast<std::uint32_t>(other.vertex_index(i))));
  }

  // Vertices of the reference below the incident plane with the normal m = (m_x, m_y, m_z) through the vertex o:
  // gap = o_z − (m_x (x − o_x) + m_y (y − o_y))/m_z.
  const Vec3T<T> m_incident = incident.face_normal(incident_face);
  const Vec3T<T> m{dot(u_i, m_incident), dot(w_i, m_incident), dot(n_i, m_incident)};
  if (m.z < T(-0.1)) {
    const Vec3T<T> o = other.vertex(0);
    for (int k = 0; k < own.size(); ++k) {
      const Vec3T<T> v = own.vertex(k);
      const T gap = o.z - (m.x * (v.x - o.x) + m.y * (v.y - o.y)) / m.z;
      if (!(gap < margin) || !inside_outline(other, T(-1), v, slack)) continue;
      contact.corner({v.x, v.y, gap / T(2)}, gap, margin, merge,
                     feature_id(reference_vertex, static_cast<std::uint32_t>(own.vertex_index(k))));
    }
  }

  bool any_parallel = false;
  for (int pass = 0; pass == 0 || (pass == 1 && any_parallel); ++pass) {
    for (int i = 0; i < other.size(); ++i) {
      const Vec3T<T> p = other.vertex(i), q = other.vertex(other.next(i));
      if (!(minimum(p.z, q.z) < margin)) continue;
      const CutSegment<T> cut = cut_segment(own, p, q, slack);
      if (cut.empty) continue;
      for (int end = 0; end < 2; ++end) {
        if (cut.side[end] < 0) continue;
        any_parallel = any_parallel || cut.parallel[end];
        if (cut.parallel[end] != (pass == 1)) continue;
        const Vec3T<T> x = p + (q - p) * cut.t[end];
        const Vec3T<T> midpoint{x.x, x.y, x.z / T(2)};
        if (pass == 1 && between_others(contact.points, midpoint, q - p)) continue;
        const int edge = own.edge_index(cut.side[end]), edge_i = other.edge_index(i);
        contact.corner(midpoint, x.z, margin, merge,
                       reference_is_a ? feature_edges(edge, edge_i) : feature_edges(edge_i, edge));
      }
    }
  }
}

// Points in the coordinates of Outline, back in the frame of the reference polyhedron.
template <class P, class T>
STICTION_HD void from_outline(const P& poly, int face, const FaceContact<T>& contact, ContactPointT<T>* point,
                              int count) {
  const Vec3T<T> n = poly.face_normal(face);
  const T offset = poly.face_offset(face);
  for (int i = 0; i < count; ++i) {
    const Vec3T<T> x = point[i].point;
    point[i].point = contact.u * x.x + contact.w * x.y + n * (x.z + offset);
  }
}

}  // namespace stiction::detail
