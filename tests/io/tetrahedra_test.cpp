// The boundary of a solid of tetrahedra is closed, outward and encloses the sum of their volumes, from every format;
// solids without such a boundary are named.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <stiction/error.hpp>
#include <stiction/mesh.hpp>

#include "support/shared_data.hpp"

namespace stiction {
namespace {

// The octahedron |x| + |y| + |z| ≤ 1 cut at its centre, which is vertex 3.
TetrahedralMesh octahedron() {
  TetrahedralMesh mesh;
  mesh.vertices = {1, 0, 0, -1, 0, 0, 0, 1, 0, 0, 0, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1};
  for (const int x : {0, 1})
    for (const int y : {2, 4})
      for (const int z : {5, 6}) {
        const bool right_handed = ((x == 0) == (y == 2)) == (z == 5);
        mesh.tetrahedra.insert(mesh.tetrahedra.end(), {3, right_handed ? x : y, right_handed ? y : x, z});
      }
  return mesh;
}

std::string failure(const TetrahedralMesh& mesh) {
  try {
    boundary(mesh);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

std::string write(const std::string& name, const std::string& text) {
  std::string path = testing::TempDir() + name;
  std::ofstream(path) << text;
  return path;
}

std::string read_failure(const std::string& name, const std::string& text) {
  try {
    read_mesh(write(name, text));
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// A row of numbers from `first` on, with `shift` added.
template <class T>
std::string row(const std::vector<T>& values, std::size_t first, std::size_t count, T shift = 0) {
  std::string text;
  for (std::size_t k = 0; k < count; ++k) text += fmt::format(" {}", values[first + k] + shift);
  return text;
}

TEST(tetrahedra, boundary_is_closed_outward_and_encloses_their_volume) {
  std::vector<int> source;
  const TriangleMesh surface = boundary(octahedron(), &source);
  const MeshReport report = inspect(surface);
  EXPECT_EQ(report.vertices, 6);
  EXPECT_EQ(report.triangles, 8);
  EXPECT_TRUE(report.outward);
  EXPECT_EQ(report.unused_vertices, 0);
  EXPECT_DOUBLE_EQ(report.volume, 4.0 / 3);
  EXPECT_EQ(source, (std::vector<int>{0, 1, 2, 4, 5, 6}));  // without the centre
}

TEST(tetrahedra, every_format_gives_the_same_solid) {
  const TetrahedralMesh mesh = octahedron();
  const std::size_t n = mesh.vertices.size() / 3, m = mesh.tetrahedra.size() / 4;
  std::string two = fmt::format("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n{}\n", n);
  std::string four = fmt::format("$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n1 {0} 10 {1}\n3 1 0 {0}\n", n, 9 + n);
  std::string vtk =
      fmt::format("# vtk DataFile Version 2.0\ntitle\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS {} double\n", n);
  for (std::size_t i = 0; i < n; ++i) {
    two += fmt::format("{}{}\n", i + 10, row(mesh.vertices, 3 * i, 3));
    four += fmt::format("{}\n", i + 10);
    vtk += row(mesh.vertices, 3 * i, 3);
  }
  for (std::size_t i = 0; i < n; ++i) four += row(mesh.vertices, 3 * i, 3) + "\n";
  // A triangle (type 2) before the tetrahedra is left out.
  two += fmt::format("$EndNodes\n$Elements\n{}\n99 2 2 0 1 10 11 12\n", m + 1);
  four += fmt::format("$EndNodes\n$Elements\n2 {0} 1 {0}\n2 1 2 1\n99 10 11 12\n3 1 4 {1}\n", m + 1, m);
  vtk += fmt::format("\nCELLS {} {}\n", m, 5 * m);
  for (std::size_t i = 0; i < m; ++i) {
    two += fmt::format("{} 4 2 0 1{}\n", i + 1, row(mesh.tetrahedra, 4 * i, 4, 10));
    four += fmt::format("{}{}\n", i + 1, row(mesh.tetrahedra, 4 * i, 4, 10));
    vtk += fmt::format("4{}\n", row(mesh.tetrahedra, 4 * i, 4));
  }
  two += "$EndElements\n";
  four += "$EndElements\n";
  vtk += fmt::format("CELL_TYPES {}\n", m);
  for (std::size_t i = 0; i < m; ++i) vtk += "10\n";
  for (const std::string& path : {write("two.msh", two), write("four.msh", four), write("one.vtk", vtk)}) {
    const TetrahedralMesh read = read_tetrahedra(path);
    EXPECT_EQ(read.vertices, mesh.vertices) << path;
    EXPECT_EQ(read.tetrahedra, mesh.tetrahedra) << path;
    EXPECT_EQ(read_mesh(path).triangles, boundary(mesh).triangles) << path;
  }
}

TEST(tetrahedra, solids_without_a_boundary_are_named) {
  TetrahedralMesh mesh = octahedron();
  std::swap(mesh.tetrahedra[4 * 2 + 1], mesh.tetrahedra[4 * 2 + 2]);
  EXPECT_TRUE(says(failure(mesh), "tetrahedron 2 is inverted")) << failure(mesh);
  mesh = octahedron();
  mesh.vertices[3 * 3] = 1;  // the centre onto vertex 0
  EXPECT_TRUE(says(failure(mesh), "is flat")) << failure(mesh);
  mesh = octahedron();
  mesh.vertices[4] = std::nan("");
  EXPECT_TRUE(says(failure(mesh), "vertex 1 is NaN")) << failure(mesh);
  mesh = octahedron();
  mesh.tetrahedra[1] = 12;
  EXPECT_TRUE(says(failure(mesh), "tetrahedron 0 names vertex 12 of 7")) << failure(mesh);
  // A second tetrahedron on a face that has two already.
  mesh = octahedron();
  mesh.vertices.insert(mesh.vertices.end(), {0.2, 0.2, 0.9});
  mesh.tetrahedra.insert(mesh.tetrahedra.end(), {3, 0, 2, 7});
  EXPECT_TRUE(says(failure(mesh), "tetrahedron 8 is the third")) << failure(mesh);
  // Two on the same side of one face.
  mesh = {{0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 2}, {0, 1, 2, 3, 0, 1, 2, 4}};
  EXPECT_TRUE(says(failure(mesh), "overlap")) << failure(mesh);
}

TEST(tetrahedra, faults_of_files_are_named_with_their_line) {
  const std::string head = "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n";
  EXPECT_TRUE(says(read_failure("a.msh", "$MeshFormat\n4.1 1 8\n"), "a.msh:2: a binary file"));
  EXPECT_TRUE(says(read_failure("b.msh", "$MeshFormat\n3.0 0 8\n"), "2.2 and 4.1"));
  EXPECT_TRUE(says(read_failure("c.msh", "$Nodes\n1 1 1 1\n"), "'$MeshFormat' must come first"));
  EXPECT_TRUE(
      says(read_failure("d.msh", head + "$Elements\n1 1 1 1\n3 0 4 1\n1 1 2 3 4\n"), "d.msh:7: there is no node 1"));
  EXPECT_TRUE(
      says(read_failure("e.msh", head + "$Nodes\n1 2 1 2\n3 0 0 2\n1\n"), "the file ends before the last node"));
  EXPECT_TRUE(says(read_failure("f.msh", head), "there is no tetrahedron"));
  EXPECT_TRUE(says(read_failure("g.vtk", "hello\n"), "g.vtk:1: a VTK file begins"));
  EXPECT_TRUE(says(read_failure("h.vtk", "# vtk\nt\nASCII\nPOINTS 1 float\n0 0\n"), "the file ends before coordinate"));
}

// tet_stats.csv holds counts, volume and faces, computed by another program.
TEST(tetrahedra, solids_of_the_corpus_have_the_volume_and_faces_counted_elsewhere) {
  const std::filesystem::path folder = test::shared_data() / "tets";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no " << folder;
  std::ifstream table(folder / "tet_stats.csv");
  std::string line;
  std::getline(table, line);
  int compared = 0;
  while (std::getline(table, line)) {
    std::stringstream cells(line);
    std::vector<std::string> cell(10);
    for (std::string& c : cell) std::getline(cells, c, ',');
    const bool text = cell[1].find("ascii") != std::string::npos && cell[1].find("medit") == std::string::npos;
    if (!text || std::stoi(cell[5]) + std::stoi(cell[6]) > 0) continue;
    SCOPED_TRACE(cell[0]);
    const TetrahedralMesh solid = read_tetrahedra((folder / cell[0]).string());
    EXPECT_EQ(solid.vertices.size() / 3, std::stoul(cell[2]));
    EXPECT_EQ(solid.tetrahedra.size() / 4, std::stoul(cell[4]));
    const MeshReport report = inspect(boundary(solid));
    EXPECT_EQ(report.triangles, std::stoi(cell[8]));
    EXPECT_NEAR(report.volume, std::stod(cell[7]), 1e-9 * std::stod(cell[7]));  // ten digits in the table
    EXPECT_EQ(report.boundary_edges, 0);
    EXPECT_EQ(report.flipped_edges, 0);
    ++compared;
  }
  EXPECT_GE(compared, 40);
}

}  // namespace
}  // namespace stiction
