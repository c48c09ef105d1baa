#include "support/narrow_phase.hpp"

namespace stiction::test {

int narrow_phase(const ShapeT<double>& a, const ShapeT<double>& b, double margin, ContactPointT<double>* out) {
  return collide_pair(a, b, margin, out);
}

ShapeDistanceT<double> signed_distance(const ShapeT<double>& a, const ShapeT<double>& b, double limit) {
  return shape_distance(a, b, limit);
}

}  // namespace stiction::test
