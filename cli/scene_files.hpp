// Where scenes are: a path that the user gives, or the name of a shipped scene (`stack_10`), which is looked for in the
// installed share/stiction/scenes or, for a program that was not installed, in the source tree.
#pragma once

#include <string>
#include <vector>

namespace stiction::cli {

struct SceneFile {
  std::string name;  // without .xml
  std::string path;
  std::string meaning;  // the first line of the file's first comment
};

// By name; throws Error if the folder is not found.
std::vector<SceneFile> list_scenes();
// Path of a scene; throws Error that names the near and the shipped ones if there is neither file nor scene.
std::string find_scene(const std::string& name_or_path);

}  // namespace stiction::cli
