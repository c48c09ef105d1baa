// Tetrahedra from text files. Gmsh, versions 2.2 and 4.1 (reference manual, "File formats"): $Nodes and $Elements;
// other sections are left out. VTK, legacy unstructured grids (The VTK File Formats, version 3.0 and before): POINTS,
// CELLS, CELL_TYPES.
#include <fmt/format.h>

#include <unordered_map>

#include "io/mesh_file.hpp"

namespace stiction::detail {

namespace {

// Linear, and of second order with ten vertices; in both the corners come first.
constexpr int kGmshTetrahedron = 4, kGmshTetrahedron10 = 11, kVtkTetrahedron = 10, kVtkTetrahedron10 = 24;

bool is_tetrahedron(int gmsh_type) {
  return gmsh_type == kGmshTetrahedron || gmsh_type == kGmshTetrahedron10;
}

class GmshReader {
 public:
  explicit GmshReader(const MeshText& text) : lines_(text) {}

  TetrahedralMesh read() {
    while (lines_.next()) {
      const std::string_view section = lines_.words()[0];
      if (section == "$MeshFormat") read_format();
      const bool nodes = section == "$Nodes";
      if (!nodes && section != "$Elements") continue;
      if (version_ == 0) lines_.fail("'$MeshFormat' must come first");
      if (nodes)
        version_ < 4 ? read_nodes_2() : read_nodes_4();
      else
        version_ < 4 ? read_elements_2() : read_elements_4();
    }
    return std::move(mesh_);
  }

 private:
  WordLines lines_;
  TetrahedralMesh mesh_;
  std::unordered_map<int, int> vertex_;  // by the number of the file
  double version_ = 0;

  void line(const char* what) {
    if (!lines_.next()) lines_.fail(fmt::format("the file ends before {}", what));
  }
  int count(std::size_t word, const char* what) const {
    const int n = lines_.integer(word, what);
    if (n < 0) lines_.fail(fmt::format("{}: {} is negative", what, n));
    return n;
  }
  void read_format() {
    line("the version");
    version_ = lines_.number(0, "version");
    if (version_ != 2.2 && version_ != 4.1)
      lines_.fail(fmt::format("version {} of Gmsh's format: 2.2 and 4.1 are read", version_));
    if (lines_.integer(1, "kind of file") != 0)
      lines_.fail("a binary file: write it as text (gmsh -bin 0, or meshio convert --ascii)");
  }
  void add_node(int number, std::size_t word) {
    if (!vertex_.emplace(number, static_cast<int>(mesh_.vertices.size() / 3)).second)
      lines_.fail(fmt::format("node {} is there twice", number));
    for (std::size_t k = 0; k < 3; ++k) mesh_.vertices.push_back(lines_.number(word + k, "coordinate of a node"));
  }
  void add_element(std::size_t word) {
    for (std::size_t k = 0; k < 4; ++k) {
      const int number = lines_.integer(word + k, "node of a tetrahedron");
      const auto found = vertex_.find(number);
      if (found == vertex_.end()) lines_.fail(fmt::format("there is no node {}", number));
      mesh_.tetrahedra.push_back(found->second);
    }
  }
  void read_nodes_2() {
    line("the number of nodes");
    const int nodes = count(0, "number of nodes");
    for (int i = 0; i < nodes; ++i) {
      line("the last node");
      add_node(lines_.integer(0, "number of a node"), 1);
    }
  }
  void read_elements_2() {
    line("the number of elements");
    const int elements = count(0, "number of elements");
    for (int i = 0; i < elements; ++i) {
      line("the last element");
      const int type = lines_.integer(1, "type of an element"), tags = count(2, "number of tags");
      if (is_tetrahedron(type)) add_element(3 + static_cast<std::size_t>(tags));
    }
  }
  void read_nodes_4() {
    line("the number of nodes");
    const int blocks = count(0, "number of blocks of nodes");
    std::vector<int> numbers;
    for (int block = 0; block < blocks; ++block) {
      line("the last block of nodes");
      const int nodes = count(3, "number of nodes of a block");
      numbers.clear();
      for (int i = 0; i < nodes; ++i) {
        line("the last node");
        numbers.push_back(lines_.integer(0, "number of a node"));
      }
      for (const int number : numbers) {
        line("the last node");
        add_node(number, 0);
      }
    }
  }
  void read_elements_4() {
    line("the number of elements");
    const int blocks = count(0, "number of blocks of elements");
    for (int block = 0; block < blocks; ++block) {
      line("the last block of elements");
      const int type = lines_.integer(2, "type of the elements"), elements = count(3, "number of elements of a block");
      for (int i = 0; i < elements; ++i) {
        line("the last element");
        if (is_tetrahedron(type)) add_element(1);
      }
    }
  }
};

// Words of a text, whatever their lines: VTK counts numbers only.
class WordStream {
 public:
  explicit WordStream(const MeshText& text) : lines_(text) {}
  bool next() {
    ++word_;
    while (word_ >= lines_.words().size()) {
      if (!lines_.next()) return false;
      word_ = 0;
    }
    return true;
  }
  std::string_view word() const { return lines_.words()[word_]; }
  int integer(const char* what) {
    if (!next()) lines_.fail(fmt::format("the file ends before {}", what));
    return lines_.integer(word_, what);
  }
  double number(const char* what) {
    if (!next()) lines_.fail(fmt::format("the file ends before {}", what));
    return lines_.number(word_, what);
  }
  WordLines& lines() { return lines_; }

 private:
  WordLines lines_;
  std::size_t word_ = 0;
};

}  // namespace

TetrahedralMesh read_gmsh(const MeshText& text) {
  return GmshReader(text).read();
}

TetrahedralMesh read_vtk(const MeshText& text) {
  WordStream words(text);
  WordLines& lines = words.lines();
  // The version, a title, the kind of file.
  if (!lines.next() || lines.words()[0] != "#") lines.fail("a VTK file begins with '# vtk DataFile Version'");
  while (lines.next() && lines.words()[0] != "ASCII")
    if (lines.words()[0] == "BINARY") lines.fail("a binary file: write it as text (meshio convert --ascii)");
  TetrahedralMesh mesh;
  std::vector<int> cells, start, types;
  while (words.next()) {
    const std::string_view section = words.word();
    if (section == "POINTS") {
      const int count = words.integer("the number of points");
      words.next();  // type of the coordinates
      for (int i = 0; i < 3 * count; ++i) mesh.vertices.push_back(words.number("coordinate of a point"));
    } else if (section == "CELLS") {
      const int count = words.integer("the number of cells");
      words.integer("the size of the cells");
      for (int i = 0; i < count; ++i) {
        start.push_back(static_cast<int>(cells.size()));
        const int vertices = words.integer("the number of vertices of a cell");
        for (int k = 0; k < vertices; ++k) cells.push_back(words.integer("vertex of a cell"));
      }
    } else if (section == "CELL_TYPES") {
      const int count = words.integer("the number of cells");
      if (count != static_cast<int>(start.size()))
        lines.fail(fmt::format("{} types for {} cells", count, start.size()));
      for (int i = 0; i < count; ++i) types.push_back(words.integer("type of a cell"));
    } else if (section == "POINT_DATA" || section == "CELL_DATA") {
      break;
    }
  }
  start.push_back(static_cast<int>(cells.size()));
  for (std::size_t i = 0; i < types.size(); ++i) {
    if (types[i] != kVtkTetrahedron && types[i] != kVtkTetrahedron10) continue;
    if (start[i + 1] - start[i] < 4) lines.fail(fmt::format("tetrahedron {} has fewer than four vertices", i));
    mesh.tetrahedra.insert(mesh.tetrahedra.end(), cells.begin() + start[i], cells.begin() + start[i] + 4);
  }
  return mesh;
}

}  // namespace stiction::detail
