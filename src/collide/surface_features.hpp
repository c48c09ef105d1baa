// Points and segments of a body against a surface: closest features (vertex and face, edge and edge) within a distance,
// as in M. Macklin, K. Erleben, M. Müller, N. Chentanez, S. Jeschke, M. Makoviychuk, "Non-Smooth Newton Methods for
// Deformable Multi-Body Dynamics" (2019), section 9.
//
// We depart in what counts as a contact. A feature touches only along a normal that supports both bodies there: both
// lie on their own side of the plane through the contact, up to a slack. So an edge between triangles of a flat or
// hollow place never touches, and a body that slides over it feels nothing. The slack is wide for a vertex over a face
// (30°: whatever the turn of the body, a vertex must not pass the face) and for crossing edges (6°), and small (1°)
// for an edge or vertex against a vertex, whose direction alone decides.
//
// In a hollow, a body that slides meets the next face or edge within the step. There the plane of a face, and the line
// of an edge, go on into the solid (surface_hollow.hpp): a contact with a face beyond its hollow edge, or with an edge
// beyond an end where it goes on, takes nothing from the motion that is free, and is made up to the margin; behind it,
// as far as something is deep. A distance takes the surface as it is, and follows depths as far as the body goes.
//
// Sides: a point behind a face of a closed surface is a contact of that depth if no other part of the surface is
// nearer (up to a millionth of the smaller body, so that a corner of two faces holds on both). An open surface is
// touched on the side from which the body's own outward direction points at it; where that does not tell, on the side
// of the point. Of a sheet that lies flat on another nothing else tells the side, so it lies a little above it, by more
// than a step may leave it below.
#pragma once

#include "collide/surface_contacts.hpp"
#include "collide/surface_hollow.hpp"
#include "collide/surface_query.hpp"

namespace stiction::detail {

template <class T>
struct SurfaceTolerance {
  static constexpr T kTold = T(0.2);  // least cosine to the body's outward direction that tells a side
  static constexpr T kFaceSlack = T(0.5), kEdgeSlack = T(0.1), kPointSlack = T(0.02);
  // The cone of the surface itself: rounding.
  static constexpr T kOwnSlack = T(Tolerance<T>::kDouble ? 1e-9 : 1e-4);
};

// A surface with the body that meets it, both in the frame of the surface, and where contacts go.
template <class T>
struct SurfaceSide {
  const SurfaceT<T>& surface;
  Placement<T> to_world;
  bool is_a;       // the surface belongs to shape A: normals are written outward, else inward
  T margin, size;  // [m] gap of contacts, and the smaller of the two bodies
  SurfaceContacts<T>& contacts;

  // [m] to which depths are followed.
  STICTION_HD T deep() const { return surface.as_it_is ? size : maximum(margin, T(0.02) * size); }
  STICTION_HD T slack() const { return Tolerance<T>::kSlack * size; }
  STICTION_HD T shallow() const { return T(1e-3) * size; }
  // By which one part of a surface may be nearer than another that is as near: more, and the side of a tile would push
  // back what came over its edge from above.
  STICTION_HD T flush() const { return maximum(slack(), T(1e-6) * size); }
  // x: on the surface, n: outward; the other body is `gap` away along it.
  STICTION_HD void add(const Vec3T<T>& x, const Vec3T<T>& n, T gap, std::uint32_t feature,
                       bool cut_short = false) const {
    contacts.add(contact(x, n, gap, feature, cut_short));
  }
  // [m] by which a sheet lies above another that its outward direction, with the cosine `facing`, does not tell from
  // the other side.
  STICTION_HD T skin(T facing) const {
    constexpr T kTold = SurfaceTolerance<T>::kTold;
    return surface.as_it_is ? T(0)
                            : T(1e-4) * size * minimum(T(1), maximum(T(0), T(5) - magnitude(facing) * (T(4) / kTold)));
  }
  // A way out that the rules pass over, of a place that is `inside` [m] one of the bodies.
  STICTION_HD void hold_back(const Vec3T<T>& x, const Vec3T<T>& n, T gap, std::uint32_t feature, T inside) const {
    if (gap >= -deep())
      contacts.hold_back(contact(x, n, gap, feature, false), inside);
    else
      find_inside(x, inside);
  }
  STICTION_HD void find_inside(const Vec3T<T>& x, T inside) const { contacts.find_inside(to_world(x), inside); }

 private:
  STICTION_HD ContactPointT<T> contact(const Vec3T<T>& x, const Vec3T<T>& n, T gap, std::uint32_t feature,
                                       bool cut_short) const {
    const Vec3T<T> normal = to_world.R * n;
    return {to_world(x + n * (gap / T(2))), is_a ? normal : -normal, gap, feature, cut_short};
  }
};

// The id of a vertex over a face: several faces at once (a corner of a room) have ids of their own, triangles of one
// plane the same.
template <class T>
STICTION_HD std::uint32_t feature_vertex(bool of_a, int vertex, const Vec3T<T>& n) {
  const Vec3T<T> size = magnitude(n);
  const int axis = size.x >= size.y && size.x >= size.z ? 0 : (size.y >= size.z ? 1 : 2);
  const int side = 2 * axis + (n[axis] < T(0) ? 0 : 1);
  return feature_id(of_a ? FeatureKind::kVertexA : FeatureKind::kVertexB,
                    static_cast<std::uint32_t>(8 * vertex + side));
}

// A point that carries a ball of the given radius (0: a vertex).
template <class T>
struct ProbePoint {
  Vec3T<T> p{};
  T radius{};
  Vec3T<T> outward{};  // of the body; zero if it has none
  int vertex = 0;
  bool sure = true;  // of outward: not that of a sheet
};

// `supports(n, slack)`: does the body lie on the side of n of the plane through the point?
template <class T, class Supports>
STICTION_HD void collide_point(const SurfaceSide<T>& side, int start, const ProbePoint<T>& probe,
                               const Supports& supports) {
  constexpr int kFaces = 8;
  using Slack = SurfaceTolerance<T>;
  const SurfaceT<T>& s = side.surface;
  const T reach = probe.radius + side.deep(), range = probe.radius + side.margin;
  int face[kFaces];
  T height[kFaces];
  bool goes_beyond[kFaces];  // the place is beyond a hollow edge of the face
  int faces = 0;
  T nearest = reach * reach;
  bool inside = false;
  // The nearest way out for the body, if it is shallow: the face of a solid beside it may be nearer.
  const T shallow = side.shallow() * side.shallow();
  T way_out = shallow;
  // On which side of a face with the normal n, at the height h, does the body touch it?
  const auto is_in_front = [&](T h, const Vec3T<T>& n) {
    if (s.closed) return true;
    const T facing = dot(probe.outward, n);
    const bool told = magnitude(facing) > Slack::kTold && (probe.sure || !s.outward);
    if (magnitude(h) < side.shallow() && (told || s.outward)) return !told || facing < T(0);
    return h >= T(0);
  };
  // Beside a hollow edge faces go on, by the margin.
  const SearchBall<T> ball{probe.p, reach * reach + side.margin * side.margin};
  for_triangles(s, start, ball, [&](int t) {
    const T over = height_over(s, t, probe.p);
    if (!(over * over <= ball.squared)) return;
    const TrianglePoint<T> at = nearest_in_triangle(s, t, probe.p, side.slack());
    if (at.squared < nearest) {
      nearest = at.squared;
      inside = dot(part_normal(s, t, at), probe.p - at.foot) < T(0);
    }
    if (s.closed && at.squared < way_out && at.height < T(0) &&
        supports(normalized(part_normal(s, t, at)), Slack::kFaceSlack))
      way_out = at.squared;
    const auto remember = [&](bool beyond) {
      if (!(magnitude(at.height) < reach)) return;
      // Triangles of one plane are one face.
      for (int i = 0; i < faces; ++i)
        if (dot(s.normal[face[i]], s.normal[t]) > T(1) - T(1e-9) && magnitude(height[i] - at.height) <= side.slack()) {
          goes_beyond[i] = goes_beyond[i] && beyond;
          return;
        }
      // Of more than there is room for the nearest.
      int place = faces;
      if (faces == kFaces) {
        place = 0;
        for (int i = 1; i < kFaces; ++i)
          if (magnitude(height[i]) > magnitude(height[place])) place = i;
        if (!(magnitude(at.height) < magnitude(height[place]))) return;
      } else {
        ++faces;
      }
      face[place] = t, height[place] = at.height, goes_beyond[place] = beyond;
    };
    if (at.part == TrianglePart::kFace) return remember(false);
    const bool is_edge = at.part == TrianglePart::kEdge;
    // The face goes on beyond a hollow edge or the bottom of a pit, for what is in that hollow. A ball that is in it
    // there, and not in the face itself, is in another face.
    if (!s.as_it_is) {
      const bool front = is_in_front(at.height, s.normal[t]);
      const Vec3T<T> up = front ? s.normal[t] : -s.normal[t];
      const T h = front ? at.height : -at.height;
      const bool behind = h < -side.slack();
      const T too_deep = maximum(T(0), -h - side.flush());
      const bool counts = behind ? at.squared <= reach * reach && too_deep * too_deep <= maximum(nearest, way_out)
                                 : at.squared - h * h < side.margin * side.margin && h - probe.radius > -side.flush();
      if (counts && goes_on(s, t, at, up)) {
        if (behind)
          remember(true);
        else if (is_in_hollow(s, t, at, probe.p, side.shallow()) && supports(up, Slack::kFaceSlack))
          side.add(probe.p - up * h, up, h - probe.radius, feature_vertex(!side.is_a, probe.vertex, up));
      }
    }
    const int vertex = s.triangle[3 * t + at.slot];
    int edge = is_edge ? s.triangle_edge[3 * t + at.slot] : -1;
    const bool tip = !is_edge && s.vertex_feature[vertex];
    if ((is_edge || tip) && !((s.owned[t] >> (is_edge ? 3 + at.slot : at.slot)) & 1)) return;
    if (is_edge && !s.edge_feature[edge]) return;
    if (!(at.squared < range * range) || !(at.squared > side.slack() * side.slack())) return;
    const T distance = norm(probe.p - at.foot);
    const Vec3T<T> n = (probe.p - at.foot) / distance;
    if (!is_edge && !tip) {
      // In the middle of a straight edge that edge is near, else nothing.
      edge = straight_edge_at(s, t, at.slot, n);
      if (edge < 0) return;
    }
    const bool own =
        edge >= 0 ? edge_supports(s, edge, n, Slack::kOwnSlack) : vertex_supports(s, vertex, n, Slack::kOwnSlack);
    const bool two_sided = !s.closed && !(s.outward && distance < side.shallow());
    const bool outward = two_sided || dot(n, edge >= 0 ? edge_normal(s, edge) : s.vertex_normal[vertex]) > T(0);
    if (own && outward && supports(n, Slack::kPointSlack))
      side.add(at.foot, n, distance - probe.radius, feature_vertex(!side.is_a, probe.vertex, n));
  });

  using std::sqrt;
  const T depth = sqrt(nearest), out = way_out < shallow ? sqrt(way_out) : depth;
  for (int i = 0; i < faces; ++i) {
    T h = height[i];
    Vec3T<T> n = s.normal[face[i]];
    if (s.closed) {
      // A point far inside touches nothing but its nearest face; one outside is not behind any. On the face, rounding
      // decides between the two.
      const bool behind = h < -side.slack();
      if (behind && -h > out + side.flush() && !goes_beyond[i] && probe.radius == T(0) &&
          supports(n, Slack::kPointSlack))
        side.hold_back(probe.p - n * h, n, h, feature_vertex(!side.is_a, probe.vertex, n), inside ? depth : T(0));
      if (behind ? !inside || -h > out + side.flush() : inside && depth > side.shallow()) continue;
    } else {
      if (!is_in_front(h, n)) h = -h, n = -n;
      if (probe.radius == T(0) && !s.outward) {
        const T skin = side.skin(dot(probe.outward, n));
        // On the sheet a body is on the side on which all of it is.
        if (magnitude(h) < skin && !supports(n, Slack::kFaceSlack) && supports(-n, Slack::kFaceSlack)) h = -h, n = -n;
        h -= skin;
      }
      if (goes_beyond[i] && -h > depth + side.flush()) continue;
    }
    if (h - probe.radius < side.margin && supports(n, Slack::kFaceSlack))
      side.add(probe.p - n * h, n, h - probe.radius, feature_vertex(!side.is_a, probe.vertex, n));
  }
}

// Is x + in, deep behind the place x of an edge, inside the surface, and as far from all of it as the faces of that
// edge say, up to `slack`?
template <class T>
STICTION_HD bool is_behind_edge(const SurfaceT<T>& s, int start, int edge, const Vec3T<T>& x, const Vec3T<T>& in,
                                T slack) {
  if (!s.closed) return false;
  const T depth = minimum(-dot(s.normal[s.edge[4 * edge + 2]], in), -dot(s.normal[s.edge[4 * edge + 3]], in));
  if (!(depth > T(0))) return false;
  // No part of the surface is farther from there than x.
  const NearestSide<T> nearest = nearest_side(s, start, x + in, norm(in) + slack, slack);
  return nearest.inside && nearest.distance >= depth - slack;
}

// A segment p + t d that carries a ball of the given radius (0: an edge).
template <class T>
struct ProbeSegment {
  Vec3T<T> p{}, d{};
  T radius{};
  Vec3T<T> outward{};
  int edge = 0;
  bool sure = true;  // of outward: not that of a sheet
};

template <class T>
STICTION_HD std::uint32_t crossing_feature(const SurfaceSide<T>& side, int own, int other) {
  return feature_mixed(FeatureKind::kEdges, side.is_a ? own : other, side.is_a ? other : own);
}

// Edge of the surface against the segment: their common perpendicular.
template <class T, class Body>
STICTION_HD void collide_edges(const SurfaceSide<T>& side, int start, int edge, const ProbeSegment<T>& probe,
                               const Body& body) {
  using Slack = SurfaceTolerance<T>;
  const SurfaceT<T>& s = side.surface;
  const Vec3T<T> q = s.vertex[s.edge[4 * edge]], e = s.vertex[s.edge[4 * edge + 1]] - q;
  const Vec3T<T> common = cross(probe.d, e), r = q - probe.p;
  const T cc = norm_squared(common), dd = norm_squared(probe.d), ee = norm_squared(e);
  if (!(cc > T(1e-6) * dd * ee)) return;
  const T on_probe = dot(cross(r, e), common) / cc, on_edge = dot(cross(r, probe.d), common) / cc;
  using std::sqrt;
  const T beyond = s.as_it_is ? side.slack() : maximum(side.margin, side.slack());
  // [m] from the ends of the probe and of the edge to the common perpendicular, inside them.
  const T length = sqrt(dd), edge_length = sqrt(ee);
  const T room[4] = {on_probe * length, (T(1) - on_probe) * length, on_edge * edge_length,
                     (T(1) - on_edge) * edge_length};
  for (int k = 0; k < 4; ++k)
    if (!(room[k] >= -beyond)) return;
  const Vec3T<T> x = q + e * on_edge, y = probe.p + probe.d * on_probe;
  Vec3T<T> n = common / sqrt(cc);
  const bool sided = (probe.sure ? s.closed : s.outward) && s.edge[4 * edge + 3] >= 0;
  const bool has_outward = norm_squared(probe.outward) > T(0) && (probe.sure || !sided);
  const T facing = has_outward ? dot(n, probe.outward) / norm(probe.outward) : T(0);
  const bool told = magnitude(facing) > Slack::kTold;
  const Vec3T<T> toward = sided ? edge_normal(s, edge) : (told ? -probe.outward : y - x);
  if (dot(n, toward) < T(0)) n = -n;
  if (sided && has_outward && dot(n, probe.outward) > T(0)) return;
  const T skin = has_outward && !sided ? side.skin(facing) : T(0);
  const T gap = dot(n, y - x) - probe.radius - skin;
  if (!(gap < side.margin)) return;
  if (!edge_supports(s, edge, n, Slack::kEdgeSlack) || !body.supports(n, Slack::kEdgeSlack)) return;
  bool goes_on[4];
  for (int k = 0; k < 4; ++k)
    goes_on[k] = room[k] < maximum(-gap, side.slack()) && (k < 2 ? body.goes_on(k, n) : goes_on_at(s, edge, k - 2, n));
  // Are both points at least `inside` within their edges where those end, and `more` where they go on?
  const auto within = [&](T inside, T more) {
    bool all = true;
    for (int k = 0; k < 4; ++k) all = all && room[k] >= (goes_on[k] ? more : inside);
    return all;
  };
  if (!within(-side.slack(), -beyond)) return;
  // In each other farther than they are from an end, the way out is past it, and the vertex there has it; where edges
  // go on, in the bend of a hollow, by about as much as they are in each other: farther on the next edge has it. All
  // within the reach of the search.
  const T farthest = s.as_it_is ? side.slack() : maximum(side.slack(), (side.deep() + gap) / T(2));
  const T bend = maximum(minimum(T(2) * gap, -side.slack()), -farthest);
  const T past = -gap < side.shallow() / T(10) ? -beyond : bend;
  const T least = probe.radius > T(0) ? -side.slack() : -gap;
  bool holds = !(gap < -side.slack() && !within(least, past));
  if (holds && gap < -maximum(side.shallow(), probe.radius)) {
    // Deep: both points are inside the other body.
    holds = gap >= -side.deep() && within(-gap, bend) && is_behind_edge(s, start, edge, x, y - x, side.shallow()) &&
            body.is_behind(y, x - y, side.shallow());
  }
  const std::uint32_t feature = crossing_feature(side, edge, probe.edge);
  if (holds) {
    side.add(x, n, gap, feature);
  } else if (s.closed && gap < -side.flush() && within(T(0), bend) && edge_supports(s, edge, n, Slack::kPointSlack) &&
             body.supports(n, Slack::kPointSlack)) {
    const T inside =
        maximum(depth_behind_edge(s, start, edge, probe.p, probe.d, side.slack()), body.depth(q, e, side.slack()));
    side.hold_back(x, n, gap, feature, inside);
  }
}

// Vertex of the surface against the inside of the segment.
template <class T, class Body>
STICTION_HD void collide_vertex(const SurfaceSide<T>& side, int vertex, const ProbeSegment<T>& probe,
                                const Body& body) {
  using Slack = SurfaceTolerance<T>;
  const SurfaceT<T>& s = side.surface;
  const Vec3T<T> w = s.vertex[vertex];
  const T t = dot(w - probe.p, probe.d) / norm_squared(probe.d);
  if (!(t > T(0) && t < T(1))) return;
  const Vec3T<T> away = probe.p + probe.d * t - w;
  const T distance = norm(away);
  if (!(distance > side.slack()) || !(distance - probe.radius < side.margin)) return;
  const Vec3T<T> n = away / distance;
  if (s.closed && !(dot(n, s.vertex_normal[vertex]) > T(0))) return;
  if (vertex_supports(s, vertex, n, Slack::kOwnSlack) && body.supports(n, Slack::kPointSlack))
    side.add(w, n, distance - probe.radius, feature_vertex(side.is_a, vertex, n));
}

// `body`: supports(n, slack) as for a point; goes_on(end, n): does the segment go on at that end for a contact along n?
// is_behind(y, in, slack): is y + in inside it behind the place y?
// depth(q, e, slack): of the segment q + t e in it, behind this edge.
template <class T, class Body>
STICTION_HD void collide_segment(const SurfaceSide<T>& side, int start, const ProbeSegment<T>& probe,
                                 const Body& body) {
  const SurfaceT<T>& s = side.surface;
  const T reach = probe.radius + side.deep();
  for_triangles(s, start, segment_around(probe.p, probe.d, reach), [&](int t) {
    for (int k = 0; k < 3; ++k) {
      const int edge = s.triangle_edge[3 * t + k], vertex = s.triangle[3 * t + k];
      if (((s.owned[t] >> (3 + k)) & 1) && s.edge_feature[edge]) collide_edges(side, start, edge, probe, body);
      if (((s.owned[t] >> k) & 1) && s.vertex_feature[vertex]) collide_vertex(side, vertex, probe, body);
    }
  });
}

}  // namespace stiction::detail
