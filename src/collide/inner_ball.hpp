// The largest ball about a point inside a shape.
#pragma once

#include "collide/shape.hpp"

namespace stiction {

// Of a ball about the point x of a shape, both in the shape's own frame.
struct InnerBall {
  Vec3 centre{};      // [m]
  double radius = 0;  // [m] 0: the point is not inside, or the shape has no inside
};

// Planes, height fields and open meshes have no inside. In an ellipsoid the ball is a little smaller than the largest.
InnerBall inner_ball(const ShapeT<double>& shape, const Vec3& x);

}  // namespace stiction
