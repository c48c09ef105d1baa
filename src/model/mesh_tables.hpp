// Surfaces of triangles from the tables of a Model, and into them. Needs the standard library alone: the GPU programs
// build their surfaces with it.
#pragma once

#include <array>
#include <vector>

#include <stiction/mesh.hpp>
#include <stiction/model.hpp>

namespace stiction::detail {

std::vector<Vec3> points_of(const TriangleMesh& mesh);
std::vector<std::array<int, 3>> triangles_of(const TriangleMesh& mesh);
// [m] greatest distance of a vertex from the origin.
double farthest_vertex(const TriangleMesh& mesh);

TriangleMesh mesh_of(const Model& model, int mesh);
TriangleMesh hull_of(const Model& model, int hull);
TriangleMesh box_of(const Vec3& half_sizes);
// The solid between the heights and the base: its top has two triangles for each cell, split from (−x, −y) to (x, y).
TriangleMesh height_field_of(const Model& model, int field);

// Appends to the tables; the number of the mesh.
int add_mesh(const TriangleMesh& mesh, Model& model);

// For each vertex the first one at its place.
std::vector<int> welded_vertices(const std::vector<Vec3>& points);

}  // namespace stiction::detail
