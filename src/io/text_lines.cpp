#include "io/text_lines.hpp"

#include <fmt/format.h>

#include <charconv>
#include <filesystem>
#include <sstream>

#include <stiction/error.hpp>

namespace stiction::detail {

TextLines::TextLines(const std::string& path) : path_(path), file_(path) {
  if (!std::filesystem::exists(path)) throw Error(fmt::format("{}: no such file", path));
  if (!file_) throw Error(fmt::format("{}: cannot be read", path));
}

bool TextLines::next() {
  std::string line;
  while (std::getline(file_, line)) {
    ++number_;
    std::istringstream stream(line.substr(0, line.find('#')));
    words_.clear();
    for (std::string word; stream >> word;) words_.push_back(word);
    if (!words_.empty()) return true;
  }
  return false;
}

void TextLines::need(std::size_t count, const std::string& what) {
  if (!next()) throw Error(fmt::format("{}: ends before {}", path_, what));
  if (words_.size() != count) fail(fmt::format("should hold {}", what));
}

template <class T>
T TextLines::number(std::size_t i, const char* kind) const {
  const std::string& text = words_[i];
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) fail(fmt::format("'{}' is not {}", text, kind));
  return value;
}

int TextLines::integer(std::size_t i) const {
  return number<int>(i, "a whole number");
}
double TextLines::real(std::size_t i) const {
  return number<double>(i, "a number");
}

void TextLines::fail(const std::string& what) const {
  throw Error(fmt::format("{}:{}: {}", path_, number_, what));
}

}  // namespace stiction::detail
