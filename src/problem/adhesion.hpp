// Adhesion of bodies (MJCF's actuator on a body; MuJoCo's documentation, "XML reference", `adhesion`): the force of the
// actuator pulls the body against everything that it touches, equally at all its contacts and along their normals,
//
//   f = −(F / n) Σ J_nᵀ   over the n contacts of the body,
//
// and the contact answers: at rest its normal force is larger by F / n, and friction holds accordingly. Contacts count
// up to the contact margin, where contacts at rest are created; their pull acts over the whole step.
#pragma once

#include "step/workspace.hpp"

namespace stiction {

// Adds the pull of all adhesion actuators to the forces and to the free velocity. Candidates, the forces of actuators
// and the free velocity go before.
void add_adhesion(const Model& model, const Options& options, Workspace& workspace);

}  // namespace stiction
