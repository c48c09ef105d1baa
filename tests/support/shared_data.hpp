// Real robots and scenes that lie beside the checkout (../shared/data); a fresh clone has none of them.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <mujoco/mujoco.h>

namespace stiction::test {

// Empty where the data is absent: skip then.
std::filesystem::path shared_data();

// All MJCF and URDF files under the folders, in a fixed order.
std::vector<std::filesystem::path> model_files(const std::vector<std::string>& folders);

// The file as MuJoCo itself compiles it; null, with its message in *error, if it refuses. Prints nothing.
std::unique_ptr<mjModel, void (*)(mjModel*)> mujoco_model(const std::filesystem::path& path,
                                                          std::string* error = nullptr);

}  // namespace stiction::test
