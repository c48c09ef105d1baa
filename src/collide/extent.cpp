#include "collide/extent.hpp"

#include <algorithm>
#include <limits>

#include "collide/distance.hpp"

namespace stiction {
namespace {

// In the frame of the surface: boxes of the tree that reach farther than what was found are opened.
double surface_reach(const SurfaceT<double>& surface, const Vec3& n) {
  double farthest = -std::numeric_limits<double>::infinity();
  if (surface.triangle_count == 0) return farthest;
  const Vec3 size = abs(n);
  int stack[64];
  int waiting = 0;
  stack[waiting++] = 0;
  while (waiting > 0) {
    const SurfaceNodeT<double>& node = surface.node[stack[--waiting]];
    const Vec3 centre = (node.lower + node.upper) * 0.5, half = (node.upper - node.lower) * 0.5;
    if (dot(n, centre) + dot(size, half) <= farthest) continue;
    if (node.count == 0) {
      stack[waiting++] = node.first + 1;
      stack[waiting++] = node.first;
      continue;
    }
    for (int slot = 3 * node.first; slot < 3 * (node.first + node.count); ++slot)
      farthest = std::max(farthest, dot(n, surface.vertex[surface.triangle[slot]]));
  }
  return farthest;
}

}  // namespace

double reach_along(const ShapeT<double>& shape, const Vec3& n) {
  const Vec3 local = transpose(shape.R) * n;
  double reach = std::numeric_limits<double>::infinity();
  switch (shape.type) {
    case ShapeType::kPlane:
      return reach;
    case ShapeType::kSphere:
      return dot(n, shape.p) + shape.size.x;
    case ShapeType::kMesh:
    case ShapeType::kHeightField:
      return dot(n, shape.p) + surface_reach(shape.surface, local);
    default:
      detail::visit_core(shape,
                         [&](const auto& core, double radius) { reach = dot(local, core.point(local)) + radius; });
      return dot(n, shape.p) + reach;
  }
}

Vec3 foremost(const ShapeT<double>& shape, const Vec3& x, const Vec3& n) {
  const Vec3 at = transpose(shape.R) * (x - shape.p), local = transpose(shape.R) * n;
  switch (shape.type) {
    case ShapeType::kSphere:
      return shape.p + n * shape.size.x;
    case ShapeType::kCapsule:
      return shape.p + shape.R.column(2) * clamped(at.z, -shape.size.y, shape.size.y) + n * shape.size.x;
    case ShapeType::kCylinder: {
      // Along the axis every point of the circle reaches as far.
      const Vec3 across = detail::radial(local);
      const double length = norm(across);
      if (!(length > 1e-6)) return x;
      return shape.p + shape.R * (across * (shape.size.x / length) + Vec3{0, 0, at.z});
    }
    case ShapeType::kEllipsoid:
      return shape.p + shape.R * detail::as_ellipsoid(shape).point(local);
    default:
      return x;
  }
}

}  // namespace stiction
