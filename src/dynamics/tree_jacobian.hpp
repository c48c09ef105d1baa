// Rows of Jacobians from the motion columns of a tree; host and device.
//
//   velocity of the point r (relative to the tree's origin) along d:   Jₖ = d·(S.linear + S.angular × r) = Sₖᵀ (r × d,
//   d)
//
// Only the degrees of freedom that carry the link have entries: those of the mass matrix's row of its last one.
#pragma once

#include "dynamics/tree_kinematics.hpp"

namespace stiction {

// The last degree of freedom that moves a link; -1 for the world.
template <class T>
STICTION_HD int last_dof(const TreeViewT<T>& tree, int link) {
  if (link == 0) return -1;
  const JointType type = tree.link[link].type;
  return tree.link[link].dof + (type == JointType::kFree ? 5 : (type == JointType::kBall ? 2 : 0));
}

// Adds sign · Sₖᵀ w for all k that carry the link. row[0] belongs to the degree of freedom `first`.
template <class T>
STICTION_HD void add_row(const TreeViewT<T>& tree, const SpatialT<T>* motion, int link, const SpatialT<T>& w, T sign,
                         int first, T* row) {
  const int last = last_dof(tree, link);
  if (last < 0) return;
  for (int e = tree.row[last]; e < tree.row[last + 1]; ++e) {
    const int k = tree.ancestor[e];
    row[k - first] += sign * dot(motion[k], w);
  }
}

// The wrench that takes the velocity along d of the point r out of a motion.
template <class T>
STICTION_HD SpatialT<T> point_wrench(const Vec3T<T>& r, const Vec3T<T>& d) {
  return {cross(r, d), d};
}

namespace detail {

// add_point_rows for a number of rows that is known (Rows > 0) or not.
template <int Rows, class T>
STICTION_HD void add_point_rows(const TreeViewT<T>& tree, const SpatialT<T>* motion, int last, bool free_root,
                                const Vec3T<T>& r, T sign, const Vec3T<T>* directions, int count, T* out) {
  const int rows = Rows > 0 ? Rows : count, first = tree.dof_begin, n = tree.dof_end - first;
  // What is written is no direction: they stay in registers.
  Vec3T<T> kept[Rows > 0 ? Rows : 1];
  for (int i = 0; i < Rows; ++i) kept[i] = directions[i];
  const Vec3T<T>* along = Rows > 0 ? kept : directions;
  int begin = tree.row[last];
  // The first three degrees of freedom of a free root move every point along the axes of the world. A tree of bodies
  // that are coupled in maximal coordinates has several roots: this one is the first ancestor.
  if (free_root) {
    const int root = tree.ancestor[begin] - first;
    for (int i = 0; i < rows; ++i)
      for (int k = 0; k < 3; ++k) out[i * n + root + k] += sign * along[i][k];
    begin += 3;
  }
  for (int e = begin; e < tree.row[last + 1]; ++e) {
    const int k = tree.ancestor[e];
    const Vec3T<T> velocity = (motion[k].linear + cross(motion[k].angular, r)) * sign;
    for (int i = 0; i < rows; ++i) out[i * n + k - first] += dot(along[i], velocity);
  }
}

}  // namespace detail

// Adds sign times the velocity of the point r along each direction to rows over the degrees of freedom of the tree.
template <class T>
STICTION_HD void add_point_rows(const TreeViewT<T>& tree, const SpatialT<T>* motion, int link, const Vec3T<T>& r,
                                T sign, const Vec3T<T>* directions, int rows, T* out) {
  const int last = last_dof(tree, link);
  if (last < 0) return;
  const bool free_root = tree.link[tree.link[link].root].type == JointType::kFree;
  if (rows == 3)
    detail::add_point_rows<3>(tree, motion, last, free_root, r, sign, directions, rows, out);
  else
    detail::add_point_rows<0>(tree, motion, last, free_root, r, sign, directions, rows, out);
}

}  // namespace stiction
