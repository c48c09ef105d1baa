// The joints of one body, one after the other, as a chain from its parent to the body:
//
//   X_child = X_parent · body_pose · joint₁(q) · … · jointₙ(q)
//
// with MuJoCo's meaning of the coordinates: a hinge turns by q − q_reference about its anchor, a slide moves by
// q − q_reference, a ball turns by q about its anchor.
#pragma once

#include <stiction/model.hpp>

namespace stiction::detail {

struct JointChain {
  int first = 0, count = 0;  // joints
};

// Degrees of freedom of the chain.
int dof_count(const Model& model, const JointChain& chain);

// Moves `pose` along the chain, from the body's place in its parent at the reference to its place at q. `columns`,
// where it is not null, gets for each degree of freedom the velocity of the body for a unit rate, in world axes about
// the origin of the world.
Transform place_chain(const Model& model, const JointChain& chain, const double* q, Transform pose, Spatial* columns);

// q ⊕ change of the chain's coordinates: positions of slides and hinges, rotation vectors in the child's axes of balls.
// `change` starts at the chain's first degree of freedom.
void move_chain(const Model& model, const JointChain& chain, const double* change, double* q);

}  // namespace stiction::detail
