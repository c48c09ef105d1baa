#include <stiction/report.hpp>

namespace stiction {

void raise_to(const Certificate& step, Certificate& largest) {
  const auto raise = [](double value, double& most) {
    if (!(value <= most)) most = value;  // a NaN is not passed over
  };
  raise(step.momentum, largest.momentum);
  raise(step.complementarity, largest.complementarity);
  raise(step.cone, largest.cone);
  raise(step.dissipation, largest.dissipation);
  raise(step.box, largest.box);
  raise(step.coulomb_complementarity, largest.coulomb_complementarity);
  raise(step.coulomb_cone, largest.coulomb_cone);
  raise(step.coulomb_dissipation, largest.coulomb_dissipation);
  raise(step.momentum_velocity, largest.momentum_velocity);
  raise(step.complementarity_velocity, largest.complementarity_velocity);
  raise(step.cone_velocity, largest.cone_velocity);
  raise(step.dissipation_velocity, largest.dissipation_velocity);
  raise(step.box_velocity, largest.box_velocity);
  raise(step.penetration, largest.penetration);
  raise(step.joint_drift, largest.joint_drift);
}

}  // namespace stiction
