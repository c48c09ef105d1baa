// stiction scenes: the shipped scenes, one line each.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "commands.hpp"
#include "json.hpp"
#include "scene_files.hpp"

namespace stiction::cli {
namespace {

void print_scenes(bool json) {
  const std::vector<SceneFile> scenes = list_scenes();
  if (json) {
    std::vector<JsonObject> rows;
    rows.reserve(scenes.size());
    for (const SceneFile& scene : scenes)
      rows.push_back(JsonObject().add("name", scene.name).add("path", scene.path).add("meaning", scene.meaning));
    fmt::print("{}\n", JsonObject().add("scenes", rows).text());
    return;
  }
  std::size_t width = 0;
  for (const SceneFile& scene : scenes) width = std::max(width, scene.name.size());
  for (const SceneFile& scene : scenes) fmt::print("{:<{}}  {}\n", scene.name, width, scene.meaning);
}

}  // namespace

void add_scenes(CLI::App& app, int&) {
  CLI::App* command = app.add_subcommand("scenes", "List the shipped scenes; `stiction run NAME` takes the names");
  const auto json = std::make_shared<bool>(false);
  command->add_flag("--json", *json, "Print one JSON object");
  command->callback([json] { print_scenes(*json); });
}

}  // namespace stiction::cli
