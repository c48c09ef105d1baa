// How far a shape reaches along a direction, and which of its points gets there first; a direction along which two
// shapes are apart at the start and at the end of a motion.
#pragma once

#include "collide/shape.hpp"

namespace stiction {

// [m] largest n·x over the points x of a placed shape; n is a unit vector. A plane has no bound but along its normal:
// infinity.
double reach_along(const ShapeT<double>& shape, const Vec3& n);

// The point of a placed shape that is farthest along n; not of a plane.
Vec3 farthest_point(const ShapeT<double>& shape, const Vec3& n);

// Where the part of a curved surface about the point x of it reaches farthest along n: a ball of a capsule, a circle of
// a cylinder, an ellipsoid. Corners and edges stay where they are, and so do places on a cap that faces n.
Vec3 foremost(const ShapeT<double>& shape, const Vec3& x, const Vec3& n);

// The unit vector n, from A to B and in the frame of B, with which B is farthest beyond A both where A is at `start`
// and where it is at `end`, in the frame of B: the closest points of B and the hull of the two. False where they touch.
bool passing_axis(const ShapeT<double>& start, const ShapeT<double>& end, const ShapeT<double>& b, Vec3& n);

}  // namespace stiction
