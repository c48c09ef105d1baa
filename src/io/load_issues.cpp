// Lists what the file says and the engine does not do. What the Model holds is judged by find_unsupported, the list
// that a Simulation uses too; here is what the Model has no place for. The words stand in features.hpp.
#include <algorithm>

#include "io/load_parts.hpp"
#include "model/supported.hpp"

namespace stiction::detail {

namespace {

class Issues {
 public:
  Issues(const mjModel& compiled, const Model& model, const ElementNames& names, LoadReport& report)
      : m_(compiled), model_(model), names_(names), report_(report) {}

  void options();
  void held_by_model();
  void bodies_and_joints();
  void shapes();
  void constraints();
  void actuators();
  void sensors();

 private:
  void add(bool holds, Feature feature, const std::string& element) {
    if (!holds) return;
    const FeatureInfo& info = feature_info(feature);
    report_.issues.push_back({info.support == Support::kNotYet, element, info.remark});
  }
  void add(bool holds, Feature feature, mjtObj type, int id) {
    if (holds) add(true, feature, names_(type, id));
  }

  const mjModel& m_;
  const Model& model_;
  const ElementNames& names_;
  LoadReport& report_;
};

bool any(const mjtNum* values, int count) {
  return std::any_of(values, values + count, [](mjtNum value) { return value != 0; });
}

mjtObj mujoco_kind(ElementKind kind) {
  switch (kind) {
    case ElementKind::kBody:
      return mjOBJ_BODY;
    case ElementKind::kJoint:
      return mjOBJ_JOINT;
    case ElementKind::kShape:
      return mjOBJ_GEOM;
    case ElementKind::kPair:
      return mjOBJ_PAIR;
    case ElementKind::kEquality:
      return mjOBJ_EQUALITY;
    case ElementKind::kTendon:
      return mjOBJ_TENDON;
    case ElementKind::kActuator:
      return mjOBJ_ACTUATOR;
  }
  return mjOBJ_UNKNOWN;
}

void Issues::options() {
  add(enabled(m_, mjENBL_OVERRIDE), Feature::kOverride, "flag 'override'");
  add(enabled(m_, mjENBL_SLEEP), Feature::kSleep, "flag 'sleep'");
  add(disabled(m_, mjDSBL_FILTERPARENT), Feature::kFilterParent, "flag 'filterparent'");
  add(disabled(m_, mjDSBL_ACTUATION) && m_.nactuator > 0, Feature::kActuationOff, "flag 'actuation'");
  for (int a = 0; a < static_cast<int>(m_.nactuator); ++a) {
    const int group = m_.actuator_group[a];
    add(group >= 0 && group < 31 && (m_.opt.disableactuator & (1 << group)) != 0, Feature::kActuationOff,
        mjOBJ_ACTUATOR, a);
  }
}

void Issues::held_by_model() {
  for (const Unsupported& item : find_unsupported(model_)) {
    const bool sdf = item.kind == ElementKind::kShape && m_.geom_type[item.index] == mjGEOM_SDF;
    const Feature feature = sdf && item.feature == Feature::kMeshSurface ? Feature::kSdf : item.feature;
    const int index = item.kind == ElementKind::kEquality ? held_equalities(m_)[std::size_t(item.index)] : item.index;
    add(true, feature, mujoco_kind(item.kind), index);
  }
}

void Issues::bodies_and_joints() {
  for (int j = 0; j < static_cast<int>(m_.njnt); ++j) {
    const int dof = m_.jnt_dofadr[j];
    bool nonlinear =
        any(m_.jnt_stiffnesspoly + mjNPOLY * j, mjNPOLY) || any(m_.dof_dampingpoly + mjNPOLY * dof, mjNPOLY);
#if mjVERSION_HEADER >= 4000000
    nonlinear = nonlinear || m_.jnt_springyield[j] != 0;
#endif
    add(nonlinear, Feature::kJointNonlinear, mjOBJ_JOINT, j);
  }
}

void Issues::shapes() {
  const bool fluid = m_.opt.density != 0 || m_.opt.viscosity != 0;
  for (int g = 0; g < static_cast<int>(m_.ngeom); ++g)
    add(fluid && m_.geom_fluid[mjNFLUID * g] > 0, Feature::kFluidShape, mjOBJ_GEOM, g);
  const std::vector<bool> collides = shapes_that_collide(model_);
  for (int g = 0; g < static_cast<int>(m_.ngeom); ++g) {
    if (!collides[std::size_t(g)]) continue;
    add(m_.geom_adhesion[g] != 0, Feature::kAdhesion, mjOBJ_GEOM, g);
  }
  for (int p = 0; p < model_.npair; ++p) {
    add(m_.pair_adhesion[p] != 0, Feature::kAdhesion, mjOBJ_PAIR, p);
    const auto moves = [&](int geom) { return model_.body_tree[std::size_t(m_.geom_bodyid[geom])] >= 0; };
    const int a = m_.pair_geom1[p], b = m_.pair_geom2[p];
    add(a == b || (!moves(a) && !moves(b)), Feature::kVoidPair, mjOBJ_PAIR, p);
  }
}

void Issues::constraints() {
  for (const int e : held_equalities(m_)) add(!m_.eq_active0[e], Feature::kInactiveEquality, mjOBJ_EQUALITY, e);
  for (int t = 0; t < static_cast<int>(m_.ntendon); ++t) {
    bool nonlinear =
        any(m_.tendon_stiffnesspoly + mjNPOLY * t, mjNPOLY) || any(m_.tendon_dampingpoly + mjNPOLY * t, mjNPOLY);
#if mjVERSION_HEADER >= 4000000
    nonlinear = nonlinear || m_.tendon_springyield[t] != 0;
#endif
    add(nonlinear, Feature::kTendonNonlinear, mjOBJ_TENDON, t);
  }
  for (int f = 0; f < static_cast<int>(m_.nflex); ++f) add(true, Feature::kFlex, mjOBJ_FLEX, f);
  for (int p = 0; p < static_cast<int>(m_.nplugin); ++p) add(true, Feature::kPlugin, mjOBJ_PLUGIN, p);
}

void Issues::actuators() {
  for (int a = 0; a < static_cast<int>(m_.nactuator); ++a) {
    add(m_.actuator_ctrlnum[a] != 1, Feature::kActuatorServo, mjOBJ_ACTUATOR, a);
    add(m_.actuator_delay[a] != 0, Feature::kActuatorDynamics, mjOBJ_ACTUATOR, a);
    add(m_.actuator_damping[a] != 0 || any(m_.actuator_dampingpoly + mjNPOLY * a, mjNPOLY) ||
            m_.actuator_armature[a] != 0,
        Feature::kActuatorPassive, mjOBJ_ACTUATOR, a);
  }
}

void Issues::sensors() {
  for (int s = 0; s < static_cast<int>(m_.nsensor); ++s) add(!sensor_is_held(m_, s), Feature::kSensor, mjOBJ_SENSOR, s);
}

}  // namespace

void report_issues(const mjModel& compiled, const Model& model, const ElementNames& names, LoadReport& report) {
  Issues issues(compiled, model, names, report);
  issues.options();
  issues.held_by_model();
  issues.bodies_and_joints();
  issues.shapes();
  issues.constraints();
  issues.actuators();
  issues.sensors();
}

}  // namespace stiction::detail
