// Separating axes of two convex polyhedra: face normals of both, then cross products of edges. The separation along an
// axis n (from A to B) is min n·B − max n·A; its largest value over all axes is the distance of disjoint polyhedra
// whose closest features are a vertex and a face or two crossing edges, and minus the depth of penetrating ones.
//
// Boxes: S. Gottschalk, M. Lin, D. Manocha, "OBBTree" (1996), 15 axes in closed form. Hulls: D. Gregorius, "The
// separating axis test between convex polyhedra" (2013): only edge pairs whose arcs cross on the Gauss map count. We
// add two cuts: a face is left as soon as one vertex is too deep, and an edge of A counts only if it comes as near to B
// as the best face penetrates.
#pragma once

#include "collide/face_contact.hpp"

namespace stiction::detail {

// A and B with their relative poses and the scale of the tolerances.
template <class PA, class PB>
struct PolyhedronPair {
  using T = typename PA::Scalar;
  PA A;
  PB B;
  Placement<T> b_in_a, a_in_b;
  T size;    // [m] bounding radius of the smaller one
  T margin;  // [m]
  STICTION_HD T trust() const { return Tolerance<T>::kTrust * size; }
  STICTION_HD T touch() const { return Tolerance<T>::kTouch * size; }
  STICTION_HD T agree() const { return Tolerance<T>::kAgree * size; }
  STICTION_HD T tie() const { return T(1e-4) * Tolerance<T>::kTrust * size; }
};

template <class PA, class PB, class T>
STICTION_HD PolyhedronPair<PA, PB> polyhedron_pair(const ShapeT<T>& a, const PA& A, const ShapeT<T>& b, const PB& B,
                                                   T margin) {
  const Vec3T<T> d = b.p - a.p;
  const Mat3T<T> R = transpose(a.R) * b.R;
  return {A,     B, {R, transpose_times(a.R, d)}, {transpose(R), transpose_times(b.R, -d)}, minimum(a.radius, b.radius),
          margin};
}

// Best of the face normals of one polyhedron. `blend` sums the normals n of all faces whose separation s is above
// −trust, weighted by s + trust: where several touch at once (edge on edge, corner on corner) no single face tells the
// normal, and the sum lies inside the cone of all of them. For s ≫ trust and orthogonal faces it is the direction of
// the closest points.
template <class T>
struct FaceAxis {
  T separation{};  // [m]
  int face = -1;
  Vec3T<T> blend{};  // in the frame of the polyhedron
};

template <class P, class Q, class T>
STICTION_HD_CALL FaceAxis<T> face_axis(const P& reference, const Q& other, const Placement<T>& place, T trust, T tie) {
  FaceAxis<T> best;
  int witness = 0;
  for (int f = 0; f < reference.face_count(); ++f) {
    const Vec3T<T> n = reference.face_normal(f), n_other = transpose_times(place.R, n);
    const T base = dot(n, place.t) - reference.face_offset(f);
    const bool first = best.face < 0;
    const T cutoff = minimum(best.separation, -trust);
    T separation = base + dot(n_other, other.vertex(witness));
    for (int i = 0; i < other.vertex_count(); ++i) {
      if (!first && separation < cutoff) break;
      const T s = base + dot(n_other, other.vertex(i));
      if (s < separation) {
        separation = s;
        witness = i;
      }
    }
    if (first || separation > best.separation + tie) {
      best.separation = separation;
      best.face = f;
    }
    if (separation > -trust) best.blend += n * (separation + trust);
  }
  return best;
}

template <class T>
STICTION_HD_CALL FaceAxis<T> face_axis(const BoxPolyhedron<T>& reference, const BoxPolyhedron<T>& other,
                                       const Placement<T>& place, T trust, T tie) {
  FaceAxis<T> best;
  for (int k = 0; k < 3; ++k) {
    const Vec3T<T> row = abs(place.R.row[k]);
    const T t = place.t[k];
    const T separation = magnitude(t) - (reference.h[k] + dot(row, other.h));
    const int face = 2 * k + (t < T(0) ? 0 : 1);
    if (best.face < 0 || separation > best.separation + tie) {
      best.separation = separation;
      best.face = face;
    }
    if (separation > -trust) best.blend[k] += (t < T(0) ? T(-1) : T(1)) * (separation + trust);
  }
  return best;
}

// Best cross product of an edge of A and an edge of B; edge_a < 0 if none is better than `floor`.
template <class T>
struct EdgeAxis {
  T separation{};  // [m]
  int edge_a = -1, edge_b = -1;
  Vec3T<T> normal{};  // unit, in the frame of A
};

// Does the segment from p to p + d, in the frame of the polyhedron, come within `distance` of every half-space?
template <class P, class T>
STICTION_HD bool segment_enters(const P& poly, const Vec3T<T>& p, const Vec3T<T>& d, T distance) {
  T low = T(0), high = T(1);
  for (int f = 0; f < poly.face_count(); ++f) {
    const Vec3T<T> n = poly.face_normal(f);
    const T at = dot(n, p) - poly.face_offset(f) - distance, slope = dot(n, d);
    if (slope > T(0))
      high = minimum(high, -at / slope);
    else if (slope < T(0))
      low = maximum(low, -at / slope);
    else if (at > T(0))
      return false;
    if (low > high) return false;
  }
  return true;
}

// `n`: the best face normal, in the frame of A.
template <class PA, class PB, class T>
STICTION_HD_CALL EdgeAxis<T> edge_axis(const PolyhedronPair<PA, PB>& pair, T floor, const Vec3T<T>& n_face) {
  EdgeAxis<T> best;
  best.separation = floor;
  // At the axis of least penetration the two edges are as far apart as they penetrate. So an edge of either counts only
  // if it comes that near to the other body, and to the slab that the other leaves along n first of all.
  const T reach = maximum(T(2) * pair.trust(), -floor);
  const Vec3T<T> along = pair.a_in_b.R * n_face;
  const T top_a = dot(along, pair.a_in_b(pair.A.vertex(pair.A.support(n_face)))) + reach;
  const T low_b = dot(along, pair.B.vertex(pair.B.support(-along))) - reach;
  for (int ea = 0; ea < pair.A.edge_count(); ++ea) {
    // In the frame of B, whose edges are read most.
    const Vec3T<T> p = pair.a_in_b(pair.A.vertex(pair.A.edge_vertex(ea, 0)));
    const Vec3T<T> d = pair.a_in_b(pair.A.vertex(pair.A.edge_vertex(ea, 1))) - p;
    if (dot(along, p) < low_b && dot(along, p + d) < low_b) continue;
    if (!segment_enters(pair.B, p, d, reach)) continue;
    const Vec3T<T> a0 = pair.a_in_b.R * pair.A.face_normal(pair.A.edge_face(ea, 0));
    const Vec3T<T> a1 = pair.a_in_b.R * pair.A.face_normal(pair.A.edge_face(ea, 1));
    for (int eb = 0; eb < pair.B.edge_count(); ++eb) {
      // The arcs a0–a1 and −b0–(−b1) of normals cross if b0, b1 lie on two sides of the plane of the other arc (whose
      // normal is d), a0, a1 likewise (e), and both arcs on the same half of the sphere.
      const Vec3T<T> q = pair.B.vertex(pair.B.edge_vertex(eb, 0)), e = pair.B.vertex(pair.B.edge_vertex(eb, 1)) - q;
      if (dot(along, q) > top_a && dot(along, q + e) > top_a) continue;
      const Vec3T<T> b0 = pair.B.face_normal(pair.B.edge_face(eb, 0)), b1 = pair.B.face_normal(pair.B.edge_face(eb, 1));
      if (dot(b0, d) * dot(b1, d) >= T(0)) continue;
      if (dot(a0, e) * dot(a1, e) >= T(0)) continue;
      Vec3T<T> n = cross(d, e);
      if (norm_squared(n) < Tolerance<T>::kParallelSquared * norm_squared(d) * norm_squared(e)) continue;
      if (dot(n, a0 + a1) < T(0)) n = -n;
      if (dot(n, b0 + b1) >= T(0)) continue;
      n = normalized(n);
      const T separation = dot(n, q - p);
      if (separation > best.separation + (best.edge_a < 0 ? T(0) : pair.tie()))
        best = {separation, ea, eb, pair.b_in_a.R * n};
    }
  }
  return best;
}

template <class T>
STICTION_HD_CALL EdgeAxis<T> edge_axis(const PolyhedronPair<BoxPolyhedron<T>, BoxPolyhedron<T>>& pair, T floor,
                                       const Vec3T<T>&) {
  using std::sqrt;
  EdgeAxis<T> best;
  best.separation = floor;
  const Vec3T<T>&ha = pair.A.h, &hb = pair.B.h, &t = pair.b_in_a.t;
  for (int i = 0; i < 3; ++i) {
    const int i1 = i == 2 ? 0 : i + 1, i2 = i == 0 ? 2 : i - 1;
    const Vec3T<T> row1 = pair.b_in_a.R.row[i1], row2 = pair.b_in_a.R.row[i2];
    for (int j = 0; j < 3; ++j) {
      const int j1 = j == 2 ? 0 : j + 1, j2 = j == 0 ? 2 : j - 1;
      // n = e_i × b_j has the components (−R_{i2,j}, R_{i1,j}) along the axes (i1, i2) of A, and along the axes
      // (j1, j2) of B: n·b_j1 = R_{i,j2}, up to sign.
      const T n1 = -row2[j], n2 = row1[j];
      const T length_squared = n1 * n1 + n2 * n2;
      if (length_squared < Tolerance<T>::kParallelSquared) continue;
      const T along = t[i1] * n1 + t[i2] * n2;
      const Vec3T<T> row = pair.b_in_a.R.row[i];
      const T reach =
          ha[i1] * magnitude(n1) + ha[i2] * magnitude(n2) + hb[j1] * magnitude(row[j2]) + hb[j2] * magnitude(row[j1]);
      const T length = sqrt(length_squared), separation = (magnitude(along) - reach) / length;
      if (!(separation > best.separation + (best.edge_a < 0 ? T(0) : pair.tie()))) continue;
      Vec3T<T> n{};
      const T sign = (along < T(0) ? T(-1) : T(1)) / length;
      n[i1] = n1 * sign;
      n[i2] = n2 * sign;
      const Vec3T<T> n_b = transpose_times(pair.b_in_a.R, n);
      best.separation = separation;
      best.normal = n;
      best.edge_a = 4 * i + (n[i1] >= T(0) ? 1 : 0) + (n[i2] >= T(0) ? 2 : 0);
      best.edge_b = 4 * j + (n_b[j1] >= T(0) ? 0 : 1) + (n_b[j2] >= T(0) ? 0 : 2);
    }
  }
  return best;
}

// Axis of least penetration of a segment p + t d and a polyhedron, in the frame of the polyhedron: face normals, then
// cross products with edges whose normals the plane perpendicular to the segment separates.
template <class T>
struct SegmentAxis {
  T separation{};     // [m]
  Vec3T<T> normal{};  // out of the polyhedron
  int face = -1, edge = -1;
};

// An edge counts if its separation is above that of the best face times `keep`.
template <class P, class T>
STICTION_HD_CALL SegmentAxis<T> segment_axis(const P& poly, const Vec3T<T>& p, const Vec3T<T>& d, T keep) {
  SegmentAxis<T> best;
  for (int f = 0; f < poly.face_count(); ++f) {
    const Vec3T<T> normal = poly.face_normal(f);
    const T separation = dot(normal, p) + minimum(T(0), dot(normal, d)) - poly.face_offset(f);
    if (best.face < 0 || separation > best.separation) best = {separation, normal, f, -1};
  }
  const T of_face = best.separation;
  for (int e = 0; e < poly.edge_count(); ++e) {
    const Vec3T<T> n0 = poly.face_normal(poly.edge_face(e, 0)), n1 = poly.face_normal(poly.edge_face(e, 1));
    if (dot(n0, d) * dot(n1, d) >= T(0)) continue;
    const Vec3T<T> q = poly.vertex(poly.edge_vertex(e, 0)), along = poly.vertex(poly.edge_vertex(e, 1)) - q;
    Vec3T<T> normal = cross(d, along);
    if (norm_squared(normal) < Tolerance<T>::kParallelSquared * norm_squared(d) * norm_squared(along)) continue;
    normal = normalized(normal);
    if (dot(normal, n0 + n1) < T(0)) normal = -normal;
    const T separation = dot(normal, p - q);
    if (separation > best.separation && separation > keep * of_face) best = {separation, normal, best.face, e};
  }
  return best;
}

}  // namespace stiction::detail
