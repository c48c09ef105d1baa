// Wavefront OBJ: positions (v) and faces (f) with any number of vertices, written as a, a/t, a//n or a/t/n; negative
// numbers count back from the last vertex. Textures, normals, groups, lines and materials are read over.
#include <fmt/format.h>

#include <charconv>

#include "io/mesh_file.hpp"

namespace stiction::detail {

namespace {

// A vertex of a face as a position in the list of vertices read so far.
int face_vertex(const WordLines& lines, std::size_t word, int count) {
  const std::string_view text = lines.words()[word].substr(0, lines.words()[word].find('/'));
  int index = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), index);
  if (problem != std::errc() || end != text.data() + text.size() || index == 0)
    lines.fail(
        fmt::format("'{}' is not a vertex of a face: vertices count from 1, or back from -1", lines.words()[word]));
  if (index > count || index < -count)
    lines.fail(fmt::format("the face names vertex {}; only {} stand before it", index, count));
  return index > 0 ? index - 1 : count + index;
}

}  // namespace

TriangleMesh read_obj(const MeshText& text) {
  TriangleMesh mesh;
  std::vector<int> polygon;
  WordLines lines(text);
  while (lines.next()) {
    const std::string_view key = lines.words()[0];
    if (key == "v") {
      for (std::size_t i = 1; i <= 3; ++i) mesh.vertices.push_back(lines.number(i, "coordinate of a vertex"));
    } else if (key == "f") {
      const int count = static_cast<int>(mesh.vertices.size() / 3);
      polygon.clear();
      for (std::size_t i = 1; i < lines.words().size(); ++i) polygon.push_back(face_vertex(lines, i, count));
      if (polygon.size() < 3) lines.fail("a face has at least three vertices");
      add_polygon(mesh, polygon);
    }
  }
  return mesh;
}

}  // namespace stiction::detail
