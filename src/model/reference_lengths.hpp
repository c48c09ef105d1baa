// Lengths of tendons in the reference configuration, for models that are built in code.
#pragma once

#include <stiction/model.hpp>

namespace stiction::detail {

// Fills tendon_reference_length, and with it the spring lengths that are given as -1. The model is checked.
void fill_reference_lengths(Model& model);

}  // namespace stiction::detail
