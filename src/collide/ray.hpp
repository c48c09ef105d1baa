// Where a ray first meets the surface of a shape, from outside or from within. Host-device leaves in the frame of the
// shape; a line meets a convex body in a span, whose ends are the intersection of the spans of its parts (half-spaces,
// slabs, round walls) or, for a capsule, their union.
//
// A leaf has the form bool ray_X(shape, origin, direction, limit, hit): direction is unit; true if the surface is met
// at a distance in [0, limit]. A new shape is one line in the table.
#pragma once

#include "collide/shape.hpp"

namespace stiction {

template <class T>
struct RayPointT {
  T distance{};       // [m]
  Vec3T<T> normal{};  // of the surface, outward, unit
};

namespace detail {

// The part of a line inside a convex body, with the outward normals at its ends.
template <class T>
struct LineSpan {
  T enter, leave;  // [m] none if enter > leave
  Vec3T<T> normal_enter{}, normal_leave{};

  // Everything, before the first cut.
  static STICTION_HD LineSpan whole() {
    const T far = T(Tolerance<T>::kDouble ? 1e300 : 1e37);
    return {-far, far, {}, {}};
  }
  STICTION_HD void cut(T from, T to, const Vec3T<T>& normal_from, const Vec3T<T>& normal_to) {
    if (from > enter) enter = from, normal_enter = normal_from;
    if (to < leave) leave = to, normal_leave = normal_to;
  }
  // n·x ≤ offset
  STICTION_HD void cut_half_space(const Vec3T<T>& n, T offset, const Vec3T<T>& origin, const Vec3T<T>& direction) {
    const T height = offset - dot(n, origin), slope = dot(n, direction);
    if (slope < T(0))
      cut(height / slope, leave, n, normal_leave);
    else if (slope > T(0))
      cut(enter, height / slope, normal_enter, n);
    else if (height < T(0))
      leave = enter - T(1);
  }
  STICTION_HD bool first(T limit, RayPointT<T>& hit) const {
    if (!(enter <= leave)) return false;
    const bool outside = enter >= T(0);
    hit = {outside ? enter : leave, outside ? normal_enter : normal_leave};
    return hit.distance >= T(0) && hit.distance <= limit;
  }
};

// Span of the line in the ball |x − c| ≤ r; in the frame of its nearest point to c: t = −b ∓ √(r² − |p|²), which keeps
// the digits that the quadratic formula loses far away.
template <class T>
STICTION_HD bool ball_span(const Vec3T<T>& from_centre, const Vec3T<T>& direction, T radius, T& enter, T& leave) {
  using std::sqrt;
  const T b = dot(from_centre, direction);
  const Vec3T<T> p = from_centre - direction * b;
  const T rest = radius * radius - norm_squared(p);
  if (rest < T(0)) return false;
  const T half = sqrt(rest);
  enter = -b - half, leave = -b + half;
  return true;
}

// Span in the endless cylinder about z; everything or nothing for a line along z.
template <class T>
STICTION_HD bool wall_span(const Vec3T<T>& origin, const Vec3T<T>& direction, T radius, T& enter, T& leave) {
  const Vec3T<T> o{origin.x, origin.y, T(0)}, d{direction.x, direction.y, T(0)};
  const T length = norm(d);
  const LineSpan<T> whole = LineSpan<T>::whole();
  enter = whole.enter, leave = whole.leave;
  if (!(length > T(0))) return norm_squared(o) <= radius * radius;
  if (!ball_span(o, d / length, radius, enter, leave)) return false;
  enter = enter / length, leave = leave / length;
  return true;
}

}  // namespace detail

// Half-space below z = 0, seen from above.
template <class T>
STICTION_HD bool ray_plane(const ShapeT<T>&, const Vec3T<T>& origin, const Vec3T<T>& direction, T limit,
                           RayPointT<T>& hit) {
  if (!(direction.z < T(0)) || origin.z < T(0)) return false;
  hit = {-origin.z / direction.z, {T(0), T(0), T(1)}};
  return hit.distance <= limit;
}

template <class T>
STICTION_HD bool ray_sphere(const ShapeT<T>& shape, const Vec3T<T>& origin, const Vec3T<T>& direction, T limit,
                            RayPointT<T>& hit) {
  detail::LineSpan<T> span = detail::LineSpan<T>::whole();
  if (!detail::ball_span(origin, direction, shape.size.x, span.enter, span.leave)) return false;
  if (!span.first(limit, hit)) return false;
  hit.normal = normalized(origin + direction * hit.distance);
  return true;
}

// The union of the spans of the wall and the two end balls.
template <class T>
STICTION_HD bool ray_capsule(const ShapeT<T>& shape, const Vec3T<T>& origin, const Vec3T<T>& direction, T limit,
                             RayPointT<T>& hit) {
  const T radius = shape.size.x, half = shape.size.y;
  detail::LineSpan<T> all{T(1), T(0), {}, {}};
  const auto join = [&](T enter, T leave) {
    const bool first = all.enter > all.leave;
    if (first || enter < all.enter) all.enter = enter;
    if (first || leave > all.leave) all.leave = leave;
  };
  T enter, leave;
  for (int end = -1; end <= 1; end += 2) {
    const Vec3T<T> centre{T(0), T(0), T(end) * half};
    if (detail::ball_span(origin - centre, direction, radius, enter, leave)) join(enter, leave);
  }
  detail::LineSpan<T> wall = detail::LineSpan<T>::whole();
  if (detail::wall_span(origin, direction, radius, wall.enter, wall.leave)) {
    wall.cut_half_space({T(0), T(0), T(1)}, half, origin, direction);
    wall.cut_half_space({T(0), T(0), T(-1)}, half, origin, direction);
    if (wall.enter <= wall.leave) join(wall.enter, wall.leave);
  }
  if (!all.first(limit, hit)) return false;
  Vec3T<T> x = origin + direction * hit.distance;
  x.z -= clamped(x.z, -half, half);
  hit.normal = normalized(x);
  return true;
}

template <class T>
STICTION_HD bool ray_box(const ShapeT<T>& shape, const Vec3T<T>& origin, const Vec3T<T>& direction, T limit,
                         RayPointT<T>& hit) {
  detail::LineSpan<T> span = detail::LineSpan<T>::whole();
  for (int k = 0; k < 3; ++k) {
    Vec3T<T> n{};
    n[k] = T(1);
    span.cut_half_space(n, shape.size[k], origin, direction);
    span.cut_half_space(-n, shape.size[k], origin, direction);
  }
  return span.first(limit, hit);
}

template <class T>
STICTION_HD_CALL bool ray_hull(const ShapeT<T>& shape, const Vec3T<T>& origin, const Vec3T<T>& direction, T limit,
                               RayPointT<T>& hit) {
  detail::LineSpan<T> span = detail::LineSpan<T>::whole();
  for (int f = 0; f < shape.hull.face_count && span.enter <= span.leave; ++f)
    span.cut_half_space(shape.hull.face_normal[f], shape.hull.face_offset[f], origin, direction);
  return span.first(limit, hit);
}

template <class T>
STICTION_HD bool ray_cylinder(const ShapeT<T>& shape, const Vec3T<T>& origin, const Vec3T<T>& direction, T limit,
                              RayPointT<T>& hit) {
  detail::LineSpan<T> span = detail::LineSpan<T>::whole();
  if (!detail::wall_span(origin, direction, shape.size.x, span.enter, span.leave)) return false;
  const auto across = [&](T t) {
    const Vec3T<T> x = origin + direction * t;
    return normalized(Vec3T<T>{x.x, x.y, T(0)});
  };
  span.normal_enter = across(span.enter), span.normal_leave = across(span.leave);
  span.cut_half_space({T(0), T(0), T(1)}, shape.size.y, origin, direction);
  span.cut_half_space({T(0), T(0), T(-1)}, shape.size.y, origin, direction);
  return span.first(limit, hit);
}

// The unit ball after scaling by the radii.
template <class T>
STICTION_HD bool ray_ellipsoid(const ShapeT<T>& shape, const Vec3T<T>& origin, const Vec3T<T>& direction, T limit,
                               RayPointT<T>& hit) {
  const Vec3T<T> scale{T(1) / shape.size.x, T(1) / shape.size.y, T(1) / shape.size.z};
  const Vec3T<T> d = scaled(direction, scale);
  const T length = norm(d);
  detail::LineSpan<T> span = detail::LineSpan<T>::whole();
  if (!detail::ball_span(scaled(origin, scale), d / length, T(1), span.enter, span.leave)) return false;
  span.enter = span.enter / length, span.leave = span.leave / length;
  if (!span.first(limit, hit)) return false;
  hit.normal = normalized(scaled(scaled(origin + direction * hit.distance, scale), scale));
  return true;
}

namespace detail {

// Does the ray meet the box at a distance in [0, limit]?
template <class T>
STICTION_HD bool ray_meets_box(const SurfaceNodeT<T>& node, const Vec3T<T>& origin, const Vec3T<T>& direction,
                               T limit) {
  T enter = T(0), leave = limit;
  for (int k = 0; k < 3; ++k) {
    if (direction[k] == T(0)) {
      if (origin[k] < node.lower[k] || origin[k] > node.upper[k]) return false;
      continue;
    }
    const T t0 = (node.lower[k] - origin[k]) / direction[k], t1 = (node.upper[k] - origin[k]) / direction[k];
    enter = maximum(enter, minimum(t0, t1));
    leave = minimum(leave, maximum(t0, t1));
  }
  // Rounding must not lose a flat box.
  return enter <= leave + T(Tolerance<T>::kDouble ? 1e-12 : 1e-5) * (magnitude(leave) + norm(node.upper - node.lower));
}

}  // namespace detail

// Meshes and height fields: the nearest triangle. The normal of an open surface is turned against the ray.
template <class T>
STICTION_HD_CALL bool ray_surface(const ShapeT<T>& shape, const Vec3T<T>& origin, const Vec3T<T>& direction, T limit,
                                  RayPointT<T>& hit) {
  const SurfaceT<T>& s = shape.surface;
  if (s.triangle_count == 0) return false;
  const T slack = Tolerance<T>::kGraze * shape.radius;  // triangles overlap by it: no ray slips through an edge
  bool met = false;
  int stack[64];
  int waiting = 0;
  stack[waiting++] = 0;
  while (waiting > 0) {
    const SurfaceNodeT<T>& node = s.node[stack[--waiting]];
    if (!detail::ray_meets_box(node, origin, direction, met ? hit.distance : limit)) continue;
    for (int child = 0; child < 2 && node.count == 0; ++child) stack[waiting++] = node.first + child;
    for (int t = node.first; t < node.first + node.count; ++t) {
      const Vec3T<T> n = s.normal[t], start = s.vertex[s.triangle[3 * t]];
      const T slope = dot(n, direction);
      if (slope == T(0)) continue;
      const T distance = dot(n, start - origin) / slope;
      if (!(distance >= T(0) && distance <= (met ? hit.distance : limit))) continue;
      const Vec3T<T> x = origin + direction * distance;
      bool inside = true;
      for (int k = 0; k < 3 && inside; ++k) {
        const Vec3T<T> p = s.vertex[s.triangle[3 * t + k]], e = s.vertex[s.triangle[3 * t + next_of_three(k)]] - p;
        inside = dot(cross(e, n), x - p) <= slack * norm(e);
      }
      if (!inside) continue;
      met = true;
      hit = {distance, !s.closed && slope > T(0) ? -n : n};
    }
  }
  return met;
}

// X(type, leaf)
#define STICTION_RAY_TABLE(X)  \
  X(kPlane, ray_plane)         \
  X(kSphere, ray_sphere)       \
  X(kMesh, ray_surface)        \
  X(kCapsule, ray_capsule)     \
  X(kBox, ray_box)             \
  X(kHull, ray_hull)           \
  X(kCylinder, ray_cylinder)   \
  X(kEllipsoid, ray_ellipsoid) \
  X(kHeightField, ray_surface)

// origin and direction (unit) in the world; the normal of the hit too.
template <class T>
STICTION_HD_CALL bool ray_shape(const ShapeT<T>& shape, const Vec3T<T>& origin, const Vec3T<T>& direction, T limit,
                                RayPointT<T>& hit) {
  const Vec3T<T> o = transpose_times(shape.R, origin - shape.p), d = transpose_times(shape.R, direction);
  bool met = false;
  switch (shape.type) {
#define STICTION_RAY_CASE(type, leaf)    \
  case ShapeType::type:                  \
    met = leaf(shape, o, d, limit, hit); \
    break;
    STICTION_RAY_TABLE(STICTION_RAY_CASE)
#undef STICTION_RAY_CASE
    default:
      break;
  }
  if (met) hit.normal = shape.R * hit.normal;
  return met;
}

}  // namespace stiction
