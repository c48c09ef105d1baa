// Closest points of two convex bodies given by support functions, apart or penetrating.
//
// The separation along a unit n from A to B, s(n) = min n·B − max n·A, has its largest value at the distance of
// disjoint bodies, and at minus the depth of penetrating ones. Apart, the search of gjk.hpp finds it. Touching or
// penetrating, B is moved by t n so that the two are apart by δ, and the direction m of the closest points is the next
// n:
//
//   m = argmax s(m) + t m·n,  t = δ − s(n)   ⇒   s(m) ≥ s(n) + t (1 − m·n)
//
// a proximal step on the sphere: the separation never falls, flat faces are met after finitely many steps and smooth
// bodies at the rate t/(t + R) with R the sum of their radii of curvature, so that shallow contacts take two or three.
// Unlike an expanding polytope it needs no memory that grows with the accuracy.
#pragma once

#include "collide/gjk.hpp"
#include "collide/support.hpp"

namespace stiction::detail {

template <class T>
struct ClosestPoints {
  GjkStatus status = GjkStatus::kTouching;
  Vec3T<T> on_a{}, on_b{};  // [m] in the frame of A
  Vec3T<T> v{};             // [m] from A to B
};

// As gjk, with points instead of vertices. The end is the duality gap |v|² − v·w ≤ ε |v|², which bounds the relative
// error of |v| by ε and that of its direction by √ε.
template <class SA, class SB, class T>
STICTION_HD_CALL ClosestPoints<T> closest_points(const SA& A, const SB& B, const Placement<T>& b_in_a,
                                                 const Vec3T<T>& start, T touch, T margin, T epsilon) {
  constexpr int kMaxIterations = 128, kMaxStalled = 4, kSlots = 5;
  Simplex<T> s, best;
  Vec3T<T> on_a[kSlots], best_on_a[kSlots];  // the points of A behind the vertices of the simplex, by slot
  Vec3T<T> v = start, best_v = start;
  T least = T(-1);  // [m²]
  int stalled = 0;
  bool disjoint = false;
  for (int iteration = 0; iteration < kMaxIterations; ++iteration) {
    const Vec3T<T> a = A.point(v), b = b_in_a(B.point(-transpose_times(b_in_a.R, v)));
    const Vec3T<T> w = b - a;
    const T vw = dot(v, w), vv = dot(v, v);
    if (vw > T(0) && vw * vw > margin * margin * vv) return {GjkStatus::kBeyond};
    // v separates the bodies: a simplex that seems to hold the origin is a sliver.
    disjoint = disjoint || vw > T(0);
    bool known = false;
    for (int i = 0; i < s.count; ++i) known = known || w == s.w[i];
    if (iteration > 0 && (known || vv - vw <= epsilon * vv)) break;
    int slot = 0;
    for (int i = 0; i < s.count; ++i)
      if (s.vertex_a[i] == slot) ++slot, i = -1;
    on_a[slot] = a;
    s.add(w, slot, slot);
    if (!nearest_on_simplex(s, v)) {
      if (!disjoint) return {GjkStatus::kTouching};
      break;
    }
    const bool descends = least < T(0) || norm_squared(v) < least;
    if (!descends && ++stalled > kMaxStalled) {
      if (!disjoint) return {GjkStatus::kTouching};
      break;
    }
    if (!descends) continue;
    best = s, best_v = v;
    for (int i = 0; i < s.count; ++i) best_on_a[s.vertex_a[i]] = on_a[s.vertex_a[i]];
    least = norm_squared(v);
    if (least <= touch * touch) return {GjkStatus::kTouching};
  }
  ClosestPoints<T> result{GjkStatus::kApart, {}, {}, best_v};
  for (int i = 0; i < best.count; ++i) {
    result.on_a += best_on_a[best.vertex_a[i]] * best.weight[i];
    result.on_b += (best_on_a[best.vertex_a[i]] + best.w[i]) * best.weight[i];
  }
  return result;
}

// The smallest ε that rounding allows.
template <class T>
constexpr T kFinest = T(Tolerance<T>::kDouble ? 1e-14 : 1e-6);

template <class SA, class SB, class T>
STICTION_HD T separation(const SA& A, const SB& B, const Placement<T>& b_in_a, const Vec3T<T>& n) {
  return dot(n, b_in_a(B.point(-transpose_times(b_in_a.R, n))) - A.point(n));
}

// Contact of two convex bodies in the frame of A; `valid` if it is nearer than the margin.
template <class T>
struct ConvexContact {
  bool valid = false;
  Vec3T<T> normal{};  // from A to B
  T gap{};            // [m]
  Vec3T<T> on_a{}, on_b{};
};

// The axis of largest separation among those that the two bodies propose.
template <class SA, class SB, class T>
STICTION_HD_CALL Vec3T<T> best_proposal(const SA& A, const SB& B, const Placement<T>& b_in_a) {
  Vec3T<T> best = normalized(b_in_a.t);
  T most = separation(A, B, b_in_a, best);
  const auto consider = [&](const Vec3T<T>& axis) {
    const T length = norm(axis);
    if (!(length > T(0))) return;
    const T along = separation(A, B, b_in_a, axis / length);
    if (along > most) most = along, best = axis / length;
  };
  for (int i = 0; i < A.line_count(); ++i)
    for (int j = 0; j < B.line_count(); ++j) {
      const Vec3T<T> across = cross(A.line(i), b_in_a.R * B.line(j));
      consider(dot(across, b_in_a.t) < T(0) ? -across : across);
    }
  for (int i = 0; i < A.axis_count(); ++i) consider(A.axis(i, b_in_a.t));
  const Vec3T<T> to_a = -transpose_times(b_in_a.R, b_in_a.t);
  for (int i = 0; i < B.axis_count(); ++i) consider(-(b_in_a.R * B.axis(i, to_a)));
  return best;
}

// Raises s(n) by proximal steps until the direction stands still.
template <class SA, class SB, class T>
STICTION_HD_CALL ConvexContact<T> least_penetration(const SA& A, const SB& B, const Placement<T>& b_in_a, Vec3T<T> n,
                                                    T size) {
  constexpr int kMaxSteps = 32;
  const T apart = T(Tolerance<T>::kDouble ? 1e-3 : 1e-2) * size, still = T(Tolerance<T>::kDouble ? 1e-8 : 1e-4);
  const T far = T(1e3) * (size + norm(b_in_a.t));
  ConvexContact<T> contact;
  Vec3T<T> last{};
  T epsilon = T(1e-6);  // finer as the direction settles: its error is √ε
  for (int step = 0; step < kMaxSteps; ++step) {
    const T s = separation(A, B, b_in_a, n), t = apart - s;
    Placement<T> moved = b_in_a;
    moved.t += n * t;
    const ClosestPoints<T> closest = closest_points(A, B, moved, n, T(0), far, epsilon);
    if (closest.status != GjkStatus::kApart) break;
    const Vec3T<T> m = normalized(closest.v), change = m - n;
    const Vec3T<T> on_b = closest.on_b - n * t;
    contact = {true, m, dot(m, on_b - closest.on_a), closest.on_a, on_b};
    if (norm_squared(change) <= still * still && epsilon <= kFinest<T>) break;
    epsilon = clamped(T(1e-4) * norm_squared(change), kFinest<T>, epsilon);
    n = m;
    // Slow steps shrink by a constant ratio: the sum of those to come is tried as one.
    const T ratio = step > 0 ? dot(change, last) / norm_squared(last) : T(0);
    last = change;
    if (ratio > T(0.1)) {
      const Vec3T<T> ahead = normalized(m + change * (minimum(ratio, T(0.95)) / (T(1) - minimum(ratio, T(0.95)))));
      if (separation(A, B, b_in_a, ahead) > separation(A, B, b_in_a, m)) {
        n = ahead;
        last = {};
      }
    }
  }
  return contact;
}

// `size` [m]: radius of the smaller body. Contacts nearer than a thousandth of it take the proximal way: the closest
// points are too near each other to tell the direction.
template <class SA, class SB, class T>
STICTION_HD_CALL ConvexContact<T> convex_contact(const SA& A, const SB& B, const Placement<T>& b_in_a, T size,
                                                 T margin) {
  const T near = T(Tolerance<T>::kDouble ? 1e-3 : 1e-2) * size;
  const ClosestPoints<T> closest = closest_points(A, B, b_in_a, b_in_a.t, near, maximum(margin, near), kFinest<T>);
  if (closest.status == GjkStatus::kBeyond) return {};
  ConvexContact<T> contact;
  if (closest.status == GjkStatus::kApart) {
    const T gap = norm(closest.v);
    contact = {true, closest.v / gap, gap, closest.on_a, closest.on_b};
  } else {
    contact = least_penetration(A, B, b_in_a, best_proposal(A, B, b_in_a), size);
  }
  contact.valid = contact.valid && contact.gap < margin;
  return contact;
}

template <class T>
STICTION_HD Placement<T> placement(const ShapeT<T>& a, const ShapeT<T>& b) {
  return {transpose(a.R) * b.R, transpose_times(a.R, b.p - a.p)};
}

}  // namespace stiction::detail
