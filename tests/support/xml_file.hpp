// Small MJCF files for tests.
#pragma once

#include <string>

namespace stiction::test {

// Writes the text to a file of the tests' temporary folder; its path.
std::string xml_file(const std::string& name, const std::string& text);

// The file "test.xml" with <mujoco> around the text.
std::string mjcf(const std::string& text);

}  // namespace stiction::test
