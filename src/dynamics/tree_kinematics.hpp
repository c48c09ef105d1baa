// Forward kinematics of trees: poses, motion columns, velocities and accelerations of links. Host and device; one
// function per link and thin loops over them.
//
//   X_i = X_parent · placement · joint(q)
//   v_i = v_parent + S u,   a_i = a_parent + S u̇ + Ṡ u,   Ṡ u = v_parent × S u
//
// with the columns S about the tree's origin in world axes (Featherstone 2008, table 5.1 has them in link frames).
// A free joint has its linear coordinates in world axes at the moving origin of the body; there Ṡ u = (0, v_o × ω).
#pragma once

#include "dynamics/tree_link.hpp"
#include "math/sin_cos.hpp"

namespace stiction {

template <class T>
STICTION_HD Vec3T<T> load_vec3(const T* x) {
  return {x[0], x[1], x[2]};
}
template <class T>
STICTION_HD void store_vec3(const Vec3T<T>& v, T* x) {
  x[0] = v.x, x[1] = v.y, x[2] = v.z;
}

// q · (cosine, 0, 0, sine): a further turn about z.
template <class T>
STICTION_HD QuatT<T> turned_about_z(const QuatT<T>& q, T sine, T cosine) {
  return {q.w * cosine - q.z * sine, q.x * cosine + q.y * sine, q.y * cosine - q.x * sine, q.z * cosine + q.w * sine};
}

// Sine and cosine of half the angle of every hinge, in one loop that becomes vector instructions.
template <class T>
STICTION_HD void half_angles(const TreeViewT<T>& tree, const T* q, const TreeDataT<T>& data) {
  T largest = T(0);
  for (int i = tree.begin; i < tree.end; ++i) {
    const LinkT<T>& link = tree.link[i];
    const T angle = link.type == JointType::kHinge ? (q[link.q] - link.reference) * T(0.5) : T(0);
    data.half_angle[i] = angle;
    const T size = angle < T(0) ? -angle : angle;
    largest = size > largest ? size : largest;
  }
  if (largest <= HalfTurn<T>::kLargest) {
    for (int i = tree.begin; i < tree.end; ++i) sin_cos_reduced(data.half_angle[i], data.sine[i], data.cosine[i]);
  } else {
    for (int i = tree.begin; i < tree.end; ++i) sin_cos(data.half_angle[i], data.sine[i], data.cosine[i]);
  }
}

// Pose of a free link, which is a root and sets the origin. S is (0, eₖ), then (R eₖ, 0).
template <class T>
STICTION_HD void place_free_link(const LinkT<T>& link, const T* x, LinkPoseT<T>& pose, Vec3T<T>& origin,
                                 SpatialT<T>* S) {
  const QuatT<T> q = normalized(QuatT<T>{x[3], x[4], x[5], x[6]});
  const Mat3T<T> R = rotation_matrix(q), axes = Mat3T<T>::identity();
  origin = load_vec3(x);
  pose = {q, R, {}};
  for (int k = 0; k < 3; ++k) {
    S[link.dof + k] = {{}, axes.row[k]};
    S[link.dof + 3 + k] = {R.column(k), {}};
  }
}

// Pose of a link and its motion columns, from those of its parent. A root sets the origin.
template <class T>
STICTION_HD void place_link(const TreeViewT<T>& tree, int i, const T* q, const TreeDataT<T>& data) {
  const LinkT<T>& link = tree.link[i];
  if (link.type == JointType::kFree)
    return place_free_link(link, q + link.q, data.pose[i], data.origin[link.origin], data.motion);
  const LinkPoseT<T>& parent = data.pose[link.parent];
  SpatialT<T>* S = data.motion + link.dof;
  const T* x = q + link.q;
  // The turn of the joint is put together first: it does not wait for the parent.
  QuatT<T> turn = link.rotation;
  if (link.type == JointType::kHinge) turn = turned_about_z(turn, data.sine[i], data.cosine[i]);
  if (link.type == JointType::kBall) turn = turn * normalized(QuatT<T>{x[0], x[1], x[2], x[3]});
  const QuatT<T> total = parent.q * turn;
  const Mat3T<T> R = rotation_matrix(total);
  const Vec3T<T> axis = R.column(2);
  Vec3T<T> p = parent.p + parent.R * link.position;
  if (link.type == JointType::kSlide) p += axis * (x[0] - link.reference);
  if (link.parent == 0) {
    data.origin[link.origin] = p;
    p = {};
  }
  data.pose[i] = {total, R, p};
  if (link.type == JointType::kHinge) {
    S[0] = {axis, cross(p, axis)};
  } else if (link.type == JointType::kSlide) {
    S[0] = {{}, axis};
  } else {
    for (int k = 0; k < 3; ++k) S[k] = {R.column(k), cross(p, R.column(k))};
  }
}

// S u of a link.
template <class T>
STICTION_HD SpatialT<T> joint_motion(const LinkT<T>& link, const LinkPoseT<T>& pose, const SpatialT<T>* motion,
                                     const T* u) {
  const T* x = u + link.dof;
  if (link.type == JointType::kHinge || link.type == JointType::kSlide) return motion[link.dof] * x[0];
  if (link.type == JointType::kFree) return {pose.R * load_vec3(x + 3), load_vec3(x)};
  const Vec3T<T> turn = pose.R * load_vec3(x);
  return {turn, cross(pose.p, turn)};
}

// Ṡ u of a link whose joint moves with `joint` = S u.
template <class T>
STICTION_HD SpatialT<T> joint_bias(const LinkT<T>& link, const SpatialT<T>& parent_velocity, const SpatialT<T>& joint) {
  if (link.type == JointType::kFree) return {{}, cross(joint.linear, joint.angular)};
  return cross_motion(parent_velocity, joint);
}

// Fills origin, pose, motion.
template <class T>
STICTION_HD void tree_positions(const TreeViewT<T>& tree, const T* q, const TreeDataT<T>& data) {
  half_angles(tree, q, data);
  data.pose[0].q = {};
  data.pose[0].R = Mat3T<T>::identity();
  data.pose[0].p = {};
  for (int i = tree.begin; i < tree.end; ++i) place_link(tree, i, q, data);
}

// Fills velocity from pose and motion.
template <class T>
STICTION_HD void tree_velocities(const TreeViewT<T>& tree, const T* u, const TreeDataT<T>& data) {
  data.velocity[0] = {};
  for (int i = tree.begin; i < tree.end; ++i) {
    const LinkT<T>& link = tree.link[i];
    data.velocity[i] = data.velocity[link.parent] + joint_motion(link, data.pose[i], data.motion, u);
  }
}

// Velocity and acceleration of one link from those of its parent; without u̇ (null) the velocity products alone.
template <class T>
STICTION_HD void accelerate_link(const TreeViewT<T>& tree, int i, const T* u, const T* udot, const TreeDataT<T>& data,
                                 SpatialT<T>& v, SpatialT<T>& a) {
  const LinkT<T>& link = tree.link[i];
  const LinkPoseT<T>& pose = data.pose[i];
  const SpatialT<T> parent = data.velocity[link.parent];
  const SpatialT<T> joint = joint_motion(link, pose, data.motion, u);
  v = parent + joint;
  a = data.acceleration[link.parent] + joint_bias(link, parent, joint);
  if (udot) a = a + joint_motion(link, pose, data.motion, udot);
  data.velocity[i] = v;
  data.acceleration[i] = a;
}

// Fills velocity and acceleration from pose and motion. `start` is the acceleration of the world: −g makes weight.
// Without u̇ (null) the result is the velocity-product part J̇ u.
template <class T>
STICTION_HD void tree_accelerations(const TreeViewT<T>& tree, const T* u, const T* udot, const Vec3T<T>& start,
                                    const TreeDataT<T>& data) {
  data.velocity[0] = {};
  data.acceleration[0] = {{}, start};
  SpatialT<T> v{}, a{};
  for (int i = tree.begin; i < tree.end; ++i) accelerate_link(tree, i, u, udot, data, v, a);
}

// Classical acceleration of the point at r (relative to the tree's origin) from spatial velocity and acceleration.
template <class T>
STICTION_HD Vec3T<T> point_acceleration(const SpatialT<T>& v, const SpatialT<T>& a, const Vec3T<T>& r) {
  // p̈ = a + α × r + ω × (v + ω × r)
  return a.linear + cross(a.angular, r) + cross(v.angular, v.linear + cross(v.angular, r));
}

}  // namespace stiction
