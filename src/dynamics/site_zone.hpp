// Does a ray meet the solid of a site? For touch sensors; host and device. Solids are those of shapes: sphere, capsule,
// cylinder (along z), box, ellipsoid; the ray starts at p and runs along d, both in the frame of the site.
#pragma once

#include <stiction/model.hpp>

namespace stiction {

// Part of a line: parameters in [low, high], empty if low > high.
template <class T>
struct IntervalT {
  T low{}, high{};
};

// Where |p + t d| ≤ 1 for the given weights of the coordinates (0 leaves one out).
template <class T>
STICTION_HD IntervalT<T> inside_quadric(const Vec3T<T>& p, const Vec3T<T>& d, const Vec3T<T>& weight) {
  using std::sqrt;
  const Vec3T<T> wp = scaled(weight, p), wd = scaled(weight, d);
  const T a = dot(wd, wd), b = dot(wp, wd), c = dot(wp, wp) - T(1);
  if (a == T(0)) return c <= T(0) ? IntervalT<T>{T(-1e300), T(1e300)} : IntervalT<T>{T(1), T(-1)};
  const T square = b * b - a * c;
  if (square < T(0)) return {T(1), T(-1)};
  return {(-b - sqrt(square)) / a, (-b + sqrt(square)) / a};
}

// Where |p_k + t d_k| ≤ half.
template <class T>
STICTION_HD IntervalT<T> inside_slab(T p, T d, T half) {
  if (d == T(0)) return p <= half && p >= -half ? IntervalT<T>{T(-1e300), T(1e300)} : IntervalT<T>{T(1), T(-1)};
  const T s = (-half - p) / d, t = (half - p) / d;
  return s < t ? IntervalT<T>{s, t} : IntervalT<T>{t, s};
}

template <class T>
STICTION_HD IntervalT<T> common(const IntervalT<T>& a, const IntervalT<T>& b) {
  return {a.low > b.low ? a.low : b.low, a.high < b.high ? a.high : b.high};
}

template <class T>
STICTION_HD bool ahead(const IntervalT<T>& part) {
  return part.low <= part.high && part.high >= T(0);
}

template <class T>
STICTION_HD bool ray_meets(ShapeType type, const Vec3T<T>& size, const Vec3T<T>& p, const Vec3T<T>& d) {
  const T r = T(1) / size.x;
  switch (type) {
    case ShapeType::kSphere:
      return ahead(inside_quadric(p, d, {r, r, r}));
    case ShapeType::kEllipsoid:
      return ahead(inside_quadric(p, d, {r, T(1) / size.y, T(1) / size.z}));
    case ShapeType::kCapsule: {
      const Vec3T<T> end{T(0), T(0), size.y};
      if (ahead(inside_quadric(p - end, d, {r, r, r})) || ahead(inside_quadric(p + end, d, {r, r, r}))) return true;
      return ahead(common(inside_quadric(p, d, {r, r, T(0)}), inside_slab(p.z, d.z, size.y)));
    }
    case ShapeType::kCylinder:
      return ahead(common(inside_quadric(p, d, {r, r, T(0)}), inside_slab(p.z, d.z, size.y)));
    case ShapeType::kBox:
      return ahead(
          common(common(inside_slab(p.x, d.x, size.x), inside_slab(p.y, d.y, size.y)), inside_slab(p.z, d.z, size.z)));
    default:
      return false;
  }
}

}  // namespace stiction
