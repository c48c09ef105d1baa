// Can a model be stepped at all? Checked once, when a Simulation is made.
#pragma once

#include "step/workspace.hpp"

namespace stiction {

// Throws Error, naming the joint or equality, if a joint of the reference configuration meets no inertia, or if a loop
// does not close: from the reference configuration the errors of all equalities are reduced as far as they go.
void check_start(const Model& model, const Options& options, Workspace& workspace);

}  // namespace stiction
