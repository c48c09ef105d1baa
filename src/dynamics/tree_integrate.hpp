// q ⊕ h u of one link: positions after the time h at a constant velocity. Host and device.
#pragma once

#include "dynamics/tree_kinematics.hpp"

namespace stiction {

// Entries of q of a link.
STICTION_HD int positions_of(JointType type) {
  return type == JointType::kFree ? 7 : (type == JointType::kBall ? 4 : 1);
}

template <class T>
STICTION_HD void turn_quaternion(const T* q, const T* omega, T h, T* out) {
  const QuatT<T> start = normalized(QuatT<T>{q[0], q[1], q[2], q[3]});
  const QuatT<T> end = normalized(start * quat_from_rotation_vector(load_vec3(omega) * h));
  out[0] = end.w, out[1] = end.x, out[2] = end.y, out[3] = end.z;
}

template <class T>
STICTION_HD void integrate_link(const LinkT<T>& link, T h, const T* q, const T* u, T* out) {
  const T *x = q + link.q, *v = u + link.dof;
  T* y = out + link.q;
  if (link.type == JointType::kFree) {
    store_vec3(load_vec3(x) + load_vec3(v) * h, y);
    turn_quaternion(x + 3, v + 3, h, y + 3);
  } else if (link.type == JointType::kBall) {
    turn_quaternion(x, v, h, y);
  } else {
    y[0] = x[0] + h * v[0];
  }
}

}  // namespace stiction
