#include "collide/extent.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "collide/distance.hpp"

namespace stiction {
namespace {

// In the frame of the surface: boxes of the tree that reach farther than what was found are opened.
Vec3 surface_point(const SurfaceT<double>& surface, const Vec3& n) {
  double farthest = -std::numeric_limits<double>::infinity();
  Vec3 point{};
  if (surface.triangle_count == 0) return point;
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
    for (int slot = 3 * node.first; slot < 3 * (node.first + node.count); ++slot) {
      const Vec3 vertex = surface.vertex[surface.triangle[slot]];
      const double reach = dot(n, vertex);
      if (reach > farthest) farthest = reach, point = vertex;
    }
  }
  return point;
}

// The hull of a shape at two places.
struct TwoPlaces {
  const ShapeT<double>&first, &second;

  Vec3 point(const Vec3& n) const {
    const double length = norm(n);
    const Vec3 unit = length > 0 ? n / length : Vec3{0, 0, 1};
    const Vec3 x = farthest_point(first, unit), y = farthest_point(second, unit);
    return dot(unit, y) > dot(unit, x) ? y : x;
  }
  // Straight pieces are of no use here.
  detail::FlatLine<double> line_of(const Vec3*, int) const { return {}; }
};

}  // namespace

Vec3 farthest_point(const ShapeT<double>& shape, const Vec3& n) {
  const Vec3 local = transpose(shape.R) * n;
  Vec3 point{};
  switch (shape.type) {
    case ShapeType::kSphere:
      return shape.p + n * shape.size.x;
    case ShapeType::kMesh:
    case ShapeType::kHeightField:
      point = surface_point(shape.surface, local);
      break;
    default:
      detail::visit_core(shape, [&](const auto& core, double radius) { point = core.point(local) + local * radius; });
  }
  return shape.p + shape.R * point;
}

double reach_along(const ShapeT<double>& shape, const Vec3& n) {
  if (shape.type == ShapeType::kPlane)
    return dot(n, shape.R.column(2)) > 1 - 1e-12 ? dot(n, shape.p) : std::numeric_limits<double>::infinity();
  return dot(n, farthest_point(shape, n));
}

bool passing_axis(const ShapeT<double>& start, const ShapeT<double>& end, const ShapeT<double>& b, Vec3& n) {
  constexpr double kEnough = 1e-6;  // of the distance: its square root is the error of the direction
  constexpr double kTouch = 1e-9;   // of the sizes: nearer, they touch
  const double size = start.radius + b.radius;
  const double far = 2 * (norm(start.p - b.p) + norm(end.p - b.p) + size);
  const detail::ClosestPoints<double> closest =
      detail::closest_points(TwoPlaces{start, end}, TwoPlaces{b, b}, detail::Placement<double>{Mat3::identity(), {}},
                             b.p - start.p, kTouch * size, far, kEnough);
  if (closest.status != detail::GjkStatus::kApart) return false;
  n = normalized(closest.v);
  return true;
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
      const Vec3 across = detail::radial(local), own = detail::radial(at);
      const double length = norm(across);
      if (!(length > 1e-6)) return x;
      // A cap that faces the plane has places around its rim and points within it, each of which holds its own part
      // up: of those only the rim next to the lowest point is that point's.
      const double next = std::cos(std::numbers::pi / detail::kRimPlaces);
      if (std::abs(local.z) > detail::kCapFaces<double> && !(dot(own, across) > next * length * shape.size.x)) return x;
      return shape.p + shape.R * (across * (shape.size.x / length) + Vec3{0, 0, at.z});
    }
    case ShapeType::kEllipsoid:
      return shape.p + shape.R * detail::as_ellipsoid(shape).point(local);
    default:
      return x;
  }
}

}  // namespace stiction
