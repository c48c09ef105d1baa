// Loading MJCF and URDF. Without a report to fill, what was left out or assumed becomes a Python warning.
#include <stiction/load.hpp>

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "module.hpp"

namespace stiction::python {
namespace {

namespace nb = nanobind;

std::shared_ptr<const Model> load_model(const std::filesystem::path& path, bool allow_unsupported, LoadReport* report,
                                        const std::string& coordinates, const std::string& meshes) {
  if (meshes != "hulls" && meshes != "triangles")
    throw Error("meshes collide as 'hulls' or 'triangles', not '" + meshes + "'");
  if (coordinates != "reduced" && coordinates != "maximal")
    throw Error("coordinates are 'reduced' or 'maximal', not '" + coordinates + "'");
  const Coordinates kind = coordinates == "maximal" ? Coordinates::kMaximal : Coordinates::kReduced;
  const MeshShapes shapes = meshes == "triangles" ? MeshShapes::kTriangles : MeshShapes::kHulls;
  LoadReport own;
  LoadReport& filled = report == nullptr ? own : *report;
  filled = {};
  auto model =
      std::make_shared<const Model>(load(path.string(), LoadOptions{allow_unsupported, kind, shapes}, &filled));
  if (report == nullptr)
    for (const LoadIssue& issue : own.issues)
      if (PyErr_WarnEx(PyExc_UserWarning, (issue.element + ": " + issue.missing).c_str(), 1) != 0)
        throw nb::python_error();
  return model;
}

}  // namespace

void bind_load(nb::module_& module) {
  nb::class_<LoadIssue>(module, "LoadIssue", "One thing that a file says and the engine does not do.")
      .def_ro("changes_physics", &LoadIssue::changes_physics, "an error unless allow_unsupported")
      .def_ro("element", &LoadIssue::element, "the element with its name or line")
      .def_ro("missing", &LoadIssue::missing, "what is missing, and what to do")
      .def("__repr__", [](const LoadIssue& self) { return self.element + ": " + self.missing; });
  nb::class_<LoadReport>(module, "LoadReport", "What load() left out of a file.")
      .def(nb::init<>())
      .def_ro("issues", &LoadReport::issues, "what the engine does not do")
      .def_ro("notes", &LoadReport::notes, "what was left out on purpose")
      .def("__str__", &LoadReport::text);
  module.def("load", &load_model, nb::arg("path"), nb::kw_only(), nb::arg("allow_unsupported") = false,
             nb::arg("report").none() = nb::none(), nb::arg("coordinates") = "reduced", nb::arg("meshes") = "hulls",
             "The model of an MJCF or URDF file. What the engine cannot simulate is an Error with the whole list, or, "
             "with allow_unsupported, a warning for each, as is what is missing without changing the motion (sensors) "
             "or had to "
             "be assumed (links without inertia); give a LoadReport to have the list instead. "
             "coordinates=\"maximal\" makes every body free and its joints rows of the problem. "
             "meshes=\"triangles\" collides meshes triangle by triangle instead of as convex hulls.");
}

}  // namespace stiction::python
