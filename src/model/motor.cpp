#include "model/motor.hpp"

#include <algorithm>
#include <cmath>

namespace stiction {

namespace {

constexpr double kTurn = 6.283185307179586;  // 2π

}  // namespace

ProfilePoint phase_profile(const Model& model, int actuator, double phase) {
  const auto a = std::size_t(actuator);
  const double turns = phase / kTurn;
  ProfilePoint out{model.actuator_profile_advance[a] * turns, model.actuator_profile_advance[a] / kTurn};
  const int n = model.actuator_profile_count[a];
  if (n == 0) return out;
  const double place = (turns - std::floor(turns)) * n;
  const int i = std::min(int(place), n - 1);
  const double t = place - i;
  const auto sample = [&](int k) { return model.profile_value[std::size_t(model.actuator_profile[a] + (k + n) % n)]; };
  const double p0 = sample(i), p1 = sample(i + 1);
  const double m0 = 0.5 * (p1 - sample(i - 1)), m1 = 0.5 * (sample(i + 2) - p0);
  // Hermite's cubic: p0 + m0 t + c t² + d t³.
  const double c = 3 * (p1 - p0) - 2 * m0 - m1, d = 2 * (p0 - p1) + m0 + m1;
  out.value += p0 + t * (m0 + t * (c + t * d));
  out.slope += (m0 + t * (2 * c + t * 3 * d)) * n / kTurn;
  return out;
}

double phase_input(const Model& model, int actuator, double phase, double rate) {
  const Parameters& bias = model.actuator_bias_parameters[std::size_t(actuator)];
  const ProfilePoint at = phase_profile(model, actuator, phase);
  return -bias[1] * at.value - bias[2] * at.slope * rate;
}

bool is_motor_row(const Model& model, int actuator) {
  const auto a = std::size_t(actuator);
  if (model.actuator_target[a] != ActuatorTarget::kJoint || model.actuator_gain[a] != ActuatorGain::kFixed ||
      model.actuator_bias[a] != ActuatorBias::kAffine ||
      (model.actuator_dynamics[a] != ActuatorDynamics::kNone && model.actuator_dynamics[a] != ActuatorDynamics::kPhase))
    return false;
  const auto joint = std::size_t(model.actuator_target_index[a]);
  const bool held = model.joint_dof[joint] >= model.tree_dofs();
  if (!held && !model.actuator_force_limited[a]) return false;
  const bool scalar = model.joint_type[joint] == JointType::kHinge || model.joint_type[joint] == JointType::kSlide;
  const Parameters& bias = model.actuator_bias_parameters[a];
  return scalar && !model.joint_force_limited[joint] && bias[1] <= 0 && bias[2] <= 0 && bias[1] + bias[2] < 0;
}

}  // namespace stiction
