#include "json.hpp"

#include <fmt/format.h>

#include <cmath>

namespace stiction::cli {

std::string json_text(double value) {
  return std::isfinite(value) ? fmt::format("{}", value) : "null";
}

std::string json_text(std::string_view value) {
  std::string text = "\"";
  for (const char c : value) {
    if (c == '"' || c == '\\')
      text += {'\\', c};
    else if (c == '\n')
      text += "\\n";
    else if (static_cast<unsigned char>(c) < 0x20)
      text += fmt::format("\\u{:04x}", int(c));
    else
      text += c;
  }
  return text + "\"";
}

}  // namespace stiction::cli
