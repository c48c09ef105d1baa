// Meshes and height fields against everything. The surface is B; of two surfaces both have their vertices held against
// the faces of the other, and the edges of B against those of A. Boxes and hulls meet a surface as surfaces. At most
// kMaxSurfacePoints points; the loops are bounded by the triangles near the other shape.
#pragma once

#include "collide/pair_cylinder.hpp"
#include "collide/pair_ellipsoid.hpp"
#include "collide/surface_features.hpp"

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

template <class T>
STICTION_HD SearchBox<T> moved_box(const SurfaceNodeT<T>& node, const Placement<T>& place, T reach) {
  const Vec3T<T> centre = place((node.lower + node.upper) / T(2)), half = (node.upper - node.lower) / T(2);
  const Vec3T<T> extent{dot(magnitude(place.R.row[0]), half) + reach, dot(magnitude(place.R.row[1]), half) + reach,
                        dot(magnitude(place.R.row[2]), half) + reach};
  return {centre - extent, centre + extent};
}

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
  STICTION_HD bool is_behind(const Vec3T<T>& y, const Vec3T<T>& in, T slack) const {
    return is_behind_edge(own, 0, edge, transpose_times(place.R, y - place.t), transpose_times(place.R, in), slack);
  }
};

// The core of a capsule: its ball tells how deep.
struct CoreBody {
  template <class T>
  STICTION_HD bool supports(const Vec3T<T>&, T) const {
    return true;
  }
  template <class T>
  STICTION_HD bool is_behind(const Vec3T<T>&, const Vec3T<T>&, T) const {
    return false;
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
  probe.tip[0] = own.vertex_feature[v] != 0;
  probe.tip[1] = own.vertex_feature[w] != 0;
  collide_segment(side, start, probe, EdgeBody<T>{own, place, edge});
}

// Features of `own` near the other surface: two trees, descended together.
template <class T>
STICTION_HD_CALL void collide_features(const SurfaceSide<T>& side, const SurfaceT<T>& own, const Placement<T>& place,
                                       bool with_edges) {
  int node_stack[64], start_stack[64];
  int waiting = 0;
  node_stack[waiting] = 0;
  start_stack[waiting++] = 0;
  while (waiting > 0) {
    --waiting;
    const SurfaceNodeT<T>& node = own.node[node_stack[waiting]];
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

// The body of a smooth convex shape: where it goes farthest against n, in the frame of the surface.
template <class T>
struct PlacedEllipsoid {
  EllipsoidSupport<T> own;
  Placement<T> place;
  template <class Visitor>
  STICTION_HD void lowest(const Vec3T<T>& n, Visitor&& visit) const {
    visit(place(own.point(-transpose_times(place.R, n))), 0u);
  }
  STICTION_HD int collide_edge(const ShapeT<T>& edge, const ShapeT<T>& shape, T margin, ContactPointT<T>* out) const {
    return collide_capsule_ellipsoid(edge, shape, margin, out);
  }
  // Does it end in a flat face with that normal?
  STICTION_HD bool is_flat(const Vec3T<T>&) const { return false; }
};

template <class T>
struct PlacedRim {
  PlacedCylinder<T> placed;
  template <class Visitor>
  STICTION_HD void lowest(const Vec3T<T>& n, Visitor&& visit) const {
    const RimPoints<T> rim(placed, -n);
    for (int i = 0; i < rim.count(); ++i)
      if (rim.has(i)) visit(rim.point(i), rim.index(i));
  }
  STICTION_HD int collide_edge(const ShapeT<T>& edge, const ShapeT<T>& shape, T margin, ContactPointT<T>* out) const {
    return collide_capsule_cylinder(edge, shape, margin, out);
  }
  STICTION_HD bool is_flat(const Vec3T<T>& n) const { return magnitude(dot(placed.axis(), n)) > T(1) - T(1e-6); }
};

// Faces of the surface against the places of the body that go farthest against their normals.
template <class Body, class T>
STICTION_HD void collide_smooth_face(const SurfaceSide<T>& side, int t, const Body& body, const Vec3T<T>& centre) {
  const SurfaceT<T>& s = side.surface;
  const Vec3T<T> origin = s.vertex[s.triangle[3 * t]];
  // An open surface is touched on the side of the body's centre.
  const T sign = s.closed || dot(s.normal[t], centre - origin) >= T(0) ? T(1) : T(-1);
  const Vec3T<T> n = s.normal[t] * sign;
  body.lowest(n, [&](const Vec3T<T>& x, std::uint32_t index) {
    const TrianglePoint<T> at = nearest_in_triangle(s, t, x, side.slack());
    const T h = at.height * sign;
    if (at.part != TrianglePart::kFace || !(h < side.margin) || h < -side.deep()) return;
    if (h < T(0) && s.closed) {
      const NearestSide<T> nearest = nearest_side(s, 0, x, -h, side.slack());
      if (!nearest.inside || -h > nearest.distance + side.flush()) return;
    }
    side.add(at.foot, n, h, feature_vertex(!side.is_a, static_cast<int>(index), n));
  });
}

template <class Body, class T>
STICTION_HD void collide_smooth_edge(const SurfaceSide<T>& side, int edge, const Body& body, const ShapeT<T>& shape) {
  using Slack = SurfaceTolerance<T>;
  const SurfaceT<T>& s = side.surface;
  const int v = s.edge[4 * edge], w = s.edge[4 * edge + 1];
  const Vec3T<T> p = s.vertex[v], d = s.vertex[w] - p;
  // The edge is a capsule without radius along its z axis.
  ShapeT<T> segment;
  segment.type = ShapeType::kCapsule;
  segment.p = p + d / T(2);
  segment.radius = norm(d) / T(2);
  segment.size = {T(0), segment.radius, T(0)};
  const Vec3T<T> axis = normalized(d);
  Vec3T<T> t1, t2;
  tangent_frame(axis, t1, t2);
  segment.R = Mat3T<T>::from_columns(t1, t2, axis);
  ContactPointT<T> found[kMaxPoints];
  const int count = body.collide_edge(segment, shape, side.margin, found);
  for (int i = 0; i < count; ++i) {
    const ContactPointT<T>& c = found[i];
    if (c.gap < -(s.closed ? side.deep() : side.shallow())) continue;
    const Vec3T<T> x = c.point - c.normal * (c.gap / T(2));
    const T t = dot(x - p, d) / norm_squared(d), end = T(1e-6);
    const int vertex = t < end ? v : (t > T(1) - end ? w : -1);
    const Vec3T<T> outward = vertex < 0 ? edge_normal(s, edge) : s.vertex_normal[vertex];
    if (s.closed && !(dot(c.normal, outward) > T(0))) continue;
    // A vertex over a cap is one over a face.
    const T slack = body.is_flat(c.normal) ? Slack::kFaceSlack : Slack::kPointSlack;
    const bool own =
        vertex < 0 ? edge_supports(s, edge, c.normal, Slack::kEdgeSlack) : vertex_supports(s, vertex, c.normal, slack);
    if (!own) continue;
    // Deep in the body it counts where the body's own place is behind the surface: it came past this edge.
    if (c.gap < -side.shallow() && !is_behind_edge(s, 0, edge, x, c.normal * c.gap, side.shallow())) continue;
    const std::uint32_t feature = vertex < 0 ? feature_mixed(FeatureKind::kEdges, 4 * edge + i, 0)
                                             : feature_id(FeatureKind::kVertexB, static_cast<std::uint32_t>(vertex));
    side.add(x, c.normal, c.gap, feature, c.cut_short);
  }
}

// `half`: [m] of a box around the body along the axes of its frame. `b_frame`: the shape in the frame of the surface.
template <class Body, class T>
STICTION_HD_CALL void collide_smooth(const SurfaceSide<T>& side, const Body& body, const ShapeT<T>& shape,
                                     const Vec3T<T>& half) {
  const SurfaceT<T>& s = side.surface;
  const SurfaceNodeT<T> bounds{-half, half, 0, 0};
  const SearchBox<T> box = moved_box(bounds, {shape.R, shape.p}, side.deep());
  for_triangles(s, 0, box, [&](int t) {
    collide_smooth_face(side, t, body, shape.p);
    for (int k = 0; k < 3; ++k) {
      const int edge = s.triangle_edge[3 * t + k];
      if (((s.owned[t] >> (3 + k)) & 1) && s.edge_feature[edge]) collide_smooth_edge(side, edge, body, shape);
    }
  });
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
  detail::collide_features(pair.side(a, true), b.surface, b_in_a, true);
  detail::collide_features(pair.side(b, false), a.surface, a_in_b, false);
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
