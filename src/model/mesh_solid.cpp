#include "model/mesh_solid.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "model/mesh_edges.hpp"
#include "model/mesh_tables.hpp"

namespace stiction::detail {

namespace {

std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

}  // namespace

TriangleMesh without_repeats(const TriangleMesh& mesh) {
  const std::vector<int> place = welded_vertices(points_of(mesh));
  std::vector<Corners> triangles = triangles_of(mesh);
  for (Corners& t : triangles)
    for (int& vertex : t) vertex = place[at(vertex)];
  const std::vector<char> repeats = repeated(triangles);
  TriangleMesh result{mesh.vertices, {}};
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i)
    if (repeats[i / 3] == 0) result.triangles.push_back(mesh.triangles[i]);
  return result;
}

bool is_closed(const TriangleMesh& mesh) {
  const std::vector<int> place = welded_vertices(points_of(mesh));
  std::map<std::pair<int, int>, int> balance;  // sides that run up less those that run down
  for (const auto& t : triangles_of(mesh))
    for (std::size_t k = 0; k < 3; ++k) {
      const int v = place[at(t[k])], w = place[at(t[(k + 1) % 3])];
      if (v != w) balance[{std::min(v, w), std::max(v, w)}] += v < w ? 1 : -1;
    }
  return !balance.empty() &&
         std::all_of(balance.begin(), balance.end(), [](const auto& side) { return side.second == 0; });
}

std::string why_no_volume(const TriangleMesh& mesh) {
  const MeshReport report = inspect(merge_vertices(mesh));
  if (!report.closed || report.flipped_triangles == 0) return "an open mesh has no volume";
  return fmt::format("{} of its {} triangles run against their neighbours, so it has no inside (turn them over)",
                     report.flipped_triangles, report.triangles);
}

MassProperties solid_mass(const TriangleMesh& mesh, double density) {
  const MeshReport report = inspect(mesh);
  const double scale = report.volume < 0 ? -density : density;  // turned inside out: all integrals change sign
  Mat3 inertia{};
  for (int i = 0; i < 9; ++i) inertia(i / 3, i % 3) = report.inertia[at(i)] * scale;
  const auto& centre = report.centre_of_mass;
  return with_principal_axes(report.volume * scale, {centre[0], centre[1], centre[2]}, inertia);
}

std::string mesh_defect(const TriangleMesh& mesh) {
  if (mesh.vertices.size() % 3 != 0) return "the vertices must come as x, y, z of each";
  if (mesh.triangles.size() % 3 != 0) return "the triangles must have three vertices each";
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i)
    if (!std::isfinite(mesh.vertices[i]))
      return fmt::format("vertex {} has a coordinate of {}: it must be finite", i / 3, mesh.vertices[i]);
  const auto count = static_cast<int>(mesh.vertices.size() / 3);
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i)
    if (mesh.triangles[i] < 0 || mesh.triangles[i] >= count)
      return fmt::format("triangle {} names vertex {}: there are {}, numbered from 0", i / 3, mesh.triangles[i], count);
  if (mesh.triangles.empty()) return "it has no triangles";
  const MeshReport report = inspect(mesh);
  if (3 * static_cast<std::size_t>(report.degenerate_triangles) == mesh.triangles.size())
    return fmt::format("none of its {} triangles has an area: nothing could touch it", report.degenerate_triangles);
  return "";
}

}  // namespace stiction::detail
