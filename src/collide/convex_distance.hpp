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
  // The straight pieces that hold them, each in the frame of its own body.
  FlatLine<T> line_a{}, line_b{};
  bool cut_short = false;  // kApart, but the bound on iterations was reached
};

// As gjk, with points instead of vertices. The end is the duality gap |v|² − v·w ≤ ε |v|², which bounds the relative
// error of |v| by ε and that of its direction by √ε.
template <int max_iterations = 128, class SA, class SB, class T>
STICTION_HD_CALL ClosestPoints<T> closest_points(const SA& A, const SB& B, const Placement<T>& b_in_a,
                                                 const Vec3T<T>& start, T touch, T margin, T epsilon) {
  constexpr int kMaxStalled = 4, kSlots = 5;
  Simplex<T> s, best;
  // The points of A and B, each in its own frame, behind the vertices of the simplex, by slot.
  Vec3T<T> on_a[kSlots], best_on_a[kSlots], own_b[kSlots], best_own_b[kSlots];
  Vec3T<T> v = start, best_v = start;
  T least = T(-1);  // [m²]
  int stalled = 0;
  bool disjoint = false;
  int iteration = 0;
  for (; iteration < max_iterations; ++iteration) {
    const Vec3T<T> a = A.point(v), point_b = B.point(-transpose_times(b_in_a.R, v));
    const Vec3T<T> w = b_in_a(point_b) - a;
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
    on_a[slot] = a, own_b[slot] = point_b;
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
    for (int i = 0; i < s.count; ++i) {
      const int slot_i = s.vertex_a[i];
      best_on_a[slot_i] = on_a[slot_i], best_own_b[slot_i] = own_b[slot_i];
    }
    least = norm_squared(v);
    if (least <= touch * touch) return {GjkStatus::kTouching};
  }
  ClosestPoints<T> result{GjkStatus::kApart, {}, {}, best_v, {}, {}, iteration == max_iterations};
  Vec3T<T> a[4], b[4];
  for (int i = 0; i < best.count; ++i) {
    a[i] = best_on_a[best.vertex_a[i]];
    result.on_a += a[i] * best.weight[i];
    result.on_b += (a[i] + best.w[i]) * best.weight[i];
    b[i] = best_own_b[best.vertex_a[i]];
  }
  result.line_a = A.line_of(a, best.count);
  result.line_b = B.line_of(b, best.count);
  return result;
}

// [m] farther than two bodies are apart.
template <class T>
STICTION_HD T no_margin(const Placement<T>& b_in_a, T size) {
  return T(1e3) * (size + norm(b_in_a.t));
}

// The smallest ε that rounding allows.
template <class T>
constexpr T kFinest = T(Tolerance<T>::kDouble ? 1e-14 : 1e-6);

template <class SA, class SB, class T>
STICTION_HD T separation(const SA& A, const SB& B, const Placement<T>& b_in_a, const Vec3T<T>& n) {
  return dot(n, b_in_a(B.point(-transpose_times(b_in_a.R, n))) - A.point(n));
}

// Contact of two convex bodies in the frame of A; `valid` if it is nearer than the margin, or if the search for it was
// cut short by a bound on its steps: then nothing shows that it is beyond.
template <class T>
struct ConvexContact {
  bool valid = false;
  Vec3T<T> normal{};  // from A to B
  T gap{};            // [m]
  Vec3T<T> on_a{}, on_b{};
  bool cut_short = false;
};

// Newton's method for the maximum of s on the sphere: with w = b − a the difference of the support points and w_t its
// tangential part, which vanishes at the maximum,
//
//   (∇²h_A + ∇²h_B + s 1) δ = w_t,   n ← (n + δ)/|n + δ|
//
// Where a body touches along a straight piece, n stays across it, one direction is left, and the piece gives the point
// that makes w_t vanish; two such pieces fix n. `valid` is false where the points jump or the place is no maximum.
template <class SA, class SB, class T>
class AxisSearch {
 public:
  STICTION_HD AxisSearch(const SA& A, const SB& B, const Placement<T>& b_in_a, const FlatLine<T>& line_a,
                         const FlatLine<T>& line_b, T size)
      : A_(A), B_(B), b_in_a_(b_in_a), line_a_(line_a), line_b_(line_b), size_(size) {
    along_a_ = line_a.half;
    along_b_ = b_in_a.R * line_b.half;
  }

  STICTION_HD_CALL ConvexContact<T> run(Vec3T<T> n) {
    constexpr int kMaxSteps = 10;
    const T done = T(Tolerance<T>::kDouble ? 1e-12 : 1e-5) * size_;
    T last{};
    for (int step = 0; step < kMaxSteps; ++step) {
      if (!across_lines(n) || !place(n)) return {};
      if (line_a_.valid && line_b_.valid) return on_lines(n);
      Vec3T<T> u, v;
      tangents(n, u, v);
      const T off = residual(u, v);
      // Each step must come much nearer, or the support points jump.
      if (step > 0 && !(off < T(0.5) * last)) return {};
      last = off;
      Vec3T<T> change;
      if (!newton_step(n, u, v, change)) return {};
      if (off <= done) return on_lines(n);
      n = normalized(n + change);
    }
    return {};
  }

 private:
  const SA& A_;
  const SB& B_;
  const Placement<T>& b_in_a_;
  const FlatLine<T>&line_a_, &line_b_;
  T size_, s_{};
  Vec3T<T> along_a_{}, along_b_{};  // half pieces, in the frame of A
  Vec3T<T> n_b_{}, a_{}, b_{}, w_{};

  STICTION_HD bool across_lines(Vec3T<T>& n) const {
    const Vec3T<T> before = n;
    if (line_a_.valid && line_b_.valid) {
      n = cross(along_a_, along_b_);
      // Pieces along each other have no common perpendicular of their own.
      if (norm_squared(n) < T(1e-6) * norm_squared(along_a_) * norm_squared(along_b_)) return false;
      if (dot(n, before) < T(0)) n = -n;
    } else if (line_a_.valid) {
      n = n - along_a_ * (dot(n, along_a_) / norm_squared(along_a_));
    } else if (line_b_.valid) {
      n = n - along_b_ * (dot(n, along_b_) / norm_squared(along_b_));
    }
    n = normalized(n);
    return dot(n, before) > T(0.5);
  }
  // The support points; false if a piece is not the support any more.
  STICTION_HD bool place(const Vec3T<T>& n) {
    const T slack = T(Tolerance<T>::kDouble ? 1e-11 : 1e-5) * size_;
    n_b_ = -transpose_times(b_in_a_.R, n);
    const Vec3T<T> a = A_.point(n), b = B_.point(n_b_);
    a_ = line_a_.valid ? A_.on_line(line_a_, n) : a;
    const Vec3T<T> own_b = line_b_.valid ? B_.on_line(line_b_, n_b_) : b;
    b_ = b_in_a_(own_b);
    w_ = b_ - a_;
    s_ = dot(n, w_);
    return dot(n, a - a_) <= slack && dot(n_b_, b - own_b) <= slack;
  }
  // With a piece: u across it, v = 0.
  STICTION_HD void tangents(const Vec3T<T>& n, Vec3T<T>& u, Vec3T<T>& v) const {
    if (line_a_.valid || line_b_.valid) {
      u = normalized(cross(n, line_a_.valid ? along_a_ : along_b_));
      v = {};
    } else {
      tangent_frame(n, u, v);
    }
  }
  STICTION_HD T residual(const Vec3T<T>& u, const Vec3T<T>& v) const {
    using std::sqrt;
    return sqrt(dot(u, w_) * dot(u, w_) + dot(v, w_) * dot(v, w_));
  }
  STICTION_HD Vec3T<T> bend(const Vec3T<T>& n, const Vec3T<T>& t) const {
    return A_.bend(n, t) - b_in_a_.R * B_.bend(n_b_, -transpose_times(b_in_a_.R, t));
  }
  // A maximum needs a positive matrix; next to a singular one rounding decides.
  STICTION_HD bool newton_step(const Vec3T<T>& n, const Vec3T<T>& u, const Vec3T<T>& v, Vec3T<T>& change) const {
    const Vec3T<T> bu = bend(n, u);
    const T kuu = dot(u, bu) + s_, gu = dot(u, w_);
    if (line_a_.valid || line_b_.valid) {
      change = u * (gu / kuu);
      return kuu > T(1e-6) * size_;
    }
    const Vec3T<T> bv = bend(n, v);
    const T kvv = dot(v, bv) + s_, kuv = (dot(u, bv) + dot(v, bu)) / T(2), gv = dot(v, w_);
    const T determinant = kuu * kvv - kuv * kuv;
    change = (u * (kvv * gu - kuv * gv) + v * (kuu * gv - kuv * gu)) / determinant;
    return kuu + kvv > T(0) && determinant > T(1e-6) * (kuu + kvv) * (kuu + kvv);
  }
  // Moves the points along their pieces to face each other; not valid beyond the ends.
  STICTION_HD ConvexContact<T> on_lines(const Vec3T<T>& n) const {
    const T aa = norm_squared(along_a_), bb = norm_squared(along_b_);
    const T wa = dot(w_, along_a_), wb = dot(w_, along_b_);
    T x{}, y{};  // a + x along_a and b + y along_b
    if (line_a_.valid && line_b_.valid) {
      const T ab = dot(along_a_, along_b_), determinant = aa * bb - ab * ab;
      x = (wa * bb - wb * ab) / determinant;
      y = (wa * ab - wb * aa) / determinant;
    } else if (line_a_.valid) {
      x = wa / aa;
    } else if (line_b_.valid) {
      y = -wb / bb;
    }
    const bool within = x >= T(-1) && x <= T(1) && y >= T(-1) && y <= T(1);
    return {within, n, s_, a_ + along_a_ * x, b_ + along_b_ * y};
  }
};

// n is the best axis next to it if the nearest point of one body lies over the other, as on a face.
template <class SA, class SB, class T>
STICTION_HD_CALL ConvexContact<T> resting_axis(const SA& A, const SB& B, const Placement<T>& b_in_a, const Vec3T<T>& n,
                                               T size) {
  const T slack = T(Tolerance<T>::kDouble ? 1e-12 : 1e-6) * size;
  const Vec3T<T> a = A.point(n), b = b_in_a(B.point(-transpose_times(b_in_a.R, n)));
  const T s = dot(n, b - a);
  if (A.inside(b - n * s, slack)) return {true, n, s, b - n * s, b};
  const Vec3T<T> over = a + n * s;
  if (B.inside(transpose_times(b_in_a.R, over - b_in_a.t), slack)) return {true, n, s, a, over};
  return {};
}

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
  const Vec3T<T> to_a = -transpose_times(b_in_a.R, b_in_a.t);
  for (int i = 0; i < B.axis_count(); ++i) consider(-(b_in_a.R * B.axis(i, to_a)));
  if constexpr (SA::kFaces) {
    // A face counts only if the lowest point of B so far is not too deep behind it.
    const Vec3T<T> deep = b_in_a(B.point(-transpose_times(b_in_a.R, best)));
    for_heights(A.poly, deep, [&](int f, T height) {
      if (!(height > most)) return;
      const Vec3T<T> n = A.poly.face_normal(f);
      const T along = dot(n, b_in_a(B.point(-transpose_times(b_in_a.R, n)))) - A.poly.face_offset(f);
      if (along > most) most = along, best = n;
    });
  } else {
    for (int i = 0; i < A.axis_count(); ++i) consider(A.axis(i, b_in_a.t));
  }
  return best;
}

// Raises s(n) by proximal steps until the direction stands still. Between two corners at the distance |w| a step turns
// n towards w by |w|/δ only, so that δ follows the separation once sixteen steps have not been enough. Cut short by
// their bound, the steps still have found the maximum if the points lie along the direction.
template <int max_steps = 64, class SA, class SB, class T>
STICTION_HD_CALL ConvexContact<T> least_penetration(const SA& A, const SB& B, const Placement<T>& b_in_a, Vec3T<T> n,
                                                    T size) {
  constexpr int kStepsAtFullDistance = 16;
  const T apart = T(Tolerance<T>::kDouble ? 1e-3 : 1e-2) * size, still = T(Tolerance<T>::kDouble ? 1e-8 : 1e-4);
  const T nearest = T(Tolerance<T>::kDouble ? 1e-7 : 1e-2) * size;
  const T far = no_margin(b_in_a, size);
  ConvexContact<T> contact;
  Vec3T<T> last{};
  T epsilon = T(1e-3);  // finer as the direction settles: its error is √ε
  const FlatLine<T> none;
  ConvexContact<T> direct = resting_axis(A, B, b_in_a, n, size);
  if (!direct.valid) direct = AxisSearch<SA, SB, T>(A, B, b_in_a, none, none, size).run(n);
  if (direct.valid) return direct;
  for (int step = 0; step < max_steps; ++step) {
    const T s = separation(A, B, b_in_a, n);
    const T t = (step < kStepsAtFullDistance ? apart : clamped(T(4) * magnitude(s), nearest, apart)) - s;
    Placement<T> moved = b_in_a;
    moved.t += n * t;
    const ClosestPoints<T> closest = closest_points(A, B, moved, n, T(0), far, epsilon);
    if (closest.status != GjkStatus::kApart) return contact;
    const Vec3T<T> m = normalized(closest.v), change = m - n;
    const Vec3T<T> on_b = closest.on_b - n * t;
    const ConvexContact<T> polished = AxisSearch<SA, SB, T>(A, B, b_in_a, closest.line_a, closest.line_b, size).run(m);
    if (polished.valid) return polished;
    contact = {true, m, dot(m, on_b - closest.on_a), closest.on_a, on_b, closest.cut_short};
    if (norm_squared(change) <= still * still && epsilon <= kFinest<T>) return contact;
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
  const Vec3T<T> beside = contact.on_b - contact.on_a - contact.normal * contact.gap;
  contact.cut_short = contact.cut_short || norm(beside) > Tolerance<T>::kTouch * size;
  return contact;
}

// A body, smaller about its origin: apart from another where the two are only a little in each other.
template <class S, class T>
struct Shrunk {
  static constexpr T kShare = T(0.9);
  const S& body;
  STICTION_HD Vec3T<T> point(const Vec3T<T>& n) const { return body.point(n) * kShare; }
  STICTION_HD FlatLine<T> line_of(const Vec3T<T>*, int) const { return {}; }
};

// `size` [m]: radius of the smaller body. Contacts nearer than a thousandth of it take the proximal way: the closest
// points are too near each other to tell the direction. Where it leads through half of a thin body, the way out may be
// elsewhere: the direction in which the bodies are apart when one is smaller leads there.
template <class SA, class SB, class T>
STICTION_HD_CALL ConvexContact<T> convex_contact(const SA& A, const SB& B, const Placement<T>& b_in_a, T size,
                                                 T margin) {
  const T near = T(Tolerance<T>::kDouble ? 1e-3 : 1e-2) * size, reach = maximum(margin, near);
  // Coarsely first: Newton's method takes over where the surfaces are curved.
  ClosestPoints<T> closest = closest_points(A, B, b_in_a, b_in_a.t, near, reach, T(1e-2));
  if (closest.status == GjkStatus::kBeyond) return {};
  ConvexContact<T> contact;
  if (closest.status == GjkStatus::kApart) {
    contact = AxisSearch<SA, SB, T>(A, B, b_in_a, closest.line_a, closest.line_b, size).run(normalized(closest.v));
    if (contact.valid) {
      contact.valid = contact.gap < margin;
      return contact;
    }
    closest = closest_points(A, B, b_in_a, closest.v, near, reach, kFinest<T>);
    if (closest.status == GjkStatus::kBeyond) return {};
  }
  if (closest.status == GjkStatus::kApart) {
    const T gap = norm(closest.v);
    contact = {true, closest.v / gap, gap, closest.on_a, closest.on_b, closest.cut_short};
  } else {
    contact = least_penetration(A, B, b_in_a, best_proposal(A, B, b_in_a), size);
    if (contact.valid && -contact.gap > minimum(A.thickness(), B.thickness()) / T(2)) {
      const Shrunk<SB, T> smaller{B};
      closest = closest_points(A, smaller, b_in_a, b_in_a.t, T(0), no_margin(b_in_a, size), T(1e-2));
      if (closest.status == GjkStatus::kApart) {
        const ConvexContact<T> other = least_penetration(A, B, b_in_a, normalized(closest.v), size);
        if (other.valid && other.gap > contact.gap) contact = other;
      }
    }
  }
  contact.valid = contact.valid && (contact.gap < margin || contact.cut_short);
  return contact;
}

template <class T>
STICTION_HD Placement<T> placement(const ShapeT<T>& a, const ShapeT<T>& b) {
  return {transpose(a.R) * b.R, transpose_times(a.R, b.p - a.p)};
}

}  // namespace stiction::detail
