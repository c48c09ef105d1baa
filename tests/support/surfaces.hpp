// Shapes that collide as surfaces of triangles, for tests of the narrow phase.
#pragma once

#include <deque>

#include "collide/surface.hpp"
#include "model/mesh_tables.hpp"
#include "support/convex_shapes.hpp"

namespace stiction::test {

// Shapes with surfaces, and the surfaces behind them.
class Surfaces {
 public:
  ShapeT<double> mesh(const TriangleMesh& mesh) {
    kept_.emplace_back(mesh);
    ShapeT<double> shape = sphere_shape(kept_.back().radius());
    shape.type = ShapeType::kMesh;
    shape.size = {};
    shape.surface = kept_.back().view();
    return shape;
  }
  ShapeT<double> box(const Vec3& half) {
    kept_.emplace_back(detail::box_of(half));
    ShapeT<double> shape = box_shape(half);
    shape.surface = kept_.back().view();
    return shape;
  }

 private:
  std::deque<Surface<double>> kept_;
};

}  // namespace stiction::test
