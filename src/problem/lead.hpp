// Joints of bodies that turn far within the step: held joints (maximal coordinates), and `connect` and `weld` of free
// bodies.
//
// A step takes the force of a joint along directions and at levers of its start: with q⁺ = q ⊕ h u⁺ that is the
// symplectic Euler step, which neither damps nor drives. But a body that turns by θ in the step leaves little of such a
// lever in the direction in which the joint has to be closed, J⁺ M⁻¹ Jᵀ loses rank (a point on a circle: at θ = 1 rad),
// forces grow without bound on the way, and beyond it no force closes the joint at all. So the row of such a joint is
// taken at levers that are turned ahead, with a share a of the turn that the bodies make in the step:
//
//   J = J(q turned by a θ),   a = 0 up to 0.3 rad, rising to 1 at 0.6 rad; 1 as well where rounds do not close it
//
// With a = 1 the step is u⁺ = argmin ‖u − ũ‖_M over all u that end with closed joints, which always exists (004 takes
// these directions throughout). It damps, by about a h θ̇² a second, so it is kept to the steps that need it. Forces on
// the two bodies are opposite, so momentum is kept; angular momentum changes by second order in the turn. θ is that of
// the round before, halfway from the one before that where rounds make no progress. Once the joints are closed to
// kLeadEnough (step.cpp) the levers stay, and the rounds of bias_rounds.hpp do the rest.
#pragma once

#include <stiction/state.hpp>

namespace stiction {

struct Workspace;

// Takes the rows of joints ahead at the velocity u, whose positions are in workspace.next.q, after so many rounds
// without progress. Returns whether there are any such rows; biases are then to be linearised anew.
bool lead_joints(const Model& model, const Options& options, const State& state, const std::vector<double>& u,
                 int halts, Workspace& workspace);

// The rows of a step that was taken, with the turns that are in them.
void recall_leads(const Model& model, const State& state, Workspace& workspace);

}  // namespace stiction
