// The boundary of a solid of tetrahedra: faces are sorted by their vertices; inside the solid each is there twice, seen
// from its two sides.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

#include <stiction/error.hpp>
#include <stiction/mesh.hpp>

#include "math/vec3.hpp"

namespace stiction {

namespace {

// A tetrahedron has no volume below this share of its longest edge cubed.
constexpr double kFlat = 1e-12;

// Faces of (0, 1, 2, 3), counter-clockwise seen from outside.
constexpr int kFace[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};

struct Face {
  std::array<int, 3> sorted, corner;
  int tetrahedron;
};

std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

Vec3 vertex(const TetrahedralMesh& mesh, int i) {
  const double* p = mesh.vertices.data() + 3 * at(i);
  return {p[0], p[1], p[2]};
}

void check_tetrahedron(const TetrahedralMesh& mesh, int t) {
  const int* corner = mesh.tetrahedra.data() + 4 * at(t);
  const int count = static_cast<int>(mesh.vertices.size() / 3);
  for (int k = 0; k < 4; ++k) {
    if (corner[k] < 0 || corner[k] >= count)
      throw Error(fmt::format("tetrahedron {} names vertex {} of {}", t, corner[k], count));
    if (!is_finite(vertex(mesh, corner[k])))
      throw Error(fmt::format("tetrahedron {}: vertex {} is NaN or infinite", t, corner[k]));
  }
  const Vec3 p = vertex(mesh, corner[0]);
  const Vec3 a = vertex(mesh, corner[1]) - p, b = vertex(mesh, corner[2]) - p, c = vertex(mesh, corner[3]) - p;
  const double volume = dot(a, cross(b, c)) / 6;
  const double longest = std::max({norm(a), norm(b), norm(c), norm(b - a), norm(c - b), norm(a - c)});
  if (std::abs(volume) <= kFlat * longest * longest * longest)
    throw Error(
        fmt::format("tetrahedron {} is flat: its volume is {:.3g} m³; take it out or move a vertex", t, volume));
  if (volume < 0)
    throw Error(
        fmt::format("tetrahedron {} is inverted: its volume is {:.3g} m³; swap two of its vertices", t, volume));
}

std::vector<Face> sorted_faces(const TetrahedralMesh& mesh) {
  std::vector<Face> faces;
  faces.reserve(mesh.tetrahedra.size());
  for (int t = 0; 4 * at(t) < mesh.tetrahedra.size(); ++t) {
    const int* v = mesh.tetrahedra.data() + 4 * at(t);
    for (const auto& f : kFace) {
      Face face{{v[f[0]], v[f[1]], v[f[2]]}, {v[f[0]], v[f[1]], v[f[2]]}, t};
      std::sort(face.sorted.begin(), face.sorted.end());
      faces.push_back(face);
    }
  }
  std::sort(faces.begin(), faces.end(), [](const Face& a, const Face& b) {
    return std::tie(a.sorted, a.tetrahedron) < std::tie(b.sorted, b.tetrahedron);
  });
  return faces;
}

// Do both run around the face in the same sense?
bool same_side(const Face& a, const Face& b) {
  const auto first = std::find(b.corner.begin(), b.corner.end(), a.corner[0]);
  return b.corner[at(static_cast<int>(first - b.corner.begin()) + 1) % 3] == a.corner[1];
}

}  // namespace

TriangleMesh boundary(const TetrahedralMesh& mesh, std::vector<int>* source) {
  if (mesh.vertices.size() % 3 != 0 || mesh.tetrahedra.size() % 4 != 0)
    throw Error(fmt::format("tetrahedra: {} coordinates and {} corners: multiples of three and four are needed",
                            mesh.vertices.size(), mesh.tetrahedra.size()));
  for (int t = 0; 4 * at(t) < mesh.tetrahedra.size(); ++t) check_tetrahedron(mesh, t);
  const std::vector<Face> faces = sorted_faces(mesh);
  std::vector<const Face*> outer;
  outer.reserve(faces.size());
  for (std::size_t i = 0; i < faces.size();) {
    std::size_t end = i + 1;
    while (end < faces.size() && faces[end].sorted == faces[i].sorted) ++end;
    if (end - i > 2)
      throw Error(fmt::format("tetrahedron {} is the third at the face of vertices {}, {}, {}: only two can meet there",
                              faces[i + 2].tetrahedron, faces[i].sorted[0], faces[i].sorted[1], faces[i].sorted[2]));
    if (end - i == 2 && same_side(faces[i], faces[i + 1]))
      throw Error(fmt::format("tetrahedra {} and {} lie on the same side of their common face and overlap",
                              faces[i].tetrahedron, faces[i + 1].tetrahedron));
    if (end - i == 1) outer.push_back(&faces[i]);
    i = end;
  }
  // In the order of the tetrahedra, which says more than that of the sorted vertices.
  std::stable_sort(outer.begin(), outer.end(),
                   [](const Face* a, const Face* b) { return a->tetrahedron < b->tetrahedron; });

  std::vector<int> number(mesh.vertices.size() / 3, -1);
  for (const Face* face : outer)
    for (const int v : face->corner) number[at(v)] = 0;
  TriangleMesh surface;
  surface.vertices.reserve(mesh.vertices.size());
  if (source != nullptr) source->clear();
  int next = 0;
  for (int v = 0; at(v) < number.size(); ++v) {
    if (number[at(v)] < 0) continue;
    number[at(v)] = next++;
    const Vec3 p = vertex(mesh, v);
    surface.vertices.insert(surface.vertices.end(), {p.x, p.y, p.z});
    if (source != nullptr) source->push_back(v);
  }
  surface.triangles.reserve(3 * outer.size());
  for (const Face* face : outer)
    for (const int v : face->corner) surface.triangles.push_back(number[at(v)]);
  return surface;
}

}  // namespace stiction
