// Convex hulls of meshes. MuJoCo makes the hull (of at most maxhullvert vertices where the file says so); each mesh
// that a geom uses becomes one hull in the mesh's own frame, which the geom's pose places in the body.
//
// The faces come from the hull's triangles, merged here. MuJoCo's own polygons merge faces up to 2e-3 of the mesh's
// size out of plane and are not always closed (measured on the meshes of ten robots): too coarse for exact contact.
// Vertices are floats in MuJoCo, so a flat face is flat to 1e-7 of the size; the tolerance is ten times that.
#include <algorithm>
#include <map>

#include "io/load_parts.hpp"
#include "model/flat_faces.hpp"

namespace stiction::detail {

namespace {

constexpr double kFlatness = 1e-6;  // of the mesh's size

struct Surface {
  std::vector<Vec3> vertices;  // all of the mesh
  std::vector<std::array<int, 3>> triangles;
  double size = 0;  // [m]
};

// Triangles of the hull: the last part of MuJoCo's convex graph, after (nv, nf), two arrays of nv, one of nv + 3 nf.
Surface hull_surface(const mjModel& m, int mesh) {
  Surface surface;
  for (int v = 0; v < m.mesh_vertnum[mesh]; ++v) {
    const float* p = m.mesh_vert + 3 * (m.mesh_vertadr[mesh] + v);
    surface.vertices.push_back({double(p[0]), double(p[1]), double(p[2])});
    surface.size = std::max(surface.size, norm(surface.vertices.back()));
  }
  const int* graph = m.mesh_graph + m.mesh_graphadr[mesh];
  const int vertex_count = graph[0], face_count = graph[1];
  const int* face = graph + 2 + 3 * vertex_count + 3 * face_count;
  for (int f = 0; f < face_count; ++f, face += 3) surface.triangles.push_back({face[0], face[1], face[2]});
  return surface;
}

// Appends the hull of a mesh; its number, or -1 if MuJoCo made none (for a mesh that cannot collide).
int add_hull(const mjModel& m, int mesh, Model& model) {
  if (m.mesh_graphadr[mesh] < 0) return -1;
  const Surface surface = hull_surface(m, mesh);
  const auto faces = merge_flat_faces(surface.vertices, surface.triangles, kFlatness * surface.size);
  std::map<int, int> number;  // vertices of the faces only, in MuJoCo's order
  for (const auto& face : faces)
    for (const int vertex : face) number.emplace(vertex, 0);
  int next = 0;
  for (auto& [vertex, own] : number) {
    own = next++;
    model.hull_vertex_position.push_back(surface.vertices[std::size_t(vertex)]);
  }
  for (const auto& face : faces) {
    std::vector<Vec3> points;
    for (const int vertex : face) {
      points.push_back(surface.vertices[std::size_t(vertex)]);
      model.hull_face_vertex_index.push_back(number[vertex]);
    }
    model.hull_face_normal.push_back(normalized(area_vector(points)));
    model.hull_face_vertex.push_back(static_cast<int>(model.hull_face_vertex_index.size()));
  }
  model.hull_vertex.push_back(static_cast<int>(model.hull_vertex_position.size()));
  model.hull_face.push_back(static_cast<int>(model.hull_face_normal.size()));
  return model.nhull++;
}

}  // namespace

void fill_hulls(const mjModel& m, const std::vector<bool>& chosen, Model& model) {
  for_shared_data(
      m, mjGEOM_MESH, chosen, [&](int mesh) { return add_hull(m, mesh, model); },
      [&](std::size_t s, int hull) {
        model.shape_hull[s] = hull;
        if (hull >= 0) model.shape_type[s] = ShapeType::kHull;
      });
  model.nhullvertex = static_cast<int>(model.hull_vertex_position.size());
  model.nhullface = static_cast<int>(model.hull_face_normal.size());
  model.nhullfacevertex = static_cast<int>(model.hull_face_vertex_index.size());
}

}  // namespace stiction::detail
