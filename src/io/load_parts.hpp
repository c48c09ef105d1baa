// The parts of load: what each takes from MuJoCo's compiled model.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>

#include <stiction/load.hpp>

#include "io/mujoco_call.hpp"
#include "model/features.hpp"

namespace stiction::detail {

// MuJoCo's library brings a C++ standard library of its own: its strings and vectors (mjString …) must only be passed
// back to it, never looked into.

// Names elements as the file has them: "geom 'foot' (line 12)", or by number where the file gives no name.
class ElementNames {
 public:
  ElementNames(const mjSpec& spec, const mjModel& compiled);
  std::string operator()(mjtObj type, int id) const;

 private:
  const mjModel& compiled_;
  std::map<std::pair<mjtObj, int>, std::string> place_;
};

// Fills everything that the Model can hold. Features that the file disables by flags are left out.
Model fill_model(const mjModel& compiled, const std::string& name, MeshShapes meshes);
void fill_shapes(const mjModel& compiled, Model& model);
// Calls use(shape, number) for the geoms of that type that are chosen; number is what add(data) gave for their mesh or
// height field, once for each.
template <class Add, class Use>
void for_shared_data(const mjModel& compiled, mjtGeom type, const std::vector<bool>& chosen, Add&& add, Use&& use) {
  std::map<int, int> number;
  for (std::size_t s = 0; s < std::size_t(compiled.ngeom); ++s) {
    if (compiled.geom_type[s] != type || !chosen[s]) continue;
    const auto [entry, is_new] = number.try_emplace(compiled.geom_dataid[s], -1);
    if (is_new) entry->second = add(compiled.geom_dataid[s]);
    use(s, entry->second);
  }
}
// Names of custom texts that say how the mesh of one geom collides begin with this.
inline constexpr std::string_view kMeshChoice = "meshes:";
// Which geoms collide like that, if they are meshes: those that <custom><text name="meshes:GEOM" …/></custom> says, and
// all others if `meshes` says so.
std::vector<bool> geoms_as(MeshShapes kind, const mjModel& compiled, MeshShapes meshes);
void fill_hulls(const mjModel& compiled, const std::vector<bool>& chosen, Model& model);
void fill_triangles(const mjModel& compiled, const std::vector<bool>& chosen, Model& model);
void fill_height_fields(const mjModel& compiled, Model& model);
void fill_sites(const mjModel& compiled, Model& model);
void fill_equalities(const mjModel& compiled, Model& model);
std::vector<int> held_equalities(const mjModel& compiled);  // all but those of soft bodies
void fill_tendons(const mjModel& compiled, Model& model);
void fill_actuators(const mjModel& compiled, Model& model);
// Sensors that Stiction evaluates, in the order of the file; is the sensor one of them?
void fill_sensors(const mjModel& compiled, Model& model);
bool sensor_is_held(const mjModel& compiled, int sensor);
// What MJCF has no attribute for: restitution of shapes and pairs and stiffness and damping of contacts, from
// <custom><numeric name="restitution" …/> and <numeric name="contact_stiffness" …/>.
void fill_contact_numbers(const mjModel& compiled, const ElementNames& names, Model& model);

// Profiles of phase motors, from <custom><numeric name="phase_profile:ACTUATOR" …/>.
void fill_phase_profiles(const mjModel& compiled, const ElementNames& names, Model& model);

// What the file says and the engine does not do, in the order of the file's sections, and what was left out on purpose.
void report_issues(const mjModel& compiled, const Model& model, const ElementNames& names, LoadReport& report);
void report_notes(const mjModel& compiled, LoadReport& report);
// Bodies that lie in each other in the reference configuration, as a warning.
void report_overlaps(const Model& model, LoadReport& report);

// Paths package://NAME/… of meshes become paths of files: the folder NAME is looked for at and above the file. Throws
// Error if it is not there.
void resolve_packages(mjSpec& spec, const std::string& path);
// Hands the meshes of PLY files to the compiler as vertices and triangles. Throws Error with the mesh and its file.
void read_ply_meshes(mjSpec& spec, const std::string& path);
// Compiles meshes that collide triangle by triangle although they have no hull or no volume; null if it cannot be done,
// with the error left in the specification where there are such meshes.
ModelPointer compile_without_hulls(mjSpec& spec, MeshShapes meshes);
// A warning of MuJoCo's: of a joint of a URDF that mimics what it cannot, one that changes the physics.
LoadIssue issue_of_warning(const std::string& warning);
// Warns of moving links of a URDF that have no inertial element. Throws Error if limits are the wrong way round.
void report_urdf(const mjSpec& spec, const mjModel& compiled, LoadReport& report);

// Does the compiled model disable or enable the feature with that flag?
inline bool disabled(const mjModel& compiled, mjtDisableBit bit) {
  return (compiled.opt.disableflags & bit) != 0;
}
inline bool enabled(const mjModel& compiled, mjtEnableBit bit) {
  return (compiled.opt.enableflags & bit) != 0;
}

ShapeType shape_type(int geom_type);

// MuJoCo's flat arrays as our types; i counts elements.
inline Vec3 vec3(const mjtNum* data, std::size_t i) {
  return {data[3 * i], data[3 * i + 1], data[3 * i + 2]};
}
inline Quat quat(const mjtNum* data, std::size_t i) {
  return {data[4 * i], data[4 * i + 1], data[4 * i + 2], data[4 * i + 3]};
}

}  // namespace stiction::detail
