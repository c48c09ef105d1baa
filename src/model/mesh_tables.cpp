#include "model/mesh_tables.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace stiction::detail {

namespace {

std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

void add_vertex(TriangleMesh& mesh, const Vec3& p) {
  mesh.vertices.insert(mesh.vertices.end(), {p.x, p.y, p.z});
}
void add_triangle(TriangleMesh& mesh, int a, int b, int c) {
  mesh.triangles.insert(mesh.triangles.end(), {a, b, c});
}

}  // namespace

std::vector<Vec3> points_of(const TriangleMesh& mesh) {
  std::vector<Vec3> points(mesh.vertices.size() / 3);
  for (std::size_t i = 0; i < points.size(); ++i)
    points[i] = {mesh.vertices[3 * i], mesh.vertices[3 * i + 1], mesh.vertices[3 * i + 2]};
  return points;
}

std::vector<std::array<int, 3>> triangles_of(const TriangleMesh& mesh) {
  std::vector<std::array<int, 3>> triangles(mesh.triangles.size() / 3);
  for (std::size_t i = 0; i < triangles.size(); ++i)
    triangles[i] = {mesh.triangles[3 * i], mesh.triangles[3 * i + 1], mesh.triangles[3 * i + 2]};
  return triangles;
}

double farthest_vertex(const TriangleMesh& mesh) {
  double farthest = 0;
  for (const Vec3& p : points_of(mesh)) farthest = std::max(farthest, norm(p));
  return farthest;
}

TriangleMesh mesh_of(const Model& model, int mesh) {
  TriangleMesh result;
  for (int v = model.mesh_vertex[at(mesh)]; v < model.mesh_vertex[at(mesh + 1)]; ++v)
    add_vertex(result, model.mesh_vertex_position[at(v)]);
  result.triangles.assign(model.mesh_triangle_vertex.begin() + 3 * model.mesh_triangle[at(mesh)],
                          model.mesh_triangle_vertex.begin() + 3 * model.mesh_triangle[at(mesh + 1)]);
  return result;
}

TriangleMesh hull_of(const Model& model, int hull) {
  TriangleMesh result;
  for (int v = model.hull_vertex[at(hull)]; v < model.hull_vertex[at(hull + 1)]; ++v)
    add_vertex(result, model.hull_vertex_position[at(v)]);
  for (int f = model.hull_face[at(hull)]; f < model.hull_face[at(hull + 1)]; ++f) {
    const int* vertex = model.hull_face_vertex_index.data() + model.hull_face_vertex[at(f)];
    const int count = model.hull_face_vertex[at(f + 1)] - model.hull_face_vertex[at(f)];
    for (int k = 2; k < count; ++k) add_triangle(result, vertex[0], vertex[k - 1], vertex[k]);
  }
  return result;
}

TriangleMesh box_of(const Vec3& half_sizes) {
  TriangleMesh mesh;
  for (int i = 0; i < 8; ++i)
    add_vertex(mesh, scaled(half_sizes, {i & 1 ? 1.0 : -1.0, i & 2 ? 1.0 : -1.0, i & 4 ? 1.0 : -1.0}));
  const int faces[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
  for (const auto& face : faces) {
    add_triangle(mesh, face[0], face[1], face[2]);
    add_triangle(mesh, face[0], face[2], face[3]);
  }
  return mesh;
}

TriangleMesh height_field_of(const Model& model, int field) {
  const int rows = model.height_field_rows[at(field)], columns = model.height_field_columns[at(field)];
  const Vec3 size = model.height_field_size[at(field)];
  const double* height = model.height_field_height.data() + model.height_field_sample[at(field)];
  TriangleMesh mesh;
  const auto corner = [&](int r, int c, double z) {
    add_vertex(mesh, {size.x * (2.0 * c / (columns - 1) - 1), size.y * (2.0 * r / (rows - 1) - 1), z});
  };
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < columns; ++c) corner(r, c, height[r * columns + c]);
  for (int r = 0; r + 1 < rows; ++r)
    for (int c = 0; c + 1 < columns; ++c) {
      const int low = r * columns + c, high = low + columns;
      add_triangle(mesh, low, low + 1, high + 1);
      add_triangle(mesh, low, high + 1, high);
    }
  // The rim, counter-clockwise seen from above, and the base below it: walls, and a fan around the middle.
  std::vector<int> rim;
  for (int c = 0; c + 1 < columns; ++c) rim.push_back(c);
  for (int r = 0; r + 1 < rows; ++r) rim.push_back(r * columns + columns - 1);
  for (int c = columns - 1; c > 0; --c) rim.push_back((rows - 1) * columns + c);
  for (int r = rows - 1; r > 0; --r) rim.push_back(r * columns);
  const int base = rows * columns, count = static_cast<int>(rim.size()), middle = base + count;
  for (const int v : rim) corner(v / columns, v % columns, -size.z);
  add_vertex(mesh, {0, 0, -size.z});
  for (int i = 0; i < count; ++i) {
    const int next = (i + 1) % count;
    add_triangle(mesh, base + i, base + next, rim[at(next)]);
    add_triangle(mesh, base + i, rim[at(next)], rim[at(i)]);
    add_triangle(mesh, middle, base + next, base + i);
  }
  return mesh;
}

int add_mesh(const TriangleMesh& mesh, Model& model) {
  if (model.mesh_vertex.empty()) model.mesh_vertex = model.mesh_triangle = {0};
  for (const Vec3& p : points_of(mesh)) model.mesh_vertex_position.push_back(p);
  model.mesh_triangle_vertex.insert(model.mesh_triangle_vertex.end(), mesh.triangles.begin(), mesh.triangles.end());
  model.nmeshvertex = static_cast<int>(model.mesh_vertex_position.size());
  model.nmeshtriangle = static_cast<int>(model.mesh_triangle_vertex.size() / 3);
  model.mesh_vertex.push_back(model.nmeshvertex);
  model.mesh_triangle.push_back(model.nmeshtriangle);
  return model.nmesh++;
}

std::vector<int> welded_vertices(const std::vector<Vec3>& points) {
  std::map<std::tuple<double, double, double>, int> first;
  std::vector<int> place(points.size());
  for (std::size_t v = 0; v < points.size(); ++v) {
    const Vec3 p = points[v] + Vec3{};  // −0 becomes 0
    place[v] = first.try_emplace({p.x, p.y, p.z}, static_cast<int>(v)).first->second;
  }
  return place;
}

}  // namespace stiction::detail
