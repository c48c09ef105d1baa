#include "collide/inner_ball.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "collide/distance.hpp"

namespace stiction {
namespace {

double depth_in_hull(const HullT<double>& hull, const Vec3& x) {
  double least = std::numeric_limits<double>::infinity();
  for (int f = 0; f < hull.face_count; ++f) least = std::min(least, hull.face_offset[f] - dot(hull.face_normal[f], x));
  return least;
}

double depth(const ShapeT<double>& shape, const Vec3& x) {
  const Vec3& size = shape.size;
  switch (shape.type) {
    case ShapeType::kSphere:
      return size.x - norm(x);
    case ShapeType::kCapsule:
      return size.x - norm(x - Vec3{0, 0, clamped(x.z, -size.y, size.y)});
    case ShapeType::kCylinder:
      return std::min(size.x - std::hypot(x.x, x.y), size.y - std::abs(x.z));
    case ShapeType::kBox:
      return std::min({size.x - std::abs(x.x), size.y - std::abs(x.y), size.z - std::abs(x.z)});
    case ShapeType::kEllipsoid:
      // A smaller ellipsoid about x: that of the ball |D⁻¹ x| = 1 shrunk to what is left of it.
      return (1 - norm(Vec3{x.x / size.x, x.y / size.y, x.z / size.z})) * std::min({size.x, size.y, size.z});
    case ShapeType::kHull:
      return depth_in_hull(shape.hull, x);
    case ShapeType::kMesh:
      return shape.surface.closed ? -detail::ball_distance(shape.surface, x, 0.0, 0.0).gap : 0.0;
    default:
      return 0;
  }
}

}  // namespace

InnerBall inner_ball(const ShapeT<double>& shape, const Vec3& x) {
  return {x, std::max(0.0, depth(shape, x))};
}

}  // namespace stiction
