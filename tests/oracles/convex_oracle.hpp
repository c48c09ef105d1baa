// Distances of convex shapes by brute force, as an oracle for the narrow phase. A shape is a polytope (a point, a
// segment, a polyhedron) with a ball of a radius swept over it. All features are tried against all features; nothing is
// shared with src/collide but the description of the shape.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "collide/hull.hpp"
#include "collide/shape.hpp"
#include "support/random.hpp"

namespace stiction::test {

struct Polytope {
  std::vector<Vec3> vertex;            // [m] in the world
  std::vector<std::vector<int>> face;  // counter-clockwise seen from outside
  std::vector<std::pair<int, int>> edge;
  double radius = 0;  // [m]

  Vec3 face_normal(std::size_t f) const;
  double support(const Vec3& n) const;  // largest n·x, with the radius
};

// A convex polyhedron in its own frame, for hulls.
struct Solid {
  std::string name;
  std::vector<Vec3> vertex;
  std::vector<std::vector<int>> face;
};
Solid prism(int sides, double radius, double half_height);
Solid pyramid(int sides, double radius, double height);
Solid random_solid(Random& random, int points, const Vec3& size);
Solid box_solid(const Vec3& half);

// Owns the arrays behind hull shapes.
class HullShop {
 public:
  ShapeT<double> shape(const Solid& solid);
  Polytope polytope(const ShapeT<double>& shape) const;

 private:
  struct Item {
    std::unique_ptr<HullArrays<double>> arrays;
    Solid solid;
    const Vec3* key;
  };
  std::vector<Item> items_;
};

// Plain shapes at the origin.
ShapeT<double> sphere_shape(double radius);
ShapeT<double> capsule_shape(double radius, double half_length);
ShapeT<double> box_shape(const Vec3& half);
ShapeT<double> plane_shape();
void place(ShapeT<double>& shape, const Vec3& p, const Quat& q);

// Distance of two polytopes: positive if they are disjoint, minus the least penetration otherwise.
double brute_distance(const Polytope& a, const Polytope& b);
// Separation along n: min n·B − max n·A.
double separation_along(const Polytope& a, const Polytope& b, const Vec3& n);
// Signed distance of a point; inside, minus the distance to the surface of the core plus the radius.
double point_distance(const Polytope& a, const Vec3& x);

}  // namespace stiction::test
