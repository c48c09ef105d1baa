#include "problem/motor.hpp"

#include "model/motor.hpp"
#include "problem/dof_rows.hpp"
#include "step/workspace.hpp"

#include <algorithm>
#include <cmath>

namespace stiction {

void add_motor_rows(const Model& model, const Options& options, const Control& control, const State& state,
                    Workspace& w) {
  for (int actuator = 0; actuator < model.nactuator; ++actuator) {
    const auto a = std::size_t(actuator);
    if (!w.mechanism.is_row[a]) continue;
    const auto joint = std::size_t(model.actuator_target_index[a]);
    double input = control.input[a];
    if (model.actuator_control_limited[a])
      input = std::clamp(input, model.actuator_control_lower[a], model.actuator_control_upper[a]);
    if (model.actuator_dynamics[a] == ActuatorDynamics::kPhase) {
      const double phase = state.activation[std::size_t(model.actuator_activation[a])] + options.timestep * input;
      input = phase_input(model, actuator, phase, input);
    }
    const double gear = model.actuator_gear[a].linear.x;
    if (gear == 0) continue;
    const Parameters& bias = model.actuator_bias_parameters[a];
    const double length = gear * state.q[std::size_t(model.joint_q[joint])];
    const double start = model.actuator_gain_parameters[a][0] * input + bias[0] + bias[1] * length;
    const double k = -(options.timestep * bias[1] + bias[2]);
    ConstraintRow row = dof_row(model, w, ConstraintKind::kMotor, actuator, 0, model.joint_dof[joint], gear);
    const bool limited = model.actuator_force_limited[a] != 0;
    row.lower = limited ? model.actuator_force_lower[a] : -INFINITY;
    row.upper = limited ? model.actuator_force_upper[a] : INFINITY;
    row.compliance = 1 / k;
    row.bias = -start / k;
    row.selected = true;
    w.constraint_rows.list.push_back(row);
  }
}

}  // namespace stiction
