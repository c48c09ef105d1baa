// Walks a model and names everything that the step does not simulate. The words stand in features.hpp.
#include "model/supported.hpp"

#include "model/coupling.hpp"

#include <fmt/format.h>

namespace stiction {

namespace detail {

namespace {

class Walk {
 public:
  explicit Walk(const Model& model)
      : model_(model), collides_(shapes_that_collide(model)), on_mocap_(model.body_name.size()) {}

  std::vector<Unsupported> found;

  void bodies() {
    for (std::size_t b = 0; b < model_.body_name.size(); ++b) {
      const int parent = model_.body_parent[b];
      if (parent > 0) on_mocap_[b] = on_mocap_[static_cast<std::size_t>(parent)];
      if (model_.body_mocap[b] >= 0) on_mocap_[b] = true;
      add_if(on_mocap_[b] && model_.body_joint_count[b] > 0, Feature::kMocapChild, ElementKind::kBody, b);
    }
  }

  void shapes() {
    for (std::size_t s = 0; s < model_.shape_name.size(); ++s) {
      if (!collides_[s]) continue;
      const ShapeType type = model_.shape_type[s];
      const auto add = [&](bool holds, Feature feature) { add_if(holds, feature, ElementKind::kShape, s); };
      add(type == ShapeType::kMesh && model_.shape_mesh[s] < 0, Feature::kMeshSurface);
    }
  }

  void constraints() {
    for (std::size_t e = 0; e < model_.equality_name.size(); ++e) {
      if (model_.equality_active[e] == 0 || model_.equality_type[e] != EqualityType::kTendon) continue;
      std::set<int> trees;
      for (const int tendon : {model_.equality_a[e], model_.equality_b[e]}) {
        if (tendon < 0) continue;
        trees.merge(trees_of_tendon(model_, tendon));
      }
      add_if(trees.size() > 2, Feature::kTendonTrees, ElementKind::kEquality, e);
    }
    for (std::size_t t = 0; t < model_.tendon_name.size(); ++t) {
      const auto add = [&](bool holds, Feature feature) { add_if(holds, feature, ElementKind::kTendon, t); };
      const bool row = model_.tendon_limited[t] != 0 || model_.tendon_friction[t] != 0;
      add(row && trees_of_tendon(model_, static_cast<int>(t)).size() > 2, Feature::kTendonTrees);
      add(model_.tendon_armature[t] != 0, Feature::kTendonArmature);
    }
  }

  void actuators() {
    for (std::size_t a = 0; a < model_.actuator_name.size(); ++a) {
      const auto add = [&](bool holds, Feature feature) { add_if(holds, feature, ElementKind::kActuator, a); };
      add(model_.actuator_gain[a] == ActuatorGain::kUser || model_.actuator_bias[a] == ActuatorBias::kUser,
          Feature::kActuatorServo);
      add(model_.actuator_dynamics[a] == ActuatorDynamics::kUser, Feature::kActuatorDynamics);
    }
  }

 private:
  void add_if(bool holds, Feature feature, ElementKind kind, std::size_t index) {
    if (holds) found.push_back({feature, kind, static_cast<int>(index)});
  }

  const Model& model_;
  std::vector<bool> collides_, on_mocap_;
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
