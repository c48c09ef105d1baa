// Geoms and contact pairs of the compiled model as shapes, and what MJCF has no attribute for: restitution and
// stiffness of contacts.
#include <algorithm>
#include <span>
#include <string_view>

#include <fmt/format.h>

#include "io/load_parts.hpp"
#include "model/names.hpp"

namespace stiction::detail {

namespace {

// The material's colour holds where the geom has none of its own (MuJoCo's default grey).
Colour shape_colour(const mjModel& m, std::size_t geom) {
  const float* own = m.geom_rgba + 4 * geom;
  const bool grey = own[0] == 0.5f && own[1] == 0.5f && own[2] == 0.5f && own[3] == 1.0f;
  const int material = m.geom_matid[geom];
  const float* colour = grey && material >= 0 ? m.mat_rgba + 4 * material : own;
  return {colour[0], colour[1], colour[2], colour[3]};
}

// Restitution of a pair follows the rule of friction: the higher priority decides, otherwise the larger value.
double mixed_restitution(const Model& model, std::size_t a, std::size_t b) {
  const int difference = model.shape_priority[a] - model.shape_priority[b];
  if (difference != 0) return model.shape_restitution[difference > 0 ? a : b];
  return std::max(model.shape_restitution[a], model.shape_restitution[b]);
}

// Calls use(numeric, its data, first shape, one past the last) for the custom numbers of that name: first NAME for all
// shapes, then NAME:GEOM for single ones, whatever their order in the file.
template <class Use>
void each_number(const mjModel& m, std::string_view wanted, const Model& model, Use&& use) {
  for (const bool single : {false, true})
    for (int i = 0; i < static_cast<int>(m.nnumeric); ++i) {
      const char* text = mj_id2name(&m, mjOBJ_NUMERIC, i);
      std::string_view name = text ? text : "";
      if (!name.starts_with(wanted)) continue;
      name.remove_prefix(wanted.size());
      if (single ? !name.starts_with(':') : !name.empty()) continue;
      const auto first = single ? std::size_t(find_name("geom", name.substr(1), model.shape_name, model.name)) : 0;
      const std::span<const double> values(m.numeric_data + m.numeric_adr[i], std::size_t(m.numeric_size[i]));
      use(i, values, first, single ? first + 1 : model.shape_name.size());
    }
}

}  // namespace

ShapeType shape_type(int geom_type) {
  switch (geom_type) {
    case mjGEOM_PLANE:
      return ShapeType::kPlane;
    case mjGEOM_HFIELD:
      return ShapeType::kHeightField;
    case mjGEOM_SPHERE:
      return ShapeType::kSphere;
    case mjGEOM_CAPSULE:
      return ShapeType::kCapsule;
    case mjGEOM_ELLIPSOID:
      return ShapeType::kEllipsoid;
    case mjGEOM_CYLINDER:
      return ShapeType::kCylinder;
    case mjGEOM_BOX:
      return ShapeType::kBox;
    default:
      return ShapeType::kMesh;  // mesh and sdf; a mesh with a hull becomes kHull
  }
}

void fill_shapes(const mjModel& m, Model& model) {
  const bool contacts = !disabled(m, mjDSBL_CONTACT) && !disabled(m, mjDSBL_CONSTRAINT);
  for (std::size_t s = 0; s < model.shape_name.size(); ++s) {
    model.shape_type[s] = shape_type(m.geom_type[s]);
    model.shape_body[s] = m.geom_bodyid[s];
    model.shape_pose[s] = {vec3(m.geom_pos, s), quat(m.geom_quat, s)};
    model.shape_size[s] = vec3(m.geom_size, s);
    model.shape_hull[s] = model.shape_mesh[s] = model.shape_height_field[s] = -1;
    model.shape_friction[s] = vec3(m.geom_friction, s);
    model.shape_surface_velocity[s] = vec3(m.geom_surfacevel, 2 * s);
    model.shape_surface_spin[s] = vec3(m.geom_surfacevel, 2 * s + 1);
    model.shape_condim[s] = m.geom_condim[s];
    model.shape_contype[s] = contacts ? m.geom_contype[s] : 0;
    model.shape_conaffinity[s] = contacts ? m.geom_conaffinity[s] : 0;
    model.shape_priority[s] = m.geom_priority[s];
    model.shape_margin[s] = m.geom_margin[s];
    model.shape_gap[s] = m.geom_gap[s];
    model.shape_group[s] = m.geom_group[s];
    model.shape_colour[s] = shape_colour(m, s);
  }
  for (std::size_t p = 0; p < model.pair_shape_a.size(); ++p) {
    model.pair_shape_a[p] = m.pair_geom1[p];
    model.pair_shape_b[p] = m.pair_geom2[p];
    model.pair_condim[p] = m.pair_dim[p];
    std::copy_n(m.pair_friction + 5 * p, 5, model.pair_friction[p].begin());
    model.pair_margin[p] = m.pair_margin[p];
    model.pair_gap[p] = m.pair_gap[p];
  }
}

void fill_contact_numbers(const mjModel& m, const ElementNames& names, Model& model) {
  each_number(m, "restitution", model, [&](int i, std::span<const double> values, std::size_t first, std::size_t last) {
    if (values.size() != 1 || !(values[0] >= 0 && values[0] <= 1))
      throw Error(fmt::format("{}: restitution must be one number in [0, 1]", names(mjOBJ_NUMERIC, i)));
    for (std::size_t s = first; s < last; ++s) model.shape_restitution[s] = values[0];
  });
  each_number(
      m, "contact_stiffness", model, [&](int i, std::span<const double> values, std::size_t first, std::size_t last) {
        const double damping = values.size() > 1 ? values[1] : 0;
        if (values.size() > 2 || !(values[0] > 0) || !(damping >= 0))
          throw Error(
              fmt::format("{}: contact_stiffness must be a stiffness [N/m] > 0, and a damping [N s/m] ≥ 0 if any",
                          names(mjOBJ_NUMERIC, i)));
        for (std::size_t s = first; s < last; ++s) {
          model.shape_compliance[s] = 1 / values[0];
          model.shape_damping[s] = damping;
        }
      });
  for (std::size_t p = 0; p < model.pair_shape_a.size(); ++p)
    model.pair_restitution[p] =
        mixed_restitution(model, std::size_t(model.pair_shape_a[p]), std::size_t(model.pair_shape_b[p]));
}

}  // namespace stiction::detail
