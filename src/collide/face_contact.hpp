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

// Pose of one shape in the frame of another.
template <class T>
struct Placement {
  Mat3T<T> R;
  Vec3T<T> t;  // [m]
  STICTION_HD Vec3T<T> operator()(const Vec3T<T>& v) const { return R * v + t; }
};

// One face, its vertices placed in the frame of the reference.
template <class P, class T>
struct PlacedFace {
  const P& poly;
  const Placement<T>& place;
  int face;
  STICTION_HD int size() const { return poly.face_size(face); }
  STICTION_HD int next(int slot) const { return slot + 1 < size() ? slot + 1 : 0; }
  STICTION_HD Vec3T<T> vertex(int slot) const { return place(poly.vertex(poly.face_vertex(face, slot))); }
  STICTION_HD int vertex_index(int slot) const { return poly.face_vertex(face, slot); }
  STICTION_HD int edge_index(int slot) const { return poly.face_edge(face, slot); }
};

// The reference face in its own frame.
template <class P>
struct OwnFace {
  using T = typename P::Scalar;
  const P& poly;
  int face;
  STICTION_HD int size() const { return poly.face_size(face); }
  STICTION_HD int next(int slot) const { return slot + 1 < size() ? slot + 1 : 0; }
  STICTION_HD Vec3T<T> vertex(int slot) const { return poly.vertex(poly.face_vertex(face, slot)); }
  STICTION_HD int vertex_index(int slot) const { return poly.face_vertex(face, slot); }
  STICTION_HD int edge_index(int slot) const { return poly.face_edge(face, slot); }
};

// What is collected: points below the margin, and the least gap of all corners.
template <class T>
struct FaceContact {
  PointReducer<T> points;
  bool any = false;
  T least{};  // [m]

  STICTION_HD void corner(const Vec3T<T>& midpoint, T gap, T margin, T merge, std::uint32_t feature) {
    if (!any || gap < least) least = gap;
    any = true;
    if (gap < margin && !points.near_another(midpoint, merge)) points.add(midpoint, gap, feature);
  }
};

// Distance of x from a side, positive outside, times the length of the side e that starts at p.
template <class T>
STICTION_HD T side_distance(const Vec3T<T>& outward, const Vec3T<T>& p, const Vec3T<T>& x) {
  return dot(outward, x - p);
}
// A slack in the same measure; the 1-norm is an upper bound of the length within a factor of √3.
template <class T>
STICTION_HD T side_slack(const Vec3T<T>& e, T slack) {
  return (magnitude(e.x) + magnitude(e.y) + magnitude(e.z)) * slack;
}

// sense: +1 if the outline runs counter-clockwise about n, −1 if clockwise.
template <class F, class T>
STICTION_HD_CALL bool inside_outline(const F& face, const Vec3T<T>& n, T sense, const Vec3T<T>& x, T slack) {
  for (int k = 0; k < face.size(); ++k) {
    const Vec3T<T> p = face.vertex(k), e = face.vertex(face.next(k)) - p;
    if (side_distance(cross(e, n) * sense, p, x) > side_slack(e, slack)) return false;
  }
  return true;
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
STICTION_HD_CALL CutSegment<T> cut_segment(const F& face, const Vec3T<T>& n, const Vec3T<T>& p, const Vec3T<T>& q,
                                           T slack) {
  CutSegment<T> cut;
  for (int k = 0; k < face.size(); ++k) {
    const Vec3T<T> start = face.vertex(k), e = face.vertex(face.next(k)) - start;
    const Vec3T<T> outward = cross(e, n);
    const T dp = side_distance(outward, start, p), dq = side_distance(outward, start, q);
    const T tolerance = side_slack(e, slack);
    if (dp <= tolerance && dq <= tolerance) continue;
    if (dp > tolerance && dq > tolerance) {
      cut.empty = true;
      return cut;
    }
    const int end = dp > tolerance ? 0 : 1;
    const T t = clamped(dp / (dp - dq), T(0), T(1));
    if (end == 0 ? t > cut.t[0] || cut.side[0] < 0 : t < cut.t[1] || cut.side[1] < 0) {
      cut.t[end] = t;
      cut.side[end] = k;
      const T sine = dp - dq;
      cut.parallel[end] = sine * sine < T(1e-6) * norm_squared(e) * norm_squared(q - p);
    }
  }
  cut.empty = cut.t[0] > cut.t[1];
  return cut;
}

// A crossing of two nearly parallel edges adds nothing if points of the manifold lie along them on both sides of it.
template <class T>
STICTION_HD bool between_others(const PointReducer<T>& points, const Vec3T<T>& x, const Vec3T<T>& direction) {
  const T length_squared = norm_squared(direction);
  bool before = false, after = false;
  for (int i = 0; i < points.stored(); ++i) {
    const Vec3T<T> away = points.kept(i).point - x;
    const T along = dot(away, direction);
    const T lateral_squared = norm_squared(away) - along * along / length_squared;
    if (lateral_squared > T(1.6e-5) * length_squared) continue;
    before = before || along < T(0);
    after = after || along > T(0);
  }
  return before && after;
}

template <class R, class I, class T>
STICTION_HD_CALL void face_contact(const R& reference, int face, const I& incident, const Placement<T>& place,
                                   int incident_face, bool reference_is_a, T slack, T merge, T margin,
                                   FaceContact<T>& contact) {
  const Vec3T<T> n = reference.face_normal(face);
  const T offset = reference.face_offset(face);
  const OwnFace<R> own{reference, face};
  const PlacedFace<I, T> other{incident, place, incident_face};
  const FeatureKind incident_vertex = reference_is_a ? FeatureKind::kVertexB : FeatureKind::kVertexA;
  const FeatureKind reference_vertex = reference_is_a ? FeatureKind::kVertexA : FeatureKind::kVertexB;

  for (int i = 0; i < other.size(); ++i) {
    const Vec3T<T> v = other.vertex(i);
    if (!inside_outline(own, n, T(1), v, slack)) continue;
    const T gap = dot(n, v) - offset;
    contact.corner(v - n * (gap / T(2)), gap, margin, merge,
                   feature_id(incident_vertex, static_cast<std::uint32_t>(other.vertex_index(i))));
  }

  // Vertices of the reference below the incident plane n_i·x = o_i: gap = (o_i − n_i·v)/(n_i·n).
  const Vec3T<T> n_i = place.R * incident.face_normal(incident_face);
  const T facing = dot(n_i, n);
  if (facing < T(-0.1)) {
    const T o_i = incident.face_offset(incident_face) + dot(n_i, place.t);
    for (int k = 0; k < own.size(); ++k) {
      const Vec3T<T> v = own.vertex(k);
      if (!inside_outline(other, n, T(-1), v, slack)) continue;
      const T gap = (o_i - dot(n_i, v)) / facing;
      contact.corner(v + n * (gap / T(2)), gap, margin, merge,
                     feature_id(reference_vertex, static_cast<std::uint32_t>(own.vertex_index(k))));
    }
  }

  bool any_parallel = false;
  for (int pass = 0; pass == 0 || (pass == 1 && any_parallel); ++pass) {
    for (int i = 0; i < other.size(); ++i) {
      const Vec3T<T> p = other.vertex(i), q = other.vertex(other.next(i));
      const CutSegment<T> cut = cut_segment(own, n, p, q, slack);
      if (cut.empty) continue;
      for (int end = 0; end < 2; ++end) {
        if (cut.side[end] < 0) continue;
        any_parallel = any_parallel || cut.parallel[end];
        if (cut.parallel[end] != (pass == 1)) continue;
        const Vec3T<T> x = p + (q - p) * cut.t[end];
        const T gap = dot(n, x) - offset;
        const Vec3T<T> midpoint = x - n * (gap / T(2));
        if (pass == 1 && between_others(contact.points, midpoint, q - p)) continue;
        const int edge = own.edge_index(cut.side[end]), edge_i = other.edge_index(i);
        contact.corner(midpoint, gap, margin, merge,
                       reference_is_a ? feature_edges(edge, edge_i) : feature_edges(edge_i, edge));
      }
    }
  }
}

}  // namespace stiction::detail
