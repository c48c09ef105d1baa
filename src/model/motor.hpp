// Which actuators are rows of the problem: servos with a force range, on a hinge or slide. Their force depends on the
// end of the step, and so does whether it is cut.
#pragma once

#include <stiction/model.hpp>

namespace stiction {

// Profile f of a phase motor and its derivative by the phase at α [rad]: advance · α / 2π + the periodic part, cubic
// between the samples with the slopes of Catmull and Rom, so that the target's velocity is continuous.
struct ProfilePoint {
  double value = 0, slope = 0;  // [m or rad], [m/rad or 1]
};
ProfilePoint phase_profile(const Model& model, int actuator, double phase);

// What a phase motor with the force f = k_p (f(α) − l) + k_d (ḟ(α) − l̇) has in place of a control, at the phase α that
// grows with `rate`: k_p f(α) + k_d f′(α) rate.
double phase_input(const Model& model, int actuator, double phase, double rate);

// Fixed gain, affine bias that resists length or velocity, no activation, a force range of its own only.
bool is_motor_row(const Model& model, int actuator);

}  // namespace stiction
