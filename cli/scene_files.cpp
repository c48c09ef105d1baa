#include "scene_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <stiction/error.hpp>

#include "model/names.hpp"

namespace stiction::cli {
namespace {

namespace fs = std::filesystem;

// The folder of shipped scenes; empty if there is none.
fs::path scene_folder() {
  std::error_code ignored;
  const fs::path program = fs::read_symlink("/proc/self/exe", ignored).parent_path();
  for (const fs::path& folder : {program / "../share/stiction/scenes",  // <prefix>/bin/stiction
                                 program / "../../scenes"})             // <source>/build/<preset>/stiction
    if (fs::is_directory(folder, ignored)) return fs::canonical(folder);
  return {};
}

std::string first_comment_line(const fs::path& path) {
  std::ifstream file(path);
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  const std::size_t begin = text.find("<!--"), end = text.find("-->");
  if (begin == text.npos || end == text.npos || end < begin) return "";
  const std::string comment = text.substr(begin + 4, end - begin - 4);
  const std::size_t first = comment.find_first_not_of(" \t\r\n");
  if (first == comment.npos) return "";
  const std::size_t line_end = std::min(comment.find('\n', first), comment.size());
  const std::string line = comment.substr(first, line_end - first);
  return line.substr(0, line.find_last_not_of(" \t\r") + 1);
}

}  // namespace

std::vector<SceneFile> list_scenes() {
  const fs::path folder = scene_folder();
  if (folder.empty())
    throw Error(
        "the shipped scenes are not here: neither share/stiction/scenes of the installation nor scenes/ of the source "
        "tree");
  std::vector<SceneFile> scenes;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".xml")
      scenes.push_back({entry.path().stem().string(), entry.path().string(), first_comment_line(entry.path())});
  std::sort(scenes.begin(), scenes.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return scenes;
}

std::string find_scene(const std::string& name_or_path) {
  // A path that is not there is for the loader to refuse.
  if (fs::exists(name_or_path) || name_or_path.find_first_of("/.") != std::string::npos) return name_or_path;
  std::vector<std::string> names;
  if (!scene_folder().empty())
    for (const SceneFile& scene : list_scenes()) {
      if (scene.name == name_or_path) return scene.path;
      names.push_back(scene.name);
    }
  throw Error(fmt::format("there is neither a file nor a shipped scene '{}'{}; `stiction scenes` lists them",
                          name_or_path, names.empty() ? "" : detail::suggest_names(name_or_path, names)));
}

}  // namespace stiction::cli
