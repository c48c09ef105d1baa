// JSON text from values, in the order in which they are given. Numbers are written so that they read back as the same
// double; NaN and infinity, which JSON does not have, become null.
#pragma once

#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace stiction::cli {

class JsonObject;

std::string json_text(double value);
std::string json_text(std::string_view value);
inline std::string json_text(const char* value) {
  return json_text(std::string_view(value));
}
inline std::string json_text(const std::string& value) {
  return json_text(std::string_view(value));
}

template <class T>
requires std::is_integral_v<T> std::string json_text(T value) {
  if constexpr (std::is_same_v<T, bool>)
    return value ? "true" : "false";
  else
    return std::to_string(value);
}

template <class T>
std::string json_text(const std::vector<T>& values) {
  std::string text = "[";
  for (const T& value : values) text += (text.size() > 1 ? ", " : "") + json_text(value);
  return text + "]";
}

class JsonObject {
 public:
  template <class T>
  JsonObject& add(std::string_view key, const T& value) {
    body_ += (body_.empty() ? "" : ", ") + json_text(key) + ": " + json_text(value);
    return *this;
  }
  JsonObject& add_null(std::string_view key) {
    body_ += (body_.empty() ? "" : ", ") + json_text(key) + ": null";
    return *this;
  }
  std::string text() const { return "{" + body_ + "}"; }

 private:
  std::string body_;
};

inline std::string json_text(const JsonObject& value) {
  return value.text();
}

}  // namespace stiction::cli
