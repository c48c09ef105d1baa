// Which actuators are rows of the problem: servos on a hinge or slide that have a force range, or whose joint is held
// (maximal coordinates). Their force depends on the end of the step, and so does whether it is cut. In reduced
// coordinates the inertia matrix takes the gains of a servo without a range; free bodies have no place for them there,
// and the force of stiff gains at the start of the step would make their free velocity, to which tolerances are
// relative, as large as it likes (2e6 rad/s for a crank with k_d = 1e5 N m s/rad).
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

// Fixed gain, affine bias that resists length or velocity, no activation, no force range but its own.
bool is_motor_row(const Model& model, int actuator);

}  // namespace stiction
