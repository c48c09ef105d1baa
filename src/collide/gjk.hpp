// Distance of two disjoint convex polyhedra: E. G. Gilbert, D. W. Johnson, S. S. Keerthi, "A fast procedure for
// computing the distance between complex objects in three-dimensional space" (1988). The closest point v to the origin
// of the difference B − A is sought over simplices of its vertices.
//
// We depart in the end of the loop, which is a repeated vertex rather than a tolerance on v, in the points of slivers
// (nearest_inside), and leave pairs nearer than `touch` to separating axes. A search that its bound on iterations cuts
// short gives the nearest points that it found, and says so.
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
  bool cut_short = false;  // kApart, but the bound on iterations was reached: there may be nearer points
};

// Vertices of B − A with their weights in the point nearest to the origin.
template <class T>
struct Simplex {
  Vec3T<T> w[4];
  T weight[4] = {};
  int vertex_a[4] = {}, vertex_b[4] = {};
  int count = 0;

  STICTION_HD void add(const Vec3T<T>& vertex, int a, int b) {
    w[count] = vertex, vertex_a[count] = a, vertex_b[count] = b;
    ++count;
  }
  // Leaves out the vertices without weight.
  STICTION_HD void reduce() {
    int kept = 0;
    for (int i = 0; i < count; ++i) {
      const bool keep = weight[i] > T(0);
      w[kept] = w[i], weight[kept] = weight[i], vertex_a[kept] = vertex_a[i], vertex_b[kept] = vertex_b[i];
      kept += static_cast<int>(keep);
    }
    count = kept;
  }
};

// A point of a simplex, by its weights.
template <class T>
struct SimplexPoint {
  Vec3T<T> v{};
  T weight[4] = {};
};

template <class T>
STICTION_HD SimplexPoint<T> nearest_on_side(const Simplex<T>& s, int i, int j) {
  const Vec3T<T> d = s.w[j] - s.w[i];
  const T dd = dot(d, d), inverse = dd > T(0) ? T(1) / dd : T(0);
  const T t = clamped(-dot(s.w[i], d) * inverse, T(0), T(1));
  SimplexPoint<T> nearest;
  nearest.v = s.w[i] + d * t;
  if (t > T(0) && t < T(1)) nearest.v -= d * (dot(nearest.v, d) * inverse);
  nearest.weight[i] = T(1) - t;
  nearest.weight[j] = t;
  return nearest;
}

// Is the origin over the inside of the triangle w[i] w[j] w[k], and where? With n = (b − a) × (c − a) the weight of a
// is n·(b × c)/|n|², and so on. A sliver, or a triangle far away for its size, keeps the digits that it has if w_i + s
// d + t c is projected along the longest side d first and then across it.
template <class T>
STICTION_HD_CALL bool nearest_inside_sliver(const Simplex<T>& simplex, int i, int j, int k, SimplexPoint<T>& nearest) {
  const T ij = norm_squared(simplex.w[j] - simplex.w[i]), jk = norm_squared(simplex.w[k] - simplex.w[j]),
          ki = norm_squared(simplex.w[i] - simplex.w[k]);
  const int apex = ij >= jk && ij >= ki ? k : (jk >= ki ? i : j);
  const int p = apex == i ? j : i, q = apex == k ? j : k;
  const Vec3T<T> a = simplex.w[p], d = simplex.w[q] - a, c = simplex.w[apex] - a;
  const T dd = dot(d, d);
  if (!(dd > T(0))) return false;
  const T inverse = T(1) / dd;
  // e: the part of c across d, twice so that it is across up to rounding of itself.
  T cd = dot(c, d) * inverse;
  Vec3T<T> e = c - d * cd;
  const T rest = dot(e, d) * inverse;
  cd += rest;
  e -= d * rest;
  const T along = -dot(a, d) * inverse, ee = dot(e, e);
  const Vec3T<T> foot = a + d * along;
  const T across = -dot(foot, e);
  if (!(across > T(0) && across < ee)) return false;
  const T inverse_e = T(1) / ee, t = across * inverse_e, s = along - t * cd;
  if (!(s > T(0) && t > T(0) && s + t < T(1))) return false;
  nearest = {};
  nearest.v = foot + e * t;
  // Its direction steers the search: the normal of the triangle tells it better than the difference of far points,
  // unless the triangle is thinner than the distance.
  if (ee > norm_squared(nearest.v)) {
    const Vec3T<T> n = cross(d, c);
    nearest.v = n * (dot(n, a) / norm_squared(n));
  } else {
    nearest.v -= d * (dot(nearest.v, d) * inverse) + e * (dot(nearest.v, e) * inverse_e);
  }
  nearest.weight[p] = T(1) - s - t;
  nearest.weight[q] = s;
  nearest.weight[apex] = t;
  return true;
}

template <class T>
STICTION_HD bool nearest_inside(const Simplex<T>& simplex, int i, int j, int k, const Vec3T<T>& n,
                                SimplexPoint<T>& nearest) {
  const Vec3T<T> a = simplex.w[i], b = simplex.w[j], c = simplex.w[k];
  const T nn = norm_squared(n), far = maximum(norm_squared(a), maximum(norm_squared(b), norm_squared(c)));
  if (!(nn > T(Tolerance<T>::kDouble ? 1e-4 : 1e-1) * far * far))
    return nearest_inside_sliver(simplex, i, j, k, nearest);
  const T of_a = dot(n, cross(b, c)), of_b = dot(n, cross(c, a)), of_c = dot(n, cross(a, b));
  if (!(minimum(of_a, minimum(of_b, of_c)) > T(0))) return false;
  const T inverse = T(1) / nn;
  nearest = {};
  nearest.v = n * (dot(n, a) * inverse);
  nearest.weight[i] = of_a * inverse;
  nearest.weight[j] = of_b * inverse;
  nearest.weight[k] = of_c * inverse;
  return true;
}

template <class T>
STICTION_HD bool nearest_inside(const Simplex<T>& simplex, int i, int j, int k, SimplexPoint<T>& nearest) {
  const Vec3T<T> a = simplex.w[i];
  return nearest_inside(simplex, i, j, k, cross(simplex.w[j] - a, simplex.w[k] - a), nearest);
}

// The nearest of the sides from the first `count` vertices to the vertex `last`.
template <class T>
STICTION_HD SimplexPoint<T> nearest_side_to(const Simplex<T>& s, int count, int last) {
  SimplexPoint<T> nearest = nearest_on_side(s, 0, last);
  for (int i = 1; i < count; ++i) {
    const SimplexPoint<T> other = nearest_on_side(s, i, last);
    if (norm_squared(other.v) < norm_squared(nearest.v)) nearest = other;
  }
  return nearest;
}

// Reduces the simplex to the vertices that span its point nearest to the origin; false if it holds the origin. The
// last vertex is the new one: without it the simplex was nearest already, so what the others span is left out. Every
// result is a point of the simplex: what rounding spoils is a distance that is too large.
template <class T>
STICTION_HD_CALL bool nearest_on_simplex(Simplex<T>& s, Vec3T<T>& v) {
  SimplexPoint<T> nearest;
  if (s.count == 1) {
    nearest.v = s.w[0];
    nearest.weight[0] = T(1);
  } else if (s.count == 2) {
    nearest = nearest_on_side(s, 0, 1);
  } else if (s.count == 3) {
    if (!nearest_inside(s, 0, 1, 2, nearest)) nearest = nearest_side_to(s, 2, 2);
  } else {
    const Vec3T<T> d1 = s.w[1] - s.w[0], d2 = s.w[2] - s.w[0], d3 = s.w[3] - s.w[0], base = cross(d1, d2);
    const T volume = dot(base, d3);
    // A flat tetrahedron has no inside.
    const T flat = T(Tolerance<T>::kDouble ? 1e-11 : 1e-4);
    const bool solid = volume * volume > flat * flat * norm_squared(d1) * norm_squared(d2) * norm_squared(d3);
    bool outside = !solid || -dot(base, s.w[0]) * volume <= T(0), any = false;
    for (int f = 0; f < 3; ++f) {
      const int i = f == 0 ? 1 : 0, j = f <= 1 ? 2 : 1;
      const Vec3T<T> n = cross(s.w[j] - s.w[i], s.w[3] - s.w[i]);
      // The faces that the origin lies outside of; the nearest wins.
      if (solid && dot(n, s.w[i]) * dot(n, s.w[f] - s.w[i]) < T(0)) continue;
      outside = true;
      SimplexPoint<T> candidate;
      if (!nearest_inside(s, i, j, 3, n, candidate)) continue;
      if (!any || norm_squared(candidate.v) < norm_squared(nearest.v)) nearest = candidate;
      any = true;
    }
    if (!outside) return false;
    if (!any) nearest = nearest_side_to(s, 3, 3);
  }
  v = nearest.v;
  for (int i = 0; i < s.count; ++i) s.weight[i] = nearest.weight[i];
  s.reduce();
  return true;
}

template <class PA, class PB, class T>
STICTION_HD GjkResult<T> closest_of_simplex(const PA& A, const PB& B, const Placement<T>& b_in_a, const Simplex<T>& s) {
  GjkResult<T> result;
  result.status = GjkStatus::kApart;
  for (int i = 0; i < s.count; ++i) {
    result.on_a += A.vertex(s.vertex_a[i]) * s.weight[i];
    result.on_b += b_in_a(B.vertex(s.vertex_b[i])) * s.weight[i];
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

// `start`: a direction from A to B, in the frame of A. `touch`, `margin` [m].
template <int max_iterations = 100, class PA, class PB, class T>
STICTION_HD_CALL GjkResult<T> gjk(const PA& A, const PB& B, const Placement<T>& b_in_a, const Vec3T<T>& start, T touch,
                                  T margin) {
  Simplex<T> s, best;
  Vec3T<T> v = start;
  T least = T(-1);  // [m²] |v|² of the best simplex
  int stalled = 0, ia = 0, ib = 0;
  constexpr int kMaxStalled = 16;
  int iteration = 0;
  for (; iteration < max_iterations; ++iteration) {
    ia = A.support(v, ia), ib = B.support(-transpose_times(b_in_a.R, v), ib);
    const Vec3T<T> w = b_in_a(B.vertex(ib)) - A.vertex(ia);
    const T vw = dot(v, w), vv = dot(v, v);
    // v·w/|v| is a lower bound of the distance.
    if (vw > T(0) && vw * vw > margin * margin * vv) return {GjkStatus::kBeyond};
    bool known = false;
    for (int i = 0; i < s.count; ++i) known = known || (s.vertex_a[i] == ia && s.vertex_b[i] == ib);
    if (iteration > 0 && (known || vv - vw <= T(Tolerance<T>::kDouble ? 1e-14 : 1e-6) * vv)) break;
    s.add(w, ia, ib);
    if (!nearest_on_simplex(s, v)) return {GjkStatus::kTouching};
    // Where rounding hides the descent, a new vertex still leads on.
    const bool descends = least < T(0) || norm_squared(v) < least;
    if (!descends && ++stalled > kMaxStalled) {
      if (vw <= T(0)) return {GjkStatus::kTouching};
      break;
    }
    if (descends) {
      best = s;
      least = norm_squared(v);
      if (least < touch * touch) return {GjkStatus::kTouching};
    }
  }
  GjkResult<T> result = closest_of_simplex(A, B, b_in_a, best);
  result.cut_short = iteration == max_iterations;
  return result;
}

}  // namespace stiction::detail
