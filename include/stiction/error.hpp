// The one exception of the library: thrown by builders, loaders and readers, never by step.
#pragma once

#include <stdexcept>
#include <string>

namespace stiction {

class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& message) : std::runtime_error(message) {}
};

}  // namespace stiction
