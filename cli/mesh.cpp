// stiction mesh: what can be said about a mesh file.
#include <fmt/format.h>

#include <memory>

#include <stiction/mesh.hpp>

#include "commands.hpp"
#include "json.hpp"

namespace stiction::cli {
namespace {

template <std::size_t n>
std::vector<double> list(const std::array<double, n>& values) {
  return {values.begin(), values.end()};
}

int report_mesh(const std::string& path, bool json) {
  const MeshReport report = inspect(read_mesh(path));
  if (json) {
    fmt::print("{}\n", JsonObject()
                           .add("mesh", path)
                           .add("vertices", report.vertices)
                           .add("triangles", report.triangles)
                           .add("components", report.components)
                           .add("closed", report.closed)
                           .add("oriented", report.oriented)
                           .add("outward", report.outward)
                           .add("not_finite", report.not_finite)
                           .add("unused_vertices", report.unused_vertices)
                           .add("duplicate_vertices", report.duplicate_vertices)
                           .add("degenerate_triangles", report.degenerate_triangles)
                           .add("duplicate_triangles", report.duplicate_triangles)
                           .add("boundary_edges", report.boundary_edges)
                           .add("nonmanifold_edges", report.nonmanifold_edges)
                           .add("flipped_edges", report.flipped_edges)
                           .add("flipped_triangles", report.flipped_triangles)
                           .add("lower_m", list(report.lower))
                           .add("upper_m", list(report.upper))
                           .add("area_m2", report.area)
                           .add("volume_m3", report.volume)
                           .add("centre_of_mass_m", list(report.centre_of_mass))
                           .add("inertia_m5", list(report.inertia))
                           .add("problems", report.problems())
                           .text());
  } else {
    fmt::print("{}\n{}", path, report.text());
  }
  return report.problems().empty() ? kExitGood : kExitBad;
}

}  // namespace

void add_mesh(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("mesh", "Report on a mesh file: closed, orientation, volume, faults");
  const auto path = std::make_shared<std::string>();
  const auto json = std::make_shared<bool>(false);
  command->add_option("file", *path, "OBJ, STL or PLY file")->required();
  command->add_flag("--json", *json, "Print one JSON object and nothing else on standard output");
  command->footer(R"(
Exit code 0: the surface of a solid without faults. 1: the report lists what is wrong. 2: the file cannot be read.)");
  command->callback([path, json, &exit_code] { exit_code = report_mesh(*path, *json); });
}

}  // namespace stiction::cli
