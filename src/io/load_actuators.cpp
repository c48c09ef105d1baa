// Actuators of the compiled model. Kinds that the Model has no word for (direct-current motors, PID, SO(3) servos) are
// filled as user-defined, which step refuses.
#include <algorithm>

#include "io/load_parts.hpp"

namespace stiction::detail {

namespace {

ActuatorTarget target_kind(int transmission) {
  switch (transmission) {
    case mjTRN_JOINT:
      return ActuatorTarget::kJoint;
    case mjTRN_JOINTINPARENT:
      return ActuatorTarget::kJointInParent;
    case mjTRN_TENDON:
      return ActuatorTarget::kTendon;
    case mjTRN_SLIDERCRANK:
      return ActuatorTarget::kSliderCrank;
    case mjTRN_BODY:
      return ActuatorTarget::kBody;
    default:
      return ActuatorTarget::kSite;
  }
}

ActuatorDynamics dynamics_kind(int type) {
  switch (type) {
    case mjDYN_NONE:
      return ActuatorDynamics::kNone;
    case mjDYN_INTEGRATOR:
      return ActuatorDynamics::kIntegrator;
    case mjDYN_FILTER:
      return ActuatorDynamics::kFilter;
    case mjDYN_FILTEREXACT:
      return ActuatorDynamics::kFilterExact;
    case mjDYN_MUSCLE:
      return ActuatorDynamics::kMuscle;
    default:
      return ActuatorDynamics::kUser;
  }
}

ActuatorGain gain_kind(int type) {
  switch (type) {
    case mjGAIN_FIXED:
      return ActuatorGain::kFixed;
    case mjGAIN_AFFINE:
      return ActuatorGain::kAffine;
    case mjGAIN_MUSCLE:
      return ActuatorGain::kMuscle;
    default:
      return ActuatorGain::kUser;
  }
}

ActuatorBias bias_kind(int type) {
  switch (type) {
    case mjBIAS_NONE:
      return ActuatorBias::kNone;
    case mjBIAS_AFFINE:
      return ActuatorBias::kAffine;
    case mjBIAS_MUSCLE:
      return ActuatorBias::kMuscle;
    default:
      return ActuatorBias::kUser;
  }
}

Parameters parameters(const mjtNum* data, std::size_t actuator) {
  Parameters out;
  std::copy_n(data + out.size() * actuator, out.size(), out.begin());
  return out;
}
static_assert(mjNDYN == 10 && mjNGAIN == 10 && mjNBIAS == 10);

}  // namespace

void fill_actuators(const mjModel& m, Model& model) {
  for (std::size_t a = 0; a < model.actuator_target.size(); ++a) {
    model.actuator_target[a] = target_kind(m.actuator_trntype[a]);
    model.actuator_target_index[a] = m.actuator_trnid[2 * a];
    const mjtNum* gear = m.actuator_gear + 6 * m.actuator_outadr[a];
    model.actuator_gear[a] = {{gear[3], gear[4], gear[5]}, {gear[0], gear[1], gear[2]}};
    model.actuator_dynamics[a] = dynamics_kind(m.actuator_dyntype[a]);
    model.actuator_dynamics_parameters[a] = parameters(m.actuator_dynprm, a);
    model.actuator_gain[a] = gain_kind(m.actuator_gaintype[a]);
    model.actuator_gain_parameters[a] = parameters(m.actuator_gainprm, a);
    model.actuator_bias[a] = bias_kind(m.actuator_biastype[a]);
    model.actuator_bias_parameters[a] = parameters(m.actuator_biasprm, a);
    model.actuator_second_site[a] = m.actuator_trnid[2 * a + 1];
    model.actuator_crank_length[a] = m.actuator_cranklength[a];
    model.actuator_activation[a] = m.actuator_actadr[a];
    model.actuator_activation_count[a] = m.actuator_actnum[a];
    model.actuator_activation_early[a] = m.actuator_actearly[a] ? 1 : 0;
    model.actuator_activation_limited[a] = m.actuator_actlimited[a] ? 1 : 0;
    model.actuator_activation_lower[a] = m.actuator_actrange[2 * a];
    model.actuator_activation_upper[a] = m.actuator_actrange[2 * a + 1];
    const std::size_t output = static_cast<std::size_t>(m.actuator_outadr[a]);
    model.actuator_length_lower[a] = m.actuator_lengthrange[2 * output];
    model.actuator_length_upper[a] = m.actuator_lengthrange[2 * output + 1];
    model.actuator_reference_acceleration[a] = m.actuator_acc0[output];
    model.actuator_force_limited[a] = m.actuator_forcelimited[a] ? 1 : 0;
    model.actuator_force_lower[a] = m.actuator_forcerange[2 * a];
    model.actuator_force_upper[a] = m.actuator_forcerange[2 * a + 1];
    if (m.actuator_ctrlnum[a] == 0) continue;
    const std::size_t control = static_cast<std::size_t>(m.actuator_ctrladr[a]);
    model.actuator_control_limited[a] = !disabled(m, mjDSBL_CLAMPCTRL) && m.actuator_ctrllimited[control] ? 1 : 0;
    model.actuator_control_lower[a] = m.actuator_ctrlrange[2 * control];
    model.actuator_control_upper[a] = m.actuator_ctrlrange[2 * control + 1];
  }
}

}  // namespace stiction::detail
