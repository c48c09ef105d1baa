#include <stiction/error.hpp>

#include <cstddef>

#include <fmt/format.h>

namespace stiction {

namespace {

bool continues(const std::string& text, std::size_t i) {
  return i < text.size() && (static_cast<unsigned char>(text[i]) & 0xc0u) == 0x80u;
}

// Bytes of the character that begins at i; 0 if none does.
std::size_t character_length(const std::string& text, std::size_t i) {
  const auto first = static_cast<unsigned char>(text[i]);
  const std::size_t length = first < 0x80    ? 1
                             : first < 0xc2  ? 0
                             : first < 0xe0  ? 2
                             : first < 0xf0  ? 3
                             : first <= 0xf4 ? 4
                                             : 0;
  for (std::size_t k = 1; k < length; ++k)
    if (!continues(text, i + k)) return 0;
  if (length < 3) return length;
  // Overlong forms, surrogates and what is beyond the last character.
  const auto second = static_cast<unsigned char>(text[i + 1]);
  const bool low = (first == 0xe0 && second < 0xa0) || (first == 0xf0 && second < 0x90);
  const bool high = (first == 0xed && second > 0x9f) || (first == 0xf4 && second > 0x8f);
  return low || high ? 0 : length;
}

std::string printable(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = character_length(text, i);
    if (length == 0)
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[i]));
    else
      out.append(text, i, length);
    i += length == 0 ? 1 : length;
  }
  return out;
}

}  // namespace

Error::Error(const std::string& message) : std::runtime_error(printable(message)) {}

}  // namespace stiction
