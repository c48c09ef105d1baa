// Surfaces made of triangles.
#pragma once

#include <vector>

namespace stiction {

struct TriangleMesh {
  std::vector<double> vertices;  // [m] x, y, z of each vertex
  std::vector<int> triangles;    // three vertices of each, counter-clockwise seen from outside
};

}  // namespace stiction
