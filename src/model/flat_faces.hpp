// Triangles of a convex surface merged into flat polygons.
#pragma once

#include <array>
#include <vector>

#include "math/vec3.hpp"

namespace stiction::detail {

// Area vector of a polygon, ½ Σ p_i × p_{i+1}: normal to it, as long as its area (Newell).
Vec3 area_vector(const std::vector<Vec3>& points);

// Faces of a closed convex surface given by triangles (counter-clockwise from outside). Neighbouring triangles become
// one polygon where all their vertices lie within `tolerance` [m] of the plane of the largest; vertices inside a
// polygon, and those in the middle of a straight edge, are in no face. The surface stays closed.
std::vector<std::vector<int>> merge_flat_faces(const std::vector<Vec3>& vertices,
                                               const std::vector<std::array<int, 3>>& triangles, double tolerance);

}  // namespace stiction::detail
