// A surface of triangles in the form that the narrow phase reads: with edges, neighbours, a tree of boxes, and the
// vertices and edges that can touch. Vertices at one place are one; triangles without area are left out.
//
// Closed surfaces (every edge borders two triangles that run along it in opposite directions) have an inside; they are
// turned outside in where their volume is negative. All others are open and have two sides.
#pragma once

#include <vector>

#include <stiction/mesh.hpp>

#include "collide/shape.hpp"

namespace stiction {

template <class T>
class Surface {
 public:
  explicit Surface(const TriangleMesh& mesh);

  SurfaceT<T> view() const;
  // [m] greatest distance of a vertex from the origin of the shape frame.
  T radius() const { return radius_; }

 private:
  std::vector<Vec3T<T>> vertex_, vertex_normal_, normal_, inward_;
  std::vector<unsigned char> vertex_feature_, owned_, edge_feature_;
  std::vector<int> neighbour_start_, neighbour_, triangle_, triangle_edge_, edge_;
  std::vector<SurfaceNodeT<T>> node_;
  T radius_{};
  bool closed_ = false, outward_ = false;
};

// The surfaces of all shapes of a model that need one: meshes and height fields, and, if there are any, boxes and hulls
// too, which meet them feature by feature.
class ShapeSurfaces {
 public:
  explicit ShapeSurfaces(const Model& model);
  // Null if the shape has none.
  const Surface<double>* surface(int shape) const {
    const int index = of_shape_[static_cast<std::size_t>(shape)];
    return index < 0 ? nullptr : &surfaces_[static_cast<std::size_t>(index)];
  }

 private:
  std::vector<Surface<double>> surfaces_;
  std::vector<int> of_shape_;
};

}  // namespace stiction
