// Cylinders and ellipsoids against a surface: the places of the body that go farthest against a face, and its closest
// points with an edge or vertex. All is in the frame of the surface.
//
// Deep in the body, the nearest way out of an edge can be one that its faces bar. Along the normals of the edge the
// body is deep by
//
//   g(n) = min_x (x − p)·n,   n from n₁ to n₂ across the edge p + t d,
//
// and gets out where that is the least: at the lowest place x(n) with (x − p) along n, which bisection finds.
#pragma once

#include "collide/pair_cylinder.hpp"
#include "collide/pair_ellipsoid.hpp"
#include "collide/surface_features.hpp"
#include "collide/surface_reach.hpp"

namespace stiction::detail {

// The body of a smooth convex shape: where it goes farthest against n, in the frame of the surface.
template <class T>
struct PlacedEllipsoid {
  EllipsoidSupport<T> own;
  Placement<T> place;
  template <class Visitor>
  STICTION_HD void lowest(const Vec3T<T>& n, Visitor&& visit) const {
    visit(lowest(n), 0u);
  }
  STICTION_HD Vec3T<T> lowest(const Vec3T<T>& n) const { return place(own.point(-transpose_times(place.R, n))); }
  STICTION_HD int collide_edge(const ShapeT<T>& edge, const ShapeT<T>& shape, T margin, ContactPointT<T>* out) const {
    return collide_capsule_ellipsoid(edge, shape, margin, out);
  }
  STICTION_HD bool contains(const Vec3T<T>& x, T) const {
    const Vec3T<T> y = transpose_times(place.R, x - place.t);
    return norm_squared(Vec3T<T>{y.x / own.radii.x, y.y / own.radii.y, y.z / own.radii.z}) <= T(1);
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
  STICTION_HD Vec3T<T> lowest(const Vec3T<T>& n) const {
    return placed.place(placed.own.point(-transpose_times(placed.place.R, n)));
  }
  STICTION_HD int collide_edge(const ShapeT<T>& edge, const ShapeT<T>& shape, T margin, ContactPointT<T>* out) const {
    return collide_capsule_cylinder(edge, shape, margin, out);
  }
  STICTION_HD bool contains(const Vec3T<T>& x, T slack) const {
    return placed.own.inside(transpose_times(placed.place.R, x - placed.place.t), slack);
  }
  STICTION_HD bool is_flat(const Vec3T<T>& n) const { return magnitude(dot(placed.axis(), n)) > T(1) - T(1e-6); }
};

template <class T>
constexpr int kBisections = Tolerance<T>::kDouble ? 50 : 22;
template <class T>
constexpr T kEndOfEdge = T(1e-6);  // share of an edge that counts as its vertex
constexpr int kDeepEdge = 3;       // index of that contact on an edge, beyond those of the closest points

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
    if (!(h < side.margin) || h < -side.deep()) return;
    // Behind a face, a place may be beyond its hollow edge; of a sheet only a little: nothing tells what is inside.
    const bool beyond = at.part != TrianglePart::kFace;
    if (beyond) {
      const T reach = s.closed ? side.deep() : side.shallow();
      if (s.as_it_is || !(h < -side.slack()) || at.squared > reach * reach || !goes_on(s, t, at, n)) return;
    }
    // A place far behind a sheet may have come around its border.
    if (!s.closed && h < -side.shallow() && !body.contains(at.foot, side.slack())) return;
    const std::uint32_t feature = feature_vertex(!side.is_a, static_cast<int>(index), n);
    if (h < T(0)) {
      // Behind a face it is where nothing is nearer.
      using std::sqrt;
      const T reach = beyond ? sqrt(at.squared) + side.slack() : -h;  // finds this triangle itself
      const NearestSide<T> nearest = nearest_side(s, 0, x, reach, side.slack());
      if ((s.closed && !nearest.inside) || -h > nearest.distance + side.flush()) {
        if (s.closed && !beyond && dot(n, x - body.lowest(n)) < side.flush())
          side.hold_back(at.foot, n, h, feature, nearest.inside ? nearest.distance : T(0));
        return;
      }
    }
    side.add(x - n * h, n, h, feature);
  });
}

// The edge p + t d of a closed surface, deep in the body.
template <class Body, class T>
STICTION_HD_CALL void collide_deep_edge(const SurfaceSide<T>& side, int edge, const Body& body) {
  const SurfaceT<T>& s = side.surface;
  const Vec3T<T> p = s.vertex[s.edge[4 * edge]], d = s.vertex[s.edge[4 * edge + 1]] - p;
  const Vec3T<T> first = s.normal[s.edge[4 * edge + 2]], turn = s.normal[s.edge[4 * edge + 3]] - first;
  // Slope of g at n = n₁ + share (n₂ − n₁), up to a positive factor.
  const auto slope = [&](T share, Vec3T<T>& n, Vec3T<T>& x) {
    n = normalized(first + turn * share);
    x = body.lowest(n);
    return dot(x - p, turn - n * dot(n, turn));
  };
  T low = T(0), high = T(1);
  Vec3T<T> n, x_low, x_high;
  T rising = slope(low, n, x_low), falling = slope(high, n, x_high);
  if (!(rising > T(0)) || !(falling < T(0))) return;  // a face has it
  for (int step = 0; step < kBisections<T>; ++step) {
    const T middle = (low + high) / T(2);
    Vec3T<T> x;
    const T now = slope(middle, n, x);
    if (now > T(0))
      low = middle, rising = now, x_low = x;
    else
      high = middle, falling = now, x_high = x;
  }
  // Along a cap or the line of a side the place leaps: it lies between.
  const Vec3T<T> x = x_low + (x_high - x_low) * (rising / (rising - falling));
  const T gap = dot(x - p, n), along = dot(x - p, d) / norm_squared(d);
  if (gap < -side.deep() || !(gap < T(0)) || along < T(0) || along > T(1)) return;
  const Vec3T<T> on_edge = x - n * gap;
  const std::uint32_t feature = feature_mixed(FeatureKind::kEdges, 4 * edge + kDeepEdge, 0);
  if (is_behind_edge(s, 0, edge, on_edge, n * gap, side.flush()))
    side.add(on_edge, n, gap, feature);
  else
    side.hold_back(on_edge, n, gap, feature, -gap);
}

// The segment p + t d against the body: a capsule without radius along its z axis.
template <class Body, class T>
STICTION_HD int collide_core(const Vec3T<T>& p, const Vec3T<T>& d, const Body& body, const ShapeT<T>& shape, T margin,
                             ContactPointT<T>* found) {
  ShapeT<T> segment;
  segment.type = ShapeType::kCapsule;
  segment.p = p + d / T(2);
  segment.radius = norm(d) / T(2);
  segment.size = {T(0), segment.radius, T(0)};
  const Vec3T<T> axis = normalized(d);
  Vec3T<T> t1, t2;
  tangent_frame(axis, t1, t2);
  segment.R = Mat3T<T>::from_columns(t1, t2, axis);
  return body.collide_edge(segment, shape, margin, found);
}

// A place of the body in the bend of a hollow is beyond the ends of both edges there, by about as much as it is behind
// them.
template <class Body, class T>
STICTION_HD_CALL void collide_bend(const SurfaceSide<T>& side, int edge, const T (&bend)[2], const Body& body,
                                   const ShapeT<T>& shape) {
  using Slack = SurfaceTolerance<T>;
  const SurfaceT<T>& s = side.surface;
  const Vec3T<T> p = s.vertex[s.edge[4 * edge]], d = s.vertex[s.edge[4 * edge + 1]] - p;
  const Vec3T<T> e = d / norm(d), q = p - e * (T(2) * bend[0]);
  ContactPointT<T> found[kMaxPoints];
  const int count = collide_core(q, d + e * (T(2) * (bend[0] + bend[1])), body, shape, side.margin, found);
  for (int i = 0; i < count; ++i) {
    const ContactPointT<T>& c = found[i];
    const Vec3T<T> x = c.point - c.normal * (c.gap / T(2));
    const T t = dot(x - p, d) / norm_squared(d);
    if (!(c.gap < -side.slack()) || (t >= kEndOfEdge<T> && t <= T(1) - kEndOfEdge<T>)) continue;
    if (s.closed && !(dot(c.normal, edge_normal(s, edge)) > T(0))) continue;
    if (!edge_supports(s, edge, c.normal, Slack::kEdgeSlack)) continue;
    if (s.closed && c.gap < -side.shallow() && !is_behind_edge(s, 0, edge, x, c.normal * c.gap, side.shallow()))
      continue;
    side.add(x, c.normal, c.gap, feature_mixed(FeatureKind::kEdges, 4 * edge + i, 1), c.cut_short);
  }
}

template <class Body, class T>
STICTION_HD void collide_smooth_edge(const SurfaceSide<T>& side, int edge, const Body& body, const ShapeT<T>& shape) {
  using Slack = SurfaceTolerance<T>;
  const SurfaceT<T>& s = side.surface;
  const int v = s.edge[4 * edge], w = s.edge[4 * edge + 1];
  const Vec3T<T> p = s.vertex[v], d = s.vertex[w] - p;
  if (!reaches_point(p + d * closest_on_segment(p, d, shape.p), body, shape.p, side.margin)) return;
  ContactPointT<T> found[kMaxPoints];
  const int count = collide_core(p, d, body, shape, side.margin, found);
  T bend[2] = {};  // [m] of the body behind an end at which the edge goes on
  bool barred = false;
  for (int i = 0; i < count; ++i) {
    const ContactPointT<T>& c = found[i];
    if (c.gap < -side.deep()) {
      barred = true;  // along that axis at least: of a thin body it can be the wrong one
      continue;
    }
    const Vec3T<T> x = c.point - c.normal * (c.gap / T(2));
    const T t = dot(x - p, d) / norm_squared(d), end = kEndOfEdge<T>;
    const int vertex = t < end ? v : (t > T(1) - end ? w : -1);
    const Vec3T<T> outward = vertex < 0 ? edge_normal(s, edge) : s.vertex_normal[vertex];
    if (vertex >= 0 && goes_on_at(s, edge, vertex == w ? 1 : 0, c.normal))
      bend[vertex == w] = maximum(bend[vertex == w], -c.gap);
    // A vertex over a cap is one over a face.
    const T slack = body.is_flat(c.normal) ? Slack::kFaceSlack : Slack::kPointSlack;
    const bool own = (!s.closed || dot(c.normal, outward) > T(0)) &&
                     (vertex < 0 ? edge_supports(s, edge, c.normal, Slack::kEdgeSlack)
                                 : vertex_supports(s, vertex, c.normal, slack));
    if (!own) {
      barred = barred || c.gap < -side.flush();
      if (s.closed) side.find_inside(x, -c.gap);
      continue;
    }
    const std::uint32_t feature = vertex < 0 ? feature_mixed(FeatureKind::kEdges, 4 * edge + i, 0)
                                             : feature_id(FeatureKind::kVertexB, static_cast<std::uint32_t>(vertex));
    // Deep in the body it counts where the body's own place is behind the surface: it came past this edge.
    if (s.closed && c.gap < -side.shallow() && !is_behind_edge(s, 0, edge, x, c.normal * c.gap, side.shallow()))
      side.hold_back(x, c.normal, c.gap, feature, -c.gap);
    else
      side.add(x, c.normal, c.gap, feature, c.cut_short);
  }
  if (barred && s.closed) collide_deep_edge(side, edge, body);
  if (!s.as_it_is && maximum(bend[0], bend[1]) > side.slack()) collide_bend(side, edge, bend, body, shape);
}

// `half`: [m] of a box around the body along the axes of its frame. `b_frame`: the shape in the frame of the surface.
template <class Body, class T>
STICTION_HD_CALL void collide_smooth(const SurfaceSide<T>& side, const Body& body, const ShapeT<T>& shape,
                                     const Vec3T<T>& half) {
  const SurfaceT<T>& s = side.surface;
  const SurfaceNodeT<T> bounds{-half, half, 0, 0};
  const SearchBox<T> box = moved_box(bounds, {shape.R, shape.p}, side.deep());
  for_triangles(s, 0, box, [&](int t) {
    if (!reaches_triangle(s, t, body, shape.p, side.margin, side.deep())) return;
    collide_smooth_face(side, t, body, shape.p);
    for (int k = 0; k < 3; ++k) {
      const int edge = s.triangle_edge[3 * t + k];
      if (((s.owned[t] >> (3 + k)) & 1) && s.edge_feature[edge]) collide_smooth_edge(side, edge, body, shape);
    }
  });
}

}  // namespace stiction::detail
