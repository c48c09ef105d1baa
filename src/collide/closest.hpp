// Closest points of points, segments and boxes.
// Segments: C. Ericson, Real-Time Collision Detection (2005), section 5.1.9. We depart in the parallel case, where the
// middle of the overlap is taken instead of an end, and in a second sweep of the two clamped parameters.
#pragma once

#include "collide/shape.hpp"

namespace stiction {

// Parameter in [0, 1] of the point of the segment p + t d that is closest to x; 0 for a segment of length zero.
template <class T>
STICTION_HD T closest_on_segment(const Vec3T<T>& p, const Vec3T<T>& d, const Vec3T<T>& x) {
  const T dd = dot(d, d);
  return dd > T(0) ? clamped(dot(x - p, d) / dd, T(0), T(1)) : T(0);
}

// Parameters s, t in [0, 1] of the closest points of p + s d and q + t e.
template <class T>
STICTION_HD void closest_of_segments(const Vec3T<T>& p, const Vec3T<T>& d, const Vec3T<T>& q, const Vec3T<T>& e, T& s,
                                     T& t) {
  const Vec3T<T> r = p - q;
  const T a = dot(d, d), b = dot(d, e), c = dot(d, r), ee = dot(e, e), f = dot(e, r);
  // |d × e|² is found without cancellation, so that nearly parallel segments keep their crossing point.
  const Vec3T<T> n = cross(d, e);
  const T denominator = dot(n, n);
  if (!(a > T(0)) || !(ee > T(0))) {
    s = closest_on_segment(p, d, q);
    t = closest_on_segment(q, e, p + d * s);
    return;
  }
  if (denominator > Tolerance<T>::kParallelSquared * a * ee) {
    // Lines are closest at s = det(q − p, e, n)/|n|².
    s = clamped(-dot(cross(r, e), n) / denominator, T(0), T(1));
  } else {
    // Middle of the overlap of e on d.
    const T s0 = clamped(-c / a, T(0), T(1)), s1 = clamped((b - c) / a, T(0), T(1));
    s = (s0 + s1) / T(2);
  }
  t = (b * s + f) / ee;
  if (t < T(0) || t > T(1)) {
    t = clamped(t, T(0), T(1));
    s = clamped((b * t - c) / a, T(0), T(1));
  }
}

namespace detail {

// Pose of one shape in the frame of another.
template <class T>
struct Placement {
  Mat3T<T> R;
  Vec3T<T> t;  // [m]
  STICTION_HD Vec3T<T> operator()(const Vec3T<T>& v) const { return R * v + t; }
};

}  // namespace detail

// Signed distance of a point to a solid, with the outward direction in which it is measured.
template <class T>
struct PointDistance {
  T distance{};
  Vec3T<T> normal{};
  bool cut_short = false;  // the search for it ended by its bound on iterations
};

// x in the frame of the box with half-sizes h. Inside: the nearest face, ties to the first axis.
template <class T>
STICTION_HD PointDistance<T> distance_to_box(const Vec3T<T>& h, const Vec3T<T>& x) {
  const Vec3T<T> out = max(magnitude(x) - h, Vec3T<T>{});
  const T squared = norm_squared(out);
  if (squared > T(0)) {
    const bool face = (out.x > T(0)) + (out.y > T(0)) + (out.z > T(0)) == 1;
    using std::sqrt;
    const T distance = face ? out.x + out.y + out.z : sqrt(squared);
    const Vec3T<T> signs{sign_of(x.x), sign_of(x.y), sign_of(x.z)};
    return {distance, scaled(out, signs) / distance};
  }
  const Vec3T<T> in = magnitude(x) - h;
  int axis = 0;
  if (in.y > in[axis]) axis = 1;
  if (in.z > in[axis]) axis = 2;
  Vec3T<T> normal{};
  normal[axis] = sign_of(x[axis]);
  return {in[axis], normal};
}

// Parameter in [0, 1] of a point of the segment p + t d that is closest to the box with half-sizes h, in its frame; of
// several the middle one. Half the derivative of the squared distance,
//
//   g(t) = Σ_k d_k (x_k − clamp(x_k, −h_k, h_k)),  x = p + t d,
//
// never falls and is straight between the places where the segment crosses the planes of the faces: its root lies
// between the last of these with g ≤ 0 and the first with g ≥ 0.
template <class T>
STICTION_HD T closest_to_box(const Vec3T<T>& h, const Vec3T<T>& p, const Vec3T<T>& d) {
  constexpr int kPlaces = 8;  // six planes and the two ends
  T place[kPlaces] = {T(0), T(0), T(0), T(0), T(0), T(0), T(0), T(1)}, g[kPlaces];
  for (int k = 0; k < 3; ++k) {
    if (d[k] == T(0)) continue;
    const T inverse = T(1) / d[k];
    place[2 * k] = clamped((-h[k] - p[k]) * inverse, T(0), T(1));
    place[2 * k + 1] = clamped((h[k] - p[k]) * inverse, T(0), T(1));
  }
  for (int i = 0; i < kPlaces; ++i) {
    const Vec3T<T> x = p + d * place[i];
    g[i] = dot(d, x - max(min(x, h), -h));
  }
  T low = T(-1), high = T(2), g_low{}, g_high{};
  for (int i = 0; i < kPlaces; ++i) {
    const bool before = g[i] <= T(0) && place[i] > low, after = g[i] >= T(0) && place[i] < high;
    low = before ? place[i] : low;
    g_low = before ? g[i] : g_low;
    high = after ? place[i] : high;
    g_high = after ? g[i] : g_high;
  }
  if (low < T(0)) return T(0);
  if (high > T(1)) return T(1);
  if (low >= high || !(g_high > g_low)) return (low + high) / T(2);
  return low + (high - low) * (g_low / (g_low - g_high));
}

}  // namespace stiction
