// The readers of mesh files, one for each format, and what they share: a cursor over the words of a text with its line.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <stiction/mesh.hpp>

namespace stiction::detail {

struct MeshText {
  std::string path, bytes;
};

// The extension in small letters, with its dot.
std::string mesh_extension(const std::string& path);

// Error "path:line: problem".
[[noreturn]] void mesh_error(const MeshText& text, int line, const std::string& problem);

TriangleMesh read_obj(const MeshText& text);
TriangleMesh read_stl(const MeshText& text);
TriangleMesh read_ply(const MeshText& text);
TetrahedralMesh read_gmsh(const MeshText& text);
TetrahedralMesh read_vtk(const MeshText& text);

// Lines of a text as words. Words live as long as the text.
class WordLines {
 public:
  explicit WordLines(const MeshText& text) : text_(text) {}

  // Goes to the next line with a word in it; false at the end. A backslash at the end of a line joins the next.
  bool next();
  const std::vector<std::string_view>& words() const { return words_; }
  int line() const { return line_; }
  // Position of the first byte after the line.
  std::size_t position() const { return position_; }

  // A word of this line as a number; Error where it is none.
  double number(std::size_t word, const char* what) const;
  int integer(std::size_t word, const char* what) const;
  [[noreturn]] void fail(const std::string& problem) const { mesh_error(text_, line_, problem); }

 private:
  const MeshText& text_;
  std::size_t position_ = 0;
  int line_ = 0, lines_read_ = 0;
  std::vector<std::string_view> words_;
};

// Cuts the polygon of these vertices into triangles: ears where it is not convex (G. H. Meisters, Polygons have ears,
// 1975), in the plane that fits its area best.
void add_polygon(TriangleMesh& mesh, const std::vector<int>& polygon);

}  // namespace stiction::detail
