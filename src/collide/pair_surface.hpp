// Meshes and height fields against everything. The surface is B; of two surfaces both have their vertices held against
// the faces of the other, and the edges of B against those of A. Boxes and hulls meet a surface as surfaces. At most
// kMaxSurfacePoints points; the loops are bounded by the triangles near the other shape.
#pragma once

#include "collide/surface_smooth.hpp"

namespace stiction::detail {

// The contacts of one pair.
template <class T>
struct SurfacePair {
  SurfaceContacts<T> contacts;
  T margin, size;  // [m]

  STICTION_HD SurfacePair(const ShapeT<T>& a, const ShapeT<T>& b, T gap)
      : contacts(gap, Tolerance<T>::kMerge * minimum(a.radius, b.radius)),
        margin(gap),
        size(minimum(a.radius, b.radius)) {}
  STICTION_HD SurfaceSide<T> side(const ShapeT<T>& shape, bool is_a) {
    return {shape.surface, {shape.R, shape.p}, is_a, margin, size, contacts};
  }
};

// A vertex of `own`, which `place` puts into the frame of the other surface.
template <class T>
STICTION_HD_CALL void collide_own_vertex(const SurfaceSide<T>& side, int start, const SurfaceT<T>& own,
                                         const Placement<T>& place, int vertex) {
  const ProbePoint<T> probe{place(own.vertex[vertex]), T(0), place.R * own.vertex_normal[vertex], vertex, own.outward};
  collide_point(side, start, probe, [&](const Vec3T<T>& n, T slack) {
    return vertex_supports(own, vertex, -transpose_times(place.R, n), slack);
  });
}

// The body of an edge of `own`.
template <class T>
struct EdgeBody {
  const SurfaceT<T>& own;
  const Placement<T>& place;
  int edge;
  STICTION_HD bool supports(const Vec3T<T>& n, T slack) const {
    return edge_supports(own, edge, -transpose_times(place.R, n), slack);
  }
  STICTION_HD bool goes_on(int end, const Vec3T<T>& n) const {
    return goes_on_at(own, edge, end, -transpose_times(place.R, n));
  }
  STICTION_HD bool is_behind(const Vec3T<T>& y, const Vec3T<T>& in, T slack) const {
    return is_behind_edge(own, 0, edge, transpose_times(place.R, y - place.t), transpose_times(place.R, in), slack);
  }
  STICTION_HD T depth(const Vec3T<T>& q, const Vec3T<T>& e, T slack) const {
    return depth_behind_edge(own, 0, edge, transpose_times(place.R, q - place.t), transpose_times(place.R, e), slack);
  }
};

// The core of a capsule: its ball tells how deep.
struct CoreBody {
  template <class T>
  STICTION_HD bool supports(const Vec3T<T>&, T) const {
    return true;
  }
  template <class T>
  STICTION_HD bool goes_on(int, const Vec3T<T>&) const {
    return false;
  }
  template <class T>
  STICTION_HD bool is_behind(const Vec3T<T>&, const Vec3T<T>&, T) const {
    return false;
  }
  template <class T>
  STICTION_HD T depth(const Vec3T<T>&, const Vec3T<T>&, T) const {
    return T(0);
  }
};

template <class T>
STICTION_HD_CALL void collide_own_edge(const SurfaceSide<T>& side, int start, const SurfaceT<T>& own,
                                       const Placement<T>& place, int edge) {
  const int v = own.edge[4 * edge], w = own.edge[4 * edge + 1];
  ProbeSegment<T> probe;
  probe.p = place(own.vertex[v]);
  probe.d = place.R * (own.vertex[w] - own.vertex[v]);
  probe.outward = place.R * (own.closed ? edge_normal(own, edge) : own.vertex_normal[v] + own.vertex_normal[w]);
  probe.edge = edge;
  probe.sure = own.outward;
  collide_segment(side, start, probe, EdgeBody<T>{own, place, edge});
}

// Features of `own` near the other surface, which is inside the ball `around` in the frame of `own`: two trees,
// descended together.
template <class T>
STICTION_HD_CALL void collide_features(const SurfaceSide<T>& side, const SurfaceT<T>& own, const Placement<T>& place,
                                       const SearchBall<T>& around, bool with_edges) {
  int node_stack[64], start_stack[64];
  int waiting = 0;
  node_stack[waiting] = 0;
  start_stack[waiting++] = 0;
  while (waiting > 0) {
    --waiting;
    const SurfaceNodeT<T>& node = own.node[node_stack[waiting]];
    if (!overlaps(node, around)) continue;
    // What is in the other surface is in its box.
    const bool only_inside = side.surface.as_it_is;
    if (only_inside && squared_between(moved_box(node, place, side.slack()), side.surface.node[0]) > T(0)) continue;
    const int start = narrowed(side.surface, start_stack[waiting], moved_box(node, place, side.deep()));
    if (start < 0) continue;
    if (node.count == 0) {
      for (int child = 0; child < 2 && node.first > 0; ++child) {
        node_stack[waiting] = node.first + child;
        start_stack[waiting++] = start;
      }
      continue;
    }
    for (int t = node.first; t < node.first + node.count; ++t)
      for (int k = 0; k < 3; ++k) {
        const int vertex = own.triangle[3 * t + k], edge = own.triangle_edge[3 * t + k];
        if (((own.owned[t] >> k) & 1) && own.vertex_feature[vertex])
          collide_own_vertex(side, start, own, place, vertex);
        if (with_edges && ((own.owned[t] >> (3 + k)) & 1) && own.edge_feature[edge])
          collide_own_edge(side, start, own, place, edge);
      }
  }
}

// Shape a in the frame of shape b.
template <class T>
STICTION_HD ShapeT<T> in_frame_of(const ShapeT<T>& b, const ShapeT<T>& a) {
  ShapeT<T> moved = a;
  moved.p = transpose_times(b.R, a.p - b.p);
  moved.R = transpose(b.R) * a.R;
  return moved;
}

}  // namespace stiction::detail

namespace stiction {

template <class T>
STICTION_HD_ROUTINE int collide_plane_surface(const ShapeT<T>& a, const ShapeT<T>& b, T margin, ContactPointT<T>* out) {
  const SurfaceT<T>& s = b.surface;
  detail::SurfacePair<T> pair(b, b, margin);
  const Vec3T<T> n = a.R.column(2), n_b = transpose_times(b.R, n);
  const T height = dot(n, b.p - a.p);
  int stack[64];
  int waiting = 0;
  stack[waiting++] = 0;
  while (waiting > 0) {
    const SurfaceNodeT<T>& node = s.node[stack[--waiting]];
    const Vec3T<T> centre = (node.lower + node.upper) / T(2), half = (node.upper - node.lower) / T(2);
    if (!(height + dot(n_b, centre) - dot(magnitude(n_b), half) < margin)) continue;
    if (node.count == 0) {
      for (int child = 0; child < 2 && node.first > 0; ++child) stack[waiting++] = node.first + child;
      continue;
    }
    for (int t = node.first; t < node.first + node.count; ++t)
      for (int k = 0; k < 3; ++k) {
        const int v = s.triangle[3 * t + k];
        if (!((s.owned[t] >> k) & 1) || !s.vertex_feature[v]) continue;
        const T gap = height + dot(n_b, s.vertex[v]);
        if (!(gap < margin) || !detail::vertex_supports(s, v, -n_b, detail::SurfaceTolerance<T>::kFaceSlack)) continue;
        pair.contacts.add({b.p + b.R * s.vertex[v] - n * (gap / T(2)), n, gap,
                           feature_id(FeatureKind::kVertexB, static_cast<std::uint32_t>(v))});
      }
  }
  return pair.contacts.write(out);
}

template <class T>
STICTION_HD_ROUTINE int collide_sphere_surface(const ShapeT<T>& a, const ShapeT<T>& b, T margin,
                                               ContactPointT<T>* out) {
  detail::SurfacePair<T> pair(a, b, margin);
  const detail::ProbePoint<T> probe{transpose_times(b.R, a.p - b.p), a.size.x, {}, 0};
  detail::collide_point(pair.side(b, false), 0, probe, [](const Vec3T<T>&, T) { return true; });
  return pair.contacts.write(out);
}

template <class T>
STICTION_HD_ROUTINE int collide_capsule_surface(const ShapeT<T>& a, const ShapeT<T>& b, T margin,
                                                ContactPointT<T>* out) {
  detail::SurfacePair<T> pair(a, b, margin);
  const detail::SurfaceSide<T> side = pair.side(b, false);
  const Vec3T<T> centre = transpose_times(b.R, a.p - b.p), axis = transpose_times(b.R, a.R.column(2));
  for (int end = 0; end < 2; ++end) {
    const Vec3T<T> inward = end == 0 ? axis : -axis;
    const detail::ProbePoint<T> probe{centre - inward * a.size.y, a.size.x, {}, end};
    detail::collide_point(side, 0, probe, [&](const Vec3T<T>& n, T slack) { return dot(-n, inward) <= slack; });
  }
  detail::ProbeSegment<T> core;
  core.p = centre - axis * a.size.y;
  core.d = axis * (T(2) * a.size.y);
  core.radius = a.size.x;
  if (a.size.y > T(0)) detail::collide_segment(side, 0, core, detail::CoreBody{});
  return pair.contacts.write(out);
}

// Boxes, hulls, meshes, height fields.
template <class T>
STICTION_HD_ROUTINE int collide_surface_surface(const ShapeT<T>& a, const ShapeT<T>& b, T margin,
                                                ContactPointT<T>* out) {
  detail::SurfacePair<T> pair(a, b, margin);
  const detail::Placement<T> b_in_a = detail::placement(a, b), a_in_b = detail::placement(b, a);
  const detail::SurfaceSide<T> of_a = pair.side(a, true), of_b = pair.side(b, false);
  // Contacts are as far from a surface as it is followed, and edges go on beyond their ends by the margin.
  const T a_reach = a.radius + T(2) * of_a.deep(), b_reach = b.radius + T(2) * of_b.deep();
  const detail::SearchBall<T> around_a{a_in_b.t, a_reach * a_reach}, around_b{b_in_a.t, b_reach * b_reach};
  detail::collide_features(of_a, b.surface, b_in_a, around_a, true);
  detail::collide_features(of_b, a.surface, a_in_b, around_b, false);
  return pair.contacts.write(out);
}

template <class T>
STICTION_HD_ROUTINE int collide_cylinder_surface(const ShapeT<T>& a, const ShapeT<T>& b, T margin,
                                                 ContactPointT<T>* out) {
  detail::SurfacePair<T> pair(a, b, margin);
  const ShapeT<T> moved = detail::in_frame_of(b, a);
  const detail::PlacedRim<T> body{{detail::as_cylinder(a), {moved.R, moved.p}}};
  detail::collide_smooth(pair.side(b, false), body, moved, Vec3T<T>{a.size.x, a.size.x, a.size.y});
  return pair.contacts.write(out);
}

template <class T>
STICTION_HD_ROUTINE int collide_ellipsoid_surface(const ShapeT<T>& a, const ShapeT<T>& b, T margin,
                                                  ContactPointT<T>* out) {
  detail::SurfacePair<T> pair(a, b, margin);
  const ShapeT<T> moved = detail::in_frame_of(b, a);
  const detail::PlacedEllipsoid<T> body{detail::as_ellipsoid(a), {moved.R, moved.p}};
  detail::collide_smooth(pair.side(b, false), body, moved, a.size);
  return pair.contacts.write(out);
}

}  // namespace stiction
