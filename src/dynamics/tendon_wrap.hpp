// How a tendon runs around a sphere or a cylinder between two points; host and device.
//
// In the plane of the circle of radius r the tangent from a point P outside touches at
//   T = (r² P ± r √(|P|² − r²) P⊥) / |P|²,   P⊥ = (P_y, −P_x)
// with + where the tendon then runs clockwise. A sphere is wrapped in the plane of its centre and the two points. On a
// cylinder the path is that of the unrolled surface: a straight line, so the height grows with the length in the plane.
//
// A side site outside the circle says on which side the tendon runs; one inside makes it touch the circle from within,
// at the one point where both straight parts meet the surface at the same angle. The rules are those of MuJoCo 4; the
// point inside is solved for to rounding, where MuJoCo stops at 1e-6.
#pragma once

#include "math/spatial.hpp"

namespace stiction {

template <class T>
struct Vec2T {
  T x{}, y{};

  friend STICTION_HD Vec2T operator+(const Vec2T& a, const Vec2T& b) { return {a.x + b.x, a.y + b.y}; }
  friend STICTION_HD Vec2T operator-(const Vec2T& a, const Vec2T& b) { return {a.x - b.x, a.y - b.y}; }
  friend STICTION_HD Vec2T operator*(const Vec2T& a, T s) { return {a.x * s, a.y * s}; }
};

template <class T>
STICTION_HD T dot(const Vec2T<T>& a, const Vec2T<T>& b) {
  return a.x * b.x + a.y * b.y;
}
template <class T>
STICTION_HD T cross(const Vec2T<T>& a, const Vec2T<T>& b) {
  return a.x * b.y - a.y * b.x;
}
template <class T>
STICTION_HD T norm(const Vec2T<T>& a) {
  using std::sqrt;
  return sqrt(dot(a, a));
}

// Where the tendon meets the surface, leaves it, and the length in between. Without contact it runs straight.
template <class T>
struct PlaneWrapT {
  bool wraps = false;
  Vec2T<T> first{}, second{};
  T length{};
};
template <class T>
struct WrapT {
  bool wraps = false;
  Vec3T<T> first{}, second{};
  T length{};
};

// Does the segment (a, b) meet the ray from the origin along d?
template <class T>
STICTION_HD bool meets_ray(const Vec2T<T>& a, const Vec2T<T>& b, const Vec2T<T>& d) {
  const T before = cross(d, a), after = cross(d, b);
  if ((before > T(0)) == (after > T(0))) return false;
  // Where the segment meets the line of the ray: (a |after| + b |before|) / (|before| + |after|).
  const T along_a = dot(d, a) * (after > T(0) ? after : -after),
          along_b = dot(d, b) * (before > T(0) ? before : -before);
  return along_a + along_b > T(0);
}

// The point of the segment (a, b) nearest to the origin.
template <class T>
STICTION_HD Vec2T<T> nearest_to_origin(const Vec2T<T>& a, const Vec2T<T>& b) {
  const Vec2T<T> d = b - a;
  const T square = dot(d, d);
  T s = square > T(0) ? -dot(d, a) / square : T(0);
  s = s < T(0) ? T(0) : (s > T(1) ? T(1) : s);
  return a + d * s;
}

// Around the outside of the circle, in the sense in which the straight line from a to b passes the centre; `side` is
// null or a direction from the centre, and a line that passes the centre opposite to it goes around the other way.
template <class T>
STICTION_HD PlaneWrapT<T> wrap_outside(const Vec2T<T>& a, const Vec2T<T>& b, T r, const Vec2T<T>* side) {
  using std::atan2;
  using std::sqrt;
  const T aa = dot(a, a), bb = dot(b, b), rr = r * r;
  if (aa < rr || bb < rr || dot(b - a, b - a) == T(0)) return {};
  const Vec2T<T> near = nearest_to_origin(a, b);
  const bool other_way = side && meets_ray(a, b, *side * T(-1));
  if (dot(near, near) > rr && !other_way) return {};  // straight, and on the right side
  const bool clockwise = (cross(a, b) <= T(0)) != other_way;
  const T sign = clockwise ? T(1) : T(-1);
  const Vec2T<T> first = (a * rr + Vec2T<T>{a.y, -a.x} * (sign * r * sqrt(aa - rr))) * (T(1) / aa);
  const Vec2T<T> second = (b * rr - Vec2T<T>{b.y, -b.x} * (sign * r * sqrt(bb - rr))) * (T(1) / bb);
  // Angle from first to second in the sense of the turn, in [0, 2π).
  T angle = atan2(-sign * cross(first, second), dot(first, second));
  if (angle < T(0)) angle += T(6.283185307179586476925286766559);
  return {true, first, second, angle * r};
}

// Touching the circle from within at one point T. With α the angle at T between the path and the radius, z = sin α:
//   ∠(a, T) + ∠(T, b) = ∠(a, b),   ∠(a, T) = asin z − asin(z r/|a|)
template <class T>
STICTION_HD PlaneWrapT<T> wrap_inside(const Vec2T<T>& a, const Vec2T<T>& b, T r) {
  using std::asin;
  using std::atan2;
  using std::cos;
  using std::sin;
  const T length_a = norm(a), length_b = norm(b);
  if (length_a <= r || length_b <= r) return {};
  const Vec2T<T> near = nearest_to_origin(a, b);
  if (norm(near) <= r) return {};  // the straight line passes within already
  const Vec2T<T> middle = a + b;
  const T middle_length = norm(middle);
  if (!(middle_length > T(0))) return {};
  const T A = r / length_a, B = r / length_b;
  const T whole = atan2(cross(a, b) < T(0) ? -cross(a, b) : cross(a, b), dot(a, b));
  const auto excess = [&](T z) { return asin(A * z) + asin(B * z) - T(2) * asin(z) + whole; };
  PlaneWrapT<T> out{true, middle * (r / middle_length), middle * (r / middle_length), T(0)};
  if (whole == T(0) || excess(T(1)) > T(0)) return out;  // no such point: half-way, as MuJoCo has it
  // excess falls from `whole` at 0 to below 0 at 1; 60 halvings reach rounding and cannot fail.
  T low = T(0), high = T(1);
  for (int i = 0; i < 60; ++i) {
    const T z = (low + high) * T(0.5);
    (excess(z) > T(0) ? low : high) = z;
  }
  const T z = (low + high) * T(0.5);
  const T turn = (asin(z) - asin(A * z)) * (cross(a, b) < T(0) ? T(-1) : T(1));
  const Vec2T<T> along = a * (T(1) / length_a);
  out.first = out.second =
      Vec2T<T>{cos(turn) * along.x - sin(turn) * along.y, sin(turn) * along.x + cos(turn) * along.y} * r;
  return out;
}

// Path from p0 to p1 around a sphere, or a cylinder along z, of radius r at the pose X; `side` is null or the side
// site's position. All points are in the world.
template <class T>
STICTION_HD WrapT<T> wrap_tendon(const TransformT<T>& X, T r, bool cylinder, const Vec3T<T>& p0, const Vec3T<T>& p1,
                                 const Vec3T<T>* side) {
  using std::sqrt;
  const Vec3T<T> a = rotate_inverse(X.q, p0 - X.p), b = rotate_inverse(X.q, p1 - X.p);
  if (!(norm(a) > T(0)) || !(norm(b) > T(0)) || !(r > T(0))) return {};
  Vec3T<T> e0{T(1), T(0), T(0)}, e1{T(0), T(1), T(0)};
  if (!cylinder) {
    e0 = normalized(a);
    Vec3T<T> normal = cross(a, b), other;
    if (norm(normal) > T(1e-14) * norm(a) * norm(b))
      normal = normalized(normal);
    else
      tangent_frame(e0, normal, other);  // both points in line with the centre: any plane will do
    e1 = cross(normal, e0);
  }
  const Vec2T<T> a2{dot(a, e0), dot(a, e1)}, b2{dot(b, e0), dot(b, e1)};
  PlaneWrapT<T> plane;
  if (side) {
    const Vec3T<T> s = rotate_inverse(X.q, *side - X.p);
    const Vec2T<T> s2{dot(s, e0), dot(s, e1)};
    plane = norm(s) < r ? wrap_inside(a2, b2, r) : wrap_outside(a2, b2, r, &s2);
  } else {
    plane = wrap_outside<T>(a2, b2, r, nullptr);
  }
  if (!plane.wraps) return {};
  WrapT<T> out{true, e0 * plane.first.x + e1 * plane.first.y, e0 * plane.second.x + e1 * plane.second.y, plane.length};
  if (cylinder) {
    // The height is shared out by length in the plane.
    const T before = norm(a2 - plane.first), after = norm(b2 - plane.second), total = before + plane.length + after;
    const T rise = total > T(0) ? (b.z - a.z) / total : T(0);
    out.first.z = a.z + rise * before;
    out.second.z = a.z + rise * (before + plane.length);
    const T height = rise * plane.length;
    out.length = sqrt(plane.length * plane.length + height * height);
  }
  out.first = X * out.first;
  out.second = X * out.second;
  return out;
}

}  // namespace stiction
