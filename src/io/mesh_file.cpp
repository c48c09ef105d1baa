#include "io/mesh_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <stiction/error.hpp>

#include "math/vec3.hpp"

namespace stiction {

namespace detail {

namespace {

bool blank(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}

template <class Number>
Number parse(const WordLines& lines, std::size_t word, const char* what) {
  if (word >= lines.words().size()) lines.fail(fmt::format("{} is missing", what));
  std::string_view text = lines.words()[word];
  if (text.size() > 1 && text[0] == '+') text.remove_prefix(1);
  Number value{};
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  // A number too small or too large for its type is a number all the same in a file; here it is refused.
  if (problem != std::errc() || end != text.data() + text.size())
    lines.fail(fmt::format("{}: '{}' is not a number", what, lines.words()[word]));
  return value;
}

Vec3 vertex(const TriangleMesh& mesh, int i) {
  const double* p = mesh.vertices.data() + 3 * static_cast<std::size_t>(i);
  return {p[0], p[1], p[2]};
}

// Whether the corner at b turns left and no other vertex of the outline lies in its triangle.
bool is_ear(const TriangleMesh& mesh, const std::vector<int>& outline, std::size_t corner, const Vec3& n) {
  const std::size_t count = outline.size();
  const int ia = outline[(corner + count - 1) % count], ib = outline[corner], ic = outline[(corner + 1) % count];
  const Vec3 a = vertex(mesh, ia), b = vertex(mesh, ib), c = vertex(mesh, ic);
  if (!(dot(cross(b - a, c - b), n) > 0)) return false;
  return std::none_of(outline.begin(), outline.end(), [&](int i) {
    if (i == ia || i == ib || i == ic) return false;
    const Vec3 x = vertex(mesh, i);
    return dot(cross(b - a, x - a), n) >= 0 && dot(cross(c - b, x - b), n) >= 0 && dot(cross(a - c, x - c), n) >= 0;
  });
}

}  // namespace

std::string mesh_extension(const std::string& path) {
  std::string kind = std::filesystem::path(path).extension().string();
  std::transform(kind.begin(), kind.end(), kind.begin(), [](unsigned char c) { return std::tolower(c); });
  return kind;
}

void mesh_error(const MeshText& text, int line, const std::string& problem) {
  throw Error(fmt::format("{}:{}: {}", text.path, line, problem));
}

bool WordLines::next() {
  words_.clear();
  const std::string& bytes = text_.bytes;
  bool joined = false;
  while (position_ < bytes.size() && (words_.empty() || joined)) {
    const std::size_t end = std::min(bytes.find('\n', position_), bytes.size());
    ++lines_read_;
    if (!joined) line_ = lines_read_;
    joined = false;
    for (std::size_t i = position_; i < end;) {
      while (i < end && blank(bytes[i])) ++i;
      std::size_t stop = i;
      while (stop < end && !blank(bytes[stop])) ++stop;
      if (stop == i) break;
      const std::string_view word(bytes.data() + i, stop - i);
      i = stop;
      joined = word == "\\";
      if (!joined) words_.push_back(word);
    }
    position_ = std::min(end + 1, bytes.size());
  }
  return !words_.empty();
}

double WordLines::number(std::size_t word, const char* what) const {
  return parse<double>(*this, word, what);
}

int WordLines::integer(std::size_t word, const char* what) const {
  return parse<int>(*this, word, what);
}

void add_polygon(TriangleMesh& mesh, const std::vector<int>& polygon) {
  std::vector<int> outline = polygon;
  // Newell: n = ½ Σ p_i × p_{i+1}, from the first vertex so that places far away keep their digits.
  Vec3 n;
  const Vec3 origin = vertex(mesh, outline[0]);
  for (std::size_t i = 0; i + 1 < outline.size(); ++i)
    n += cross(vertex(mesh, outline[i]) - origin, vertex(mesh, outline[i + 1]) - origin);
  while (outline.size() > 3) {
    std::size_t ear = 0;
    while (ear < outline.size() && !is_ear(mesh, outline, ear, n)) ++ear;
    // Only an outline of no area, or one that crosses itself, has no ear: any corner will do.
    if (ear == outline.size()) ear = 1;
    const std::size_t count = outline.size();
    for (const std::size_t corner : {(ear + count - 1) % count, ear, (ear + 1) % count})
      mesh.triangles.push_back(outline[corner]);
    outline.erase(outline.begin() + static_cast<std::ptrdiff_t>(ear));
  }
  mesh.triangles.insert(mesh.triangles.end(), outline.begin(), outline.end());
}

}  // namespace detail

namespace {

detail::MeshText read_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file || std::filesystem::is_directory(path)) throw Error(fmt::format("{}: cannot be opened", path));
  return {path, std::string(std::istreambuf_iterator<char>(file), {})};
}

}  // namespace

TriangleMesh read_mesh(const std::string& path) {
  const std::string kind = detail::mesh_extension(path);
  if (kind == ".msh" || kind == ".vtk") {
    const TetrahedralMesh solid = read_tetrahedra(path);
    try {
      return boundary(solid);
    } catch (const Error& error) {
      throw Error(fmt::format("{}: {}", path, error.what()));
    }
  }
  const detail::MeshText text = read_text(path);
  TriangleMesh mesh;
  if (kind == ".obj")
    mesh = detail::read_obj(text);
  else if (kind == ".stl")
    mesh = detail::read_stl(text);
  else if (kind == ".ply")
    mesh = detail::read_ply(text);
  else
    throw Error(fmt::format("{}: mesh files end in .obj, .stl, .ply, .msh or .vtk, not '{}'", path, kind));
  if (mesh.triangles.empty()) throw Error(fmt::format("{}: there is no triangle in the file", path));
  return mesh;
}

TetrahedralMesh read_tetrahedra(const std::string& path) {
  const std::string kind = detail::mesh_extension(path);
  const detail::MeshText text = read_text(path);
  TetrahedralMesh mesh;
  if (kind == ".msh")
    mesh = detail::read_gmsh(text);
  else if (kind == ".vtk")
    mesh = detail::read_vtk(text);
  else
    throw Error(fmt::format("{}: files of tetrahedra end in .msh or .vtk, not '{}'", path, kind));
  if (mesh.tetrahedra.empty()) throw Error(fmt::format("{}: there is no tetrahedron in the file", path));
  return mesh;
}

}  // namespace stiction
