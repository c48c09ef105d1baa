// Distance of two disjoint convex polyhedra: E. G. Gilbert, D. W. Johnson, S. S. Keerthi, "A fast procedure for
// computing the distance between complex objects in three-dimensional space" (1988). The closest point v to the origin
// of the difference B − A is sought over simplices of its vertices.
//
// We depart in the end of the loop, which is a repeated vertex rather than a tolerance on v, and leave pairs nearer
// than `trust` to separating axes.
#pragma once

#include "collide/face_contact.hpp"

namespace stiction::detail {

enum class GjkStatus { kBeyond, kApart, kTouching };

template <class T>
struct GjkResult {
  GjkStatus status = GjkStatus::kTouching;
  Vec3T<T> on_a{}, on_b{};  // [m] closest points, in the frame of A
  // Vertices that span the features of the closest points: 1 a vertex, 2 an edge (or a line in a face), 3 a face.
  int vertex_a[3] = {}, vertex_b[3] = {};
  int count_a = 0, count_b = 0;
};

template <class T>
struct Simplex {
  Vec3T<T> w[4];
  int vertex_a[4] = {}, vertex_b[4] = {};
  int count = 0;

  STICTION_HD void keep(int i) {
    w[0] = w[i], vertex_a[0] = vertex_a[i], vertex_b[0] = vertex_b[i];
    count = 1;
  }
  STICTION_HD void keep(int i, int j) {
    const Simplex old = *this;
    w[0] = old.w[i], vertex_a[0] = old.vertex_a[i], vertex_b[0] = old.vertex_b[i];
    w[1] = old.w[j], vertex_a[1] = old.vertex_a[j], vertex_b[1] = old.vertex_b[j];
    count = 2;
  }
  STICTION_HD void keep(int i, int j, int k) {
    const Simplex old = *this;
    keep(i, j);
    w[2] = old.w[k], vertex_a[2] = old.vertex_a[k], vertex_b[2] = old.vertex_b[k];
    count = 3;
  }
};

// Point of the triangle w[i] w[j] w[k] nearest to the origin; `kept` gets the bits of the vertices that span it.
// Regions as in C. Ericson, Real-Time Collision Detection, section 5.1.5.
template <class T>
STICTION_HD_CALL Vec3T<T> nearest_on_triangle(const Simplex<T>& s, int i, int j, int k, int& kept) {
  const Vec3T<T>&a = s.w[i], &b = s.w[j], &c = s.w[k];
  const Vec3T<T> ab = b - a, ac = c - a, n = cross(ab, ac);
  const T nn = dot(n, n);
  const T d1 = -dot(ab, a), d2 = -dot(ac, a), d3 = -dot(ab, b), d4 = -dot(ac, b), d5 = -dot(ab, c), d6 = -dot(ac, c);
  if (d1 <= T(0) && d2 <= T(0)) return kept = 1 << i, a;
  if (d3 >= T(0) && d4 <= d3) return kept = 1 << j, b;
  if (d6 >= T(0) && d5 <= d6) return kept = 1 << k, c;
  // Barycentric coordinates times |n|², from cross products: no cancellation of large products.
  const T wc = dot(n, cross(a, b)), wb = dot(n, cross(c, a)), wa = dot(n, cross(b, c));
  if (wc <= T(0) && d1 >= T(0) && d3 <= T(0)) {
    kept = (1 << i) | (1 << j);
    return a + ab * (d1 - d3 > T(0) ? d1 / (d1 - d3) : T(0));
  }
  if (wb <= T(0) && d2 >= T(0) && d6 <= T(0)) {
    kept = (1 << i) | (1 << k);
    return a + ac * (d2 - d6 > T(0) ? d2 / (d2 - d6) : T(0));
  }
  const T e1 = d4 - d3, e2 = d5 - d6;
  if (wa <= T(0) && e1 >= T(0) && e2 >= T(0)) {
    kept = (1 << j) | (1 << k);
    return b + (c - b) * (e1 + e2 > T(0) ? e1 / (e1 + e2) : T(0));
  }
  kept = (1 << i) | (1 << j) | (1 << k);
  // Inside: the projection of the origin on the plane.
  return nn > T(0) ? n * (dot(n, a) / nn) : a;
}

// Reduces the simplex to the vertices that span its point nearest to the origin; false if it holds the origin.
template <class T>
STICTION_HD_CALL bool nearest_on_simplex(Simplex<T>& s, Vec3T<T>& v) {
  int kept = 1;
  if (s.count == 1) {
    v = s.w[0];
    return true;
  }
  if (s.count == 2) {
    const Vec3T<T> d = s.w[1] - s.w[0];
    const T dd = dot(d, d), t = dd > T(0) ? -dot(s.w[0], d) / dd : T(0);
    v = s.w[0] + d * clamped(t, T(0), T(1));
    kept = t <= T(0) ? 1 : (t >= T(1) ? 2 : 3);
  } else if (s.count == 3) {
    v = nearest_on_triangle(s, 0, 1, 2, kept);
  } else {
    // The faces of the tetrahedron that the origin lies outside of; the nearest wins.
    bool outside = false;
    T least{};
    for (int f = 0; f < 4; ++f) {
      const int i = f == 0 ? 1 : 0, j = f <= 1 ? 2 : 1, k = f <= 2 ? 3 : 2;
      const Vec3T<T> n = cross(s.w[j] - s.w[i], s.w[k] - s.w[i]);
      const T origin_side = -dot(n, s.w[i]), apex_side = dot(n, s.w[f] - s.w[i]);
      // A flat tetrahedron has no inside.
      if (origin_side * apex_side > T(0)) continue;
      int face_kept = 0;
      const Vec3T<T> candidate = nearest_on_triangle(s, i, j, k, face_kept);
      if (!outside || norm_squared(candidate) < least) {
        outside = true;
        least = norm_squared(candidate);
        v = candidate;
        kept = face_kept;
      }
    }
    if (!outside) return false;
  }
  int index[4] = {}, count = 0;
  for (int i = 0; i < s.count; ++i)
    if (kept & (1 << i)) index[count++] = i;
  if (count == 1) s.keep(index[0]);
  if (count == 2) s.keep(index[0], index[1]);
  if (count == 3) s.keep(index[0], index[1], index[2]);
  return true;
}

// Weights of the vertices of a simplex of one to three in its point nearest to the origin.
template <class T>
STICTION_HD void simplex_weights(const Simplex<T>& s, T* weight) {
  weight[0] = T(1);
  if (s.count == 2) {
    const Vec3T<T> d = s.w[1] - s.w[0];
    weight[1] = clamped(-dot(s.w[0], d) / dot(d, d), T(0), T(1));
    weight[0] = T(1) - weight[1];
  } else if (s.count == 3) {
    const Vec3T<T> n = cross(s.w[1] - s.w[0], s.w[2] - s.w[0]);
    for (int i = 0; i < 3; ++i) weight[i] = maximum(T(0), dot(n, cross(s.w[(i + 1) % 3], s.w[(i + 2) % 3])));
    const T sum = weight[0] + weight[1] + weight[2];
    for (int i = 0; i < 3; ++i) weight[i] = sum > T(0) ? weight[i] / sum : T(1) / T(3);
  }
}

template <class PA, class PB, class T>
STICTION_HD GjkResult<T> closest_of_simplex(const PA& A, const PB& B, const Placement<T>& b_in_a, const Simplex<T>& s) {
  GjkResult<T> result;
  result.status = GjkStatus::kApart;
  T weight[3];
  simplex_weights(s, weight);
  for (int i = 0; i < s.count; ++i) {
    result.on_a += A.vertex(s.vertex_a[i]) * weight[i];
    result.on_b += b_in_a(B.vertex(s.vertex_b[i])) * weight[i];
    bool new_a = true, new_b = true;
    for (int j = 0; j < i; ++j) {
      new_a = new_a && s.vertex_a[j] != s.vertex_a[i];
      new_b = new_b && s.vertex_b[j] != s.vertex_b[i];
    }
    if (new_a) result.vertex_a[result.count_a++] = s.vertex_a[i];
    if (new_b) result.vertex_b[result.count_b++] = s.vertex_b[i];
  }
  return result;
}

// `start`: a direction from A to B, in the frame of A. `trust`, `margin` [m].
template <class PA, class PB, class T>
STICTION_HD_CALL GjkResult<T> gjk(const PA& A, const PB& B, const Placement<T>& b_in_a, const Vec3T<T>& start, T trust,
                                  T margin) {
  Simplex<T> s;
  Vec3T<T> v = start;
  T last = T(-1);  // |v|² of the simplex before
  constexpr int kMaxIterations = 100;
  for (int iteration = 0; iteration < kMaxIterations; ++iteration) {
    const int ia = A.support(v), ib = B.support(-transpose_times(b_in_a.R, v));
    const Vec3T<T> w = b_in_a(B.vertex(ib)) - A.vertex(ia);
    const T vw = dot(v, w), vv = dot(v, v);
    // v·w/|v| is a lower bound of the distance.
    if (vw > T(0) && vw * vw > margin * margin * vv) return {GjkStatus::kBeyond};
    bool known = false;
    for (int i = 0; i < s.count; ++i) known = known || (s.vertex_a[i] == ia && s.vertex_b[i] == ib);
    if (last >= T(0) && (known || vv - vw <= T(Tolerance<T>::kDouble ? 1e-14 : 1e-6) * vv)) break;
    Simplex<T> grown = s;
    grown.w[s.count] = w, grown.vertex_a[s.count] = ia, grown.vertex_b[s.count] = ib;
    ++grown.count;
    Vec3T<T> next = v;
    if (!nearest_on_simplex(grown, next)) return {GjkStatus::kTouching};
    // Rounding can stop the descent one vertex early; what is left is below trust.
    if (last >= T(0) && norm_squared(next) >= last) break;
    s = grown;
    v = next;
    last = norm_squared(v);
    if (last < trust * trust) return {GjkStatus::kTouching};
  }
  return closest_of_simplex(A, B, b_in_a, s);
}

}  // namespace stiction::detail
