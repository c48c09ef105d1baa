// Convex bodies as support functions, in their own frames: the point farthest along a direction, and directions worth a
// try as a separating axis. Host-device. Spheres and capsules enter by their cores (a point, a segment); the caller
// adds their radii.
#pragma once

#include "collide/polyhedron.hpp"

namespace stiction::detail {

// The curvature of a support function h at a direction n is ∇²h(n), a matrix that takes tangents of the sphere to
// displacements of the support point: zero at a vertex. `bend` adds ∇²h v for a tangent v.

// `line_of`: the straight piece of the surface (an edge, a line of the wall, the core itself) that support points found
// by a search span; `on_line` its middle for a direction across it. `inside`: whether a point belongs to the body, up
// to a slack.

// `axis`: directions worth a try as a separating axis; those of a body with `kFaces` are the normals of its faces.
// `thickness` [m]: of a smooth body half its least width; any other has the axes of its faces, or none.

template <class T>
constexpr T kNotThin = T(1e30);

template <class T>
struct FlatLine {
  bool valid = false;
  Vec3T<T> middle{}, half{};  // [m] the piece is middle + t half, t in [−1, 1]
};

// Of a body with corners: between two different ones.
template <class T>
STICTION_HD FlatLine<T> line_between(const Vec3T<T>* x, int count) {
  int other = 0;
  for (int i = 1; i < count; ++i) {
    if (x[i] == x[0] || x[i] == x[other]) continue;
    if (other > 0) return {};
    other = i;
  }
  return {other > 0, (x[0] + x[other]) / T(2), (x[other] - x[0]) / T(2)};
}

// x, y components alone.
template <class T>
STICTION_HD Vec3T<T> radial(const Vec3T<T>& v) {
  return {v.x, v.y, T(0)};
}

template <class T>
struct SegmentSupport {
  using Scalar = T;
  static constexpr bool kFaces = false;
  T half;  // [m] along z

  STICTION_HD Vec3T<T> point(const Vec3T<T>& n) const { return {T(0), T(0), half * sign_of(n.z)}; }
  STICTION_HD Vec3T<T> bend(const Vec3T<T>&, const Vec3T<T>&) const { return {}; }
  STICTION_HD FlatLine<T> line_of(const Vec3T<T>* x, int count) const {
    bool low = false, high = false;
    for (int i = 0; i < count; ++i) low = low || x[i].z < T(0), high = high || x[i].z > T(0);
    return {low && high, {}, {T(0), T(0), half}};
  }
  STICTION_HD Vec3T<T> on_line(const FlatLine<T>& line, const Vec3T<T>&) const { return line.middle; }
  STICTION_HD bool inside(const Vec3T<T>& x, T slack) const {
    return norm_squared(radial(x)) <= slack * slack && magnitude(x.z) <= half + slack;
  }
  STICTION_HD T thickness() const { return kNotThin<T>; }
  STICTION_HD int line_count() const { return 1; }
  STICTION_HD Vec3T<T> line(int) const { return {T(0), T(0), T(1)}; }
  STICTION_HD int axis_count() const { return 1; }
  STICTION_HD Vec3T<T> axis(int, const Vec3T<T>& toward) const { return radial(toward); }
};

template <class T>
struct CylinderSupport {
  using Scalar = T;
  static constexpr bool kFaces = false;
  T radius, half;  // [m] half-length along z

  // On the side wall the middle of the line, on the axis the middle of the disc: no noise there picks an end.
  STICTION_HD Vec3T<T> point(const Vec3T<T>& n) const {
    const Vec3T<T> r = radial(n);
    const T length = norm(r);
    Vec3T<T> p = length > T(0) ? r * (radius / length) : Vec3T<T>{};
    p.z = half * T(static_cast<int>(n.z > T(0)) - static_cast<int>(n.z < T(0)));
    return p;
  }
  // The rim: r (e·v) e/|n_xy| with e along it.
  STICTION_HD Vec3T<T> bend(const Vec3T<T>& n, const Vec3T<T>& v) const {
    const T squared = n.x * n.x + n.y * n.y;
    if (!(squared > T(0))) return {};
    using std::sqrt;
    const T along = (n.x * v.y - n.y * v.x) * radius / (squared * sqrt(squared));
    return {-n.y * along, n.x * along, T(0)};
  }
  STICTION_HD FlatLine<T> line_of(const Vec3T<T>* x, int count) const {
    return SegmentSupport<T>{half}.line_of(x, count);
  }
  STICTION_HD Vec3T<T> on_line(const FlatLine<T>&, const Vec3T<T>& n) const {
    const Vec3T<T> r = radial(n);
    return r * (radius / norm(r));
  }
  STICTION_HD bool inside(const Vec3T<T>& x, T slack) const {
    return norm_squared(radial(x)) <= (radius + slack) * (radius + slack) && magnitude(x.z) <= half + slack;
  }
  STICTION_HD T thickness() const { return minimum(radius, half); }
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
  static constexpr bool kFaces = false;
  Vec3T<T> radii;  // [m]

  // x = D² n / |D n|
  STICTION_HD Vec3T<T> point(const Vec3T<T>& n) const {
    const Vec3T<T> dn = scaled(radii, n);
    const T length = norm(dn);
    return length > T(0) ? scaled(radii, dn) / length : Vec3T<T>{};
  }
  // (D² v − x (x·v))/|D n|
  STICTION_HD Vec3T<T> bend(const Vec3T<T>& n, const Vec3T<T>& v) const {
    const Vec3T<T> dn = scaled(radii, n);
    const T length = norm(dn);
    const Vec3T<T> x = scaled(radii, dn) / length;
    return (scaled(radii, scaled(radii, v)) - x * dot(x, v)) / length;
  }
  STICTION_HD FlatLine<T> line_of(const Vec3T<T>*, int) const { return {}; }
  STICTION_HD Vec3T<T> on_line(const FlatLine<T>&, const Vec3T<T>&) const { return {}; }
  // Touching from inside has one point only: nothing rests on the middle of a curved surface.
  STICTION_HD bool inside(const Vec3T<T>&, T) const { return false; }
  STICTION_HD T thickness() const { return minimum(minimum(radii.x, radii.y), radii.z); }
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
  static constexpr bool kFaces = true;
  P poly;
  mutable int last = 0;  // vertex found last: the next search starts there

  STICTION_HD Vec3T<Scalar> point(const Vec3T<Scalar>& n) const {
    last = poly.support(n, last);
    return poly.vertex(last);
  }
  STICTION_HD Vec3T<Scalar> bend(const Vec3T<Scalar>&, const Vec3T<Scalar>&) const { return {}; }
  STICTION_HD FlatLine<Scalar> line_of(const Vec3T<Scalar>* x, int count) const { return line_between(x, count); }
  STICTION_HD Vec3T<Scalar> on_line(const FlatLine<Scalar>& line, const Vec3T<Scalar>&) const { return line.middle; }
  STICTION_HD bool inside(const Vec3T<Scalar>& x, Scalar slack) const {
    for (int f = 0; f < poly.face_count(); ++f)
      if (dot(poly.face_normal(f), x) > poly.face_offset(f) + slack) return false;
    return true;
  }
  STICTION_HD Scalar thickness() const { return kNotThin<Scalar>; }
  // Directions of the edges of a box.
  STICTION_HD int line_count() const { return P::kSmallFace == 4 ? 3 : 0; }
  STICTION_HD Vec3T<Scalar> line(int i) const {
    return poly.vertex(poly.edge_vertex(4 * i, 1)) - poly.vertex(poly.edge_vertex(4 * i, 0));
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
