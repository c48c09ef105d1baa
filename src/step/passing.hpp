// Bodies that pass each other. A contact of the margin bounds the motion along the direction of the closest points at
// the start of the step: a body that slides past a post closer than it moves in a step would be braked by it.
//
// A contact is one of many planes that separate two convex shapes, and each of them, kept, keeps them apart. Let both
// move as they would at the velocities u: if some plane, fixed to one of them, separates them at the start of the step
// and at its end, then they pass each other along it, and a contact that would act takes it:
//   n ← the plane's,  gap ← n·(x − y)
// with its points x and y. Of all such planes it is the one that keeps them farthest apart, between the closest points
// of one shape and of all that the other sweeps over (collide/extent.hpp). Nothing is given up by it: the shapes cannot
// meet without passing the plane.
#pragma once

#include "step/workspace.hpp"

namespace stiction {

// Before the first solve: turns candidates at seams, then those of pairs that are apart and pass each other, at the
// free velocities or at those of the step before.
void turn_at_start(const Model& model, const Options& options, const State& state, Workspace& workspace);

}  // namespace stiction
