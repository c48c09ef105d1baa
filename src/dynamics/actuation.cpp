// Forces of actuators and their activations: dynamics/mechanism.hpp.
//
//   force = gain(l, l̇) · input + bias(l, l̇),   input: the control, or the last activation variable
//
// cut to the actuator's range, then to those of its tendon and its joint. What a servo loses of its force when the
// joint moves on, −∂force/∂l and −∂force/∂l̇, is taken implicitly on hinges and slides, so that stiff gains are stable;
// while a range cuts the force, it does not change with the motion. Servos that are rows of the problem (problem/motor)
// have their force at the start of the step here, for users; the step takes that of the row.
#include "dynamics/actuator_laws.hpp"
#include "dynamics/mechanism.hpp"
#include "model/integrator.hpp"
#include "model/motor.hpp"
#include "step/workspace.hpp"

#include <algorithm>

namespace stiction {
namespace {

// A force and its derivatives by length and velocity.
struct ActuatorForce {
  double force = 0, by_length = 0, by_velocity = 0;
};

MuscleStateT<double> muscle_state(const Model& model, const Mechanism& m, std::size_t a, const Parameters& p) {
  return stiction::muscle_state(m.actuator_length[a], m.actuator_velocity[a], model.actuator_length_lower[a],
                                model.actuator_length_upper[a], model.actuator_reference_acceleration[a], p.data());
}

ActuatorForce affine(const Parameters& p, double length, double velocity) {
  return {p[0] + p[1] * length + p[2] * velocity, p[1], p[2]};
}

ActuatorForce gain_of(const Model& model, const Mechanism& m, std::size_t a) {
  const Parameters& p = model.actuator_gain_parameters[a];
  switch (model.actuator_gain[a]) {
    case ActuatorGain::kAffine:
      return affine(p, m.actuator_length[a], m.actuator_velocity[a]);
    case ActuatorGain::kMuscle: {
      const MuscleStateT<double> s = muscle_state(model, m, a, p);
      return {-s.peak_force * muscle_force_length(s.length, p[4], p[5]) * muscle_force_velocity(s.velocity, p[8])};
    }
    default:
      return {p[0]};
  }
}

ActuatorForce bias_of(const Model& model, const Mechanism& m, std::size_t a) {
  const Parameters& p = model.actuator_bias_parameters[a];
  switch (model.actuator_bias[a]) {
    case ActuatorBias::kAffine:
      return affine(p, m.actuator_length[a], m.actuator_velocity[a]);
    case ActuatorBias::kMuscle: {
      const MuscleStateT<double> s = muscle_state(model, m, a, p);
      return {-s.peak_force * muscle_force_passive(s.length, p[5], p[7])};
    }
    default:
      return {};
  }
}

// The number that the gain multiplies; advances the activation.
double input_of(const Model& model, const Options& options, const Control& control, const State& state, std::size_t a,
                Mechanism& m) {
  const double h = options.timestep;
  double input = control.input[a];
  if (model.actuator_control_limited[a])
    input = std::clamp(input, model.actuator_control_lower[a], model.actuator_control_upper[a]);
  const ActuatorDynamics kind = model.actuator_dynamics[a];
  if (kind == ActuatorDynamics::kNone) return input;
  const auto last = std::size_t(model.actuator_activation[a] + model.actuator_activation_count[a] - 1);
  const double now = state.activation[last];
  if (kind == ActuatorDynamics::kPhase) {
    m.next_activation[last] = now + h * input;
    // The target is that of the end of what is solved for, as the length is.
    return phase_input(model, int(a), now + detail::look_ahead(options) * input, input);
  }
  double next = next_activation(kind, input, now, model.actuator_dynamics_parameters[a].data(), h);
  if (model.actuator_activation_limited[a])
    next = std::clamp(next, model.actuator_activation_lower[a], model.actuator_activation_upper[a]);
  m.next_activation[last] = next;
  return model.actuator_activation_early[a] ? next : now;
}

ActuatorForce force_of(const Model& model, const Mechanism& m, std::size_t a, double input) {
  const ActuatorForce gain = gain_of(model, m, a), bias = bias_of(model, m, a);
  ActuatorForce out{gain.force * input + bias.force, gain.by_length * input + bias.by_length,
                    gain.by_velocity * input + bias.by_velocity};
  if (!model.actuator_force_limited[a]) return out;
  const double cut = std::clamp(out.force, model.actuator_force_lower[a], model.actuator_force_upper[a]);
  if (cut != out.force) out.by_length = out.by_velocity = 0;
  out.force = cut;
  return out;
}

// The total force of all actuators on a tendon stays in its range: they share the cut in proportion.
void limit_tendons(const Model& model, Mechanism& m, std::vector<double>& total) {
  if (model.ntendon == 0) return;
  std::fill(total.begin(), total.end(), 0.0);
  const auto tendon_of = [&](std::size_t a) {
    return model.actuator_target[a] == ActuatorTarget::kTendon ? model.actuator_target_index[a] : -1;
  };
  for (std::size_t a = 0; a < std::size_t(model.nactuator); ++a)
    if (const int t = tendon_of(a); t >= 0) total[std::size_t(t)] += m.actuator_force[a];
  for (std::size_t a = 0; a < std::size_t(model.nactuator); ++a) {
    if (tendon_of(a) < 0) continue;
    const auto t = std::size_t(tendon_of(a));
    if (!model.tendon_force_limited[t] || total[t] == 0) continue;
    const double cut = std::clamp(total[t], model.tendon_force_lower[t], model.tendon_force_upper[t]);
    if (cut != total[t]) m.actuator_force[a] *= cut / total[t];
  }
}

// Adds the weight that actuators carry and cuts the total force on hinges and slides; true if it was cut.
void limit_joints(const Model& model, Mechanism& m) {
  if (!m.has_compensation && !m.has_joint_ranges) return;
  for (std::size_t j = 0; j < std::size_t(model.njoint); ++j) {
    const JointType type = model.joint_type[j];
    const int dofs = type == JointType::kFree ? 6 : (type == JointType::kBall ? 3 : 1);
    const auto first = std::size_t(model.joint_dof[j]);
    if (model.joint_actuator_compensates[j])
      for (std::size_t d = first; d < first + std::size_t(dofs); ++d) m.actuator_joint_force[d] += m.compensation[d];
    if (!model.joint_force_limited[j] || dofs != 1) continue;
    const double force = m.actuator_joint_force[first];
    const double cut = std::clamp(force, model.joint_force_lower[j], model.joint_force_upper[j]);
    if (cut == force) continue;
    m.actuator_joint_force[first] = cut;
    m.servo_stiffness[first] = m.servo_damping[first] = 0;
  }
}

}  // namespace

void compute_actuation(const Model& model, const Options& options, const Control& control, const State& state,
                       Workspace& w) {
  Mechanism& m = w.mechanism;
  std::copy(state.activation.begin(), state.activation.end(), m.next_activation.begin());
  std::fill(m.actuator_joint_force.begin(), m.actuator_joint_force.end(), 0.0);
  std::fill(m.row_joint_force.begin(), m.row_joint_force.end(), 0.0);
  std::fill(m.servo_stiffness.begin(), m.servo_stiffness.end(), 0.0);
  std::fill(m.servo_damping.begin(), m.servo_damping.end(), 0.0);
  for (std::size_t a = 0; a < std::size_t(model.nactuator); ++a) {
    const double input = input_of(model, options, control, state, a, m);
    const ActuatorForce f = force_of(model, m, a, input);
    m.actuator_force[a] = f.force;
    const bool joint = model.actuator_target[a] == ActuatorTarget::kJoint ||
                       model.actuator_target[a] == ActuatorTarget::kJointInParent;
    const auto first = std::size_t(m.actuator_rows.row[a]);
    if (!joint || m.actuator_rows.row[a + 1] - m.actuator_rows.row[a] != 1) continue;
    if (m.is_row[a]) {
      m.row_joint_force[std::size_t(m.actuator_rows.dof[first])] += m.actuator_moment[first] * f.force;
      continue;
    }
    const double square = m.actuator_moment[first] * m.actuator_moment[first];
    const auto dof = std::size_t(m.actuator_rows.dof[first]);
    m.servo_stiffness[dof] += std::max(0.0, -f.by_length) * square;
    m.servo_damping[dof] += std::max(0.0, -f.by_velocity) * square;
  }
  limit_tendons(model, m, m.tendon_scratch);
  for (std::size_t a = 0; a < std::size_t(model.nactuator); ++a)
    for (auto e = std::size_t(m.actuator_rows.row[a]); e < std::size_t(m.actuator_rows.row[a + 1]); ++e)
      m.actuator_joint_force[std::size_t(m.actuator_rows.dof[e])] += m.actuator_moment[e] * m.actuator_force[a];
  limit_joints(model, m);
  for (std::size_t d = 0; d < std::size_t(model.nv); ++d) {
    m.stiffness[d] += m.servo_stiffness[d];
    m.damping[d] += m.servo_damping[d];
  }
}

}  // namespace stiction
