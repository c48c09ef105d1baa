#include <algorithm>
#include <cmath>
#include <numbers>

#include "oracles/convex_oracle.hpp"

namespace stiction::test {

namespace {
std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}
}  // namespace

Solid prism(int sides, double radius, double half_height) {
  Solid solid{"prism of " + std::to_string(sides), {}, {}};
  std::vector<int> bottom, top;
  for (int i = 0; i < sides; ++i) {
    const double angle = 2 * std::numbers::pi * i / sides;
    solid.vertex.push_back({radius * std::cos(angle), radius * std::sin(angle), -half_height});
    solid.vertex.push_back({radius * std::cos(angle), radius * std::sin(angle), half_height});
    bottom.insert(bottom.begin(), 2 * i);
    top.push_back(2 * i + 1);
    const int next = (i + 1) % sides;
    solid.face.push_back({2 * i, 2 * next, 2 * next + 1, 2 * i + 1});
  }
  solid.face.push_back(bottom);
  solid.face.push_back(top);
  return solid;
}

Solid pyramid(int sides, double radius, double height) {
  Solid solid{"pyramid of " + std::to_string(sides), {{0, 0, 0.75 * height}}, {}};
  std::vector<int> base;
  for (int i = 0; i < sides; ++i) {
    const double angle = 2 * std::numbers::pi * i / sides;
    solid.vertex.push_back({radius * std::cos(angle), radius * std::sin(angle), -0.25 * height});
    base.insert(base.begin(), i + 1);
    solid.face.push_back({i + 1, (i + 1) % sides + 1, 0});
  }
  solid.face.push_back(base);
  return solid;
}

Solid box_solid(const Vec3& half) {
  Solid solid = prism(4, 1, half.z);
  solid.name = "box";
  const double x[4] = {1, -1, -1, 1}, y[4] = {1, 1, -1, -1};
  for (int i = 0; i < 8; ++i) {
    solid.vertex[at(i)].x = half.x * x[i / 2];
    solid.vertex[at(i)].y = half.y * y[i / 2];
  }
  return solid;
}

// Hull of random points on an ellipsoid: every triple with all other points on one side is a face.
Solid random_solid(Random& random, int points, const Vec3& size) {
  Solid solid{"random hull of " + std::to_string(points), {}, {}};
  for (int i = 0; i < points; ++i) solid.vertex.push_back(scaled(random.direction(), size));
  for (int i = 0; i < points; ++i)
    for (int j = i + 1; j < points; ++j)
      for (int k = j + 1; k < points; ++k) {
        const Vec3 n = cross(solid.vertex[at(j)] - solid.vertex[at(i)], solid.vertex[at(k)] - solid.vertex[at(i)]);
        int above = 0, below = 0;
        for (int m = 0; m < points; ++m) {
          if (m == i || m == j || m == k) continue;
          (dot(n, solid.vertex[at(m)] - solid.vertex[at(i)]) > 0 ? above : below)++;
        }
        if (above == 0)
          solid.face.push_back({i, j, k});
        else if (below == 0)
          solid.face.push_back({i, k, j});
      }
  return solid;
}

ShapeT<double> HullShop::shape(const Solid& solid) {
  Model model;
  model.nhull = 1;
  model.hull_vertex = {0, static_cast<int>(solid.vertex.size())};
  model.hull_face = {0, static_cast<int>(solid.face.size())};
  model.hull_vertex_position = solid.vertex;
  model.hull_face_vertex = {0};
  Polytope polytope;
  polytope.vertex = solid.vertex;
  polytope.face = solid.face;
  for (std::size_t f = 0; f < solid.face.size(); ++f) {
    model.hull_face_normal.push_back(polytope.face_normal(f));
    for (int v : solid.face[f]) model.hull_face_vertex_index.push_back(v);
    model.hull_face_vertex.push_back(static_cast<int>(model.hull_face_vertex_index.size()));
  }
  Item item{std::make_unique<HullArrays<double>>(model), solid, nullptr};
  ShapeT<double> shape;
  shape.type = ShapeType::kHull;
  shape.R = Mat3::identity();
  shape.hull = item.arrays->view(0);
  shape.radius = item.arrays->radius(0);
  item.key = shape.hull.vertex;
  items_.push_back(std::move(item));
  return shape;
}

Polytope HullShop::polytope(const ShapeT<double>& shape) const {
  Polytope polytope;
  Solid solid;
  switch (shape.type) {
    case ShapeType::kSphere:
      polytope.vertex = {{}};
      polytope.radius = shape.size.x;
      break;
    case ShapeType::kCapsule:
      polytope.vertex = {{0, 0, -shape.size.y}, {0, 0, shape.size.y}};
      polytope.edge = {{0, 1}};
      polytope.radius = shape.size.x;
      break;
    case ShapeType::kBox:
      solid = box_solid(shape.size);
      break;
    case ShapeType::kHull:
      for (const Item& item : items_)
        if (item.key == shape.hull.vertex) solid = item.solid;
      break;
    case ShapeType::kPlane: {
      // A slab so large that its sides are out of reach.
      solid = box_solid({1e3, 1e3, 50});
      for (Vec3& v : solid.vertex) v.z -= 50;
      break;
    }
    default:
      break;
  }
  if (!solid.vertex.empty()) {
    polytope.vertex = solid.vertex;
    polytope.face = solid.face;
    for (const auto& loop : solid.face)
      for (std::size_t k = 0; k < loop.size(); ++k) {
        const int i = loop[k], j = loop[(k + 1) % loop.size()];
        if (i < j) polytope.edge.push_back({i, j});
      }
  }
  for (Vec3& v : polytope.vertex) v = shape.p + shape.R * v;
  return polytope;
}

ShapeT<double> sphere_shape(double radius) {
  ShapeT<double> shape;
  shape.type = ShapeType::kSphere;
  shape.R = Mat3::identity();
  shape.size = {radius, 0, 0};
  shape.radius = radius;
  return shape;
}

ShapeT<double> capsule_shape(double radius, double half_length) {
  ShapeT<double> shape = sphere_shape(radius);
  shape.type = ShapeType::kCapsule;
  shape.size = {radius, half_length, 0};
  shape.radius = radius + half_length;
  return shape;
}

ShapeT<double> box_shape(const Vec3& half) {
  ShapeT<double> shape = sphere_shape(norm(half));
  shape.type = ShapeType::kBox;
  shape.size = half;
  return shape;
}

ShapeT<double> plane_shape() {
  ShapeT<double> shape = sphere_shape(0);
  shape.type = ShapeType::kPlane;
  return shape;
}

void place(ShapeT<double>& shape, const Vec3& p, const Quat& q) {
  shape.p = p;
  shape.R = rotation_matrix(q);
}

}  // namespace stiction::test
