// Addresses of coordinates: which tree moves a body, and where each joint's positions and velocities lie.
#pragma once

#include <stiction/model.hpp>

namespace stiction::detail {

constexpr int position_count(JointType type) {
  return type == JointType::kFree ? 7 : (type == JointType::kBall ? 4 : 1);
}
constexpr int dof_count(JointType type) {
  return type == JointType::kFree ? 6 : (type == JointType::kBall ? 3 : 1);
}

// From body_parent, body_joint, body_joint_count and joint_type: sets nq, nv, ntree, body_tree, tree_root, tree_dof,
// joint_q, joint_dof, dof_body, dof_joint, dof_parent, and gives all arrays their lengths. Coordinates are laid out
// tree by tree; within a tree by body, then by joint. Where bodies come in depth-first order (files do), that is the
// order of MuJoCo. Those of held joints follow behind the trees, by body.
// With `joined`, trees that have the same entry become one; entries belong to the trees as they are numbered without
// it.
void lay_out_coordinates(Model& model, const std::vector<int>& joined = {});

// For each body the body that carries it: itself if it has joints (or is the world), else that of its parent.
std::vector<int> welded_to(const Model& model);

}  // namespace stiction::detail
