// PLY, text or binary of either byte order: x, y, z of the element "vertex" and the list vertex_indices (or
// vertex_index) of the element "face"; other elements and properties are read over. G. Turk, The PLY polygon file
// format (1994).
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

#include <stiction/error.hpp>

#include "io/mesh_file.hpp"

namespace stiction::detail {

namespace {

enum class Scalar { kInt8, kUint8, kInt16, kUint16, kInt32, kUint32, kFloat32, kFloat64 };
enum class Encoding { kText, kLittle, kBig };

struct Property {
  std::string name;
  bool list = false;
  Scalar count = Scalar::kUint8, item = Scalar::kFloat32;
};

struct Element {
  std::string name;
  int count = 0;
  std::vector<Property> properties;
};

struct Header {
  Encoding encoding = Encoding::kText;
  std::vector<Element> elements;
  std::size_t body = 0;  // position of the first byte after it
  int lines = 0;
};

Scalar scalar_type(const WordLines& lines, std::size_t word) {
  static constexpr std::array<std::array<std::string_view, 2>, 8> kNames{{{"char", "int8"},
                                                                          {"uchar", "uint8"},
                                                                          {"short", "int16"},
                                                                          {"ushort", "uint16"},
                                                                          {"int", "int32"},
                                                                          {"uint", "uint32"},
                                                                          {"float", "float32"},
                                                                          {"double", "float64"}}};
  if (word >= lines.words().size()) lines.fail("the type of the property is missing");
  const std::string_view name = lines.words()[word];
  for (std::size_t i = 0; i < kNames.size(); ++i)
    if (name == kNames[i][0] || name == kNames[i][1]) return static_cast<Scalar>(i);
  lines.fail(fmt::format("'{}' is no type of a PLY file", name));
}

Header read_header(const MeshText& text, WordLines& lines) {
  Header header;
  if (!lines.next() || lines.words()[0] != "ply") mesh_error(text, 1, "a PLY file begins with the word 'ply'");
  bool has_format = false;
  while (lines.next()) {
    const std::vector<std::string_view>& words = lines.words();
    const std::string_view key = words[0];
    if (key == "end_header") {
      if (!has_format) lines.fail("the header has no 'format'");
      header.body = lines.position();
      header.lines = lines.line();
      return header;
    }
    if (key == "format" && words.size() > 1) {
      has_format = true;
      if (words[1] == "binary_little_endian")
        header.encoding = Encoding::kLittle;
      else if (words[1] == "binary_big_endian")
        header.encoding = Encoding::kBig;
      else if (words[1] != "ascii")
        lines.fail(fmt::format("'{}' is no format of a PLY file", words[1]));
    } else if (key == "element" && words.size() > 2) {
      header.elements.push_back({std::string(words[1]), lines.integer(2, "number of elements"), {}});
      if (header.elements.back().count < 0) lines.fail("a number of elements is negative");
    } else if (key == "property" && words.size() > 2) {
      if (header.elements.empty()) lines.fail("a property before the first element");
      Property property;
      property.list = words[1] == "list";
      if (property.list) property.count = scalar_type(lines, 2);
      property.item = scalar_type(lines, property.list ? 3 : 1);
      property.name = std::string(words.back());
      header.elements.back().properties.push_back(property);
    } else if (key != "comment" && key != "obj_info") {
      lines.fail(fmt::format("'{}' is not understood in the header", key));
    }
  }
  lines.fail("the header has no 'end_header'");
}

// The numbers of the body one after the other.
class Body {
 public:
  Body(const MeshText& text, const Header& header, WordLines& lines)
      : text_(text), encoding_(header.encoding), lines_(lines), position_(header.body) {}

  void begin_element(const Element& element, int i) {
    element_ = &element;
    index_ = i;
    word_ = 0;
    if (encoding_ == Encoding::kText && !element.properties.empty() && !lines_.next()) ends();
  }
  double next(Scalar type) {
    if (encoding_ == Encoding::kText) return lines_.number(word_++, "value");
    switch (type) {
      case Scalar::kInt8:
        return binary<std::int8_t>();
      case Scalar::kUint8:
        return binary<std::uint8_t>();
      case Scalar::kInt16:
        return binary<std::int16_t>();
      case Scalar::kUint16:
        return binary<std::uint16_t>();
      case Scalar::kInt32:
        return binary<std::int32_t>();
      case Scalar::kUint32:
        return binary<std::uint32_t>();
      case Scalar::kFloat32:
        return static_cast<double>(binary<float>());
      default:
        return binary<double>();
    }
  }
  [[noreturn]] void fail(const std::string& problem) const {
    const std::string where = fmt::format("{} {}: {}", element_->name, index_, problem);
    if (encoding_ == Encoding::kText) lines_.fail(where);
    throw Error(fmt::format("{}: {}", text_.path, where));
  }

 private:
  const MeshText& text_;
  Encoding encoding_;
  WordLines& lines_;
  std::size_t position_ = 0, word_ = 0;
  const Element* element_ = nullptr;
  int index_ = 0;

  [[noreturn]] void ends() const {
    throw Error(fmt::format("{}: the file ends at {} {} of {}", text_.path, element_->name, index_, element_->count));
  }
  template <class T>
  T binary() {
    if (text_.bytes.size() - position_ < sizeof(T)) ends();
    std::array<char, sizeof(T)> bytes;
    std::memcpy(bytes.data(), text_.bytes.data() + position_, sizeof(T));
    position_ += sizeof(T);
    if ((encoding_ == Encoding::kBig) != (std::endian::native == std::endian::big))
      std::reverse(bytes.begin(), bytes.end());
    return std::bit_cast<T>(bytes);
  }
};

void read_vertices(const Element& element, Body& body, const MeshText& text, TriangleMesh& mesh) {
  std::array<bool, 3> has{};
  for (const Property& property : element.properties)
    for (std::size_t k = 0; k < 3; ++k)
      has[k] = has[k] || (!property.list && property.name == std::string(1, "xyz"[k]));
  if (!has[0] || !has[1] || !has[2]) throw Error(fmt::format("{}: the vertices have no x, y and z", text.path));
  for (int i = 0; i < element.count; ++i) {
    body.begin_element(element, i);
    std::array<double, 3> place{};
    for (const Property& property : element.properties) {
      const int values = property.list ? static_cast<int>(body.next(property.count)) : 1;
      for (int k = 0; k < values; ++k) {
        const double value = body.next(property.item);
        const std::size_t axis = property.list ? 3 : std::string_view("xyz").find(property.name);
        if (axis < 3) place[axis] = value;
      }
    }
    mesh.vertices.insert(mesh.vertices.end(), place.begin(), place.end());
  }
}

void read_faces(const Element& element, Body& body, TriangleMesh& mesh) {
  const std::size_t count = mesh.vertices.size() / 3;
  std::vector<int> polygon;
  for (int i = 0; i < element.count; ++i) {
    body.begin_element(element, i);
    for (const Property& property : element.properties) {
      const bool indices = property.list && (property.name == "vertex_indices" || property.name == "vertex_index");
      const double values = property.list ? body.next(property.count) : 1;
      if (indices && !(values >= 3)) body.fail(fmt::format("a face has at least three vertices, not {}", values));
      if (indices) polygon.clear();
      for (int k = 0; k < static_cast<int>(values); ++k) {
        const double value = body.next(property.item);
        if (!indices) continue;
        if (!(value >= 0 && value < static_cast<double>(count)))
          body.fail(fmt::format("vertex {} of {} does not exist", value, count));
        polygon.push_back(static_cast<int>(value));
      }
      if (indices) add_polygon(mesh, polygon);
    }
  }
}

void read_over(const Element& element, Body& body) {
  for (int i = 0; i < element.count; ++i) {
    body.begin_element(element, i);
    for (const Property& property : element.properties) {
      const int values = property.list ? static_cast<int>(body.next(property.count)) : 1;
      for (int k = 0; k < values; ++k) body.next(property.item);
    }
  }
}

}  // namespace

TriangleMesh read_ply(const MeshText& text) {
  WordLines lines(text);
  const Header header = read_header(text, lines);
  Body body(text, header, lines);
  TriangleMesh mesh;
  for (const Element& element : header.elements) {
    if (element.name == "vertex")
      read_vertices(element, body, text, mesh);
    else if (element.name == "face")
      read_faces(element, body, mesh);
    else
      read_over(element, body);
  }
  return mesh;
}

}  // namespace stiction::detail
