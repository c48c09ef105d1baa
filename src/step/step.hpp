// One time step: the method on one screen.
#pragma once

#include "step/workspace.hpp"

namespace stiction {

// Advances the state by one step, or keeps it and sets status bits. Never throws; no heap use after warm-up.
void step(const Model& model, const Options& options, const Control& control, State& state, Contacts& contacts,
          Constraints& constraints, Workspace& workspace, StepReport& report);

}  // namespace stiction
