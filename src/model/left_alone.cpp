#include "model/left_alone.hpp"

#include "model/coupling.hpp"

#include <utility>

namespace stiction::detail {
namespace {

std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

class LeftAlone {
 public:
  explicit LeftAlone(const Model& model) : model_(model), alone_(at(model.ntree), 1) {}

  std::vector<char> find() && {
    for (int j = 0; j < model_.njoint; ++j)
      if (model_.is_held(j) || model_.joint_stiffness[at(j)] > 0) joint(j);
    for (std::size_t d = 0; d < at(model_.nv); ++d)
      if (model_.dof_damping[d] > 0 || model_.dof_friction[d] > 0) body(model_.dof_body[d]);
    for (int t = 0; t < model_.ntendon; ++t) tendon(t);
    for (std::size_t e = 0; e < at(model_.nequality); ++e)
      for (const int part : {model_.equality_a[e], model_.equality_b[e]}) equality_part(model_.equality_type[e], part);
    for (std::size_t a = 0; a < at(model_.nactuator); ++a) actuator(a);
    return std::move(alone_);
  }

 private:
  void body(int b) {
    if (const int tree = model_.body_tree[at(b)]; tree >= 0) alone_[at(tree)] = 0;
  }
  void joint(int j) {
    const int b = model_.joint_body[at(j)];
    body(b);
    if (model_.is_held(j)) body(model_.body_parent[at(b)]);
  }
  void tendon(int t) {
    for (const int tree : detail::trees_of_tendon(model_, t)) alone_[at(tree)] = 0;
  }
  void site(int s) {
    if (s >= 0) body(model_.site_body[at(s)]);
  }
  void equality_part(EqualityType type, int part) {
    if (part < 0) return;
    if (type == EqualityType::kJoint)
      joint(part);
    else if (type == EqualityType::kTendon)
      tendon(part);
    else
      body(part);
  }
  void actuator(std::size_t a) {
    const int target = model_.actuator_target_index[a];
    switch (model_.actuator_target[a]) {
      case ActuatorTarget::kJoint:
      case ActuatorTarget::kJointInParent:
        return joint(target);
      case ActuatorTarget::kTendon:
        return tendon(target);
      case ActuatorTarget::kBody:
        return body(target);
      case ActuatorTarget::kSite:
      case ActuatorTarget::kSliderCrank:
        site(target);
        return site(model_.actuator_second_site[a]);
    }
  }

  const Model& model_;
  std::vector<char> alone_;
};

}  // namespace

std::vector<char> trees_left_alone(const Model& model) {
  return LeftAlone(model).find();
}

void mark_acted_on(const Model& model, const Control& control, std::vector<char>& marked) {
  for (std::size_t b = 1; b < at(model.nbody); ++b) {
    const Spatial& wrench = control.wrench[b];
    const bool acts = norm_squared(wrench.linear) + norm_squared(wrench.angular) != 0;
    if (acts && model.body_tree[b] >= 0) marked[at(model.body_tree[b])] = 1;
  }
  for (std::size_t t = 0; t < at(model.ntree); ++t)
    for (int d = model.tree_dof[t]; d < model.tree_dof[t + 1]; ++d)
      if (control.generalized_force[at(d)] != 0) marked[t] = 1;
}

}  // namespace stiction::detail
