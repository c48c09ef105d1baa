// Convex hulls of meshes. MuJoCo makes the hull (of at most maxhullvert vertices where the file says so); each mesh
// that a geom uses becomes one hull in the mesh's own frame, which the geom's pose places in the body.
//
// The faces come from the hull's triangles, merged here. MuJoCo's own polygons merge faces up to 2e-3 of the mesh's
// size out of plane and are not always closed (measured on the meshes of ten robots): too coarse for exact contact.
#include "io/load_parts.hpp"
#include "model/convex_hull.hpp"

namespace stiction::detail {

namespace {

struct Surface {
  std::vector<Vec3> vertices;  // all of the mesh
  std::vector<std::array<int, 3>> triangles;
};

// Triangles of the hull: the last part of MuJoCo's convex graph, after (nv, nf), two arrays of nv, one of nv + 3 nf.
Surface hull_surface(const mjModel& m, int mesh) {
  Surface surface;
  for (int v = 0; v < m.mesh_vertnum[mesh]; ++v) {
    const float* p = m.mesh_vert + 3 * (m.mesh_vertadr[mesh] + v);
    surface.vertices.push_back({double(p[0]), double(p[1]), double(p[2])});
  }
  const int* graph = m.mesh_graph + m.mesh_graphadr[mesh];
  const int vertex_count = graph[0], face_count = graph[1];
  const int* face = graph + 2 + 3 * vertex_count + 3 * face_count;
  for (int f = 0; f < face_count; ++f, face += 3) surface.triangles.push_back({face[0], face[1], face[2]});
  return surface;
}

// Appends the hull of a mesh; its number, or -1 if MuJoCo made none (for a mesh that cannot collide).
int add_hull_of(const mjModel& m, int mesh, Model& model) {
  if (m.mesh_graphadr[mesh] < 0) return -1;
  const Surface surface = hull_surface(m, mesh);
  return add_hull(surface.vertices, surface.triangles, model);
}

}  // namespace

void fill_hulls(const mjModel& m, const std::vector<bool>& chosen, Model& model) {
  for_shared_data(
      m, mjGEOM_MESH, chosen, [&](int mesh) { return add_hull_of(m, mesh, model); },
      [&](std::size_t s, int hull) {
        model.shape_hull[s] = hull;
        if (hull >= 0) model.shape_type[s] = ShapeType::kHull;
      });
}

}  // namespace stiction::detail
