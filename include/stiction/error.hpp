// The one exception of the library: thrown by builders, loaders and readers, never by step.
#pragma once

#include <stdexcept>
#include <string>

namespace stiction {

class Error : public std::runtime_error {
 public:
  // Bytes that are no UTF-8, of a broken file that is quoted, are written as \xNN.
  explicit Error(const std::string& message);
};

}  // namespace stiction
