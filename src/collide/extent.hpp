// How far a shape reaches along a direction, and which of its points gets there first.
#pragma once

#include "collide/shape.hpp"

namespace stiction {

// [m] largest n·x over the points x of a placed shape; n is a unit vector. A plane has no bound: infinity.
double reach_along(const ShapeT<double>& shape, const Vec3& n);

// Where the part of a curved surface about the point x of it reaches farthest along n: a ball of a capsule, a circle of
// a cylinder, an ellipsoid. Corners and edges stay where they are.
Vec3 foremost(const ShapeT<double>& shape, const Vec3& x, const Vec3& n);

}  // namespace stiction
