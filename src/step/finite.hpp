// Numbers that a step must not start from or end with.
#pragma once

#include <stiction/state.hpp>

namespace stiction {

// Body that owns the first non-finite coordinate, velocity or activation; -1 if all is finite.
int find_non_finite(const Model& model, const State& state);

// Body on which the first non-finite input acts; -1 if all is finite.
int find_non_finite(const Model& model, const Control& control);

}  // namespace stiction
