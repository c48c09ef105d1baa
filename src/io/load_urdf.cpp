// What a URDF needs beyond MuJoCo's reading of it: paths into packages, and a word on links without inertia, on limits
// the wrong way round, which it takes for none, and on joints that mimic nothing, which it leaves free.
#include <filesystem>

#include <fmt/format.h>

#include "io/load_parts.hpp"

namespace stiction::detail {

namespace {

namespace fs = std::filesystem;

// The folder of a package: one of that name at or above the file, or beside a folder above it.
fs::path find_package(const fs::path& file, const std::string& package) {
  std::error_code error;
  for (fs::path folder = fs::absolute(file, error).parent_path();; folder = folder.parent_path()) {
    if (folder.filename() == package) return folder;
    if (fs::is_directory(folder / package, error)) return folder / package;
    if (folder == folder.root_path()) return {};
  }
}

// The name of the package and the path in it; false if the file is not given by a package. MuJoCo may have taken one of
// the two slashes.
bool split_package(const std::string& file, std::string& package, std::string& rest) {
  constexpr std::string_view kScheme = "package:/";
  if (!file.starts_with(kScheme)) return false;
  const std::size_t begin = file.find_first_not_of('/', kScheme.size());
  const std::size_t end = begin == file.npos ? file.npos : file.find('/', begin);
  if (end == file.npos) return false;
  package = file.substr(begin, end - begin);
  rest = file.substr(end + 1);
  return true;
}

}  // namespace

void resolve_packages(mjSpec& spec, const std::string& path) {
  for (mjsElement* element = mjs_firstElement(&spec, mjOBJ_MESH); element; element = mjs_nextElement(&spec, element)) {
    mjsMesh* mesh = mjs_asMesh(element);
    std::string package, rest;
    if (!split_package(mjs_getString(mesh->file), package, rest)) continue;
    const fs::path folder = find_package(path, package);
    if (folder.empty())
      throw Error(
          fmt::format("{}: there is no folder '{}' at or above the file, which package://{}/{} asks for: put the "
                      "file into its package, or the package beside it",
                      path, package, package, rest));
    mjs_setString(mesh->file, (folder / rest).string().c_str());
  }
}

LoadIssue issue_of_warning(const std::string& warning) {
  constexpr std::string_view kMimic = "<mimic> on joint '";
  if (!warning.starts_with(kMimic)) return {false, "MuJoCo's compiler", warning};
  const std::string name = warning.substr(kMimic.size(), warning.find('\'', kMimic.size()) - kMimic.size());
  return {true, fmt::format("joint '{}'", name),
          "the joint that it mimics is not there, or one of the two is not revolute, continuous or prismatic"};
}

void report_urdf(const mjSpec& spec, const mjModel& compiled, LoadReport& report) {
  for (mjsElement* element = mjs_firstElement(&spec, mjOBJ_JOINT); element; element = mjs_nextElement(&spec, element)) {
    const mjsJoint* joint = mjs_asJoint(element);
    if (joint->range[0] > joint->range[1])
      throw Error(fmt::format("joint '{}': its lower limit {} is above its upper limit {}",
                              mj_id2name(&compiled, mjOBJ_JOINT, mjs_getId(element)), joint->range[0],
                              joint->range[1]));
  }
  for (mjsElement* element = mjs_firstElement(&spec, mjOBJ_BODY); element; element = mjs_nextElement(&spec, element)) {
    const mjsBody* body = mjs_asBody(element);
    const int id = mjs_getId(element);
    if (id <= 0 || body->explicitinertial || compiled.body_dofnum[id] == 0) continue;
    const char* name = mj_id2name(&compiled, mjOBJ_BODY, id);
    report.issues.push_back({false, fmt::format("link '{}'", name ? name : ""),
                             "it moves without an inertial element: its mass is that of its collision geometry at "
                             "1000 kg/m³"});
  }
}

}  // namespace stiction::detail
