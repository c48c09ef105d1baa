// Names in text and what they stand for: looked up in a table, refused with the whole list.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

// The first column of a table of names.
#define STICTION_NAME(name, value, meaning) name,

namespace stiction::detail {

// Error with the name that was probably meant, and all of them.
[[noreturn]] void throw_unknown(std::string_view kind, std::string_view title, std::string_view name,
                                const std::vector<std::string>& names);

// The value at the place of the name in a table; an error with all names if there is none. A step calls it: no heap.
template <class Value>
Value value_named(std::string_view kind, std::string_view title, std::string_view name,
                  std::initializer_list<std::string_view> names, std::initializer_list<Value> values) {
  const auto* found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) throw_unknown(kind, title, name, std::vector<std::string>(names.begin(), names.end()));
  return values.begin()[found - names.begin()];
}

}  // namespace stiction::detail
