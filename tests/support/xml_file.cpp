#include "support/xml_file.hpp"

#include <gtest/gtest.h>

#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace stiction::test {

std::string xml_file(const std::string& name, const std::string& text) {
  // Tests run side by side: each process has a folder of its own.
  const std::filesystem::path folder = testing::TempDir() + "stiction_" + std::to_string(getpid());
  std::filesystem::create_directories(folder);
  std::string path = folder / name;
  std::ofstream(path) << text;
  return path;
}

std::string mjcf(const std::string& text) {
  return xml_file("test.xml", "<mujoco>" + text + "</mujoco>");
}

}  // namespace stiction::test
