// Checks a step that was taken elsewhere or earlier (a recording) from its own numbers: start state, control, contact
// forces, end state. No solver runs.
#pragma once

#include "step/workspace.hpp"

namespace stiction {

struct Recheck {
  Certificate certificate;  // of the recorded forces, with u⁺ = ũ + h M⁻¹ Jᵀ λ
  double contact_mismatch =
      0;  // largest difference of a recorded gap or error from the geometry's [m]; ∞ if contacts or rows differ
  double state_mismatch = 0;  // largest distance of the recorded end state from where the forces lead [m/s]
};

Recheck recheck_step(const Model& model, const Options& options, const Control& control, const State& state,
                     const Contacts& contacts, const Constraints& constraints, const State& next, Workspace& workspace);

}  // namespace stiction
