// Sites, equality constraints and tendons of the compiled model. Equalities between sites become equalities between
// the frames of those sites in their bodies, so that the Model has one form of each.
#include <algorithm>

#include "io/load_parts.hpp"

namespace stiction::detail {

namespace {

Transform site_frame(const mjModel& m, std::size_t site) {
  return {vec3(m.site_pos, site), quat(m.site_quat, site)};
}

// Connect and weld between bodies: MuJoCo has the anchors of a connect in the order a, b and those of a weld in the
// order b, a, followed by the rotation of frame b in frame a.
void fill_frames(const mjModel& m, std::size_t theirs, std::size_t e, Model& model) {
  const std::size_t a = std::size_t(m.eq_obj1id[theirs]), b = std::size_t(m.eq_obj2id[theirs]);
  if (m.eq_objtype[theirs] == mjOBJ_SITE) {
    model.equality_a[e] = m.site_bodyid[a];
    model.equality_b[e] = m.site_bodyid[b];
    model.equality_frame_a[e] = site_frame(m, a);
    model.equality_frame_b[e] = site_frame(m, b);
    return;
  }
  const mjtNum* data = m.eq_data + mjNEQDATA * theirs;
  const bool weld = m.eq_type[theirs] == mjEQ_WELD;
  model.equality_frame_a[e] = {vec3(data, weld ? 1 : 0), weld ? normalized(quat(data + 6, 0)) : Quat{}};
  model.equality_frame_b[e] = {vec3(data, weld ? 0 : 1), Quat{}};
}

WrapType wrap_kind(int type) {
  switch (type) {
    case mjWRAP_JOINT:
      return WrapType::kJoint;
    case mjWRAP_PULLEY:
      return WrapType::kPulley;
    case mjWRAP_SPHERE:
      return WrapType::kSphere;
    case mjWRAP_CYLINDER:
      return WrapType::kCylinder;
    default:
      return WrapType::kSite;
  }
}

void fill_wraps(const mjModel& m, Model& model) {
  for (std::size_t w = 0; w < model.wrap_type.size(); ++w) {
    const WrapType type = wrap_kind(m.wrap_type[w]);
    const bool curved = type == WrapType::kSphere || type == WrapType::kCylinder;
    model.wrap_type[w] = type;
    model.wrap_object[w] = type == WrapType::kPulley ? -1 : m.wrap_objid[w];
    model.wrap_side_site[w] = curved ? static_cast<int>(m.wrap_prm[w]) : -1;
    model.wrap_parameter[w] = type == WrapType::kJoint || type == WrapType::kPulley ? m.wrap_prm[w] : 1;
  }
}

}  // namespace

void fill_sites(const mjModel& m, Model& model) {
  for (std::size_t s = 0; s < model.site_body.size(); ++s) {
    model.site_body[s] = m.site_bodyid[s];
    model.site_pose[s] = site_frame(m, s);
    model.site_type[s] = shape_type(m.site_type[s]);
    model.site_size[s] = vec3(m.site_size, s);
  }
}

std::vector<int> held_equalities(const mjModel& m) {
  std::vector<int> held;
  held.reserve(std::size_t(m.neq));
  for (int e = 0; e < static_cast<int>(m.neq); ++e)
    if (m.eq_type[e] <= mjEQ_TENDON) held.push_back(e);
  return held;
}

void fill_equalities(const mjModel& m, Model& model) {
  const std::vector<int> held = held_equalities(m);
  model.nequality = static_cast<int>(held.size());
  model.resize();
  const bool enabled_by_flags = !disabled(m, mjDSBL_EQUALITY) && !disabled(m, mjDSBL_CONSTRAINT);
  for (std::size_t e = 0; e < held.size(); ++e) {
    const std::size_t theirs = std::size_t(held[e]);
    const char* name = mj_id2name(&m, mjOBJ_EQUALITY, held[e]);
    model.equality_name[e] = name ? name : "";
    model.equality_type[e] = static_cast<EqualityType>(m.eq_type[theirs]);  // same numbers
    model.equality_active[e] = enabled_by_flags && m.eq_active0[theirs] ? 1 : 0;
    model.equality_a[e] = m.eq_obj1id[theirs];
    model.equality_b[e] = m.eq_obj2id[theirs];
    if (model.equality_type[e] == EqualityType::kConnect || model.equality_type[e] == EqualityType::kWeld)
      fill_frames(m, theirs, e, model);
    else
      std::copy_n(m.eq_data + mjNEQDATA * theirs, model.equality_polynomial[e].size(),
                  model.equality_polynomial[e].begin());
  }
}

void fill_tendons(const mjModel& m, Model& model) {
  const bool limits = !disabled(m, mjDSBL_LIMIT) && !disabled(m, mjDSBL_CONSTRAINT);
  const bool friction = !disabled(m, mjDSBL_FRICTIONLOSS) && !disabled(m, mjDSBL_CONSTRAINT);
  for (std::size_t t = 0; t < model.tendon_type.size(); ++t) {
    model.tendon_type[t] = m.tendon_type[t] == mjTENDON_SPATIAL ? TendonType::kSpatial : TendonType::kFixed;
    model.tendon_wrap[t] = m.tendon_adr[t];
    model.tendon_limited[t] = limits && m.tendon_limited[t] ? 1 : 0;
    model.tendon_lower[t] = m.tendon_range[2 * t];
    model.tendon_upper[t] = m.tendon_range[2 * t + 1];
    model.tendon_margin[t] = m.tendon_margin[t];
    model.tendon_stiffness[t] = disabled(m, mjDSBL_SPRING) ? 0 : m.tendon_stiffness[t];
    model.tendon_spring_lower[t] = m.tendon_lengthspring[2 * t];
    model.tendon_spring_upper[t] = m.tendon_lengthspring[2 * t + 1];
    model.tendon_damping[t] = disabled(m, mjDSBL_DAMPER) ? 0 : m.tendon_damping[t];
    model.tendon_friction[t] = friction ? m.tendon_frictionloss[t] : 0;
    model.tendon_armature[t] = m.tendon_armature[t];
    model.tendon_force_limited[t] = m.tendon_actfrclimited[t] ? 1 : 0;
    model.tendon_force_lower[t] = m.tendon_actfrcrange[2 * t];
    model.tendon_force_upper[t] = m.tendon_actfrcrange[2 * t + 1];
    model.tendon_reference_length[t] = m.tendon_length0[t];
  }
  model.tendon_wrap.back() = model.nwrap;
  fill_wraps(m, model);
}

}  // namespace stiction::detail
