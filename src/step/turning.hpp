// Bodies turn within the step, and levers and normals with them: gap + h v_n is the gap at the end of the step to first
// order only, and places that were not the nearest come first. Where no plane of a pair's contacts is known to separate
// it at the end of the step, the shapes collide once more there, each pair on the side on which it was, and a contact
// that is deeper than its law allows gets the difference as `turn`:
//   v_n + (gap + turn) / h ≥ 0,  turn ≤ 0
// and the step is solved again; a round leaves about h ω of the difference. A contact is that of a candidate if it has
// about its normal and its place on one of the bodies. Features do not tell: the lowest point of a rim, or the nearest
// of two crossing axes, is elsewhere at the end of the step, and a force at its old place turns the body the wrong way.
// A contact that is no candidate's joins them as the plane that it has at the end of the step.
//
// What a body that turns takes from gaps on two sides can contradict itself: a coin that slides down in a ring and
// jams. At rest nothing turns, but an island that must make up for it has no solution, and none is found by holding on
// to it. Then it is given up for this step, with what it would have kept.
#pragma once

#include "step/workspace.hpp"

namespace stiction {

// Lowers `turn` of candidates that end too deep at q ⊕ h u, and adds what is missing. Returns whether there was any.
bool foresee_turning(const Model& model, const Options& options, const State& state, const std::vector<double>& u,
                     Workspace& workspace);

// Gives up what was foreseen in islands of a few trees that were not solved, or that it brought more energy than they
// had; contacts of the trees that turned start from zero again. Returns whether there was any.
bool give_up_turning(const Model& model, Workspace& workspace);

}  // namespace stiction
