// What the edges of a surface tell: where it is open, which triangles run against their neighbours, how many parts.
#pragma once

#include <array>
#include <vector>

#include <stiction/mesh.hpp>

namespace stiction::detail {

using Corners = std::array<int, 3>;

// For each triangle: has an earlier one the same vertices in the same order around it?
std::vector<char> repeated(const std::vector<Corners>& triangles);

// Edges, parts, closed and oriented, of triangles that are none without area by a vertex named twice.
void inspect_edges(const std::vector<Corners>& triangles, MeshReport& report);

}  // namespace stiction::detail
