#include "io/file_format.hpp"

#include <fmt/format.h>

#include <stiction/version.hpp>

namespace stiction::detail {

void write_format(const Group& root, const FileKind& kind) {
  root.write_attribute("kind", std::string(kind.name));
  root.write_attribute("format", std::int64_t(kind.format));
  root.write_attribute("version", std::string(kVersion));
}

bool has_format(const Group& root) {
  return root.has_attribute("kind") && root.has_attribute("format");
}

void check_format(const Group& root, const FileKind& kind) {
  if (!has_format(root))
    throw Error(fmt::format("{}: is an HDF5 file, but not of the kind '{}'", root.file(), kind.name));
  const std::string stored_kind = root.read_text_attribute("kind");
  if (stored_kind != kind.name)
    throw Error(fmt::format("{}: its kind is '{}', expected '{}'", root.file(), stored_kind, kind.name));
  const std::int64_t number = root.read_integer_attribute("format");
  if (number != kind.format)
    throw Error(
        fmt::format("{}: has format number {} (written by stiction {}), but this is stiction {}, which reads format "
                    "number {}; read it with the version that wrote it",
                    root.file(), number, root.read_text_attribute("version"), kVersion, kind.format));
}

}  // namespace stiction::detail
