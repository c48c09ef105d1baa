#include "step/finite.hpp"

#include "math/row_products.hpp"
#include "model/tree.hpp"

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

// The body that an actuator moves first; the world for tendons.
int actuated_body(const Model& model, std::size_t actuator) {
  const auto target = std::size_t(model.actuator_target_index[actuator]);
  switch (model.actuator_target[actuator]) {
    case ActuatorTarget::kJoint:
    case ActuatorTarget::kJointInParent:
      return model.joint_body[target];
    case ActuatorTarget::kSite:
    case ActuatorTarget::kSliderCrank:
      return model.site_body[target];
    case ActuatorTarget::kBody:
      return int(target);
    case ActuatorTarget::kTendon:
      break;
  }
  return 0;
}

bool all_finite(const std::vector<double>& x) {
  return stiction::all_finite(x.data(), int(x.size()));
}

}  // namespace

int find_non_finite(const Model& model, const State& state) {
  if (all_finite(state.q) && all_finite(state.u) && all_finite(state.activation)) return -1;
  const auto finite = [](double x) { return std::isfinite(x); };
  for (std::size_t j = 0; j < std::size_t(model.njoint); ++j) {
    const auto* q = state.q.data() + model.joint_q[j];
    if (!std::all_of(q, q + detail::position_count(model.joint_type[j]), finite)) return model.joint_body[j];
  }
  for (std::size_t d = 0; d < std::size_t(model.nv); ++d)
    if (!finite(state.u[d])) return model.dof_body[d];
  for (std::size_t a = 0; a < std::size_t(model.nactuator); ++a)
    for (int i = 0; i < model.actuator_activation_count[a]; ++i)
      if (!finite(state.activation[std::size_t(model.actuator_activation[a] + i)])) return actuated_body(model, a);
  return -1;
}

int find_non_finite(const Model& model, const Control& control) {
  const auto finite = [](double x) { return std::isfinite(x); };
  if (!all_finite(control.generalized_force) || !all_finite(control.input)) {
    for (std::size_t d = 0; d < std::size_t(model.nv); ++d)
      if (!finite(control.generalized_force[d])) return model.dof_body[d];
    for (std::size_t a = 0; a < std::size_t(model.nactuator); ++a)
      if (!finite(control.input[a])) return actuated_body(model, a);
  }
  for (std::size_t b = 0; b < std::size_t(model.nbody); ++b)
    if (const int row = model.body_mocap[b]; row >= 0 && !is_finite(control.mocap_pose[std::size_t(row)].p))
      return int(b);
  static_assert(sizeof(Spatial) == 6 * sizeof(double));
  if (stiction::all_finite(reinterpret_cast<const double*>(control.wrench.data()), 6 * int(control.wrench.size())))
    return -1;
  for (std::size_t b = 0; b < std::size_t(model.nbody); ++b)
    if (!is_finite(control.wrench[b].linear) || !is_finite(control.wrench[b].angular)) return int(b);
  return -1;
}

}  // namespace stiction
