// What follows from the geometry of a surface of triangles: the solid that it encloses, and what is wrong with it.
#pragma once

#include <string>

#include <stiction/mesh.hpp>

#include "model/inertia.hpp"

namespace stiction::detail {

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
