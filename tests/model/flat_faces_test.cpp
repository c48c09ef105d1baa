// Coplanar triangles become the faces of the solid they tile; curved surfaces keep their triangles.
#include "model/flat_faces.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

namespace stiction::detail {
namespace {

struct Surface {
  std::vector<Vec3> vertices;
  std::vector<std::array<int, 3>> triangles;
};

// A cube of side n, every side tiled by n × n squares of two triangles each, vertices moved by up to `noise`.
Surface tiled_cube(int n, double noise) {
  Surface cube;
  std::map<std::array<int, 3>, int> number;
  std::mt19937 random(3);
  std::uniform_real_distribution<double> shift(-noise, noise);
  const auto vertex = [&](std::array<int, 3> at) {
    const auto [entry, is_new] = number.emplace(at, static_cast<int>(cube.vertices.size()));
    if (is_new) cube.vertices.push_back({at[0] + shift(random), at[1] + shift(random), at[2] + shift(random)});
    return entry->second;
  };
  for (std::size_t axis = 0; axis < 3; ++axis)
    for (const int side : {0, n})
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
          const auto corner = [&](int a, int b) {
            std::array<int, 3> at{};
            at[axis] = side;
            at[(axis + 1) % 3] = i + a;
            at[(axis + 2) % 3] = j + b;
            return vertex(at);
          };
          const int p = corner(0, 0), q = corner(1, 0), r = corner(1, 1), s = corner(0, 1);
          if (side == n) {
            cube.triangles.push_back({p, q, r});
            cube.triangles.push_back({p, r, s});
          } else {
            cube.triangles.push_back({p, r, q});
            cube.triangles.push_back({p, s, r});
          }
        }
  return cube;
}

TEST(flat_faces, tiled_cube_becomes_six_squares) {
  for (const int n : {1, 2, 5}) {
    const Surface cube = tiled_cube(n, 0);
    const auto faces = merge_flat_faces(cube.vertices, cube.triangles, 1e-6);
    ASSERT_EQ(faces.size(), 6u);
    for (const auto& face : faces) {
      EXPECT_EQ(face.size(), 4u);
      std::vector<Vec3> points;
      points.reserve(face.size());
      for (const int v : face) points.push_back(cube.vertices[std::size_t(v)]);
      const Vec3 area = area_vector(points);
      EXPECT_NEAR(norm(area), n * n, 1e-12);
      // Outward: away from the centre.
      EXPECT_GT(dot(area, points[0] - Vec3{0.5, 0.5, 0.5} * n), 0);
    }
  }
}

// Vertices out of plane by less than the tolerance do not break a face up; by more than it, they do.
TEST(flat_faces, tolerance_decides_what_is_flat) {
  const Surface rough = tiled_cube(4, 1e-7);
  EXPECT_EQ(merge_flat_faces(rough.vertices, rough.triangles, 1e-6).size(), 6u);
  EXPECT_GT(merge_flat_faces(rough.vertices, rough.triangles, 1e-9).size(), 100u);
}

TEST(flat_faces, octahedron_stays_as_it_is) {
  const std::vector<Vec3> vertices{{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
  const std::vector<std::array<int, 3>> triangles{{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4},
                                                  {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
  EXPECT_EQ(merge_flat_faces(vertices, triangles, 1e-6).size(), 8u);
}

}  // namespace
}  // namespace stiction::detail
