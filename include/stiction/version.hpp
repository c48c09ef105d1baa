// The version of Stiction, written here and nowhere else: CMake and the Python package read this line.
#pragma once

namespace stiction {

inline constexpr char kVersion[] = "0.1.0";

}  // namespace stiction
