// The cap of a cylinder on a flat face: the corners of the overlap of a disc with a polygon or with another disc, seen
// along the normal of that face. Corners are rim points over the face, vertices of the face under the cap, and
// crossings of the outlines; all have one normal, that of the face or of the cap, whichever is nearer to the direction
// of the closest points, and the gap along it at their place.
#pragma once

#include "collide/cylinder.hpp"
#include "collide/face_contact.hpp"

namespace stiction::detail {

// A cap over a reference plane, in coordinates (x, y, height) of that plane.
template <class T>
struct CapView {
  Vec3T<T> centre{};     // [m]
  Vec3T<T> normal{};     // unit, outward: against the height
  T radius{};            // [m]
  bool decides = false;  // the normal of the contacts is that of the cap

  // Normal of the contacts, towards the cap.
  STICTION_HD Vec3T<T> contact_normal() const { return decides ? -normal : Vec3T<T>{T(0), T(0), T(1)}; }
  // Adds a corner: a point x of the rim, or the place (x, y) of the face.
  STICTION_HD void add_rim_point(const Vec3T<T>& x, T margin, T merge, std::uint32_t feature,
                                 FaceContact<T>& contact) const {
    const Vec3T<T> n = contact_normal();
    const T gap = x.z / n.z;
    contact.corner(x - n * (gap / T(2)), gap, margin, merge, feature);
  }
  STICTION_HD void add_face_point(const Vec3T<T>& x, T margin, T merge, std::uint32_t feature,
                                  FaceContact<T>& contact) const {
    const Vec3T<T> n = contact_normal();
    const T gap = decides ? height(x) * n.z : height(x);
    contact.corner(Vec3T<T>{x.x, x.y, T(0)} + n * (gap / T(2)), gap, margin, merge, feature);
  }

  // Step from the centre to the place of the cap over (x, y).
  STICTION_HD Vec3T<T> step(const Vec3T<T>& x) const {
    const T dx = x.x - centre.x, dy = x.y - centre.y;
    return {dx, dy, -(normal.x * dx + normal.y * dy) / normal.z};
  }
  STICTION_HD bool covers(const Vec3T<T>& x, T slack) const {
    return norm_squared(step(x)) <= (radius + slack) * (radius + slack);
  }
  STICTION_HD T height(const Vec3T<T>& x) const { return centre.z + step(x).z; }
};

// Parameters at which the segment p + t e, seen along the heights, passes the rim; false if its line misses the cap.
template <class T>
STICTION_HD bool cross_rim(const CapView<T>& cap, const Vec3T<T>& p, const Vec3T<T>& e, T* t) {
  // |c + t d|² = r² in the plane of the cap, with the nearest point of the line first.
  const Vec3T<T> c = cap.step(p), d = cap.step(p + e) - c;
  const T dd = norm_squared(d);
  if (!(dd > T(0))) return false;
  const T middle = -dot(c, d) / dd;
  const T rest = cap.radius * cap.radius - norm_squared(c + d * middle);
  if (!(rest > T(0))) return false;
  using std::sqrt;
  const T half = sqrt(rest / dd);
  t[0] = middle - half, t[1] = middle + half;
  return true;
}

// The facing cap of a cylinder, placed in the frame of the polyhedron A, on a face of it. n: direction of the closest
// points. Returns the normal of the contacts, in the frame of A.
template <class P, class T>
STICTION_HD_CALL Vec3T<T> cap_on_face(const P& poly, int face, const PlacedCylinder<T>& cylinder, const Vec3T<T>& n,
                                      T slack, T merge, T margin, FaceContact<T>& contact) {
  face_axes(poly, face, contact.u, contact.w);
  const Vec3T<T> u = contact.u, w = contact.w, f = poly.face_normal(face);
  const T offset = poly.face_offset(face);
  const auto own = own_outline(poly, face, u, w);
  const RimPoints<T> rim(cylinder, -f);
  const auto view = [&](const Vec3T<T>& x) { return Vec3T<T>{dot(u, x), dot(w, x), dot(f, x) - offset}; };
  const Vec3T<T> m = cylinder.axis() * (rim.end() == 0 ? T(-1) : T(1));
  const CapView<T> cap{view(cylinder.end_centre(rim.end())),
                       {dot(u, m), dot(w, m), dot(f, m)},
                       cylinder.own.radius,
                       norm_squared(n + m) < norm_squared(n - f)};
  for (int i = 0; i < rim.count(); ++i) {
    if (!rim.has(i)) continue;
    const Vec3T<T> x = view(rim.point(i));
    if (inside_outline(own, T(1), x, slack))
      cap.add_rim_point(x, margin, merge, feature_id(FeatureKind::kVertexB, rim.index(i)), contact);
  }
  for (int k = 0; k < own.size(); ++k)
    if (cap.covers(own.vertex(k), slack))
      cap.add_face_point(own.vertex(k), margin, merge,
                         feature_id(FeatureKind::kVertexA, static_cast<std::uint32_t>(own.vertex_index(k))), contact);
  for (int k = 0; k < own.size(); ++k) {
    const Vec3T<T> p = own.vertex(k), e = own.vertex(own.next(k)) - p;
    T t[2];
    if (!cross_rim(cap, p, e, t)) continue;
    for (int i = 0; i < 2; ++i)
      if (t[i] > T(0) && t[i] < T(1))
        cap.add_face_point(p + e * t[i], margin, merge, feature_edges(own.edge_index(k), i), contact);
  }
  return cap.decides ? -m : f;
}

// The facing cap of B on that of A, whose own frame this is; `end` is A's. Points are (x, y, height over A's cap).
// Returns the normal of the contacts.
template <class T>
STICTION_HD_CALL Vec3T<T> cap_on_cap(const CylinderSupport<T>& a, int end, const PlacedCylinder<T>& b,
                                     const Vec3T<T>& n, T slack, T merge, T margin, FaceContact<T>& contact) {
  const T sign = end == 0 ? T(-1) : T(1);
  const Vec3T<T> f{T(0), T(0), sign};
  const PlacedCylinder<T> own{a, {Mat3T<T>::identity(), {}}};
  const auto view = [&](const Vec3T<T>& x) { return Vec3T<T>{x.x, x.y, sign * x.z - a.half}; };
  const RimPoints<T> rim_b(b, -f);
  const Vec3T<T> m = b.axis() * (rim_b.end() == 0 ? T(-1) : T(1));
  const CapView<T> cap{
      view(b.end_centre(rim_b.end())), {m.x, m.y, sign * m.z}, b.own.radius, norm_squared(n + m) < norm_squared(n - f)};
  // A's rim is lowest where B's cap comes nearest.
  const RimPoints<T> rim_a(own, -m);
  for (int i = 0; i < rim_a.count(); ++i)
    if (rim_a.has(i) && cap.covers(view(rim_a.point(i)), slack))
      cap.add_face_point(view(rim_a.point(i)), margin, merge, feature_id(FeatureKind::kVertexA, rim_a.index(i)),
                         contact);
  for (int i = 0; i < rim_b.count(); ++i) {
    if (!rim_b.has(i)) continue;
    const Vec3T<T> x = view(rim_b.point(i));
    if (x.x * x.x + x.y * x.y <= (a.radius + slack) * (a.radius + slack))
      cap.add_rim_point(x, margin, merge, feature_id(FeatureKind::kVertexB, rim_b.index(i)), contact);
  }
  // Two circles with centres a distance d apart cross beside the line of centres, at x = (d² + r_a² − r_b²)/2d along
  // it. B's cap, tilted by at most 1.8°, is an ellipse from here: Newton on the angle of A's rim, |step|² = r_b².
  const Vec3T<T> centre = radial(cap.centre);
  const T d = norm(centre);
  const Vec3T<T> normal = cap.decides ? -m : f;
  if (!(d > merge)) return normal;
  const T x = (d * d + (a.radius - b.own.radius) * (a.radius + b.own.radius)) / (T(2) * d);
  const T yy = a.radius * a.radius - x * x;
  if (!(yy > T(0))) return normal;
  using std::sqrt;
  const Vec3T<T> e = centre / d, left{-e.y, e.x, T(0)};
  for (int i = 0; i < 2; ++i) {
    Vec3T<T> p = e * x + left * (i == 0 ? -sqrt(yy) : sqrt(yy));
    for (int k = 0; k < 3; ++k) {
      const Vec3T<T> turn{-p.y, p.x, T(0)}, step = cap.step(p), change = cap.step(p + turn) - step;
      const T slope = T(2) * dot(step, change);
      if (!(slope * slope > T(0))) break;
      const T angle = clamped((cap.radius * cap.radius - norm_squared(step)) / slope, T(-0.1), T(0.1));
      p = p + turn * angle;
      p = p * (a.radius / norm(p));
    }
    cap.add_face_point(p, margin, merge, feature_edges(0, i), contact);
  }
  return normal;
}

}  // namespace stiction::detail
