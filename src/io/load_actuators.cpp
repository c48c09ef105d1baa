// Actuators of the compiled model. Kinds that the Model has no word for (direct-current motors, PID, SO(3) servos) are
// filled as user-defined, which step refuses.
#include "io/load_parts.hpp"

namespace stiction::detail {

namespace {

ActuatorTarget target_kind(int transmission) {
  switch (transmission) {
    case mjTRN_JOINT:
    case mjTRN_JOINTINPARENT:
      return ActuatorTarget::kJoint;
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

Vec3 first_three(const mjtNum* parameters) {
  return {parameters[0], parameters[1], parameters[2]};
}

}  // namespace

void fill_actuators(const mjModel& m, Model& model) {
  for (std::size_t a = 0; a < model.actuator_target.size(); ++a) {
    model.actuator_target[a] = target_kind(m.actuator_trntype[a]);
    model.actuator_target_index[a] = m.actuator_trnid[2 * a];
    const mjtNum* gear = m.actuator_gear + 6 * m.actuator_outadr[a];
    model.actuator_gear[a] = {{gear[3], gear[4], gear[5]}, {gear[0], gear[1], gear[2]}};
    model.actuator_dynamics[a] = dynamics_kind(m.actuator_dyntype[a]);
    model.actuator_dynamics_parameters[a] = first_three(m.actuator_dynprm + mjNDYN * a);
    model.actuator_gain[a] = gain_kind(m.actuator_gaintype[a]);
    model.actuator_gain_parameters[a] = first_three(m.actuator_gainprm + mjNGAIN * a);
    model.actuator_bias[a] = bias_kind(m.actuator_biastype[a]);
    model.actuator_bias_parameters[a] = first_three(m.actuator_biasprm + mjNBIAS * a);
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
