// Meshes in PLY files, which MuJoCo's compiler has no reader for: ours reads them, and the compiler gets vertices and
// triangles as if they stood in the XML. Scale, reference frame, inertia and hull are made by it as for any other mesh.
#include <filesystem>

#include <fmt/format.h>

#include <stiction/mesh.hpp>

#include "io/load_parts.hpp"
#include "io/mesh_file.hpp"

namespace stiction::detail {

namespace {

namespace fs = std::filesystem;

// As MuJoCo resolves it: without its folders where strippath says so, then in meshdir, then beside the model's file. An
// attached model brings its own of each.
fs::path resolved(const mjsMesh& mesh) {
  const mjSpec& origin = *mjs_getOriginSpec(mesh.element);
  fs::path file = mjs_getString(mesh.file);
  if (origin.strippath) file = file.filename();
  // A path that is absolute replaces what stands before it.
  return fs::path(mjs_getString(origin.modelfiledir)) / mjs_getString(mjs_getCompiler(mesh.element)->meshdir) / file;
}

std::string called(const mjsMesh& mesh) {
  const std::string line = mjs_getString(mesh.info);
  const bool known = !line.empty() && line != "line 0";  // elements of an included file come without a line
  return fmt::format("mesh '{}'{}", mjs_getString(mjs_getName(mesh.element)), known ? " (" + line + ")" : "");
}

}  // namespace

void read_ply_meshes(mjSpec& spec, const std::string& path) {
  for (mjsElement* element = mjs_firstElement(&spec, mjOBJ_MESH); element; element = mjs_nextElement(&spec, element)) {
    mjsMesh* mesh = mjs_asMesh(element);
    if (mesh_extension(mjs_getString(mesh->file)) != ".ply") continue;
    TriangleMesh surface;
    try {
      surface = read_mesh(resolved(*mesh).string());
    } catch (const Error& error) {
      throw Error(fmt::format("{}: {}: {}", path, called(*mesh), error.what()));
    }
    const std::vector<float> vertices(surface.vertices.begin(), surface.vertices.end());
    mjs_setFloat(mesh->uservert, vertices.data(), static_cast<int>(vertices.size()));
    mjs_setInt(mesh->userface, surface.triangles.data(), static_cast<int>(surface.triangles.size()));
    mjs_setString(mesh->file, "");
    mjs_setString(mesh->content_type, "");
  }
}

}  // namespace stiction::detail
