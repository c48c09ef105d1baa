#include "coal_pairs.hpp"

#include <memory>
#include <vector>

#include <coal/BVH/BVH_model.h>
#include <coal/collision.h>
#include <coal/shape/convex.h>
#include <coal/shape/geometric_shapes.h>

namespace coal_pairs {

namespace {

using Points = std::vector<coal::Vec3s>;
using Triangles = std::vector<coal::Triangle>;

std::vector<std::shared_ptr<coal::CollisionGeometry>> shapes;
std::vector<coal::Transform3s> poses;

int keep(std::shared_ptr<coal::CollisionGeometry> shape) {
  shape->computeLocalAABB();
  shapes.push_back(std::move(shape));
  return static_cast<int>(shapes.size()) - 1;
}

std::shared_ptr<Points> points_of(const double* vertices, int count) {
  auto points = std::make_shared<Points>();
  points->reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) points->emplace_back(vertices[3 * i], vertices[3 * i + 1], vertices[3 * i + 2]);
  return points;
}

std::shared_ptr<Triangles> faces_of(const int* triangles, int count) {
  auto faces = std::make_shared<Triangles>();
  faces->reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    const auto corner = [&](int k) { return static_cast<coal::Triangle::index_type>(triangles[3 * i + k]); };
    faces->emplace_back(corner(0), corner(1), corner(2));
  }
  return faces;
}

}  // namespace

int add_shape(Kind kind, const double* s) {
  switch (kind) {
    case Kind::kPlane:
      return keep(std::make_shared<coal::Halfspace>(coal::Vec3s(0, 0, 1), 0));
    case Kind::kSphere:
      return keep(std::make_shared<coal::Sphere>(s[0]));
    case Kind::kCapsule:
      return keep(std::make_shared<coal::Capsule>(s[0], 2 * s[1]));
    case Kind::kBox:
      return keep(std::make_shared<coal::Box>(2 * s[0], 2 * s[1], 2 * s[2]));
    case Kind::kCylinder:
      return keep(std::make_shared<coal::Cylinder>(s[0], 2 * s[1]));
    default:
      return keep(std::make_shared<coal::Ellipsoid>(s[0], s[1], s[2]));
  }
}

int add_hull(const double* vertices, int vertex_count, const int* triangles, int triangle_count) {
  return keep(std::make_shared<coal::Convex<coal::Triangle>>(
      points_of(vertices, vertex_count), static_cast<unsigned>(vertex_count), faces_of(triangles, triangle_count),
      static_cast<unsigned>(triangle_count)));
}

int add_surface(const double* vertices, int vertex_count, const int* triangles, int triangle_count) {
  auto tree = std::make_shared<coal::BVHModel<coal::OBBRSS>>();
  tree->beginModel();
  tree->addSubModel(*points_of(vertices, vertex_count), *faces_of(triangles, triangle_count));
  tree->endModel();
  return keep(tree);
}

int add_pose(const double* r, const double* p) {
  coal::Matrix3s rotation;
  rotation << r[0], r[1], r[2], r[3], r[4], r[5], r[6], r[7], r[8];
  poses.emplace_back(rotation, coal::Vec3s(p[0], p[1], p[2]));
  return static_cast<int>(poses.size()) - 1;
}

int collide(int shape_a, int pose_a, int shape_b, int pose_b, double margin) {
  coal::CollisionRequest request(coal::CONTACT, 8);
  request.security_margin = margin;
  coal::CollisionResult result;
  coal::collide(shapes[static_cast<std::size_t>(shape_a)].get(), poses[static_cast<std::size_t>(pose_a)],
                shapes[static_cast<std::size_t>(shape_b)].get(), poses[static_cast<std::size_t>(pose_b)], request,
                result);
  return static_cast<int>(result.numContacts());
}

}  // namespace coal_pairs
