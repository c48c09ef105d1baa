// Meshes of triangles and tetrahedra: files, arrays and reports.
#include <stiction/mesh.hpp>

#include <nanobind/stl/filesystem.h>

#include "arrays.hpp"
#include "module.hpp"

namespace stiction::python {
namespace {

template <class Scalar, int n>
using Rows = nb::ndarray<nb::numpy, const Scalar, nb::shape<-1, n>>;

template <class Scalar, int n = 3>
std::vector<Scalar> rows(nb::handle value, const std::string& name) {
  const nb::object array = nb::module_::import_("numpy").attr("asarray")(value);
  const nb::object shape = array.attr("shape");
  if (nb::len(shape) != 2 || nb::cast<int>(shape[1]) != n)
    throw Error(name + ": rows of " + (n == 3 ? "three" : "four") + " numbers are needed");
  const nb::object checked = to_array(array, numpy_name<Scalar>(), {nb::cast<std::size_t>(shape[0]), n}, name);
  const auto source = nb::cast<nb::ndarray<const Scalar, nb::c_contig, nb::device::cpu>>(checked);
  return {source.data(), source.data() + source.size()};
}

template <class Scalar, int n = 3>
Rows<Scalar, n> view_rows(const std::vector<Scalar>& values, nb::handle owner) {
  const std::size_t shape[2] = {values.size() / n, n};
  return {values.data(), 2, shape, owner};
}

Mat3 inertia(const MeshReport& report) {
  const auto& m = report.inertia;
  return {{{m[0], m[1], m[2]}, {m[3], m[4], m[5]}, {m[6], m[7], m[8]}}};
}

Vec3 vec3(const std::array<double, 3>& v) {
  return {v[0], v[1], v[2]};
}

void bind_mesh_report(nb::module_& module) {
  nb::class_<MeshReport>(module, "MeshReport", "What can be said about a mesh.")
      .def_ro("vertices", &MeshReport::vertices, "number of vertices")
      .def_ro("triangles", &MeshReport::triangles, "number of triangles")
      .def_ro("not_finite", &MeshReport::not_finite, "vertices that are NaN or infinite")
      .def_ro("unused_vertices", &MeshReport::unused_vertices, "vertices in no triangle")
      .def_ro("duplicate_vertices", &MeshReport::duplicate_vertices, "vertices at the place of an earlier one")
      .def_ro("degenerate_triangles", &MeshReport::degenerate_triangles, "triangles without area")
      .def_ro("duplicate_triangles", &MeshReport::duplicate_triangles, "triangles with the vertices of an earlier one")
      .def_ro("boundary_edges", &MeshReport::boundary_edges, "edges of one triangle")
      .def_ro("nonmanifold_edges", &MeshReport::nonmanifold_edges, "edges of more than two triangles")
      .def_ro("flipped_edges", &MeshReport::flipped_edges, "edges at which the triangles face different sides")
      .def_ro("flipped_triangles", &MeshReport::flipped_triangles, "triangles that run against their neighbours")
      .def_ro("components", &MeshReport::components, "parts that no edge joins")
      .def_ro("closed", &MeshReport::closed, "every edge has two triangles")
      .def_ro("oriented", &MeshReport::oriented, "all triangles face the same side")
      .def_ro("outward", &MeshReport::outward, "closed, oriented and of positive volume")
      .def_ro("area", &MeshReport::area, "[m²]")
      .def_ro("volume", &MeshReport::volume, "[m³] negative where the triangles face inwards")
      .def_ro("size", &MeshReport::size, "diagonal of the bounds [m]")
      .def_prop_ro(
          "centre_of_mass", [](const MeshReport& self) { return from_vec3(vec3(self.centre_of_mass)); },
          nb::rv_policy::automatic, "[m]")
      .def_prop_ro(
          "inertia", [](const MeshReport& self) { return from_mat3(inertia(self)); }, nb::rv_policy::automatic,
          "about the centre of mass, per density [m⁵]")
      .def_prop_ro(
          "lower", [](const MeshReport& self) { return from_vec3(vec3(self.lower)); }, nb::rv_policy::automatic,
          "lower corner of the bounds [m]")
      .def_prop_ro(
          "upper", [](const MeshReport& self) { return from_vec3(vec3(self.upper)); }, nb::rv_policy::automatic,
          "upper corner of the bounds [m]")
      .def("problems", &MeshReport::problems, "What is wrong with it as the surface of a solid, and what to do.")
      .def("__str__", &MeshReport::text);
}

void bind_tetrahedra(nb::module_& module) {
  nb::class_<TetrahedralMesh>(module, "TetrahedralMesh", "A solid cut into tetrahedra.")
      .def(
          "__init__",
          [](TetrahedralMesh* self, const ArrayLike& vertices, const ArrayLike& tetrahedra) {
            new (self) TetrahedralMesh{rows<double>(vertices, "vertices"), rows<int, 4>(tetrahedra, "tetrahedra")};
          },
          nb::arg("vertices"), nb::arg("tetrahedra"))
      .def_prop_ro(
          "vertices", [](nb::pointer_and_handle<TetrahedralMesh> self) { return view_rows(self.p->vertices, self.h); },
          nb::rv_policy::automatic, "x, y, z of each vertex [m]")
      .def_prop_ro(
          "tetrahedra",
          [](nb::pointer_and_handle<TetrahedralMesh> self) { return view_rows<int, 4>(self.p->tetrahedra, self.h); },
          nb::rv_policy::automatic, "four vertices of each: the last three counter-clockwise seen from outside")
      .def(
          "boundary", [](const TetrahedralMesh& self) { return boundary(self); },
          "The surface of the solid, outward; Error where a tetrahedron is inverted or flat, or three share a face.");
  module.def(
      "read_tetrahedra", [](const std::filesystem::path& path) { return read_tetrahedra(path.string()); },
      nb::arg("path"), nb::call_guard<nb::gil_scoped_release>(),
      "Reads a text file of Gmsh (.msh, 2.2 or 4.1) or VTK (.vtk); Error with the line where it cannot be read.");
}

}  // namespace

void bind_mesh(nb::module_& module) {
  bind_mesh_report(module);
  nb::class_<TriangleMesh>(module, "TriangleMesh", "A surface made of triangles.")
      .def(
          "__init__",
          [](TriangleMesh* self, const ArrayLike& vertices, const ArrayLike& triangles) {
            new (self) TriangleMesh{rows<double>(vertices, "vertices"), rows<int>(triangles, "triangles")};
          },
          nb::arg("vertices"), nb::arg("triangles"))
      .def_prop_ro(
          "vertices", [](nb::pointer_and_handle<TriangleMesh> self) { return view_rows(self.p->vertices, self.h); },
          nb::rv_policy::automatic, "x, y, z of each vertex [m]")
      .def_prop_ro(
          "triangles", [](nb::pointer_and_handle<TriangleMesh> self) { return view_rows(self.p->triangles, self.h); },
          nb::rv_policy::automatic, "three vertices of each, counter-clockwise seen from outside")
      .def("merged", &merge_vertices, "The mesh with vertices at exactly the same place made one.")
      .def("report", &inspect, "What can be said about the mesh.");
  module.def(
      "read_mesh", [](const std::filesystem::path& path) { return read_mesh(path.string()); }, nb::arg("path"),
      nb::call_guard<nb::gil_scoped_release>(),
      "Reads an OBJ, STL or PLY file, or the boundary of the tetrahedra of a Gmsh (.msh) or VTK (.vtk) file; Error "
      "with "
      "the line where it cannot be read.");
  bind_tetrahedra(module);
}

}  // namespace stiction::python
