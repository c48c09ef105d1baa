// Hulls of meshes are closed convex polyhedra with outward normals and counter-clockwise faces.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include <stiction/load.hpp>

#include "support/shared_data.hpp"
#include "support/xml_file.hpp"

namespace stiction {
namespace {

struct Hull {
  std::vector<Vec3> vertices;
  std::vector<std::vector<int>> faces;
  std::vector<Vec3> normals;
};

Hull hull_of(const Model& model, std::size_t h) {
  Hull hull;
  for (int v = model.hull_vertex[h]; v < model.hull_vertex[h + 1]; ++v)
    hull.vertices.push_back(model.hull_vertex_position[std::size_t(v)]);
  for (int f = model.hull_face[h]; f < model.hull_face[h + 1]; ++f) {
    const auto first = model.hull_face_vertex_index.begin();
    hull.faces.emplace_back(first + model.hull_face_vertex[std::size_t(f)],
                            first + model.hull_face_vertex[std::size_t(f) + 1]);
    hull.normals.push_back(model.hull_face_normal[std::size_t(f)]);
  }
  return hull;
}

double size_of(const Hull& hull) {
  double farthest = 0;
  for (const Vec3& v : hull.vertices) farthest = std::max(farthest, norm(v));
  return farthest;
}

// Largest height of a vertex of a neighbouring face above a face, relative to the size: 0 where the surface is convex.
// Only neighbours count: the plane of a tiny face is not known well enough to be carried across the whole body.
double worst_bulge(const Hull& hull) {
  std::map<std::pair<int, int>, std::size_t> owner;
  for (std::size_t f = 0; f < hull.faces.size(); ++f)
    for (std::size_t i = 0; i < hull.faces[f].size(); ++i)
      owner[{hull.faces[f][i], hull.faces[f][(i + 1) % hull.faces[f].size()]}] = f;
  double worst = 0;
  for (const auto& [edge, f] : owner) {
    const auto across = owner.find({edge.second, edge.first});
    if (across == owner.end()) continue;
    for (const int v : hull.faces[across->second])
      worst =
          std::max(worst, dot(hull.normals[f], hull.vertices[std::size_t(v)] - hull.vertices[std::size_t(edge.first)]));
  }
  return worst / size_of(hull);
}

// V = ⅓ Σ over faces of (p_0 · area vector): positive only if the faces turn the right way round.
double volume(const Hull& hull) {
  double sum = 0;
  for (const auto& face : hull.faces) {
    const Vec3 a = hull.vertices[std::size_t(face[0])];
    for (std::size_t i = 1; i + 1 < face.size(); ++i)
      sum += dot(a, cross(hull.vertices[std::size_t(face[i])], hull.vertices[std::size_t(face[i + 1])])) / 6;
  }
  return sum;
}

// Closed: every edge is run through once in each direction.
void expect_closed(const Hull& hull) {
  std::map<std::pair<int, int>, int> edges;
  for (const auto& face : hull.faces)
    for (std::size_t i = 0; i < face.size(); ++i) ++edges[{face[i], face[(i + 1) % face.size()]}];
  for (const auto& [edge, count] : edges) {
    EXPECT_EQ(count, 1);
    EXPECT_TRUE(edges.count({edge.second, edge.first}));
  }
  // Euler: V − E + F = 2, every directed edge being half an edge.
  EXPECT_EQ(int(hull.vertices.size()) - int(edges.size()) / 2 + int(hull.faces.size()), 2);
}

TEST(load_hull, cube_has_six_square_faces) {
  // Corners of a cube of side 2 about (5, 0, 0), and points inside that are no part of the hull.
  const Model model = load(test::xml_file("cube.xml", R"(<mujoco><asset><mesh name="cube" vertex="
      4 -1 -1  6 -1 -1  6 1 -1  4 1 -1  4 -1 1  6 -1 1  6 1 1  4 1 1  5 0 0  5.5 0 0"/></asset>
    <worldbody><body pos="0 0 3"><freejoint/><geom type="mesh" mesh="cube" density="1000"/></body></worldbody>
    </mujoco>)"),
                           {.allow_unsupported = true});
  ASSERT_EQ(model.nhull, 1);
  EXPECT_EQ(model.shape_type[0], ShapeType::kHull);
  const Hull hull = hull_of(model, 0);
  EXPECT_EQ(hull.vertices.size(), 8u);
  ASSERT_EQ(hull.faces.size(), 6u);
  for (const auto& face : hull.faces) EXPECT_EQ(face.size(), 4u);
  expect_closed(hull);
  EXPECT_NEAR(volume(hull), 8, 1e-6);
  EXPECT_LE(worst_bulge(hull), 1e-7);
  // The pose of the shape puts the corners where the file has them.
  for (const Vec3& v : hull.vertices) {
    const Vec3 corner = model.shape_pose[0] * v;
    EXPECT_NEAR(std::abs(corner.x - 5), 1, 1e-6);
    EXPECT_NEAR(std::abs(corner.y), 1, 1e-6);
    EXPECT_NEAR(std::abs(corner.z), 1, 1e-6);
  }
  // m = ρ V; I = m a²/6 for a cube of side a.
  EXPECT_NEAR(model.body_mass[1], 8000, 1e-3);
  EXPECT_NEAR(model.body_inertia[1].x, 8000.0 * 4 / 6, 1e-2);
  EXPECT_NEAR(model.body_com[1].x, 5, 1e-6);
}

TEST(load_hull, hulls_of_real_meshes_are_closed_and_convex) {
  const auto files = test::model_files({"robots_mjcf", "robots_urdf", "scenes/mujoco_test/user"});
  if (files.empty()) GTEST_SKIP() << "../shared/data is not there";
  int hulls = 0, vertices = 0, faces = 0;
  double bulge = 0;
  for (const auto& path : files) {
    SCOPED_TRACE(path.string());
    Model model;
    try {
      model = load(path.string(), {.allow_unsupported = true});
    } catch (const Error&) {
      continue;  // load_corpus judges those
    }
    for (std::size_t h = 0; h < std::size_t(model.nhull); ++h) {
      const Hull hull = hull_of(model, h);
      expect_closed(hull);
      EXPECT_GT(volume(hull), 0);
      bulge = std::max(bulge, worst_bulge(hull));
      ++hulls;
      vertices += int(hull.vertices.size());
      faces += int(hull.faces.size());
    }
  }
  std::printf("%d hulls, %d vertices, %d faces, largest bulge %.1e of the size\n", hulls, vertices, faces, bulge);
  EXPECT_GE(hulls, 50);
  // Faces are merged up to 1e-6 out of plane; measured 1.4e-6 over two neighbours.
  EXPECT_LE(bulge, 4e-6);
}

}  // namespace
}  // namespace stiction
