// Bodies that are faster than their size per step and strike something thin off their middle. The contact at the place
// that strikes stops that place; the body turns about it by many radians, as far as the step knows in a straight line,
// and ends behind what it struck: no look at the end of the step sees them touch.
//
// But the largest ball about the centre of mass inside a body is where it is however the body turns. Where its centre
// would enter another shape on the way from its place at the start of the step to that at its end, the ball gets a
// contact with the plane that it would pass: the force acts through the centre, so that no turning evades it. What is
// left to turn beyond touch is less than the size of the body and pushed out by the steps that follow.
#pragma once

#include "step/workspace.hpp"

namespace stiction {

// Adds such contacts to the candidates at the velocity u, at most one for each body of a pair. Returns whether there
// was any.
bool hold_out_centres(const Model& model, const Options& options, const State& state, const std::vector<double>& u,
                      Workspace& workspace);

}  // namespace stiction
