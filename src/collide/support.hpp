// Convex bodies as support functions, in their own frames: the point farthest along a direction, and directions worth a
// try as a separating axis. Host-device. Spheres and capsules enter by their cores (a point, a segment); the caller
// adds their radii.
#pragma once

#include "collide/polyhedron.hpp"

namespace stiction::detail {

// x, y components alone.
template <class T>
STICTION_HD Vec3T<T> radial(const Vec3T<T>& v) {
  return {v.x, v.y, T(0)};
}

template <class T>
struct SegmentSupport {
  using Scalar = T;
  T half;  // [m] along z

  STICTION_HD Vec3T<T> point(const Vec3T<T>& n) const { return {T(0), T(0), n.z < T(0) ? -half : half}; }
  STICTION_HD int line_count() const { return 1; }
  STICTION_HD Vec3T<T> line(int) const { return {T(0), T(0), T(1)}; }
  STICTION_HD int axis_count() const { return 1; }
  STICTION_HD Vec3T<T> axis(int, const Vec3T<T>& toward) const { return radial(toward); }
};

template <class T>
struct CylinderSupport {
  using Scalar = T;
  T radius, half;  // [m] half-length along z

  // On the side wall the middle of the line, on the axis the middle of the disc: no noise there picks an end.
  STICTION_HD Vec3T<T> point(const Vec3T<T>& n) const {
    const Vec3T<T> r = radial(n);
    const T length = norm(r);
    Vec3T<T> p = length > T(0) ? r * (radius / length) : Vec3T<T>{};
    p.z = n.z > T(0) ? half : (n.z < T(0) ? -half : T(0));
    return p;
  }
  STICTION_HD int line_count() const { return 1; }
  STICTION_HD Vec3T<T> line(int) const { return {T(0), T(0), T(1)}; }
  STICTION_HD int axis_count() const { return 3; }
  STICTION_HD Vec3T<T> axis(int i, const Vec3T<T>& toward) const {
    if (i == 2) return radial(toward);
    return {T(0), T(0), i == 0 ? T(-1) : T(1)};
  }
};

template <class T>
struct EllipsoidSupport {
  using Scalar = T;
  Vec3T<T> radii;  // [m]

  // x = D² n / |D n|
  STICTION_HD Vec3T<T> point(const Vec3T<T>& n) const {
    const Vec3T<T> dn = scaled(radii, n);
    const T length = norm(dn);
    return length > T(0) ? scaled(radii, dn) / length : Vec3T<T>{};
  }
  STICTION_HD int line_count() const { return 0; }
  STICTION_HD Vec3T<T> line(int) const { return {}; }
  STICTION_HD int axis_count() const { return 7; }
  STICTION_HD Vec3T<T> axis(int i, const Vec3T<T>& toward) const {
    // The normal of the surface where the line to the other body leaves it, and the principal axes.
    if (i == 6) return {toward.x / (radii.x * radii.x), toward.y / (radii.y * radii.y), toward.z / (radii.z * radii.z)};
    Vec3T<T> n{};
    n[i >> 1] = i & 1 ? T(1) : T(-1);
    return n;
  }
};

template <class P>
struct PolyhedronSupport {
  using Scalar = typename P::Scalar;
  P poly;

  STICTION_HD Vec3T<Scalar> point(const Vec3T<Scalar>& n) const { return poly.vertex(poly.support(n)); }
  STICTION_HD int line_count() const { return poly.vertex_count() == 8 ? 12 : 0; }
  STICTION_HD Vec3T<Scalar> line(int i) const {
    return poly.vertex(poly.edge_vertex(i, 1)) - poly.vertex(poly.edge_vertex(i, 0));
  }
  STICTION_HD int axis_count() const { return poly.face_count(); }
  STICTION_HD Vec3T<Scalar> axis(int i, const Vec3T<Scalar>&) const { return poly.face_normal(i); }
};

template <class T>
STICTION_HD SegmentSupport<T> as_segment(const ShapeT<T>& capsule) {
  return {capsule.size.y};
}
template <class T>
STICTION_HD CylinderSupport<T> as_cylinder(const ShapeT<T>& cylinder) {
  return {cylinder.size.x, cylinder.size.y};
}
template <class T>
STICTION_HD EllipsoidSupport<T> as_ellipsoid(const ShapeT<T>& ellipsoid) {
  return {ellipsoid.size};
}

}  // namespace stiction::detail
