// STL, text or binary. A file is binary if its length is that of the number of triangles it states: binary files may
// begin with the word "solid" too. Stored normals are not used. Corners at the same place become one vertex.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cctype>
#include <cstdint>
#include <cstring>

#include "io/mesh_file.hpp"

namespace stiction::detail {

static_assert(std::endian::native == std::endian::little, "binary STL is read as it lies in memory");

namespace {

constexpr std::size_t kHead = 84, kTriangle = 50;

std::size_t stated_triangles(const std::string& bytes) {
  std::uint32_t count = 0;
  std::memcpy(&count, bytes.data() + 80, sizeof count);
  return count;
}

TriangleMesh read_binary(const MeshText& text) {
  TriangleMesh mesh;
  const std::size_t count = stated_triangles(text.bytes);
  mesh.vertices.reserve(9 * count);
  for (std::size_t i = 0; i < count; ++i) {
    float corners[9];
    std::memcpy(corners, text.bytes.data() + kHead + i * kTriangle + 12, sizeof corners);
    mesh.vertices.insert(mesh.vertices.end(), corners, corners + 9);
  }
  return mesh;
}

// Some programs write the words in capitals.
std::string in_small_letters(std::string_view word) {
  std::string text(word);
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

TriangleMesh read_text(const MeshText& text) {
  TriangleMesh mesh;
  WordLines lines(text);
  int corners = -1;  // of the open facet
  while (lines.next()) {
    const std::string key = in_small_letters(lines.words()[0]);
    if (key == "facet") {
      if (corners >= 0) lines.fail("a facet begins inside another: 'endfacet' is missing");
      corners = 0;
    } else if (key == "vertex") {
      if (corners < 0) lines.fail("a vertex outside a facet");
      ++corners;
      for (std::size_t i = 1; i <= 3; ++i) mesh.vertices.push_back(lines.number(i, "coordinate of a vertex"));
    } else if (key == "endfacet") {
      if (corners != 3) lines.fail(fmt::format("the facet has {} vertices, not 3", corners < 0 ? 0 : corners));
      corners = -1;
    } else if (key != "solid" && key != "endsolid" && key != "outer" && key != "endloop") {
      lines.fail(fmt::format("'{}' is no word of an STL file", lines.words()[0].substr(0, 40)));
    }
  }
  if (corners >= 0) lines.fail("the file ends inside a facet");
  return mesh;
}

}  // namespace

TriangleMesh read_stl(const MeshText& text) {
  const std::string& bytes = text.bytes;
  const bool binary = bytes.size() >= kHead && bytes.size() == kHead + kTriangle * stated_triangles(bytes);
  if (!binary && in_small_letters(bytes.substr(0, 5)) != "solid")
    mesh_error(text, 1,
               bytes.size() < kHead
                   ? "neither text ('solid …') nor long enough for a binary STL file"
                   : fmt::format("a binary STL file of {} triangles has {} bytes, this one {}", stated_triangles(bytes),
                                 kHead + kTriangle * stated_triangles(bytes), bytes.size()));
  TriangleMesh mesh = binary ? read_binary(text) : read_text(text);
  mesh.triangles.resize(mesh.vertices.size() / 3);
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i) mesh.triangles[i] = static_cast<int>(i);
  return merge_vertices(mesh);
}

}  // namespace stiction::detail
