// Rows of held joints (maximal coordinates; dynamics/held_joints.hpp).
//
//   where joints forbid motion:   C = Nᵀ δ(q ⊕ h u⁺) = C*, as an equality (problem/equality.hpp), λ free
//   inertia of a joint:           λ = −(s / h) (α̇(q ⊕ h u⁺) − α̇),  s = armature + h D + h² K
//
// The second row is what the diagonal of the mass matrix does for a joint of a tree: K and D are the stiffness and
// damping of springs, dampers and servos, whose force at the start of the step is in the free velocity
// (dynamics/forces.cpp). It is a box without bounds, with compliance e = h / s; the rate at the end of the step is
// linearised at a trial velocity as the errors are: b = α̇(q ⊕ h u*) − J u* − α̇.
#pragma once

#include "problem/constraint_rows.hpp"

namespace stiction {

void add_held_inertia_rows(const Model& model, const Options& options, const State& state, Workspace& workspace);
void add_held_joint_rows(const Model& model, const Options& options, Workspace& workspace);

// Linearises at the velocity u, whose trial positions are in workspace.next.q and workspace.trial_links: new biases.
// Returns the largest |C − C*| of a row, or h times the change of an inertia row's bias, and raises
// workspace.equality_drift to the largest |δ|.
double linearise_held_joints(const Model& model, const Options& options, const std::vector<double>& u,
                             Workspace& workspace);

}  // namespace stiction
