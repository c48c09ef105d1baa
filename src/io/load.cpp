// Loads MJCF and URDF: MuJoCo parses and compiles the file, the compiled arrays are copied into a Model, and whatever
// the file says that the engine does not do is listed. No dynamics of MuJoCo is called.
#include <stiction/load.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>

#include <fmt/format.h>

#include "io/load_parts.hpp"

namespace stiction {

namespace {

void require_readable(const std::string& path) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status))
    throw Error(fmt::format("{}: there is no such file; the working folder is {}", path,
                            std::filesystem::current_path(error).string()));
  if (std::filesystem::is_directory(status)) throw Error(fmt::format("{}: this is a folder, not an XML file", path));
  if (std::filesystem::is_regular_file(status) && std::filesystem::file_size(path, error) == 0)
    throw Error(fmt::format("{}: the file is empty", path));
}

// MuJoCo's texts end in a line break and split an element's place over lines: one line, for one message.
std::string one_line(const std::string& text) {
  std::string result;
  for (const char letter : text) {
    const bool line_break = letter == '\n' || letter == '\r';
    if (!line_break)
      result += letter;
    else if (!result.empty() && !result.ends_with("; "))
      result += "; ";
  }
  while (result.ends_with(' ') || result.ends_with(';')) result.pop_back();
  return result;
}

// The word in `text` that follows `key`; empty if the key is not there.
std::string word_after(const std::string& text, const std::string& key) {
  const std::size_t at = text.find(key);
  if (at == text.npos) return "";
  const std::size_t begin = at + key.size();
  return text.substr(begin, std::min(text.find(' ', begin), text.size()) - begin);
}

// "XML parse error 6: Error=XML_ERROR_PARSING_ELEMENT ErrorID=6 (0x6) Line number=3 …" in words.
std::string malformed(const std::string& text) {
  std::string kind = word_after(text, "Error=XML_ERROR_");
  std::string line = word_after(text, "Line number=");
  while (line.ends_with(':')) line.pop_back();
  if (kind.empty() || line.empty()) return text;
  for (char& letter : kind) letter = letter == '_' ? ' ' : static_cast<char>(std::tolower(letter));
  return fmt::format("line {}: the XML is malformed ({})", line, kind);
}

// MuJoCo's message without its noise: the repeated "Error:", and what it says of a specification that is gone anyway.
std::string cleaned(const std::string& mujoco) {
  std::string text = one_line(mujoco);
  for (const std::string noise : {"XML Error: ", "Error: ", "Element name '', id -1; ",
                                  "; The static bodies of the spec were fused before this error, and remain so."})
    for (std::size_t at = text.find(noise); at != text.npos; at = text.find(noise)) text.erase(at, noise.size());
  return text.empty() ? "MuJoCo gives no reason" : malformed(text);
}

[[noreturn]] void refuse(const std::string& path, const std::string& mujoco) {
  std::string text = cleaned(mujoco);
  if (text.find("opening file") != text.npos)
    text += " (paths are taken relative to the file, or to the folder that <compiler meshdir=…> names)";
  if (text.find("coplanar") != text.npos)
    text +=
        " (a flat mesh can collide triangle by triangle, meshes=\"triangles\", unless it stands in a contact pair; "
        "Builder.add_shape_mesh takes any)";
  if (text.find("Try setting inertia to shell") != text.npos)
    text += " (or give its body an inertial element, which a flat mesh needs if it moves)";
  if (text.find("mjMINVAL") != text.npos)
    text += " (mjMINVAL is 1e-15; give the body an inertial element, or a geom with mass)";
  if (text.find("positive eigenvalues") != text.npos)
    text +=
        " (no rigid body has this inertia: its principal moments must be above 0; a link that only marks a place "
        "needs no inertial element where it is fixed to another)";
  if (text.find("balanceinertia") != text.npos)
    text += " (in a URDF: <mujoco><compiler balanceinertia=\"true\"/></mujoco>)";
  throw Error(fmt::format("{}: {}", path, text));
}

// Pictures do not change the physics: textures become one plain colour and skins go, so that their files are not read.
void drop_pictures(mjSpec& spec) {
  for (mjsElement* element = mjs_firstElement(&spec, mjOBJ_TEXTURE); element;
       element = mjs_nextElement(&spec, element)) {
    mjsTexture* texture = mjs_asTexture(element);
    texture->builtin = mjBUILTIN_FLAT;
    texture->mark = mjMARK_NONE;
    texture->width = texture->height = 1;
    texture->gridsize[0] = texture->gridsize[1] = 1;
    mjs_setString(texture->file, "");
    mjs_setString(texture->content_type, "");
    for (int side = 0; side < 6; ++side) mjs_setInStringVec(texture->cubefiles, side, "");
    mjs_setBuffer(texture->data, nullptr, 0);
  }
  while (mjsElement* skin = mjs_firstElement(&spec, mjOBJ_SKIN))
    if (mjs_delete(&spec, skin) != 0) break;
}

// The file as MuJoCo's compiler may have it.
detail::SpecPointer parse(const std::string& path) {
  std::array<char, 4096> error{};
  detail::SpecPointer spec(mj_parseXML(path.c_str(), nullptr, error.data(), static_cast<int>(error.size())));
  if (!spec) refuse(path, error.data());
  drop_pictures(*spec);
  detail::resolve_packages(*spec, path);
  detail::read_ply_meshes(*spec, path);
  return spec;
}

// Compiles the specification, which is replaced where meshes need a second try.
detail::ModelPointer compile(const std::string& path, MeshShapes meshes, detail::SpecPointer& spec) {
  detail::ModelPointer compiled(mj_compile(spec.get(), nullptr));
  if (compiled) return compiled;
  const std::string first = mjs_getError(spec.get());
  spec = parse(path);
  compiled = detail::compile_without_hulls(*spec, meshes);
  if (compiled) return compiled;
  const std::string second = mjs_getError(spec.get());
  refuse(path, second.empty() ? first : second);
}

// The file's own name for the model, else the name of the file.
std::string model_name(const std::string& path, const mjSpec& spec) {
  const std::string given = mjs_getString(spec.modelname);
  const bool none = given.empty() || given == "MuJoCo Model";  // what MuJoCo calls a model without a name
  return none ? std::filesystem::path(path).stem().string() : given;
}

// Warnings of the compiler and those that MuJoCo would have printed, each once.
std::vector<std::string> warnings_of(const detail::MujocoCall& mujoco, const mjSpec& spec) {
  std::vector<std::string> texts;
  texts.reserve(static_cast<std::size_t>(mjs_numWarnings(&spec)));
  for (int i = 0; i < mjs_numWarnings(&spec); ++i) texts.push_back(cleaned(mjs_getWarning(&spec, i)));
  // What it prints is often the first line of the same.
  for (const std::string& warning : mujoco.warnings()) {
    const std::string text = cleaned(warning);
    if (std::none_of(texts.begin(), texts.end(), [&](const std::string& known) { return known.starts_with(text); }))
      texts.push_back(text);
  }
  return texts;
}

// All that changes the physics in one message, so that a file is mended in one go.
void require_supported(const LoadOptions& options, const LoadReport& report) {
  if (options.allow_unsupported) return;
  std::vector<std::pair<std::string, std::string>> items;
  for (const LoadIssue& issue : report.issues)
    if (issue.changes_physics) items.emplace_back(issue.element, issue.missing);
  if (items.empty()) return;
  throw Error(fmt::format("the file asks for what this version does not simulate:\n  {}",
                          fmt::join(detail::grouped_lines(items), "\n  ")));
}

}  // namespace

std::string LoadReport::text() const {
  std::vector<std::pair<std::string, std::string>> errors, warnings;
  for (const LoadIssue& issue : issues)
    (issue.changes_physics ? errors : warnings).emplace_back(issue.element, issue.missing);
  std::string lines;
  for (const std::string& line : detail::grouped_lines(errors)) lines += fmt::format("not simulated: {}\n", line);
  for (const std::string& line : detail::grouped_lines(warnings)) lines += fmt::format("warning: {}\n", line);
  for (const std::string& note : notes) lines += fmt::format("note: {}\n", note);
  return lines;
}

Model load(const std::string& path, const LoadOptions& options, LoadReport* report) {
  require_readable(path);
  LoadReport own_report;
  LoadReport& out = report ? *report : own_report;
  out = {};
  const detail::MujocoCall mujoco;
  detail::SpecPointer spec = parse(path);
  const detail::ModelPointer compiled = compile(path, options.meshes, spec);
  const detail::ElementNames names(*spec, *compiled);
  try {
    Model model = detail::fill_model(*compiled, model_name(path, *spec), options.meshes);
    detail::fill_contact_numbers(*compiled, names, model);
    detail::fill_phase_profiles(*compiled, names, model);
    detail::report_issues(*compiled, model, names, out);
    for (const std::string& warning : warnings_of(mujoco, *spec))
      out.issues.push_back(detail::issue_of_warning(warning));
    if (std::filesystem::path(path).extension() == ".urdf") detail::report_urdf(*spec, *compiled, out);
    detail::report_notes(*compiled, out);
    require_supported(options, out);
    check_model(model);
    detail::report_overlaps(model, out);
    return options.coordinates == Coordinates::kMaximal ? to_maximal(model) : model;
  } catch (const Error& error) {
    throw Error(fmt::format("{}: {}", path, error.what()));
  }
}

}  // namespace stiction
