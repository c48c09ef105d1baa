// Surfaces made of triangles: from files (OBJ, STL, PLY), as the boundary of tetrahedra, and what can be said about
// them.
#pragma once

#include <array>
#include <string>
#include <vector>

namespace stiction {

struct TriangleMesh {
  std::vector<double> vertices;  // [m] x, y, z of each vertex
  std::vector<int> triangles;    // three vertices of each, counter-clockwise seen from outside
};

// Reads .obj, .stl (text or binary) or .ply (text or binary); polygons are cut into triangles and the vertices of an
// STL file, which has none of its own, are merged. Of the files of read_tetrahedra it gives the boundary. Throws Error
// with the file, the line (or byte) and what is wrong.
TriangleMesh read_mesh(const std::string& path);

// A solid cut into tetrahedra.
struct TetrahedralMesh {
  std::vector<double> vertices;  // [m] x, y, z of each vertex
  std::vector<int> tetrahedra;   // four vertices of each: the last three are counter-clockwise seen from outside
};

// Reads text files of Gmsh (.msh, versions 2.2 and 4.1) and VTK (.vtk, legacy unstructured grids). Tetrahedra of second
// order count by their corners; elements of other kinds are left out. Throws Error with the file, the line and what is
// wrong.
TetrahedralMesh read_tetrahedra(const std::string& path);

// The surface of the solid: the faces of one tetrahedron, outward. Vertices inside are left out, the others keep their
// order; `source`, if given, gets the vertex of the solid of each. Throws Error where the solid has no such surface:
// the number of the tetrahedron that is inverted, flat, not finite or a third at one face.
TriangleMesh boundary(const TetrahedralMesh& mesh, std::vector<int>* source = nullptr);

// The mesh with vertices at exactly the same place made one; triangles stay, in their order.
TriangleMesh merge_vertices(const TriangleMesh& mesh);

// An edge joins two vertices by their numbers: vertices that only lie on each other do not join triangles.
struct MeshReport {
  int vertices = 0, triangles = 0;
  int not_finite = 0;            // vertices with a NaN or infinite coordinate; nothing below is computed if there are
  int unused_vertices = 0;       // in no triangle
  int duplicate_vertices = 0;    // at the place of an earlier vertex
  int degenerate_triangles = 0;  // twice the area at most 1e-12 of the longest side squared
  int duplicate_triangles = 0;   // the three vertices of an earlier one; two that run alike count once below
  int boundary_edges = 0;        // of one triangle
  int nonmanifold_edges = 0;     // of more than two triangles
  int flipped_edges = 0;         // of two triangles, one of which must be turned over
  int flipped_triangles = 0;     // that run against the others of their part
  int components = 0;            // parts that no edge joins
  bool closed = false;           // every edge has two triangles
  bool oriented = false;         // no flipped and no nonmanifold edge
  bool outward = false;          // closed, oriented and of positive volume
  double area = 0;               // [m²]
  // Of the enclosed solid; of an open surface, of the cones from the middle of its bounds.
  double volume = 0;                          // [m³] negative where the triangles face inwards
  std::array<double, 3> centre_of_mass{};     // [m]
  std::array<double, 9> inertia{};            // [m⁵] about the centre of mass, per density, by rows
  std::array<double, 3> lower{}, upper{};     // [m] bounds
  double size = 0;                            // [m] diagonal of the bounds
  std::vector<std::string> problems() const;  // what is wrong with it as the surface of a solid, and what to do
  std::string text() const;                   // the whole report as lines
};

// Throws Error only where the arrays are no mesh: lengths that are no multiples of three, vertices that do not exist.
MeshReport inspect(const TriangleMesh& mesh);

}  // namespace stiction
