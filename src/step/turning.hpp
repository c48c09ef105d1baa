// Bodies turn within the step, and levers and normals with them: gap + h v_n is the gap at the end of the step to first
// order only. Where the rest matters, the shapes collide once more at the end of the step, and a contact that is deeper
// there than its law allows gets the difference as `turn`:
//   v_n + (gap + turn) / h ≥ 0,  turn ≤ 0
// Few bodies are solved for again with it; a round leaves about h ω of the difference. For a crowd of bodies that would
// double the work, so there `turn` is taken from the free velocity before the first round.
#pragma once

#include "step/workspace.hpp"

namespace stiction {

// turn = gap(q ⊕ h ũ) − gap − h J ũ of every candidate, where that matters, if the model has many trees.
void predict_turning(const Model& model, const Options& options, const State& state, Workspace& workspace);

// If the model has few trees: lowers `turn` of candidates that end too deep at q ⊕ h u. Returns whether one did.
bool foresee_turning(const Model& model, const Options& options, const State& state, const std::vector<double>& u,
                     Workspace& workspace);

}  // namespace stiction
