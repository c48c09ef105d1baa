// Shapes for tests and benchmarks of the narrow phase: plain ones, and hulls of a few solids.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

#include "collide/hull.hpp"
#include "support/random.hpp"

namespace stiction::test {

// A convex polyhedron in its own frame; faces run counter-clockwise seen from outside.
struct Solid {
  std::string name;
  std::vector<Vec3> vertex;
  std::vector<std::vector<int>> face;
};

inline Solid prism(int sides, double radius, double half_height) {
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

inline Solid pyramid(int sides, double radius, double height) {
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

inline Solid box_solid(const Vec3& half) {
  Solid solid = prism(4, 1, half.z);
  solid.name = "box";
  const double x[4] = {1, -1, -1, 1}, y[4] = {1, 1, -1, -1};
  for (int i = 0; i < 8; ++i) {
    solid.vertex[std::size_t(i)].x = half.x * x[i / 2];
    solid.vertex[std::size_t(i)].y = half.y * y[i / 2];
  }
  return solid;
}

// Hull of random points on an ellipsoid: every triple with all other points on one side is a face.
inline Solid random_solid(Random& random, int points, const Vec3& size) {
  Solid solid{"random hull of " + std::to_string(points), {}, {}};
  for (int i = 0; i < points; ++i) solid.vertex.push_back(scaled(random.direction(), size));
  for (int i = 0; i < points; ++i)
    for (int j = i + 1; j < points; ++j)
      for (int k = j + 1; k < points; ++k) {
        const Vec3 n = cross(solid.vertex[std::size_t(j)] - solid.vertex[std::size_t(i)],
                             solid.vertex[std::size_t(k)] - solid.vertex[std::size_t(i)]);
        int above = 0, below = 0;
        for (int m = 0; m < points; ++m) {
          if (m == i || m == j || m == k) continue;
          (dot(n, solid.vertex[std::size_t(m)] - solid.vertex[std::size_t(i)]) > 0 ? above : below)++;
        }
        if (above == 0)
          solid.face.push_back({i, j, k});
        else if (below == 0)
          solid.face.push_back({i, k, j});
      }
  return solid;
}

// Normal of a polygon as the sum over its loop (Newell): robust for any number of vertices.
inline Vec3 polygon_normal(const std::vector<Vec3>& vertex, const std::vector<int>& loop) {
  const Vec3 origin = vertex[std::size_t(loop[0])];
  Vec3 n{};
  for (std::size_t k = 0; k < loop.size(); ++k)
    n += cross(vertex[std::size_t(loop[k])] - origin, vertex[std::size_t(loop[(k + 1) % loop.size()])] - origin);
  return normalized(n);
}

// Fills the hull arrays of a model with the solids, in their order.
inline void set_hulls(Model& model, const std::vector<Solid>& solids) {
  model.nhull = int(solids.size());
  model.hull_vertex = model.hull_face = model.hull_face_vertex = {0};
  model.hull_vertex_position.clear();
  model.hull_face_normal.clear();
  model.hull_face_vertex_index.clear();
  for (const Solid& solid : solids) {
    model.hull_vertex_position.insert(model.hull_vertex_position.end(), solid.vertex.begin(), solid.vertex.end());
    for (const auto& loop : solid.face) {
      model.hull_face_normal.push_back(polygon_normal(solid.vertex, loop));
      model.hull_face_vertex_index.insert(model.hull_face_vertex_index.end(), loop.begin(), loop.end());
      model.hull_face_vertex.push_back(int(model.hull_face_vertex_index.size()));
    }
    model.hull_vertex.push_back(int(model.hull_vertex_position.size()));
    model.hull_face.push_back(int(model.hull_face_normal.size()));
  }
  model.nhullvertex = int(model.hull_vertex_position.size());
  model.nhullface = int(model.hull_face_normal.size());
  model.nhullfacevertex = int(model.hull_face_vertex_index.size());
}

inline ShapeT<double> sphere_shape(double radius) {
  ShapeT<double> shape;
  shape.type = ShapeType::kSphere;
  shape.R = Mat3::identity();
  shape.size = {radius, 0, 0};
  shape.radius = radius;
  return shape;
}

inline ShapeT<double> capsule_shape(double radius, double half_length) {
  ShapeT<double> shape = sphere_shape(radius);
  shape.type = ShapeType::kCapsule;
  shape.size = {radius, half_length, 0};
  shape.radius = radius + half_length;
  return shape;
}

inline ShapeT<double> box_shape(const Vec3& half) {
  ShapeT<double> shape = sphere_shape(norm(half));
  shape.type = ShapeType::kBox;
  shape.size = half;
  return shape;
}

inline ShapeT<double> cylinder_shape(double radius, double half_length) {
  ShapeT<double> shape = sphere_shape(std::hypot(radius, half_length));
  shape.type = ShapeType::kCylinder;
  shape.size = {radius, half_length, 0};
  return shape;
}

inline ShapeT<double> ellipsoid_shape(const Vec3& radii) {
  ShapeT<double> shape = sphere_shape(std::max({radii.x, radii.y, radii.z}));
  shape.type = ShapeType::kEllipsoid;
  shape.size = radii;
  return shape;
}

inline ShapeT<double> plane_shape() {
  ShapeT<double> shape = sphere_shape(0);
  shape.type = ShapeType::kPlane;
  return shape;
}

inline void place(ShapeT<double>& shape, const Vec3& p, const Quat& q) {
  shape.p = p;
  shape.R = rotation_matrix(q);
}

// Makes hull shapes and owns the arrays behind them.
class ShapeFactory {
 public:
  ShapeT<double> shape(const Solid& solid) {
    Model model;
    set_hulls(model, {solid});
    arrays_.push_back(std::make_unique<HullArrays<double>>(model));
    solids_.push_back(solid);
    ShapeT<double> shape = sphere_shape(arrays_.back()->radius(0));
    shape.type = ShapeType::kHull;
    shape.size = {};
    shape.hull = arrays_.back()->view(0);
    return shape;
  }
  const Solid& solid(const ShapeT<double>& shape) const {
    std::size_t i = 0;
    while (arrays_[i]->view(0).vertex.x != shape.hull.vertex.x) ++i;
    return solids_[i];
  }

 private:
  std::vector<std::unique_ptr<HullArrays<double>>> arrays_;
  std::vector<Solid> solids_;
};

}  // namespace stiction::test
