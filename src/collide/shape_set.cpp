#include "collide/shape_set.hpp"

#include <algorithm>
#include <cmath>

namespace stiction {

ShapeT<double> placed(const ShapeT<double>& shape, const Transform& pose) {
  ShapeT<double> out = shape;
  out.p = pose.p;
  out.R = rotation_matrix(pose.q);
  return out;
}

ShapeSet::LocalBox ShapeSet::local_box(const ShapeT<double>& shape) {
  switch (shape.type) {
    case ShapeType::kSphere:
      return {{}, {shape.size.x, shape.size.x, shape.size.x}};
    case ShapeType::kCapsule:
      return {{}, {shape.size.x, shape.size.x, shape.size.x + shape.size.y}};
    case ShapeType::kBox:
    case ShapeType::kEllipsoid:
      return {{}, shape.size};
    case ShapeType::kCylinder:
      return {{}, {shape.size.x, shape.size.x, shape.size.y}};
    case ShapeType::kHull: {
      Vec3 lower = shape.hull.vertex[0], upper = lower;
      for (int i = 1; i < shape.hull.vertex_count; ++i) {
        lower = min(lower, shape.hull.vertex[i]);
        upper = max(upper, shape.hull.vertex[i]);
      }
      return {(lower + upper) * 0.5, (upper - lower) * 0.5};
    }
    case ShapeType::kMesh:
    case ShapeType::kHeightField: {
      if (!shape.surface.node) return {};
      const SurfaceNodeT<double>& root = shape.surface.node[0];
      return {(root.lower + root.upper) * 0.5, (root.upper - root.lower) * 0.5};
    }
    default:
      return {};
  }
}

double ShapeSet::bounding_radius(const ShapeT<double>& shape, int hull) const {
  switch (shape.type) {
    case ShapeType::kSphere:
      return shape.size.x;
    case ShapeType::kCapsule:
      return shape.size.x + shape.size.y;
    case ShapeType::kBox:
      return norm(shape.size);
    case ShapeType::kHull:
      return hulls_.radius(hull);
    case ShapeType::kCylinder:
      return std::hypot(shape.size.x, shape.size.y);
    case ShapeType::kEllipsoid:
      return std::max({shape.size.x, shape.size.y, shape.size.z});
    default:
      return 0;
  }
}

ShapeSet::ShapeSet(const Model& model) : hulls_(model), surfaces_(model) {
  const auto count = static_cast<std::size_t>(model.nshape);
  shapes_.resize(count);
  boxes_.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    ShapeT<double>& shape = shapes_[i];
    shape.type = model.shape_type[i];
    shape.size = model.shape_size[i];
    if (shape.type == ShapeType::kHull) shape.hull = hulls_.view(model.shape_hull[i]);
    shape.radius = bounding_radius(shape, model.shape_hull[i]);
    if (const Surface<double>* surface = surfaces_.surface(static_cast<int>(i))) {
      shape.surface = surface->view();
      shape.radius = std::max(shape.radius, surface->radius());
    }
    boxes_[i] = local_box(shape);
  }
}

void ShapeSet::place(std::span<const Transform> pose) {
  for (std::size_t i = 0; i < shapes_.size(); ++i) {
    shapes_[i].p = pose[i].p;
    shapes_[i].R = rotation_matrix(pose[i].q);
  }
}

Bounds ShapeSet::bounds(int i, double fat) const {
  const ShapeT<double>& shape = shapes_[static_cast<std::size_t>(i)];
  const LocalBox& box = boxes_[static_cast<std::size_t>(i)];
  const Vec3 centre = shape.p + shape.R * box.centre;
  Vec3 half{fat, fat, fat};
  for (int k = 0; k < 3; ++k) half[k] += dot(abs(shape.R.row[k]), box.half);
  return {centre - half, centre + half};
}

}  // namespace stiction
