// Signed distance of two shapes with its witness points: what a contact does not tell where it prefers a face for the
// sake of a steady patch. Apart: closest points of the cores (support.hpp), less the radii that the cores carry.
// Penetrating: the least depth over all separating axes of polyhedra, a local optimum of smooth shapes
// (convex_distance.hpp). Meshes and height fields: surface_distance.hpp.
#pragma once

#include "collide/pair_table.hpp"
#include "collide/surface_distance.hpp"
#include "math/sin_cos.hpp"

namespace stiction {

// In the world. Where `valid` is false the shapes are farther apart than the limit, or have no distance (two planes).
// A search that was cut short has not shown that they are.
template <class T>
struct ShapeDistanceT {
  bool valid = false;
  T distance{};             // [m] negative: minus the depth
  Vec3T<T> normal{};        // unit, from A to B: the derivative of the distance when B is moved
  Vec3T<T> on_a{}, on_b{};  // [m] on_b − on_a = distance · normal
  bool cut_short = false;   // a search ended by its bound on iterations: the best that it found
};

namespace detail {

// Calls f(support function of the core, radius that it carries).
template <class T, class F>
STICTION_HD void visit_core(const ShapeT<T>& shape, F&& f) {
  switch (shape.type) {
    case ShapeType::kCapsule:
      return f(as_segment(shape), shape.size.x);
    case ShapeType::kBox:
      return f(PolyhedronSupport<BoxPolyhedron<T>>{as_box(shape)}, T(0));
    case ShapeType::kHull:
      return f(PolyhedronSupport<HullPolyhedron<T>>{as_hull(shape)}, T(0));
    case ShapeType::kCylinder:
      return f(as_cylinder(shape), T(0));
    case ShapeType::kEllipsoid:
      return f(as_ellipsoid(shape), T(0));
    default:
      return;
  }
}

// Closest points along an axis n of which s is the separation: those of the bodies after B was moved apart along it.
template <class SA, class SB, class T>
STICTION_HD_CALL ConvexContact<T> witnesses(const SA& A, const SB& B, const Placement<T>& b_in_a, const Vec3T<T>& n,
                                            T s, T size) {
  const T t = T(1e-2) * size - s;
  Placement<T> moved = b_in_a;
  moved.t += n * t;
  const T far = no_margin(moved, size);
  const ClosestPoints<T> closest = closest_points(A, B, moved, n, T(0), far, kFinest<T>);
  return {true, n, s, closest.on_a, closest.on_b - n * t, closest.cut_short};
}

// Boxes and hulls.
template <class P, class Q, class T>
STICTION_HD_CALL ConvexContact<T> core_distance(const PolyhedronSupport<P>& A, const PolyhedronSupport<Q>& B,
                                                const ShapeT<T>& a, const ShapeT<T>& b, T limit) {
  const PolyhedronPair<P, Q> pair = polyhedron_pair(a, A.poly, b, B.poly, limit);
  const GjkResult<T> closest = gjk(pair.A, pair.B, pair.b_in_a, pair.b_in_a.t, pair.touch(), limit);
  if (closest.status == GjkStatus::kBeyond) return {};
  if (closest.status == GjkStatus::kApart) {
    const Vec3T<T> v = closest.on_b - closest.on_a;
    const T distance = norm(v);
    return {true, v / distance, distance, closest.on_a, closest.on_b, closest.cut_short};
  }
  const FaceAxis<T> of_a = face_axis(pair.A, pair.B, pair.b_in_a, pair.b_in_a.t, kNoFloor<T>, T(0), T(0));
  const FaceAxis<T> of_b = face_axis(pair.B, pair.A, pair.a_in_b, pair.a_in_b.t, of_a.separation, T(0), T(0));
  const bool in_a = of_a.separation >= of_b.separation;
  T s = in_a ? of_a.separation : of_b.separation;
  Vec3T<T> n = in_a ? pair.A.face_normal(of_a.face) : -(pair.b_in_a.R * pair.B.face_normal(of_b.face));
  const EdgeAxis<T> edge = edge_axis(pair, s, n);
  if (edge.edge_a >= 0) s = edge.separation, n = edge.normal;
  return witnesses(A, B, pair.b_in_a, n, s, pair.size);
}

// The core of a capsule and a polyhedron.
template <class P, class T>
STICTION_HD_CALL ConvexContact<T> core_distance(const SegmentSupport<T>& A, const PolyhedronSupport<P>& B,
                                                const ShapeT<T>& a, const ShapeT<T>& b, T limit) {
  const Placement<T> b_in_a = placement(a, b), a_in_b = placement(b, a);
  const T size = minimum(a.radius, b.radius);
  const Vec3T<T> p = a_in_b(Vec3T<T>{T(0), T(0), -A.half}), d = a_in_b.R.column(2) * (T(2) * A.half);
  const CorePlace<T> place = closest_of_core(B.poly, p, d, Tolerance<T>::kTouch * size, limit);
  if (place.status == GjkStatus::kBeyond) return {};
  if (place.status == GjkStatus::kApart) {
    const Vec3T<T> n = -(b_in_a.R * place.closest.normal), on_a{T(0), T(0), A.half * (T(2) * place.t - T(1))};
    return {true, n, place.closest.distance, on_a, on_a + n * place.closest.distance, place.closest.cut_short};
  }
  const SegmentAxis<T> axis = segment_axis(B.poly, p, d, T(1));
  return witnesses(A, B, b_in_a, -(b_in_a.R * axis.normal), axis.separation, size);
}

// Directions from which the depth of smooth bodies is sought: s(n) has many local maxima where they penetrate deeply.
constexpr int kSearchDirections = 256, kSearchStarts = 12;

// Direction k of a spiral that covers the sphere evenly (Fibonacci lattice).
template <class T>
STICTION_HD_CALL Vec3T<T> spiral_direction(int k) {
  using std::sqrt;
  const T z = T(1) - T(2 * k + 1) / T(kSearchDirections);
  const T r = sqrt(maximum(T(0), T(1) - z * z));
  T sine, cosine;
  sin_cos_reduced(T(2.399963229728653) * T(k), sine, cosine);
  return {r * cosine, r * sine, z};
}

// The best directions of those considered, in falling order of the separation along them, of which no two are
// neighbours (14°).
template <class T>
struct SearchStarts {
  Vec3T<T> direction[kSearchStarts];
  T separation[kSearchStarts];  // [m]
  int count = 0;

  STICTION_HD_CALL void consider(const Vec3T<T>& n, T s) {
    int place = count;
    while (place > 0 && s > separation[place - 1]) --place;
    bool near = false;
    for (int i = 0; i < place; ++i) near = near || dot(direction[i], n) > T(0.97);
    if (near || place == kSearchStarts) return;
    int end = count < kSearchStarts ? count : kSearchStarts - 1;
    for (int i = place; i < end; ++i)
      if (dot(direction[i], n) > T(0.97)) end = i;
    for (int i = end; i > place; --i) direction[i] = direction[i - 1], separation[i] = separation[i - 1];
    direction[place] = n, separation[place] = s;
    if (end == count) ++count;
  }
};

// Smooth bodies. Penetrating: the best of the searches from the proposal, from the best directions of the spiral, and
// from the best that the bodies propose: normals of faces and caps are peaks that the spiral passes by.
template <class SA, class SB, class T>
STICTION_HD_CALL ConvexContact<T> core_distance(const SA& A, const SB& B, const ShapeT<T>& a, const ShapeT<T>& b,
                                                T limit) {
  const Placement<T> b_in_a = placement(a, b);
  const T size = minimum(a.radius, b.radius);
  ConvexContact<T> best = convex_contact(A, B, b_in_a, size, limit);
  if (!best.valid || !(best.gap < T(0))) return best;
  SearchStarts<T> evenly, proposed;
  for (int k = 0; k < kSearchDirections; ++k) {
    const Vec3T<T> n = spiral_direction<T>(k);
    evenly.consider(n, separation(A, B, b_in_a, n));
  }
  const auto propose = [&](const Vec3T<T>& n) { proposed.consider(n, separation(A, B, b_in_a, n)); };
  const Vec3T<T> to_a = -transpose_times(b_in_a.R, b_in_a.t);
  for (int i = 0; i < A.axis_count(); ++i) propose(normalized(A.axis(i, b_in_a.t)));
  for (int i = 0; i < B.axis_count(); ++i) propose(-(b_in_a.R * normalized(B.axis(i, to_a))));
  for (const SearchStarts<T>* starts : {&evenly, &proposed})
    for (int i = 0; i < starts->count; ++i) {
      const ConvexContact<T> found = least_penetration(A, B, b_in_a, starts->direction[i], size);
      if (found.valid && found.gap > best.gap) best = found;
    }
  // Where the depth hardly changes with the direction, that settles late: the points must lie along it.
  const auto settled = [&] {
    const Vec3T<T> beside = best.on_b - best.on_a - best.normal * best.gap;
    return norm(beside) <= T(Tolerance<T>::kDouble ? 1e-7 : 1e-4) * size;
  };
  for (int round = 0; round < 8 && !settled(); ++round) {
    const ConvexContact<T> found = least_penetration(A, B, b_in_a, best.normal, size);
    if (found.valid) best = found;
  }
  best.cut_short = best.cut_short || !settled();
  return best;
}

// Types in the order of the table.
template <class T>
STICTION_HD_CALL ShapeDistanceT<T> ordered_distance(const ShapeT<T>& a, const ShapeT<T>& b, T limit) {
  ShapeDistanceT<T> result;
  if (most_points(a.type, b.type) > kMaxPoints && a.type != ShapeType::kPlane) {
    const ConvexContact<T> c = surface_distance(a, b, limit);
    return {c.valid, c.gap, b.R * c.normal, b.p + b.R * c.on_a, b.p + b.R * c.on_b, c.cut_short};
  }
  if (a.type == ShapeType::kPlane || a.type == ShapeType::kSphere || b.type == ShapeType::kCapsule) {
    // The nearest contact is the distance.
    ContactPointT<T> points[kMaxSurfacePoints];
    const int count = collide_pair(a, b, limit, points);
    for (int i = 0; i < count; ++i) {
      const ContactPointT<T>& c = points[i];
      if (result.valid && !(c.gap < result.distance)) continue;
      const Vec3T<T> half = c.normal * (c.gap / T(2));
      result = {true, c.gap, c.normal, c.point - half, c.point + half, c.cut_short};
    }
    return result;
  }
  // No two bodies are farther apart than their centres: the limit stays finite.
  const T reach = minimum(limit, norm(b.p - a.p) + a.radius + b.radius);
  visit_core(a, [&](const auto& A, T swept_a) {
    visit_core(b, [&](const auto& B, T swept_b) {
      const T swept = swept_a + swept_b;
      const ConvexContact<T> c = core_distance(A, B, a, b, reach + swept);
      if (!c.valid) return;
      const Vec3T<T> n = a.R * c.normal;
      const T distance = c.gap - swept;
      const Vec3T<T> on_a = a.p + a.R * c.on_a + n * swept_a, on_b = a.p + a.R * c.on_b - n * swept_b;
      result = {distance <= limit || c.cut_short, distance, n, on_a, on_b, c.cut_short};
    });
  });
  return result;
}

}  // namespace detail

// Signed distance of two shapes up to `limit` [m].
template <class T>
STICTION_HD_CALL ShapeDistanceT<T> shape_distance(const ShapeT<T>& a, const ShapeT<T>& b, T limit) {
  if (static_cast<int>(a.type) <= static_cast<int>(b.type)) return detail::ordered_distance(a, b, limit);
  ShapeDistanceT<T> result = detail::ordered_distance(b, a, limit);
  result.normal = -result.normal;
  const Vec3T<T> on_b = result.on_a;
  result.on_a = result.on_b;
  result.on_b = on_b;
  return result;
}

}  // namespace stiction
