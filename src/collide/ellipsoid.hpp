// Signed distance of a point x to an ellipsoid with the radii a. The nearest point is y_i = a_i² x_i/(t + a_i²) with
//
//   |s(t)| = 1,  s_i = a_i x_i/(t + a_i²),  t > −min a²
//
// the secular equation of trust regions; Newton on 1/|s| = 1 from the left of the root is monotone and takes a few
// steps (J. J. Moré, D. C. Sorensen, "Computing a trust region step", 1983). Inside, t < 0; on the plane across the
// shortest axis the root may be its pole, where the missing part of y lies along that axis (the hard case).
#pragma once

#include "collide/support.hpp"

namespace stiction::detail {

template <int max_steps = 64, class T>
STICTION_HD_CALL PointDistance<T> distance_to(const EllipsoidSupport<T>& ellipsoid, const Vec3T<T>& x) {
  using std::sqrt;
  const Vec3T<T> a = ellipsoid.radii, z = magnitude(x), az = scaled(a, z), aa = scaled(a, a);
  int shortest = 0;
  if (a.y < a[shortest]) shortest = 1;
  if (a.z < a[shortest]) shortest = 2;
  T longest = a.x;
  longest = maximum(longest, maximum(a.y, a.z));
  // |s| ≥ 1 at each of these.
  T t = norm(az) - longest * longest;
  for (int i = 0; i < 3; ++i) t = maximum(t, az[i] - aa[i]);
  const T epsilon = T(Tolerance<T>::kDouble ? 1e-15 : 1e-7);
  int step = 0;
  for (; step < max_steps; ++step) {
    T ss{}, slope{};
    for (int i = 0; i < 3; ++i) {
      const T d = t + aa[i];
      if (!(d > T(0)) || !(az[i] > T(0))) continue;
      const T s = az[i] / d;
      ss += s * s;
      slope += s * s / d;
    }
    if (!(slope > T(0)) || !(ss > T(1))) break;
    const T length = sqrt(ss), change = (length - T(1)) * ss / slope;
    // Next to the pole t has no more digits for the change.
    if (!(change > epsilon * (t + aa[shortest])) || !(t + change > t)) break;
    t += change;
  }
  Vec3T<T> y{};
  T missing = T(1);
  for (int i = 0; i < 3; ++i) {
    const T d = t + aa[i];
    if (i != shortest && d > T(0)) y[i] = aa[i] * z[i] / d;
    if (i != shortest) missing -= (y[i] / a[i]) * (y[i] / a[i]);
  }
  y[shortest] = a[shortest] * sqrt(maximum(missing, T(0)));
  // Where the shortest axis carries little of y, the sum above has lost its digits and the root has them.
  if (t + aa[shortest] > T(0) && z[shortest] > T(0))
    y[shortest] = minimum(a[shortest], aa[shortest] * z[shortest] / (t + aa[shortest]));
  Vec3T<T> n{};
  for (int i = 0; i < 3; ++i) n[i] = (x[i] < T(0) ? -y[i] : y[i]) / aa[i];
  n = normalized(n);
  Vec3T<T> nearest{};
  for (int i = 0; i < 3; ++i) nearest[i] = x[i] < T(0) ? -y[i] : y[i];
  return {dot(n, x - nearest), n, step == max_steps};
}

}  // namespace stiction::detail
