// Meshes as surfaces of triangles, where the user asks for them, and height fields. A mesh or field that several geoms
// use is held once. Coordinates are those of MuJoCo's compiled mesh, which the geom's pose places in the body.
#include <fmt/format.h>

#include <string_view>

#include <stiction/error.hpp>

#include "io/load_parts.hpp"
#include "model/mesh_solid.hpp"
#include "model/mesh_tables.hpp"

namespace stiction::detail {

namespace {

TriangleMesh triangles_of(const mjModel& m, int mesh) {
  TriangleMesh result;
  const float* vertex = m.mesh_vert + 3 * m.mesh_vertadr[mesh];
  const int* face = m.mesh_face + 3 * m.mesh_faceadr[mesh];
  result.vertices.assign(vertex, vertex + 3 * m.mesh_vertnum[mesh]);
  result.triangles.assign(face, face + 3 * m.mesh_facenum[mesh]);
  return result;
}

int add_height_field(const mjModel& m, int field, Model& model) {
  const int rows = m.hfield_nrow[field], columns = m.hfield_ncol[field];
  // size: half-sizes along x and y, height of a sample of 1, depth of the base
  const mjtNum* size = m.hfield_size + 4 * field;
  const float* sample = m.hfield_data + m.hfield_adr[field];
  model.height_field_rows.push_back(rows);
  model.height_field_columns.push_back(columns);
  model.height_field_size.push_back({size[0], size[1], size[3]});
  for (int i = 0; i < rows * columns; ++i) model.height_field_height.push_back(double(sample[i]) * size[2]);
  model.nheight = static_cast<int>(model.height_field_height.size());
  model.height_field_sample.push_back(model.nheight);
  return model.nheightfield++;
}

}  // namespace

std::vector<bool> geoms_as(MeshShapes kind, const mjModel& m, MeshShapes meshes) {
  std::vector<bool> chosen(std::size_t(m.ngeom), meshes == kind);
  for (int i = 0; i < static_cast<int>(m.ntext); ++i) {
    const char* name = mj_id2name(&m, mjOBJ_TEXT, i);
    if (name == nullptr || !std::string_view(name).starts_with(kMeshChoice)) continue;
    const int geom = mj_name2id(&m, mjOBJ_GEOM, name + kMeshChoice.size());
    if (geom < 0 || m.geom_type[geom] != mjGEOM_MESH)
      throw Error(fmt::format("custom text '{}': there is no geom '{}' of type mesh", name, name + kMeshChoice.size()));
    const std::string_view data = m.text_data + m.text_adr[i];
    if (data != "hulls" && data != "triangles")
      throw Error(fmt::format("custom text '{}': meshes collide as 'hulls' or 'triangles', not '{}'", name, data));
    chosen[std::size_t(geom)] = (data == "triangles" ? MeshShapes::kTriangles : MeshShapes::kHulls) == kind;
  }
  return chosen;
}

void fill_triangles(const mjModel& m, const std::vector<bool>& chosen, Model& model) {
  for_shared_data(
      m, mjGEOM_MESH, chosen, [&](int mesh) { return add_mesh(without_repeats(triangles_of(m, mesh)), model); },
      [&](std::size_t s, int mesh) {
        model.shape_type[s] = ShapeType::kMesh;
        model.shape_mesh[s] = mesh;
      });
}

void fill_height_fields(const mjModel& m, Model& model) {
  for_shared_data(
      m, mjGEOM_HFIELD, std::vector<bool>(std::size_t(m.ngeom), true),
      [&](int field) { return add_height_field(m, field, model); },
      [&](std::size_t s, int field) { model.shape_height_field[s] = field; });
}

}  // namespace stiction::detail
