// Triangles that meet edge to edge where their surfaces do. Files have them otherwise: vertices at one place up to the
// rounding of single precision; a vertex of one triangle in the middle of another's side (a T-junction), where both
// sides would be rims that stop what slides over them; and solids that touch, with a wall of two sides between them.
#pragma once

#include <array>
#include <vector>

#include "math/vec3.hpp"

namespace stiction::detail {

// No vertices are added or moved. One closed part, all of whose edges have two triangles, stays as it is but for
// welding and triangles without area.
std::vector<std::array<int, 3>> mended_triangles(const std::vector<Vec3>& vertices,
                                                 const std::vector<std::array<int, 3>>& triangles);

}  // namespace stiction::detail
