// All shapes of a Model in the form that the narrow phase reads, placed in the world, with their bounding boxes.
#pragma once

#include <span>
#include <vector>

#include "collide/broad_phase.hpp"
#include "collide/hull.hpp"
#include "collide/surface.hpp"

namespace stiction {

// The shape at X_WS.
ShapeT<double> placed(const ShapeT<double>& shape, const Transform& pose);

class ShapeSet {
 public:
  // Throws Error where a hull is not a closed surface.
  explicit ShapeSet(const Model& model);

  // X_WS of every shape.
  void place(std::span<const Transform> pose);

  int size() const { return static_cast<int>(shapes_.size()); }
  const ShapeT<double>& operator[](int shape) const { return shapes_[static_cast<std::size_t>(shape)]; }
  // Box about a placed shape, `fat` [m] wider on all sides. Planes have none.
  Bounds bounds(int shape, double fat) const;

 private:
  // In the frame of the shape.
  struct LocalBox {
    Vec3 centre, half;  // [m]
  };
  HullArrays<double> hulls_;
  ShapeSurfaces surfaces_;
  std::vector<ShapeT<double>> shapes_;
  std::vector<LocalBox> boxes_;

  static LocalBox local_box(const ShapeT<double>& shape);
  double bounding_radius(const ShapeT<double>& shape, int hull) const;
};

}  // namespace stiction
