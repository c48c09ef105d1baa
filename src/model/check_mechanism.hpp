// Checks of what moves, couples and measures bodies: sites, equalities, tendons, actuators, sensors, mocap bodies.
#pragma once

#include <stiction/model.hpp>

namespace stiction::detail {

// Throws Error with the element's name for the first thing wrong: an index of nothing, an empty range, a path that
// cannot be. The arrays have their right lengths and finite numbers.
void check_mechanism(const Model& model);

}  // namespace stiction::detail
