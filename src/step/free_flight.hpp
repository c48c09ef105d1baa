// Contacts that a body in free flight passes by. A contact of the margin bounds the motion along the direction of the
// closest points at the start of the step; a body that flies past a corner closer than it moves in a step would be
// braked by it. A body that touches nothing flies freely: where it goes within the step is known, and so is what it
// misses.
//
// A pair is missed if the shapes, moved with the free velocities, stay farther apart than half the contact margin
// throughout the step: conservative advancement (B. Mirtich, "Impulse-based dynamic simulation of rigid body systems",
// 1996, section 2.3), which goes on by the time in which the gap could close at most. Its contacts are taken away if
// neither body has a pair that is not missed, because such a pair could turn it. Only trees of one free body, in models
// without equalities and tendons, count; all else keeps its contacts.
#pragma once

#include "step/workspace.hpp"

namespace stiction {

// Takes the contacts of missed pairs out of the candidates. Needs poses, free velocity and shape speeds.
void drop_missed(const Model& model, const Options& options, Workspace& workspace);

}  // namespace stiction
