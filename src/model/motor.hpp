// Which actuators are rows of the problem: servos with a force range, on a hinge or slide. Their force depends on the
// end of the step, and so does whether it is cut.
#pragma once

#include <stiction/model.hpp>

namespace stiction {

// Fixed gain, affine bias that resists length or velocity, no activation, a force range of its own only.
bool is_motor_row(const Model& model, int actuator);

}  // namespace stiction
