// Surfaces for the collision leaves, built by each evaluation for itself: a box, the frustum of draw_shapes.hpp, and a
// block with a notch, which is not convex. All arrays have fixed sizes and the tree is one leaf.
#pragma once

#include "cuda/draw_shapes.hpp"

namespace stiction::cuda {

template <class T>
class SmallSurface {
 public:
  static constexpr int kVertices = 12, kTriangles = 20, kEdges = 30;

  // Corner i as BoxPolyhedron numbers them.
  STICTION_HD void make_box(const Vec3T<T>& half) {
    const detail::BoxPolyhedron<T> box{half};
    for (int i = 0; i < 8; ++i) add_vertex(box.vertex(i));
    for (int f = 0; f < 6; ++f) {
      add_triangle(box.face_vertex(f, 0), box.face_vertex(f, 1), box.face_vertex(f, 2));
      add_triangle(box.face_vertex(f, 0), box.face_vertex(f, 2), box.face_vertex(f, 3));
    }
    finish();
  }
  STICTION_HD void make_frustum(const Frustum<T>& frustum) {
    const HullT<T> hull = frustum.view();
    for (int i = 0; i < hull.vertex_count; ++i) add_vertex(hull.vertex[i]);
    for (int f = 0; f < hull.face_count; ++f)
      for (int k = hull.face_start[f] + 2; k < hull.face_start[f + 1]; ++k)
        add_triangle(hull.face_vertex[hull.face_start[f]], hull.face_vertex[k - 1], hull.face_vertex[k]);
    finish();
  }
  // The box with half-sizes `half` without its part x > 0, z > 0.
  STICTION_HD void make_notched(const Vec3T<T>& half) {
    const T zero = T(0);
    const T x[6] = {-half.x, half.x, half.x, zero, zero, -half.x},
            z[6] = {-half.z, -half.z, zero, zero, half.z, half.z};
    for (int side = 0; side < 2; ++side)
      for (int i = 0; i < 6; ++i) add_vertex({x[i], side == 0 ? -half.y : half.y, z[i]});
    const int cut[4][3] = {{0, 1, 2}, {0, 2, 3}, {0, 3, 5}, {3, 4, 5}};
    for (int i = 0; i < 4; ++i) {
      add_triangle(cut[i][0], cut[i][1], cut[i][2]);
      add_triangle(6 + cut[i][0], 6 + cut[i][2], 6 + cut[i][1]);
    }
    for (int i = 0; i < 6; ++i) {
      const int next = i == 5 ? 0 : i + 1;
      add_triangle(i, 6 + i, 6 + next);
      add_triangle(i, 6 + next, next);
    }
    finish();
    vertex_feature_[3] = vertex_feature_[9] = 0;  // the ends of the valley
  }

  STICTION_HD SurfaceT<T> view() const {
    SurfaceT<T> view;
    view.vertex = vertex_, view.vertex_normal = vertex_normal_, view.vertex_feature = vertex_feature_;
    view.neighbour_start = neighbour_start_, view.neighbour = neighbour_;
    view.triangle = triangle_, view.triangle_edge = triangle_edge_, view.owned = owned_, view.normal = normal_;
    view.edge = edge_, view.edge_feature = edge_feature_, view.inward = inward_, view.node = &node_;
    view.vertex_count = vertices_, view.triangle_count = triangles_, view.edge_count = edges_;
    view.closed = view.outward = true;
    return view;
  }

 private:
  int vertices_ = 0, triangles_ = 0, edges_ = 0;
  Vec3T<T> vertex_[kVertices], vertex_normal_[kVertices], normal_[kTriangles], inward_[2 * kEdges];
  unsigned char vertex_feature_[kVertices], owned_[kTriangles], edge_feature_[kEdges];
  int neighbour_start_[kVertices + 1], neighbour_[2 * kEdges], triangle_[3 * kTriangles],
      triangle_edge_[3 * kTriangles];
  int edge_[4 * kEdges];
  SurfaceNodeT<T> node_;

  STICTION_HD void add_vertex(const Vec3T<T>& p) {
    vertex_normal_[vertices_] = {};
    vertex_feature_[vertices_] = 1;
    vertex_[vertices_++] = p;
  }
  STICTION_HD void add_triangle(int a, int b, int c) {
    int* corner = triangle_ + 3 * triangles_++;
    corner[0] = a, corner[1] = b, corner[2] = c;
  }
  STICTION_HD Vec3T<T> direction_into(int triangle, int v, int w) const {
    const int* c = triangle_ + 3 * triangle;
    const Vec3T<T> p = vertex_[v], d = vertex_[w] - p, opposite = vertex_[c[0] + c[1] + c[2] - v - w] - p;
    return normalized(opposite - d * (dot(opposite, d) / dot(d, d)));
  }
  STICTION_HD int find_edge(int v, int w) const {
    for (int e = 0; e < edges_; ++e)
      if (edge_[4 * e] == w && edge_[4 * e + 1] == v) return e;
    return -1;
  }
  STICTION_HD void finish() {
    node_ = {vertex_[0], vertex_[0], 0, triangles_};
    bool taken[kVertices] = {};
    for (int v = 0; v < vertices_; ++v)
      node_.lower = min(node_.lower, vertex_[v]), node_.upper = max(node_.upper, vertex_[v]);
    for (int t = 0; t < triangles_; ++t) {
      const int* c = triangle_ + 3 * t;
      const Vec3T<T> area = cross(vertex_[c[1]] - vertex_[c[0]], vertex_[c[2]] - vertex_[c[0]]);
      normal_[t] = normalized(area);
      owned_[t] = 0;
      for (int k = 0; k < 3; ++k) {
        const int v = c[k], w = c[next_of_three(k)];
        vertex_normal_[v] += area;
        if (!taken[v]) owned_[t] = static_cast<unsigned char>(owned_[t] | (1 << k));
        taken[v] = true;
        int e = find_edge(v, w);
        if (e < 0) {
          e = edges_++;
          edge_[4 * e] = v, edge_[4 * e + 1] = w, edge_[4 * e + 2] = t;
          owned_[t] = static_cast<unsigned char>(owned_[t] | (8 << k));
        } else {
          edge_[4 * e + 3] = t;
        }
        triangle_edge_[3 * t + k] = e;
        inward_[2 * e + (edge_[4 * e + 2] == t ? 0 : 1)] = direction_into(t, v, w);
      }
    }
    for (int e = 0; e < edges_; ++e)
      edge_feature_[e] = dot(normal_[edge_[4 * e + 2]], inward_[2 * e + 1]) < T(-1e-4) ? 1 : 0;
    int next = 0;
    for (int v = 0; v < vertices_; ++v) {
      vertex_normal_[v] = normalized(vertex_normal_[v]);
      neighbour_start_[v] = next;
      for (int e = 0; e < edges_; ++e)
        if (edge_[4 * e] == v || edge_[4 * e + 1] == v) neighbour_[next++] = edge_[4 * e] + edge_[4 * e + 1] - v;
    }
    neighbour_start_[vertices_] = next;
  }
};

constexpr bool is_surface(ShapeType type) {
  return type == ShapeType::kMesh || type == ShapeType::kHeightField;
}

// The surface with which a shape meets a mesh or height field: from the library, or built in `own`.
template <class T>
STICTION_HD SurfaceT<T> surface_of(ShapeType type, const PlacedShape<T>& placed, const Frustum<T>& frustum,
                                   const SurfaceT<T>* library, SmallSurface<T>& own) {
  if (placed.library >= T(0)) return library[int(placed.library)];
  if (type == ShapeType::kBox) own.make_box(placed.size);
  if (type == ShapeType::kHull) own.make_frustum(frustum);
  if (type == ShapeType::kMesh) own.make_notched(placed.size);
  return own.view();
}

// A shape with what it needs to meet any other.
template <class T>
class BuiltShape {
 public:
  STICTION_HD BuiltShape(ShapeType type, const PlacedShape<T>& placed, const SurfaceT<T>* library)
      : frustum_(placed.size),
        shape_{type,
               placed.p,
               placed.R,
               placed.size,
               placed.radius,
               frustum_.view(),
               surface_of(type, placed, frustum_, library, surface_)} {}
  BuiltShape(const BuiltShape&) = delete;
  BuiltShape& operator=(const BuiltShape&) = delete;
  STICTION_HD const ShapeT<T>& operator()() const { return shape_; }

 private:
  Frustum<T> frustum_;
  SmallSurface<T> surface_;
  ShapeT<T> shape_;
};

}  // namespace stiction::cuda
