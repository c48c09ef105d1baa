// Convex hull of points, as triangles, and hulls in the tables of a Model.
#pragma once

#include <array>
#include <vector>

#include <stiction/model.hpp>

namespace stiction::detail {

// Triangles of the hull, counter-clockwise from outside: a closed surface outside of which no point is farther than
// 1e-12 of the size. Empty if the points lie in a plane (to 1e-9 of their size); they are finite.
std::vector<std::array<int, 3>> convex_hull(const std::vector<Vec3>& points);

// Appends the hull with these triangles; its number. Triangles within 1e-6 of the hull's size of one plane are one
// face: points of mesh files are floats, so that a flat face is flat to 1e-7 of the size.
int add_hull(const std::vector<Vec3>& points, const std::vector<std::array<int, 3>>& triangles, Model& model);

}  // namespace stiction::detail
