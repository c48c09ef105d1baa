// Recursive Newton-Euler: the generalized forces of a motion (Featherstone 2008, table 5.1), in world axes.
//
//   f_i = I_i a_i + v_i ×* I_i v_i + Σ f_children,   τ = Sᵀ f + armature u̇
//
// The force of a link is taken at its centre of mass, where it is cheapest: mass times acceleration, and Euler's
// equation in the axes of the link.
#pragma once

#include "dynamics/tree_kinematics.hpp"

namespace stiction {

// Force that gives a link its acceleration, about the tree's origin.
template <class T>
STICTION_HD SpatialT<T> link_force(const LinkT<T>& link, const LinkPoseT<T>& pose, const SpatialT<T>& v,
                                   const SpatialT<T>& a) {
  if (!link.massive) return {};
  const Vec3T<T> c = pose.p + pose.R * link.com;
  const Vec3T<T> f = point_acceleration(v, a, c) * link.mass;
  // τ = I α + ω × I ω in the axes of the link
  const Vec3T<T> omega = transpose_times(pose.R, v.angular), alpha = transpose_times(pose.R, a.angular);
  const Vec3T<T> torque = link.inertia * alpha + cross(omega, link.inertia * omega);
  return {pose.R * torque + cross(c, f), f};
}

// Sᵀ f of a link.
template <class T>
STICTION_HD void joint_force(const LinkT<T>& link, const LinkPoseT<T>& pose, const SpatialT<T>* motion,
                             const SpatialT<T>& f, T* tau) {
  T* out = tau + link.dof;
  if (link.type == JointType::kHinge || link.type == JointType::kSlide) {
    out[0] = dot(motion[link.dof], f);
  } else if (link.type == JointType::kFree) {
    store_vec3(f.linear, out);
    store_vec3(transpose_times(pose.R, f.angular), out + 3);
  } else {
    store_vec3(transpose_times(pose.R, f.angular - cross(pose.p, f.linear)), out);
  }
}

// τ ← Sᵀ Σ_subtree force. Changes force to the sums over subtrees.
template <class T>
STICTION_HD void tree_collect_forces(const TreeViewT<T>& tree, const TreeDataT<T>& data, T* tau) {
  for (int i = tree.end - 1; i >= tree.begin; --i) {
    const LinkT<T>& link = tree.link[i];
    joint_force(link, data.pose[i], data.motion, data.force[i], tau);
    if (link.parent > 0) data.force[link.parent] = data.force[link.parent] + data.force[i];
  }
}

// τ of the motion (q, u, u̇) in the gravity g; without u̇ (null) the bias force. Fills velocity, acceleration and force
// from pose and motion.
template <class T>
STICTION_HD void tree_rnea(const TreeViewT<T>& tree, const T* u, const T* udot, const Vec3T<T>& gravity,
                           const TreeDataT<T>& data, T* tau) {
  data.velocity[0] = {};
  data.acceleration[0] = {{}, -gravity};
  SpatialT<T> v{}, a{};
  for (int i = tree.begin; i < tree.end; ++i) {
    accelerate_link(tree, i, u, udot, data, v, a);
    data.force[i] = link_force(tree.link[i], data.pose[i], v, a);
  }
  tree_collect_forces(tree, data, tau);
  if (!udot) return;
  for (int d = tree.dof_begin; d < tree.dof_end; ++d) tau[d] += tree.armature[d] * udot[d];
}

}  // namespace stiction
