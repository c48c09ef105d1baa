// The rows of the collision table as parameters of tests.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "collide/pair_table.hpp"

namespace stiction::test {

using ShapePair = std::pair<ShapeType, ShapeType>;

// Rows of convex shapes with a cylinder or an ellipsoid, or the others: polyhedra and balls swept along them.
inline std::vector<ShapePair> shape_pairs(bool smooth) {
#define STICTION_TEST_PAIR(type_a, type_b, routine, most, points) ShapePair{ShapeType::type_a, ShapeType::type_b},
  std::vector<ShapePair> pairs = {STICTION_PAIR_TABLE(STICTION_TEST_PAIR)};
#undef STICTION_TEST_PAIR
  std::erase_if(pairs, [&](const ShapePair& pair) {
    return most_points(pair.first, pair.second) > kMaxPoints ||  // surfaces that are not convex have their own tests
           smooth != (pair.second == ShapeType::kCylinder || pair.second == ShapeType::kEllipsoid);
  });
  return pairs;
}

inline std::string pair_name(const testing::TestParamInfo<ShapePair>& instance) {
  const char* names[] = {"plane", "sphere", "capsule", "box", "hull", "cylinder", "ellipsoid"};
  return std::string(names[int(instance.param.first)]) + "_" + names[int(instance.param.second)];
}

}  // namespace stiction::test
