#include "support/shared_data.hpp"

#include <algorithm>
#include <array>

namespace stiction::test {

namespace fs = std::filesystem;

fs::path shared_data() {
  const fs::path path = fs::path(STICTION_SOURCE_DIR).parent_path() / "shared" / "data";
  return fs::is_directory(path) ? path : fs::path();
}

std::vector<fs::path> model_files(const std::vector<std::string>& folders) {
  std::vector<fs::path> files;
  const fs::path data = shared_data();
  if (data.empty()) return files;
  for (const std::string& folder : folders)
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(data / folder))
      if (entry.path().extension() == ".xml" || entry.path().extension() == ".urdf") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

std::unique_ptr<mjModel, void (*)(mjModel*)> mujoco_model(const fs::path& path, std::string* error) {
  const auto previous = mju_user_warning;
  mju_user_warning = [](const char*) {};
  std::array<char, 2048> text{};
  std::unique_ptr<mjModel, void (*)(mjModel*)> model(
      mj_loadXML(path.c_str(), nullptr, text.data(), static_cast<int>(text.size())), mj_deleteModel);
  mju_user_warning = previous;
  if (error) *error = text.data();
  return model;
}

}  // namespace stiction::test
