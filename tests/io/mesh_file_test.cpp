// Meshes from files: the same surface from every format, closed forms of its volume and inertia, faults named with
// their line.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <fstream>
#include <numbers>

#include <stiction/error.hpp>
#include <stiction/mesh.hpp>

#include "support/shared_data.hpp"

namespace stiction {
namespace {

std::string write(const std::string& name, const std::string& bytes) {
  std::string path = testing::TempDir() + name;
  std::ofstream(path, std::ios::binary) << bytes;
  return path;
}

std::string failure(const std::string& name, const std::string& bytes) {
  try {
    read_mesh(write(name, bytes));
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

template <class T>
void put(std::string& bytes, T value, bool big = false) {
  auto raw = std::bit_cast<std::array<char, sizeof(T)>>(value);
  if (big) std::reverse(raw.begin(), raw.end());
  bytes.append(raw.data(), raw.size());
}

// A box from (0, 0, 0) to (1, 2, 3), as quadrilaterals with outward sides.
constexpr double kCorner[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 2, 0}, {0, 2, 0},
                                  {0, 0, 3}, {1, 0, 3}, {1, 2, 3}, {0, 2, 3}};
constexpr int kQuad[6][4] = {{3, 2, 1, 0}, {4, 5, 6, 7}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};

std::string place(const double (&c)[3]) {
  return fmt::format("{} {}\t{}", c[0], c[1], c[2]);
}

std::string box_obj(bool negative) {
  std::string text = "# box\r\nmtllib none.mtl\nvn 0 0 1\nvt 0 0\n";
  for (const auto& c : kCorner) text += fmt::format("v {} 1.0\r\n", place(c));
  const char* ends[3] = {"", "/1/1", "//1"};
  for (std::size_t q = 0; q < 6; ++q) {
    text += "f";
    for (const int i : kQuad[q])
      text += fmt::format(" {}{}{}", negative ? i - 8 : i + 1, ends[q % 3], i == 2 ? " \\\n" : "");
    text += "\n";
  }
  return text;
}

std::string box_stl_text() {
  std::string text = "solid box\n";
  for (const auto& quad : kQuad)
    for (const auto& corners : {std::array{0, 1, 2}, std::array{0, 2, 3}}) {
      text += "facet normal 0 0 0\n outer loop\n";
      for (const int k : corners) text += fmt::format("  vertex {}\n", place(kCorner[quad[k]]));
      text += " endloop\nendfacet\n";
    }
  text += "endsolid box\n";
  return text;
}

std::string box_stl_binary() {
  std::string bytes = "solid in name only";
  bytes.resize(80, ' ');
  put(bytes, std::uint32_t{12});
  for (const auto& quad : kQuad)
    for (const auto& corners : {std::array{0, 1, 2}, std::array{0, 2, 3}}) {
      for (int k = 0; k < 3; ++k) put(bytes, 0.0F);
      for (const int k : corners)
        for (const double x : kCorner[quad[k]]) put(bytes, static_cast<float>(x));
      put(bytes, std::uint16_t{0});
    }
  return bytes;
}

std::string box_ply(const std::string& format) {
  std::string bytes = fmt::format(
      "ply\nformat {} 1.0\ncomment a box\nelement vertex 8\nproperty double x\nproperty float y\nproperty double z\n"
      "property uchar red\nelement material 1\nproperty list uchar short codes\nelement face 6\n"
      "property list uchar int vertex_indices\nend_header\n",
      format);
  const bool big = format == "binary_big_endian";
  if (format == "ascii") {
    for (const auto& c : kCorner) bytes += fmt::format("{} 200\n", place(c));
    bytes += "2 7 8\n";
    for (const auto& q : kQuad) bytes += fmt::format("4 {} {} {} {}\n", q[0], q[1], q[2], q[3]);
    return bytes;
  }
  for (const auto& c : kCorner) {
    put(bytes, c[0], big);
    put(bytes, static_cast<float>(c[1]), big);
    put(bytes, c[2], big);
    put(bytes, std::uint8_t{200});
  }
  put(bytes, std::uint8_t{1});
  put(bytes, std::int16_t{7}, big);
  for (const auto& q : kQuad) {
    put(bytes, std::uint8_t{4});
    for (const int i : q) put(bytes, std::int32_t{i}, big);
  }
  return bytes;
}

// V = 6, A = 22, I_x = m (2² + 3²)/12 …; all coordinates are exact in float.
void expect_box(const TriangleMesh& mesh, const std::string& what) {
  SCOPED_TRACE(what);
  const MeshReport report = inspect(mesh);
  EXPECT_EQ(report.vertices, 8);
  EXPECT_EQ(report.triangles, 12);
  EXPECT_TRUE(report.outward);
  EXPECT_EQ(report.components, 1);
  EXPECT_TRUE(report.problems().empty()) << report.text();
  EXPECT_NEAR(report.volume, 6, 1e-14);
  EXPECT_NEAR(report.area, 22, 1e-14);
  const double centre[3] = {0.5, 1, 1.5}, inertia[3] = {6.5, 5, 2.5};
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(report.centre_of_mass[i], centre[i], 1e-15);
    for (std::size_t j = 0; j < 3; ++j) EXPECT_NEAR(report.inertia[3 * i + j], i == j ? inertia[i] : 0, 1e-14);
  }
}

TEST(MeshFile, every_format_gives_the_same_box) {
  expect_box(read_mesh(write("box.obj", box_obj(false))), "obj");
  expect_box(read_mesh(write("box_negative.OBJ", box_obj(true))), "obj with negative indices");
  expect_box(read_mesh(write("box.stl", box_stl_text())), "stl text");
  std::string capitals = box_stl_text();
  for (char& letter : capitals) letter = static_cast<char>(std::toupper(letter));
  expect_box(read_mesh(write("box_capitals.stl", capitals)), "stl text in capitals");
  expect_box(read_mesh(write("box_binary.stl", box_stl_binary())), "stl binary");
  for (const char* format : {"ascii", "binary_little_endian", "binary_big_endian"})
    expect_box(read_mesh(write("box.ply", box_ply(format))), format);
}

TEST(MeshFile, polygons_that_are_not_convex_are_cut_at_ears) {
  // An L of area 3; a fan from its first vertex would leave it.
  const TriangleMesh mesh =
      read_mesh(write("l.obj", "v 1 0 0\nv 2 0 0\nv 2 2 0\nv 0 2 0\nv 0 1 0\nv 1 1 0\nf 1 2 3 4 5 6\n"));
  const MeshReport report = inspect(mesh);
  EXPECT_EQ(report.triangles, 4);
  EXPECT_NEAR(report.area, 3, 1e-15);
  EXPECT_TRUE(report.oriented);
  EXPECT_EQ(report.boundary_edges, 6);
}

TEST(MeshFile, errors_name_file_line_and_what_is_wrong) {
  const auto expect = [](const std::string& message, const std::string& part) {
    EXPECT_NE(message.find(part), std::string::npos) << message;
  };
  expect(failure("a.obj", "v 0 0 0\nv 0 1\n"), "a.obj:2: coordinate of a vertex is missing");
  expect(failure("b.obj", "v 0 0 zero\n"), "b.obj:1: coordinate of a vertex: 'zero' is not a number");
  expect(failure("c.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n"), "c.obj:4: the face names vertex 4; only 3");
  expect(failure("d.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 0\n"), "d.obj:4: '0' is not a vertex");
  expect(failure("e.obj", "v 0 0 0\nv 1 0 0\nf 1 2\n"), "e.obj:3: a face has at least three vertices");
  expect(failure("f.obj", "v 0 0 0\n"), "there is no triangle");
  expect(failure("g.stl", "solid\nfacet normal 0 0 1\nvertex 0 0 0\nendfacet\n"), "g.stl:4: the facet has 1 vertices");
  expect(failure("h.stl", box_stl_binary().substr(5, 200)), "a binary STL file of");
  expect(failure("i.stl", "x"), "neither text");
  expect(failure("j.ply", "plx\n"), "j.ply:1: a PLY file begins");
  expect(failure("k.ply", box_ply("binary_big_endian").substr(0, 400)), "the file ends at vertex");
  expect(failure("l.ply", "ply\nformat ascii 1.0\nelement vertex 1\nproperty quad x\n"), "l.ply:4: 'quad' is no type");
  expect(failure("m.off", "OFF\n"), "mesh files end in .obj, .stl, .ply, .msh or .vtk");
  expect(failure("n.ply", ""), "begins with the word 'ply'");
  EXPECT_THROW(read_mesh("/nowhere/x.obj"), Error);
  // A count that the file cannot hold is no reason to reserve its memory.
  expect(failure("o.ply",
                 "ply\nformat binary_little_endian 1.0\nelement vertex 2000000000\nproperty float x\n"
                 "property float y\nproperty float z\nend_header\n"),
         "the file ends at vertex 0");
}

// A closed ring of triangles around the torus converges to V = 2 π² R r² and A = 4 π² R r as 1/n².
TEST(MeshReport, torus_has_the_volume_and_inertia_of_its_closed_form) {
  const double R = 0.5, r = 0.2;
  const int n = 256;
  TriangleMesh mesh;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      const double u = 2 * std::numbers::pi * i / n, v = 2 * std::numbers::pi * j / n, d = R + r * std::cos(v);
      mesh.vertices.insert(mesh.vertices.end(), {d * std::cos(u) + 1e3, d * std::sin(u), r * std::sin(v)});
      const int i2 = (i + 1) % n, j2 = (j + 1) % n;
      mesh.triangles.insert(mesh.triangles.end(), {i * n + j, i2 * n + j, i2 * n + j2});
      mesh.triangles.insert(mesh.triangles.end(), {i * n + j, i2 * n + j2, i * n + j2});
    }
  const MeshReport report = inspect(mesh);
  const double pi2 = std::numbers::pi * std::numbers::pi, volume = 2 * pi2 * R * r * r;
  EXPECT_TRUE(report.outward);
  // The inscribed surface is smaller by about (π/n)² of the whole: 4e-4 here.
  EXPECT_NEAR(report.volume, volume, 4e-4 * volume);
  EXPECT_NEAR(report.area, 4 * pi2 * R * r, 4e-4 * 4 * pi2 * R * r);
  // I_z = m (R² + 3/4 r²)
  EXPECT_NEAR(report.inertia[8] / report.volume, R * R + 0.75 * r * r, 4e-4 * R * R);
  EXPECT_NEAR(report.centre_of_mass[0], 1e3, 1e-12 * 1e3);
}

TEST(MeshReport, faults_are_counted) {
  const TriangleMesh good = read_mesh(write("good.obj", box_obj(false)));
  TriangleMesh open = good;
  open.triangles.resize(33);
  EXPECT_EQ(inspect(open).boundary_edges, 3);
  EXPECT_FALSE(inspect(open).closed);
  EXPECT_TRUE(inspect(open).oriented);

  TriangleMesh turned = good;
  std::swap(turned.triangles[0], turned.triangles[1]);
  EXPECT_EQ(inspect(turned).flipped_edges, 3);
  EXPECT_EQ(inspect(turned).flipped_triangles, 1);
  EXPECT_FALSE(inspect(turned).oriented);

  TriangleMesh inside_out = good;
  for (std::size_t t = 0; t < 12; ++t) std::swap(inside_out.triangles[3 * t], inside_out.triangles[3 * t + 1]);
  EXPECT_TRUE(inspect(inside_out).closed && inspect(inside_out).oriented && !inspect(inside_out).outward);
  EXPECT_NEAR(inspect(inside_out).volume, -6, 1e-14);

  TriangleMesh doubled = good;
  doubled.triangles.insert(doubled.triangles.end(), {good.triangles[1], good.triangles[2], good.triangles[0]});
  EXPECT_EQ(inspect(doubled).duplicate_triangles, 1);
  EXPECT_TRUE(inspect(doubled).outward);
  EXPECT_EQ(inspect(doubled).problems().size(), 1U);
  doubled.triangles = good.triangles;
  doubled.triangles.insert(doubled.triangles.end(), good.triangles.begin(), good.triangles.end());
  EXPECT_EQ(inspect(doubled).duplicate_triangles, 12);
  EXPECT_EQ(inspect(doubled).volume, inspect(good).volume);
  EXPECT_EQ(inspect(doubled).area, inspect(good).area);

  // A triangle and its back are a surface of two sides.
  const MeshReport both_sides = inspect({{0, 0, 0, 1, 0, 0, 0, 1, 0}, {0, 1, 2, 0, 2, 1}});
  EXPECT_TRUE(both_sides.closed);
  EXPECT_EQ(both_sides.area, 1);

  // A triangle that names a vertex twice has no part in the surface; one whose three vertices lie on a line has.
  TriangleMesh collapsed = good;
  collapsed.triangles.insert(collapsed.triangles.end(), {0, 0, 1, 0, 1, 1});
  EXPECT_EQ(inspect(collapsed).degenerate_triangles, 2);
  EXPECT_TRUE(inspect(collapsed).outward);
  EXPECT_EQ(inspect(collapsed).components, 1);

  TriangleMesh degenerate = good;
  degenerate.vertices.insert(degenerate.vertices.end(), {0.5, 0, 0, 0.5, 0, -0.0});
  degenerate.triangles.insert(degenerate.triangles.end(), {0, 1, 8});
  EXPECT_EQ(inspect(degenerate).degenerate_triangles, 1);
  EXPECT_EQ(inspect(degenerate).duplicate_vertices, 1);
  EXPECT_EQ(inspect(degenerate).unused_vertices, 1);
  EXPECT_EQ(inspect(merge_vertices(degenerate)).duplicate_vertices, 0);

  TriangleMesh two = good;
  for (const double x : good.vertices) two.vertices.push_back(x + 10);
  for (const int i : good.triangles) two.triangles.push_back(i + 8);
  EXPECT_EQ(inspect(two).components, 2);

  TriangleMesh broken = good;
  broken.vertices[4] = NAN;
  EXPECT_EQ(inspect(broken).not_finite, 1);
  ASSERT_EQ(inspect(broken).problems().size(), 1U);

  EXPECT_THROW(inspect({{0, 0, 0, 1}, {}}), Error);
  EXPECT_THROW(inspect({{0, 0, 0}, {0, 0, 1}}), Error);
}

TEST(MeshFile, shared_meshes_are_read_and_their_numbers_are_finite) {
  if (test::shared_data().empty()) GTEST_SKIP() << "../shared/data is absent";
  int read = 0, closed = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(test::shared_data() / "meshes")) {
    const std::string kind = entry.path().extension();
    if (kind != ".obj" && kind != ".stl" && kind != ".ply") continue;
    const MeshReport report = inspect(read_mesh(entry.path()));
    const bool broken = entry.path().filename().string().find("nan") != std::string::npos;
    EXPECT_EQ(report.not_finite > 0, broken) << entry.path();
    if (broken) continue;
    EXPECT_TRUE(std::isfinite(report.volume) && report.size > 0) << entry.path();
    ++read;
    closed += report.closed ? 1 : 0;
  }
  EXPECT_GT(read, 40);
  EXPECT_GT(closed, 20);
}

}  // namespace
}  // namespace stiction
