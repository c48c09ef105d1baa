// Distances of convex shapes by brute force, as an oracle for the narrow phase. A shape is a polytope (a point, a
// segment, a polyhedron) with a ball of a radius swept over it. All features are tried against all features; nothing is
// shared with src/collide but the description of the shape.
#pragma once

#include <utility>
#include <vector>

#include "support/convex_shapes.hpp"

namespace stiction::test {

struct Polytope {
  std::vector<Vec3> vertex;            // [m] in the world
  std::vector<std::vector<int>> face;  // counter-clockwise seen from outside
  std::vector<std::pair<int, int>> edge;
  double radius = 0;  // [m]

  Vec3 face_normal(std::size_t f) const;
  double support(const Vec3& n) const;  // largest n·x, with the radius
};

// The shape as placed; a plane becomes a slab so large that its sides are out of reach.
Polytope polytope(const ShapeT<double>& shape, const ShapeFactory& factory);

// Distance of two polytopes: positive if they are disjoint, minus the least penetration otherwise.
double brute_distance(const Polytope& a, const Polytope& b);
// Separation along n: min n·B − max n·A.
double separation_along(const Polytope& a, const Polytope& b, const Vec3& n);
// Signed distance of a point; inside, minus the distance to the surface of the core plus the radius.
double point_distance(const Polytope& a, const Vec3& x);
// Distance of a point to the nearest face, of those within 45° of n, that it projects into; infinity if there is none.
double height_over_faces(const Polytope& a, const Vec3& x, const Vec3& n);

}  // namespace stiction::test
