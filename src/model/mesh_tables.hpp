// Surfaces of triangles from the tables of a Model, and what follows from their geometry: mass, and what is wrong with
// them.
#pragma once

#include <array>
#include <string>
#include <vector>

#include <stiction/mesh.hpp>

#include "model/inertia.hpp"

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

// Triangles that repeat an earlier one, with their vertices at the same places in the same order, are left out.
TriangleMesh without_repeats(const TriangleMesh& mesh);

// Does every side of a triangle have one partner that runs the other way? Vertices at one place are one.
bool is_closed(const TriangleMesh& mesh);
// In words, of a mesh that is not closed.
std::string why_no_volume(const TriangleMesh& mesh);
// Of the solid that a closed surface encloses, whichever way it is turned.
MassProperties solid_mass(const TriangleMesh& mesh, double density);

// What makes the mesh unusable, with the vertex or triangle; empty if nothing does.
std::string mesh_defect(const TriangleMesh& mesh);

}  // namespace stiction::detail
