// Meshes of which MuJoCo's compiler can make no hull or no volume (flat sheets, surfaces that are not closed) but which
// collide triangle by triangle, so that neither is needed.
//
// It makes a hull of every mesh whose geom can collide. So such geoms are compiled as if they could not, and get their
// filters back in the compiled model. The volume gives the mass and the frame of the mesh: where the mass counts for
// nothing, because the body is fixed or has an inertial element, the shell gives the frame and the geom has no mass.
#include <map>
#include <set>
#include <string_view>

#include "io/load_parts.hpp"

namespace stiction::detail {

namespace {

// What <custom><text name="meshes:GEOM" …/></custom> says, by the name of the geom.
std::map<std::string, std::string> chosen_by_name(const mjSpec& spec) {
  std::map<std::string, std::string> chosen;
  for (mjsElement* text = mjs_firstElement(&spec, mjOBJ_TEXT); text; text = mjs_nextElement(&spec, text)) {
    const std::string name = mjs_getString(mjs_getName(text));
    if (name.starts_with(kMeshChoice)) chosen[name.substr(kMeshChoice.size())] = mjs_getString(mjs_asText(text)->data);
  }
  return chosen;
}

// A scale of zero is a mistake, not a sheet: MuJoCo refuses what it leaves.
bool flattened(const mjSpec& spec, const std::string& mesh) {
  mjsElement* element = mjs_findElement(&spec, mjOBJ_MESH, mesh.c_str());
  if (!element) return false;
  const double* scale = mjs_asMesh(element)->scale;
  return scale[0] * scale[1] * scale[2] == 0;
}

bool mass_counts(mjsElement* geom) {
  const mjsBody* body = mjs_getParent(geom);
  if (body->explicitinertial && mjs_getCompiler(geom)->inertiafromgeom != mjINERTIAFROMGEOM_TRUE) return false;
  for (; body; body = mjs_getParent(body->element))
    if (mjs_firstChild(body, mjOBJ_JOINT, 0)) return true;
  return false;
}

}  // namespace

ModelPointer compile_without_hulls(mjSpec& spec, MeshShapes meshes) {
  struct Filter {
    mjsElement* geom;
    int contype, conaffinity;
  };
  std::vector<Filter> filters;
  std::set<std::string> needed;  // meshes whose hull or mass counts
  const std::map<std::string, std::string> by_name = chosen_by_name(spec);
  for (mjsElement* element = mjs_firstElement(&spec, mjOBJ_GEOM); element; element = mjs_nextElement(&spec, element)) {
    mjsGeom* geom = mjs_asGeom(element);
    const std::string mesh = mjs_getString(geom->meshname);
    if (mesh.empty()) continue;
    const auto choice = by_name.find(mjs_getString(mjs_getName(element)));
    const bool triangles = choice == by_name.end() ? meshes == MeshShapes::kTriangles : choice->second == "triangles";
    const bool needs_hull = geom->type != mjGEOM_MESH || !triangles || flattened(spec, mesh);
    const bool needs_mass = mass_counts(element);
    if (needs_hull || needs_mass) needed.insert(mesh);
    if (needs_hull) continue;
    if (!needs_mass) geom->mass = 0;
    filters.push_back({element, geom->contype, geom->conaffinity});
    geom->contype = geom->conaffinity = 0;
  }
  if (filters.empty()) return nullptr;
  spec.compiler.discardvisual = false;  // which would take these geoms for pictures
  for (mjsElement* element = mjs_firstElement(&spec, mjOBJ_MESH); element; element = mjs_nextElement(&spec, element))
    if (!needed.contains(mjs_getString(mjs_getName(element)))) mjs_asMesh(element)->inertia = mjMESH_INERTIA_SHELL;
  ModelPointer compiled(mj_compile(&spec, nullptr));
  if (!compiled) return nullptr;
  for (const Filter& filter : filters) {
    const int id = mjs_getId(filter.geom);
    if (id < 0) continue;
    compiled->geom_contype[id] = filter.contype;
    compiled->geom_conaffinity[id] = filter.conaffinity;
  }
  return compiled;
}

}  // namespace stiction::detail
