// Contacts beside the nearest one where two polyhedra meet at an angle: a box that rocks on an edge must not drive its
// other corners into the face below. The two facing faces are taken; every vertex of one over the other, and every
// crossing of their edges, is a contact with its own exact normal and gap: the face's, or the common perpendicular of
// the edges. Only corners that are farther than the nearest contact and nearer than the margin count.
#pragma once

#include "collide/separation.hpp"

namespace stiction::detail {

// Points to add to; all in the frame of A.
template <class T>
struct CornerList {
  ContactPointT<T>* out;
  int count;
  T floor, margin;  // [m] gaps between these are added
  T merge;          // [m]

  STICTION_HD bool has(std::uint32_t feature) const {
    for (int i = 0; i < count; ++i)
      if (out[i].feature == feature) return true;
    return false;
  }
  // If there are eight, the point takes the place of the farthest.
  STICTION_HD void add(const ContactPointT<T>& point) {
    if (!(point.gap > floor && (point.gap < margin || point.cut_short))) return;
    int farthest = 0;
    for (int i = 0; i < count; ++i) {
      if (out[i].feature == point.feature || norm_squared(out[i].point - point.point) < merge * merge) return;
      if (out[i].gap > out[farthest].gap) farthest = i;
    }
    if (count < kMaxPoints)
      out[count++] = point;
    else if (point.gap < out[farthest].gap)
      out[farthest] = point;
  }
};

// Vertices of the incident face over the reference face. `to_a`: the reference in the frame of A, whose normals are
// turned if the reference is B.
template <class R, class I, class T>
STICTION_HD_CALL void add_vertices(const R& reference, int face, const I& incident, const Placement<T>& place,
                                   int incident_face, const Placement<T>& to_a, bool reference_is_a, T slack,
                                   CornerList<T>& list) {
  const Vec3T<T> n = reference.face_normal(face), n_i = transpose_times(place.R, n);
  const T base = dot(n, place.t) - reference.face_offset(face);
  const auto near = [&](int index) {
    const T gap = base + dot(n_i, incident.vertex(index));
    return gap > list.floor && gap < list.margin;
  };
  bool any = false;
  for (int k = 0; k < incident.face_size(incident_face); ++k) any = any || near(incident.face_vertex(incident_face, k));
  if (!any) return;
  Vec3T<T> u, w;
  face_axes(reference, face, u, w);
  const auto own = own_outline(reference, face, u, w);
  for (int k = 0; k < incident.face_size(incident_face); ++k) {
    const int index = incident.face_vertex(incident_face, k);
    if (!near(index)) continue;
    const Vec3T<T> v = place(incident.vertex(index));
    const T gap = dot(n, v) - reference.face_offset(face);
    if (!inside_outline(own, T(1), Vec3T<T>{dot(u, v), dot(w, v), T(0)}, slack)) continue;
    const FeatureKind kind = reference_is_a ? FeatureKind::kVertexB : FeatureKind::kVertexA;
    const Vec3T<T> normal = to_a.R * n;
    list.add({to_a(v - n * (gap / T(2))), reference_is_a ? normal : -normal, gap,
              feature_id(kind, static_cast<std::uint32_t>(index))});
  }
}

// Edges of B's face that cross edges of A's face, seen along the normal of the latter.
template <class PA, class PB, class T>
STICTION_HD_CALL void add_crossings(const PolyhedronPair<PA, PB>& pair, int face_a, int face_b, T slack,
                                    CornerList<T>& list) {
  Vec3T<T> u, w;
  face_axes(pair.A, face_a, u, w);
  const Vec3T<T> n = pair.A.face_normal(face_a);
  const auto own = own_outline(pair.A, face_a, u, w);
  const int size = pair.B.face_size(face_b);
  const T base = dot(n, pair.b_in_a.t) - pair.A.face_offset(face_a);
  const Vec3T<T> n_b = transpose_times(pair.b_in_a.R, n);
  int from = pair.B.face_vertex(face_b, 0);
  T low = base + dot(n_b, pair.B.vertex(from));
  for (int k = 0; k < size; ++k) {
    const int v = from, to = pair.B.face_vertex(face_b, k + 1 < size ? k + 1 : 0);
    const T at_v = low, at_to = base + dot(n_b, pair.B.vertex(to));
    from = to, low = at_to;
    // Edges are at least as far from each other as that of B is above the face of A.
    if (!(minimum(at_v, at_to) < list.margin)) continue;
    const Vec3T<T> q = pair.b_in_a(pair.B.vertex(v)), e = pair.b_in_a(pair.B.vertex(to)) - q;
    const CutSegment<T> cut =
        cut_segment(own, Vec3T<T>{dot(u, q), dot(w, q), T(0)}, Vec3T<T>{dot(u, q + e), dot(w, q + e), T(0)}, slack);
    for (int end = 0; end < 2 && !cut.empty; ++end) {
      if (cut.side[end] < 0) continue;
      const int edge_a = own.edge_index(cut.side[end]);
      const std::uint32_t feature = feature_edges(edge_a, pair.B.face_edge(face_b, k));
      if (list.has(feature)) continue;
      const Vec3T<T> p = pair.A.vertex(pair.A.edge_vertex(edge_a, 0));
      const Vec3T<T> d = pair.A.vertex(pair.A.edge_vertex(edge_a, 1)) - p;
      Vec3T<T> normal = cross(d, e);
      const T length_squared = norm_squared(normal), rise = dot(normal, n);
      // Edges within 2° of parallel are told by their ends.
      if (length_squared < T(1.2e-3) * norm_squared(d) * norm_squared(e)) continue;
      // The height over the edge, seen along the common perpendicular.
      const T height = (at_v + (at_to - at_v) * cut.t[end]) * magnitude(rise);
      if (height > T(0) && height * height >= list.margin * list.margin * length_squared) continue;
      normal = normalized(normal);
      if (rise < T(0)) normal = -normal;
      T s, t;
      closest_of_segments(p, d, q, e, s, t);
      if (!(s > T(0) && s < T(1) && t > T(0) && t < T(1))) continue;
      const Vec3T<T> x = p + d * s, y = q + e * t;
      list.add({(x + y) / T(2), normal, dot(normal, y - x), feature});
    }
  }
}

// All corners of the two faces that go most along n and against it; `count` contacts stand in out already, the nearest
// with the gap `nearest`.
template <class PA, class PB, class T>
STICTION_HD_CALL int add_corners(const PolyhedronPair<PA, PB>& pair, const Vec3T<T>& n, T nearest,
                                 ContactPointT<T>* out, int count) {
  const T slack = Tolerance<T>::kSlack * pair.size;
  const int face_a = face_along(pair.A, n), face_b = face_along(pair.B, -transpose_times(pair.b_in_a.R, n));
  CornerList<T> list{out, count, nearest, pair.margin, Tolerance<T>::kMerge * pair.size};
  const Placement<T> self{Mat3T<T>::identity(), {}};
  add_vertices(pair.A, face_a, pair.B, pair.b_in_a, face_b, self, true, slack, list);
  add_vertices(pair.B, face_b, pair.A, pair.a_in_b, face_a, pair.b_in_a, false, slack, list);
  add_crossings(pair, face_a, face_b, slack, list);
  return list.count;
}

}  // namespace stiction::detail
