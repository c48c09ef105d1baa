#include "model/motor.hpp"

namespace stiction {

bool is_motor_row(const Model& model, int actuator) {
  const auto a = std::size_t(actuator);
  if (model.actuator_target[a] != ActuatorTarget::kJoint || !model.actuator_force_limited[a] ||
      model.actuator_gain[a] != ActuatorGain::kFixed || model.actuator_bias[a] != ActuatorBias::kAffine ||
      model.actuator_dynamics[a] != ActuatorDynamics::kNone)
    return false;
  const auto joint = std::size_t(model.actuator_target_index[a]);
  const bool scalar = model.joint_type[joint] == JointType::kHinge || model.joint_type[joint] == JointType::kSlide;
  const Parameters& bias = model.actuator_bias_parameters[a];
  return scalar && !model.joint_force_limited[joint] && bias[1] <= 0 && bias[2] <= 0 && bias[1] + bias[2] < 0;
}

}  // namespace stiction
