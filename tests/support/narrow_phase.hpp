// The narrow phase in double, compiled once for all tests.
#pragma once

#include "collide/distance.hpp"

namespace stiction::test {

int narrow_phase(const ShapeT<double>& a, const ShapeT<double>& b, double margin, ContactPointT<double>* out);
ShapeDistanceT<double> signed_distance(const ShapeT<double>& a, const ShapeT<double>& b, double limit);

}  // namespace stiction::test
