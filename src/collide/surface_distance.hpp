// Signed distance of a surface of triangles (B) and another shape, in the frame of the surface. Host-device.
//
// Apart: the closest points of the triangles, found over both trees of boxes, the nearest first, so that what is
// farther than the best so far is never looked at. Which side of a closed surface they lie on, the normal there tells
// (angle weighted at vertices: J. A. Bærentzen, H. Aanæs, "Signed distance computation using the angle weighted
// pseudonormal", 2005).
//
// Penetrating, a depth is a matter of definition where bodies are not convex. A ball: the signed distance of its
// centre less its radius. A capsule: that of the deeper end of its core, once this is in the solid. All others: the
// deepest of their contacts, of the vertices of one inside the other, and, of a smooth body whose centre is inside, of
// its way out through the face nearest to the centre; zero where a sheet or an edge only passes through.
#pragma once

#include "collide/pair_surface.hpp"
#include "collide/triangle_distance.hpp"

namespace stiction::detail {

template <class T>
STICTION_HD Corners<T> corners_of(const SurfaceT<T>& s, int triangle) {
  const int* v = s.triangle + 3 * triangle;
  return {{s.vertex[v[0]], s.vertex[v[1]], s.vertex[v[2]]}, 3};
}

// What meets the surface: items below a tree of boxes. A point or a segment:
template <class T>
struct PlacedCore {
  Corners<T> core;
  STICTION_HD SurfaceNodeT<T> node(int) const {
    const Vec3T<T> end = core.p[core.count - 1];
    return {min(core.p[0], end), max(core.p[0], end), 0, 1};
  }
  STICTION_HD Placement<T> place() const { return {Mat3T<T>::identity(), {}}; }
  STICTION_HD void nearest_to(int item, const SurfaceT<T>& s, int t, NearestPair<T>& nearest) const {
    measure(core, item, corners_of(s, t), t, nearest);
  }
};

// The triangles of another surface:
template <class T>
struct PlacedTriangles {
  const SurfaceT<T>& own;
  Placement<T> placement;
  STICTION_HD SurfaceNodeT<T> node(int i) const { return own.node[i]; }
  STICTION_HD Placement<T> place() const { return placement; }
  STICTION_HD void nearest_to(int item, const SurfaceT<T>& s, int t, NearestPair<T>& nearest) const {
    Corners<T> placed = corners_of(own, item);
    for (Vec3T<T>& p : placed.p) p = placement(p);
    measure(placed, item, corners_of(s, t), t, nearest);
  }
};

// A smooth convex body, within a box of the half-sizes `half`:
template <class Solid, class T>
struct PlacedSolid {
  Solid solid;
  Placement<T> placement;
  Vec3T<T> half;
  T size;
  STICTION_HD SurfaceNodeT<T> node(int) const { return {-half, half, 0, 1}; }
  STICTION_HD Placement<T> place() const { return placement; }
  STICTION_HD void nearest_to(int, const SurfaceT<T>& s, int t, NearestPair<T>& nearest) const {
    measure(solid, placement, size, corners_of(s, t), t, nearest);
  }
};

// What is nearer than `nearest` was. Each step takes one of the waiting pairs of nodes away and adds the two halves of
// one: with 64 levels in either tree at most 128 wait.
template <class Body, class T>
STICTION_HD_CALL void search_nearest(const Body& body, const SurfaceT<T>& s, NearestPair<T>& nearest) {
  struct Waiting {
    int of_a, of_b;
    T squared;
  };
  const Placement<T> place = body.place();
  Waiting stack[128];
  int waiting = 0;
  stack[waiting++] = {0, 0, squared_between(moved_box(body.node(0), place, T(0)), s.node[0])};
  while (waiting > 0) {
    const Waiting next = stack[--waiting];
    if (!(next.squared < nearest.squared)) continue;
    const SurfaceNodeT<T> a = body.node(next.of_a), b = s.node[next.of_b];
    if ((a.count == 0 && a.first == 0) || (b.count == 0 && b.first == 0)) return;  // a surface without triangles
    if (a.count > 0 && b.count > 0) {
      for (int i = a.first; i < a.first + a.count; ++i)
        for (int t = b.first; t < b.first + b.count; ++t) body.nearest_to(i, s, t, nearest);
      continue;
    }
    // The larger of the two is halved; the nearer half waits on top.
    const bool halve_a =
        b.count > 0 || (a.count == 0 && norm_squared(a.upper - a.lower) > norm_squared(b.upper - b.lower));
    Waiting half[2];
    for (int k = 0; k < 2; ++k) {
      half[k] = halve_a ? Waiting{a.first + k, next.of_b, T(0)} : Waiting{next.of_a, b.first + k, T(0)};
      half[k].squared = squared_between(moved_box(body.node(half[k].of_a), place, T(0)), s.node[half[k].of_b]);
    }
    const int nearer = half[1].squared < half[0].squared ? 1 : 0;
    stack[waiting++] = half[1 - nearer];
    stack[waiting++] = half[nearer];
  }
}

// The normal of the surface where x is nearest to its triangle.
template <class T>
STICTION_HD Vec3T<T> normal_beside(const SurfaceT<T>& s, int triangle, const Vec3T<T>& x) {
  return part_normal(s, triangle, nearest_in_triangle(s, triangle, x, T(0)));
}

// A ball around x against the surface; valid within the limit. Inside a closed surface its distance is negative.
template <class T>
STICTION_HD_CALL ConvexContact<T> ball_distance(const SurfaceT<T>& s, const Vec3T<T>& x, T radius, T limit) {
  NearestPair<T> nearest;
  const PlacedCore<T> body{{{x}, 1}};
  // Within the box of the surface it may be deep inside.
  const bool near = !(squared_between(box_around(x, x, T(0)), s.node[0]) > T(0));
  const T reach = limit + radius;
  if (!near && !(reach > T(0))) return {};
  nearest.squared = near ? std::numeric_limits<T>::infinity() : reach * reach;
  search_nearest(body, s, nearest);
  if (nearest.item_b < 0) return {};
  const Vec3T<T> apart = x - nearest.on_b, outward = normal_beside(s, nearest.item_b, x);
  const bool inside = s.closed && dot(outward, apart) < T(0);
  const T distance = norm(apart), unsure = T(Tolerance<T>::kDouble ? 1e-12 : 1e-5) * norm(x);
  const Vec3T<T> n = distance > unsure ? apart / (inside ? distance : -distance) : -normalized(outward);
  const T gap = (inside ? -distance : distance) - radius;
  return {gap <= limit, n, gap, x + n * radius, nearest.on_b};
}

template <class T>
STICTION_HD_CALL ConvexContact<T> capsule_distance(const SurfaceT<T>& s, const Vec3T<T>& p, const Vec3T<T>& q, T radius,
                                                   T limit) {
  const PlacedCore<T> body{{{p, q}, 2}};
  const SurfaceNodeT<T> box = body.node(0);
  const bool near = !(squared_between(SearchBox<T>{box.lower, box.upper}, s.node[0]) > T(0));
  const T reach = limit + radius;
  if (!near && !(reach > T(0))) return {};
  NearestPair<T> nearest;
  nearest.squared = near ? std::numeric_limits<T>::infinity() : reach * reach;
  search_nearest(body, s, nearest);
  if (nearest.item_b < 0) return {};
  const Vec3T<T> apart = nearest.on_a - nearest.on_b, outward = normal_beside(s, nearest.item_b, nearest.on_a);
  const T distance = norm(apart), unsure = T(Tolerance<T>::kDouble ? 1e-12 : 1e-5) * norm(nearest.on_a);
  if (distance > unsure && !(s.closed && dot(outward, apart) < T(0))) {
    const Vec3T<T> n = -apart / distance;
    return {distance - radius <= limit, n, distance - radius, nearest.on_a + n * radius, nearest.on_b};
  }
  // The core passes through the surface, or is inside it.
  const Vec3T<T> n =
      dot(outward, p + q - nearest.on_b * T(2)) < T(0) && !s.closed ? normalized(outward) : -normalized(outward);
  ConvexContact<T> deepest{-radius <= limit, n, -radius, nearest.on_b + n * radius, nearest.on_b};
  for (int end = 0; s.closed && end < 2; ++end) {
    const ConvexContact<T> found = ball_distance(s, end == 0 ? p : q, radius, limit);
    if (found.valid && found.gap < deepest.gap) deepest = found;
  }
  return deepest;
}

// The deepest vertex of `own`, placed, inside the closed surface s, if it is deeper than `deepest`; `own_is_a`: n is
// from `own` to s.
template <class T>
STICTION_HD_CALL void deepest_vertex(const SurfaceT<T>& own, const Placement<T>& place, const SurfaceT<T>& s,
                                     ConvexContact<T>& deepest) {
  if (!s.closed) return;
  for (int v = 0; v < own.vertex_count; ++v) {
    const Vec3T<T> x = place(own.vertex[v]);
    if (squared_between(box_around(x, x, T(0)), s.node[0]) > T(0)) continue;
    const ConvexContact<T> found = ball_distance(s, x, T(0), deepest.gap);
    if (found.valid && found.gap < deepest.gap) deepest = found;
  }
}

// A contact between two placed bodies, seen from the other frame and with the bodies exchanged.
template <class T>
STICTION_HD ConvexContact<T> exchanged(const ConvexContact<T>& c, const Placement<T>& place) {
  return {c.valid, -(place.R * c.normal), c.gap, place(c.on_b), place(c.on_a), c.cut_short};
}

// Vertices of one body inside the other: of two surfaces
template <class T>
STICTION_HD_CALL void deepen(const PlacedTriangles<T>& a, const SurfaceT<T>& s, ConvexContact<T>& deepest) {
  deepest_vertex(a.own, a.placement, s, deepest);
  const Placement<T> inverse{transpose(a.placement.R), -transpose_times(a.placement.R, a.placement.t)};
  ConvexContact<T> other;
  other.gap = deepest.gap;
  deepest_vertex(s, inverse, a.own, other);
  if (other.valid) deepest = exchanged(other, a.placement);
}

// and of a surface in a smooth body, or the other way round.
template <class Solid, class T>
STICTION_HD_CALL void deepen(const PlacedSolid<Solid, T>& a, const SurfaceT<T>& s, ConvexContact<T>& deepest) {
  for (int v = 0; v < s.vertex_count; ++v) {
    const Vec3T<T> x = transpose_times(a.placement.R, s.vertex[v] - a.placement.t);
    if (magnitude(x.x) > a.half.x || magnitude(x.y) > a.half.y || magnitude(x.z) > a.half.z) continue;
    const PointDistance<T> d = distance_to(a.solid, x);
    if (!(d.distance < deepest.gap)) continue;
    const Vec3T<T> n = a.placement.R * d.normal;
    deepest = {true, n, d.distance, s.vertex[v] - n * d.distance, s.vertex[v], d.cut_short};
  }
  const ConvexContact<T> centre = ball_distance(s, a.placement.t, T(0), deepest.gap);
  if (!s.closed || !centre.valid || !(centre.gap < T(0))) return;
  const Vec3T<T> lowest = a.placement(a.solid.point(transpose_times(a.placement.R, centre.normal)));
  const T gap = dot(centre.normal, centre.on_b - lowest);
  if (gap < deepest.gap) deepest = {true, centre.normal, gap, lowest, lowest + centre.normal * gap};
}

template <class T>
STICTION_HD bool is_inside(const SurfaceT<T>& s, int triangle, const Vec3T<T>& x, const Vec3T<T>& on_surface) {
  return s.closed && dot(normal_beside(s, triangle, x), x - on_surface) < T(0);
}

// Are bodies that do not cross inside each other?
template <class T>
STICTION_HD bool contains(const PlacedTriangles<T>& a, const NearestPair<T>& nearest) {
  return is_inside(a.own, nearest.item_a, transpose_times(a.placement.R, nearest.on_b - a.placement.t),
                   transpose_times(a.placement.R, nearest.on_a - a.placement.t));
}
template <class Solid, class T>
STICTION_HD bool contains(const PlacedSolid<Solid, T>&, const NearestPair<T>&) {
  return false;  // a solid that holds the surface crosses its triangles
}

// `deepest_contact()`: of the two shapes, in the frame of B.
template <class Body, class T, class Contacts>
STICTION_HD_CALL ConvexContact<T> body_distance(const Body& body, const SurfaceT<T>& s, T size, T limit,
                                                const Contacts& deepest_contact) {
  const bool near = !(squared_between(moved_box(body.node(0), body.place(), T(0)), s.node[0]) > T(0));
  if (!near && !(limit > T(0))) return {};
  NearestPair<T> nearest;
  nearest.squared = near ? std::numeric_limits<T>::infinity() : limit * limit;
  search_nearest(body, s, nearest);
  if (nearest.item_b < 0) return {};
  const Vec3T<T> apart = nearest.on_b - nearest.on_a;
  const T distance = norm(apart);
  const bool crossing = distance <= T(Tolerance<T>::kDouble ? 1e-12 : 1e-5) * size;
  if (!crossing && !is_inside(s, nearest.item_b, nearest.on_a, nearest.on_b) && !contains(body, nearest)) {
    const bool valid = distance <= limit || nearest.cut_short;
    return {valid, apart / distance, distance, nearest.on_a, nearest.on_b, nearest.cut_short};
  }
  const Vec3T<T> outward = s.normal[nearest.item_b];
  const bool behind = !s.closed && dot(outward, body.place().t - nearest.on_b) < T(0);
  ConvexContact<T> deepest{true, behind ? outward : -outward, T(0), nearest.on_b, nearest.on_b};
  const ConvexContact<T> contact = deepest_contact();
  if (contact.valid && contact.gap < T(0)) deepest = contact;
  deepen(body, s, deepest);
  deepest.valid = deepest.gap <= limit;
  return deepest;
}

// B is a mesh or a height field, A anything but a plane.
template <class T>
STICTION_HD_CALL ConvexContact<T> surface_distance(const ShapeT<T>& a, const ShapeT<T>& b, T limit) {
  const SurfaceT<T>& s = b.surface;
  const Placement<T> place = placement(b, a);
  const T size = minimum(a.radius, b.radius);
  const auto deepest_contact = [&] {
    ContactPointT<T> points[kMaxSurfacePoints];
    ShapeT<T> first = a, second = b;
    first.surface.as_it_is = second.surface.as_it_is = true;
    ConvexContact<T> deepest;
    const auto consider = [&](int count, T sign) {
      for (int i = 0; i < count; ++i) {
        const ContactPointT<T>& c = points[i];
        if (deepest.valid && !(c.gap < deepest.gap)) continue;
        const Vec3T<T> n = transpose_times(b.R, c.normal) * sign, x = transpose_times(b.R, c.point - b.p);
        deepest = {true, n, c.gap, x - n * (c.gap / T(2)), x + n * (c.gap / T(2)), c.cut_short};
      }
    };
    if (a.type == ShapeType::kCylinder) {
      consider(collide_cylinder_surface(first, second, T(0), points), T(1));
    } else if (a.type == ShapeType::kEllipsoid) {
      consider(collide_ellipsoid_surface(first, second, T(0), points), T(1));
    } else {
      // Edges of the second are held against those of the first, which is not the same where one is open.
      consider(collide_surface_surface(first, second, T(0), points), T(1));
      consider(collide_surface_surface(second, first, T(0), points), T(-1));
    }
    return deepest;
  };
  switch (a.type) {
    case ShapeType::kSphere:
      return ball_distance(s, place.t, a.size.x, limit);
    case ShapeType::kCapsule: {
      const Vec3T<T> half = place.R.column(2) * a.size.y;
      return capsule_distance(s, place.t - half, place.t + half, a.size.x, limit);
    }
    case ShapeType::kCylinder: {
      const Vec3T<T> half{a.size.x, a.size.x, a.size.y};
      const PlacedSolid<CylinderSupport<T>, T> body{as_cylinder(a), place, half, size};
      return body_distance(body, s, size, limit, deepest_contact);
    }
    case ShapeType::kEllipsoid: {
      const PlacedSolid<EllipsoidSupport<T>, T> body{as_ellipsoid(a), place, a.size, size};
      return body_distance(body, s, size, limit, deepest_contact);
    }
    default:
      return body_distance(PlacedTriangles<T>{a.surface, place}, s, size, limit, deepest_contact);
  }
}

}  // namespace stiction::detail
