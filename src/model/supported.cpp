// Walks a model and names everything that the step does not simulate. The words stand in features.hpp.
#include "model/supported.hpp"

#include "model/motor.hpp"

#include <fmt/format.h>

namespace stiction {

namespace detail {

namespace {

class Walk {
 public:
  explicit Walk(const Model& model) : model_(model), collides_(shapes_that_collide(model)) {}

  std::vector<Unsupported> found;

  void bodies() {
    for (std::size_t b = 0; b < model_.body_name.size(); ++b) {
      add_if(model_.body_mocap[b] >= 0, Feature::kMocap, ElementKind::kBody, b);
      add_if(model_.body_tree[b] >= 0 && model_.body_gravity_compensation[b] != 0, Feature::kGravityCompensation,
             ElementKind::kBody, b);
    }
  }

  void joints() {
    for (std::size_t j = 0; j < model_.joint_name.size(); ++j) {
      const auto add = [&](bool holds, Feature feature) { add_if(holds, feature, ElementKind::kJoint, j); };
      add(model_.joint_stiffness[j] != 0, Feature::kJointSpring);
      const std::size_t dof = static_cast<std::size_t>(model_.joint_dof[j]);
      add(model_.dof_damping[dof] != 0, Feature::kJointDamping);
      add(model_.joint_force_limited[j] != 0 || model_.joint_actuator_compensates[j] != 0,
          Feature::kJointActuatorLimit);
    }
  }

  void shapes() {
    for (std::size_t s = 0; s < model_.shape_name.size(); ++s) {
      if (!collides_[s]) continue;
      const ShapeType type = model_.shape_type[s];
      const auto add = [&](bool holds, Feature feature) { add_if(holds, feature, ElementKind::kShape, s); };
      add(type == ShapeType::kMesh, Feature::kMeshSurface);
      add(type == ShapeType::kCylinder, Feature::kCylinder);
      add(type == ShapeType::kEllipsoid, Feature::kEllipsoid);
      add(type == ShapeType::kHeightField, Feature::kHeightField);
      add(model_.shape_condim[s] > 3, Feature::kCondim);
      add(model_.shape_margin[s] != 0, Feature::kMargin);
    }
    for (std::size_t p = 0; p < model_.pair_condim.size(); ++p) {
      add_if(model_.pair_condim[p] > 3, Feature::kCondim, ElementKind::kPair, p);
      add_if(model_.pair_margin[p] != 0, Feature::kMargin, ElementKind::kPair, p);
    }
  }

  void constraints() {
    for (std::size_t e = 0; e < model_.equality_name.size(); ++e)
      add_if(model_.equality_active[e] != 0 && model_.equality_type[e] == EqualityType::kTendon,
             Feature::kTendonEquality, ElementKind::kEquality, e);
    for (std::size_t t = 0; t < model_.tendon_name.size(); ++t) {
      const auto add = [&](bool holds, Feature feature) { add_if(holds, feature, ElementKind::kTendon, t); };
      add(model_.tendon_limited[t] != 0, Feature::kTendonLimit);
      add(model_.tendon_friction[t] != 0, Feature::kTendonFriction);
      add(model_.tendon_stiffness[t] != 0 || model_.tendon_damping[t] != 0, Feature::kTendonSpring);
      add(model_.tendon_armature[t] != 0, Feature::kTendonArmature);
      add(model_.tendon_force_limited[t] != 0, Feature::kTendonActuatorLimit);
    }
  }

  void actuators() {
    for (std::size_t a = 0; a < model_.actuator_name.size(); ++a) {
      const auto add = [&](bool holds, Feature feature) { add_if(holds, feature, ElementKind::kActuator, a); };
      const std::size_t target = static_cast<std::size_t>(model_.actuator_target_index[a]);
      const bool on_joint = model_.actuator_target[a] == ActuatorTarget::kJoint && target < model_.joint_type.size();
      add(!on_joint, Feature::kActuatorTarget);
      const Parameters& bias = model_.actuator_bias_parameters[a];
      const bool constant_bias = model_.actuator_bias[a] == ActuatorBias::kNone ||
                                 (model_.actuator_bias[a] == ActuatorBias::kAffine && bias[1] == 0 && bias[2] == 0);
      add(model_.actuator_gain[a] != ActuatorGain::kFixed || (!constant_bias && !is_motor_row(model_, int(a))),
          Feature::kActuatorServo);
      add(model_.actuator_dynamics[a] != ActuatorDynamics::kNone, Feature::kActuatorDynamics);
    }
  }

 private:
  void add_if(bool holds, Feature feature, ElementKind kind, std::size_t index) {
    if (holds) found.push_back({feature, kind, static_cast<int>(index)});
  }

  const Model& model_;
  std::vector<bool> collides_;
};

std::string element_text(const Model& model, const Unsupported& item) {
  const std::size_t i = static_cast<std::size_t>(item.index);
  switch (item.kind) {
    case ElementKind::kBody:
      return fmt::format("body '{}'", model.body_name[i]);
    case ElementKind::kJoint:
      return fmt::format("joint '{}'", model.joint_name[i]);
    case ElementKind::kShape:
      return fmt::format("shape '{}'", model.shape_name[i]);
    case ElementKind::kEquality:
      return fmt::format("equality '{}'", model.equality_name[i]);
    case ElementKind::kTendon:
      return fmt::format("tendon '{}'", model.tendon_name[i]);
    case ElementKind::kActuator:
      return fmt::format("actuator '{}'", model.actuator_name[i]);
    case ElementKind::kPair:
      break;
  }
  return fmt::format("pair of '{}' and '{}'", model.shape_name[static_cast<std::size_t>(model.pair_shape_a[i])],
                     model.shape_name[static_cast<std::size_t>(model.pair_shape_b[i])]);
}

}  // namespace

std::vector<bool> shapes_that_collide(const Model& model) {
  int all_types = 0, all_affinities = 0;
  for (std::size_t s = 0; s < model.shape_name.size(); ++s) {
    all_types |= model.shape_contype[s];
    all_affinities |= model.shape_conaffinity[s];
  }
  std::vector<bool> collides(model.shape_name.size());
  for (std::size_t s = 0; s < collides.size(); ++s)
    collides[s] = (model.shape_contype[s] & all_affinities) != 0 || (model.shape_conaffinity[s] & all_types) != 0;
  for (std::size_t p = 0; p < model.pair_shape_a.size(); ++p) {
    collides[static_cast<std::size_t>(model.pair_shape_a[p])] = true;
    collides[static_cast<std::size_t>(model.pair_shape_b[p])] = true;
  }
  return collides;
}

std::vector<Unsupported> find_unsupported(const Model& model) {
  Walk walk(model);
  walk.bodies();
  walk.joints();
  walk.shapes();
  walk.constraints();
  walk.actuators();
  return walk.found;
}

}  // namespace detail

std::vector<std::string> unsupported_by_step(const Model& model) {
  std::vector<std::pair<std::string, std::string>> items;
  for (const detail::Unsupported& item : detail::find_unsupported(model))
    items.emplace_back(detail::element_text(model, item), detail::feature_info(item.feature).remark);
  return detail::grouped_lines(items);
}

}  // namespace stiction
