// Separating axes of two convex polyhedra: face normals of both, then cross products of edges. The separation along an
// axis n (from A to B) is min n·B − max n·A; its largest value over all axes is the distance of disjoint polyhedra
// whose closest features are a vertex and a face or two crossing edges, and minus the depth of penetrating ones.
//
// Boxes: S. Gottschalk, M. Lin, D. Manocha, "OBBTree" (1996), 15 axes in closed form. Hulls: D. Gregorius, "The
// separating axis test between convex polyhedra" (2013): only edge pairs whose arcs cross on the Gauss map count. We
// add two cuts: a face is left as soon as one vertex is too deep, and edges count only if they come as near to the
// other body as the best face penetrates.
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

// [m] below every separation
template <class T>
constexpr T kNoFloor = T(Tolerance<T>::kDouble ? -1e300 : -1e30);

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

// The separation along a face is at most the height of any one vertex of the other polyhedron over it. So the face that
// the vertices found so far leave highest is asked for its own lowest vertex next, which bounds all others in turn,
// until none is left that could be better (J. E. Kelley, "The cutting-plane method for solving convex programs", 1960),
// or that belongs to the blend. `toward`: a direction to the other polyhedron, in the frame of the reference; the face
// along it is asked first. What is below `floor` [m] need not be told apart: the best may be any of those.
template <class P, class Q, class T>
STICTION_HD_CALL FaceAxis<T> few_face_axis(const P& reference, const Q& other, const Placement<T>& place,
                                           const Vec3T<T>& toward, T floor, T trust, T tie) {
  const int count = reference.face_count();
  T bound[kFewFaces];
  for (int f = 0; f < count; ++f) bound[f] = -kNoFloor<T>;
  FaceAxis<T> best;
  int face = face_along(reference, toward), witness = 0;
  for (int asked = 0; asked < count; ++asked) {
    const Vec3T<T> n = reference.face_normal(face), n_other = transpose_times(place.R, n);
    witness = other.support(-n_other, witness);
    const T separation = dot(n, place.t) - reference.face_offset(face) + dot(n_other, other.vertex(witness));
    // Of faces that agree the first.
    if (best.face < 0 || separation > best.separation + tie ||
        (separation >= best.separation - tie && face < best.face)) {
      best.separation = separation;
      best.face = face;
    }
    if (separation > -trust) best.blend += n * (separation + trust);
    const Vec3T<T> low = place(other.vertex(witness));  // in the frame of the reference
    for (int f = 0; f < count; ++f) {
      const T height = dot(reference.face_normal(f), low) - reference.face_offset(f);
      bound[f] = height < bound[f] ? height : bound[f];
    }
    bound[face] = kNoFloor<T>;
    face = highest_of(bound, count);
    if (bound[face] < minimum(maximum(best.separation, floor) - T(2) * tie, -trust)) break;
  }
  return best;
}

// Of many faces those that one vertex tells to be too deep are left out; the face along `toward` tells how deep.
template <class P, class Q, class T>
STICTION_HD_CALL FaceAxis<T> face_axis(const P& reference, const Q& other, const Placement<T>& place,
                                       const Vec3T<T>& toward, T floor, T trust, T tie) {
  if (reference.face_count() <= kFewFaces) return few_face_axis(reference, other, place, toward, floor, trust, tie);
  FaceAxis<T> best;
  const int likely = face_along(reference, toward);
  const Vec3T<T> n_likely = reference.face_normal(likely), n_there = transpose_times(place.R, n_likely);
  int witness = other.support(-n_there);
  floor = maximum(floor, dot(n_likely, place.t) - reference.face_offset(likely) + dot(n_there, other.vertex(witness)));
  const Vec3T<T> deep = place(other.vertex(witness));  // in the frame of the reference
  for_heights(reference, deep, [&](int f, T height) {
    const T so_far = best.face < 0 ? floor : maximum(best.separation, floor);
    const T cutoff = minimum(so_far - T(2) * tie, -trust);
    if (height < cutoff && f != likely) return;
    const Vec3T<T> n = reference.face_normal(f), n_other = transpose_times(place.R, n);
    witness = other.support(-n_other, witness);
    const T separation = dot(n, place.t) - reference.face_offset(f) + dot(n_other, other.vertex(witness));
    if (separation < cutoff && f != likely) return;
    if (best.face < 0 || separation > best.separation + tie) {
      best.separation = separation;
      best.face = f;
    }
    if (separation > -trust) best.blend += n * (separation + trust);
  });
  return best;
}

template <class T>
STICTION_HD_CALL FaceAxis<T> face_axis(const BoxPolyhedron<T>& reference, const BoxPolyhedron<T>& other,
                                       const Placement<T>& place, const Vec3T<T>&, T, T trust, T tie) {
  FaceAxis<T> best;
  T separation[3];
  int side[3];
  for (int k = 0; k < 3; ++k) {
    const T t = place.t[k];
    separation[k] = magnitude(t) - (reference.h[k] + dot(magnitude(place.R.row[k]), other.h));
    side[k] = 1 - static_cast<int>(t < T(0));
    if (separation[k] > -trust) best.blend[k] += sign_of(t) * (separation[k] + trust);
  }
  // Of faces that agree the first.
  const int first = static_cast<int>(separation[1] > separation[0] + tie);
  const int axis = separation[2] > separation[first] + tie ? 2 : first;
  best.separation = separation[axis];
  best.face = 2 * axis + side[axis];
  return best;
}

// Best cross product of an edge of A and an edge of B; edge_a < 0 if none is better than `floor`.
template <class T>
struct EdgeAxis {
  T separation{};  // [m]
  int edge_a = -1, edge_b = -1;
  Vec3T<T> normal{};  // unit, in the frame of A
};

// Edges with an end at least as high as `level` along n, in ascending order: those of the vertices that are reached
// from the highest one without going below. All edges if there are more than fit.
class EdgeCap {
 public:
  template <class P, class T>
  STICTION_HD EdgeCap(const P& poly, const Vec3T<T>& n, T level, int highest) {
    all_ = !collect(poly, n, level, highest);
    if (all_) count_ = poly.edge_count();
  }
  STICTION_HD int count() const { return count_; }
  STICTION_HD int edge(int i) const { return all_ ? i : edge_[i]; }
  STICTION_HD bool has_all() const { return all_; }
  static constexpr int kEdges = 64;
  // Leaves out the edges whose two faces both have the point x deeper than `depth` (which is negative): along any
  // direction between their normals it is deeper too.
  template <class P, class T>
  STICTION_HD void leave_out_deeper(const P& poly, const Vec3T<T>& x, T depth) {
    int kept = 0;
    for (int i = 0; i < count_ && !all_; ++i) {
      const int f = poly.edge_face(edge_[i], 0), g = poly.edge_face(edge_[i], 1);
      if (dot(poly.face_normal(f), x) - poly.face_offset(f) < depth &&
          dot(poly.face_normal(g), x) - poly.face_offset(g) < depth)
        continue;
      edge_[kept++] = edge_[i];
    }
    if (!all_) count_ = kept;
  }

 private:
  static constexpr int kVertices = 24;
  int edge_[kEdges];
  int count_ = 0;
  bool all_ = false;

  template <class P, class T>
  STICTION_HD bool collect(const P& poly, const Vec3T<T>& n, T level, int highest) {
    int vertex[kVertices], vertices = 0;
    vertex[vertices++] = highest;
    for (int next = 0; next < vertices; ++next)
      for (int i = 0; i < poly.degree(vertex[next]); ++i) {
        const int e = poly.edge_at(vertex[next], i);
        const int other = poly.edge_vertex(e, poly.edge_vertex(e, 0) == vertex[next] ? 1 : 0);
        if (dot(n, poly.vertex(other)) >= level) {
          bool known = false;
          for (int k = 0; k < vertices; ++k) known = known || vertex[k] == other;
          if (!known && vertices == kVertices) return false;
          if (!known) vertex[vertices++] = other;
          // It comes from the other end too.
          if (other < vertex[next]) continue;
        }
        if (count_ == kEdges) return false;
        int place = count_++;
        for (; place > 0 && edge_[place - 1] > e; --place) edge_[place] = edge_[place - 1];
        edge_[place] = e;
      }
    return true;
  }
};

// An edge of A in the frame of B, whose edges are read most.
template <class T>
struct EdgeArc {
  int edge;
  Vec3T<T> p, d;    // [m] p + t d
  Vec3T<T> a0, a1;  // normals of its faces: its arc on the Gauss map
};

template <class PA, class PB>
STICTION_HD auto edge_arc(const PolyhedronPair<PA, PB>& pair, int edge) {
  using T = typename PA::Scalar;
  const Vec3T<T> p = pair.a_in_b(pair.A.vertex(pair.A.edge_vertex(edge, 0)));
  return EdgeArc<T>{edge, p, pair.a_in_b(pair.A.vertex(pair.A.edge_vertex(edge, 1))) - p,
                    pair.a_in_b.R * pair.A.face_normal(pair.A.edge_face(edge, 0)),
                    pair.a_in_b.R * pair.A.face_normal(pair.A.edge_face(edge, 1))};
}

// Takes the cross product of an edge of A and edge eb of B for the best axis if it is.
template <class PA, class PB, class T>
STICTION_HD void take_crossing(const PolyhedronPair<PA, PB>& pair, const EdgeArc<T>& a, int eb, EdgeAxis<T>& best) {
  // The arcs a0–a1 and −b0–(−b1) of normals cross if b0, b1 lie on two sides of the plane of the other arc (whose
  // normal is d), a0, a1 likewise (e), and both arcs on the same half of the sphere.
  const Vec3T<T> b0 = pair.B.face_normal(pair.B.edge_face(eb, 0)), b1 = pair.B.face_normal(pair.B.edge_face(eb, 1));
  if (dot(b0, a.d) * dot(b1, a.d) >= T(0)) return;
  const Vec3T<T> q = pair.B.vertex(pair.B.edge_vertex(eb, 0)), e = pair.B.vertex(pair.B.edge_vertex(eb, 1)) - q;
  if (dot(a.a0, e) * dot(a.a1, e) >= T(0)) return;
  Vec3T<T> n = cross(a.d, e);
  if (norm_squared(n) < Tolerance<T>::kParallelSquared * norm_squared(a.d) * norm_squared(e)) return;
  if (dot(n, a.a0 + a.a1) < T(0)) n = -n;
  if (dot(n, b0 + b1) >= T(0)) return;
  n = normalized(n);
  const T separation = dot(n, q - a.p);
  if (separation > best.separation + (best.edge_a < 0 ? T(0) : pair.tie()))
    best = {separation, a.edge, eb, pair.b_in_a.R * n};
}

// The edges of a cap of B, coordinate by coordinate, so that a compiler can hold several of them against one arc at a
// time.
template <class PB>
class CapArcs {
 public:
  using T = typename PB::Scalar;
  STICTION_HD CapArcs(const PB& poly, const EdgeCap& cap) : count_(cap.count()) {
    for (int i = 0; i < count_; ++i) {
      const int edge = cap.edge(i);
      const Vec3T<T> b0 = poly.face_normal(poly.edge_face(edge, 0)), b1 = poly.face_normal(poly.edge_face(edge, 1));
      const Vec3T<T> e = poly.vertex(poly.edge_vertex(edge, 1)) - poly.vertex(poly.edge_vertex(edge, 0));
      for (int k = 0; k < 3; ++k) b0_[k][i] = b0[k], b1_[k][i] = b1[k], e_[k][i] = e[k];
    }
  }
  // Calls visit(i) for those that may cross the arc: each arc has its ends on two sides of the other's plane.
  template <class Visitor>
  STICTION_HD void for_crossing(const EdgeArc<T>& a, const Visitor& visit) const {
    T sides[EdgeCap::kEdges];
    for (int i = 0; i < count_; ++i) {
      const T of_b0 = b0_[0][i] * a.d.x + b0_[1][i] * a.d.y + b0_[2][i] * a.d.z;
      const T of_b1 = b1_[0][i] * a.d.x + b1_[1][i] * a.d.y + b1_[2][i] * a.d.z;
      const T of_a0 = a.a0.x * e_[0][i] + a.a0.y * e_[1][i] + a.a0.z * e_[2][i];
      const T of_a1 = a.a1.x * e_[0][i] + a.a1.y * e_[1][i] + a.a1.z * e_[2][i];
      const T of_a = of_a0 * of_a1, of_b = of_b0 * of_b1;
      sides[i] = of_a < of_b ? of_b : of_a;
    }
    for (int i = 0; i < count_; ++i)
      if (sides[i] < T(0)) visit(i);
  }

 private:
  T b0_[3][EdgeCap::kEdges], b1_[3][EdgeCap::kEdges], e_[3][EdgeCap::kEdges];
  int count_;
};

// The edges of B whose arcs cross that of an edge of A, one after the other: from the vertex of B that is lowest along
// a0 to that along a1. n(t) = (1 − t) a0 + t a1 leaves vertex v for w where n·(w − v) falls below zero. Hulls of
// thousands of edges are in each other with few such crossings, where all pairs would be millions. `v` is the vertex at
// which the search for the first one starts.
template <class PA, class PB, class T>
STICTION_HD_CALL void walk_arc(const PolyhedronPair<PA, PB>& pair, const EdgeArc<T>& a, int& v, EdgeAxis<T>& best) {
  v = pair.B.support(-a.a0, v);
  int from = v;
  T now = T(0);
  for (int steps = pair.B.edge_count(); steps > 0; --steps) {
    const Vec3T<T> x = pair.B.vertex(from);
    int next = -1, across = -1;
    T first = T(1);
    for (int i = 0; i < pair.B.degree(from); ++i) {
      const int e = pair.B.edge_at(from, i);
      const int w = pair.B.edge_vertex(e, pair.B.edge_vertex(e, 0) == from ? 1 : 0);
      const Vec3T<T> to = pair.B.vertex(w) - x;
      const T h1 = dot(a.a1, to);
      if (!(h1 < T(0))) continue;
      const T h0 = dot(a.a0, to), t = h0 > T(0) ? maximum(now, h0 / (h0 - h1)) : now;
      if (t < first) first = t, next = w, across = e;
    }
    if (next < 0) return;
    take_crossing(pair, a, across, best);
    from = next;
    now = first;
  }
}

// `n`: the best face normal, in the frame of A.
template <class PA, class PB, class T>
STICTION_HD_CALL EdgeAxis<T> edge_axis(const PolyhedronPair<PA, PB>& pair, T floor, const Vec3T<T>& n_face) {
  EdgeAxis<T> best;
  best.separation = floor;
  // At the axis of least penetration the two edges are as far apart as they penetrate. So an edge of either counts only
  // if it comes that near to the slab that the other leaves along n.
  const T reach = maximum(T(2) * pair.trust(), -floor);
  const Vec3T<T> along = pair.a_in_b.R * n_face;
  const int highest = pair.A.support(n_face), lowest = pair.B.support(-along);
  const T offset = dot(n_face, pair.b_in_a.t);
  const T top_a = dot(n_face, pair.A.vertex(highest)), low_b = dot(along, pair.B.vertex(lowest));
  EdgeCap of_a(pair.A, n_face, offset + low_b - reach, highest);
  if (floor < T(0)) of_a.leave_out_deeper(pair.A, pair.b_in_a(pair.B.vertex(lowest)), floor);
  if (of_a.count() == 0) return best;
  EdgeCap of_b(pair.B, -along, -(top_a - offset + reach), lowest);
  if (floor < T(0)) of_b.leave_out_deeper(pair.B, pair.a_in_b(pair.A.vertex(highest)), floor);
  if (of_b.has_all()) {
    int start = lowest;
    for (int i = 0; i < of_a.count(); ++i) walk_arc(pair, edge_arc(pair, of_a.edge(i)), start, best);
    return best;
  }
  const CapArcs<PB> arcs(pair.B, of_b);
  for (int i = 0; i < of_a.count(); ++i) {
    const EdgeArc<T> arc = edge_arc(pair, of_a.edge(i));
    arcs.for_crossing(arc, [&](int j) { take_crossing(pair, arc, of_b.edge(j), best); });
  }
  return best;
}

template <class T>
STICTION_HD_CALL EdgeAxis<T> edge_axis(const PolyhedronPair<BoxPolyhedron<T>, BoxPolyhedron<T>>& pair, T floor,
                                       const Vec3T<T>&) {
  using std::sqrt;
  EdgeAxis<T> best;
  best.separation = floor;
  // Rows of four, of which the last is zero, fill a vector register.
  T R[3][4] = {}, size[3][4] = {}, reach_b[3][4] = {};
  const T ha[3] = {pair.A.h.x, pair.A.h.y, pair.A.h.z};
  const T t[3] = {pair.b_in_a.t.x, pair.b_in_a.t.y, pair.b_in_a.t.z};
  const Vec3T<T> hb = pair.B.h;
  for (int i = 0; i < 3; ++i) {
    const Vec3T<T> row = pair.b_in_a.R.row[i], m = magnitude(row);
    R[i][0] = row.x, R[i][1] = row.y, R[i][2] = row.z;
    size[i][0] = m.x, size[i][1] = m.y, size[i][2] = m.z;
    reach_b[i][0] = hb.y * m.z + hb.z * m.y, reach_b[i][1] = hb.z * m.x + hb.x * m.z;
    reach_b[i][2] = hb.x * m.y + hb.y * m.x;
  }
  // n = e_i × b_j has the components (−R_{i2,j}, R_{i1,j}) along the axes (i1, i2) of A, and along the axes (j1, j2) of
  // B: n·b_j1 = R_{i,j2}, up to sign. All nine without a branch, since which of them is best is a matter of chance.
  T separation[3][4];
  for (int i = 0; i < 3; ++i) {
    const int i1 = next_of_three(i), i2 = previous_of_three(i);
    for (int j = 0; j < 4; ++j) {
      const T along = t[i2] * R[i1][j] - t[i1] * R[i2][j];
      const T reach = ha[i1] * size[i2][j] + ha[i2] * size[i1][j] + reach_b[i][j];
      const T length_squared = R[i1][j] * R[i1][j] + R[i2][j] * R[i2][j];
      // Parallel edges have no axis.
      const bool parallel = length_squared < Tolerance<T>::kParallelSquared;
      separation[i][j] = parallel ? floor : (magnitude(along) - reach) / sqrt(length_squared);
    }
  }
  int i = -1, j = -1;
  for (int k = 0; k < 9; ++k) {
    const bool better = separation[k / 3][k % 3] > best.separation + (i < 0 ? T(0) : pair.tie());
    i = better ? k / 3 : i;
    j = better ? k % 3 : j;
    best.separation = better ? separation[k / 3][k % 3] : best.separation;
  }
  if (i < 0) return best;
  const int i1 = next_of_three(i), i2 = previous_of_three(i), j1 = next_of_three(j), j2 = previous_of_three(j);
  const T along = t[i2] * R[i1][j] - t[i1] * R[i2][j];
  const T scale = sign_of(along) / sqrt(R[i1][j] * R[i1][j] + R[i2][j] * R[i2][j]);
  T n[3] = {};
  n[i1] = -R[i2][j] * scale;
  n[i2] = R[i1][j] * scale;
  best.normal = {n[0], n[1], n[2]};
  const Vec3T<T> m = transpose_times(pair.b_in_a.R, best.normal);
  const T n_b[3] = {m.x, m.y, m.z};
  best.edge_a = 4 * i + static_cast<int>(n[i1] >= T(0)) + 2 * static_cast<int>(n[i2] >= T(0));
  best.edge_b = 4 * j + static_cast<int>(n_b[j1] < T(0)) + 2 * static_cast<int>(n_b[j2] < T(0));
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
