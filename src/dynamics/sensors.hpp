// Sensors of a model at a state. As in MJCF, accelerations contain weight: an accelerometer at rest shows g upwards.
#pragma once

#include <span>

#include <stiction/state.hpp>

namespace stiction {

struct Workspace;

struct SensorInput {
  const State& state;
  const Control& control;
  const Contacts& contacts;        // of the last step: touch, force, torque
  const Constraints& constraints;  // of the last step: force, torque at loops
  std::span<const double> udot;    // accelerations [m/s² or rad/s²]
};

// Writes all numbers of all sensors. Overwrites what the workspace holds of poses, links and the mechanism.
void compute_sensors(const Model& model, const Options& options, const SensorInput& input, Workspace& workspace,
                     std::span<double> out);

}  // namespace stiction
