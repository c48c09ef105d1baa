// The mass matrix by composite rigid bodies (Featherstone 2008, table 6.2), in world axes.
//
//   I^c_i = I_i + Σ I^c_children,   F = I^c_i S_k,   M_kj = S_jᵀ F for every degree of freedom j that carries k
//
// Only those entries are stored, row after row from the root to the diagonal: the pattern of TreeViewT.
#pragma once

#include "dynamics/tree_kinematics.hpp"

namespace stiction {

// Inertia of one link about the tree's origin in world axes.
template <class T>
STICTION_HD CompositeT<T> link_inertia(const LinkT<T>& link, const LinkPoseT<T>& pose) {
  if (!link.massive) return {};
  const Vec3T<T> c = pose.p + pose.R * link.com;
  return {link.mass, c * link.mass, turned(pose.R, link.inertia) + parallel_axis(link.mass, c)};
}

// Momentum of a motion.
template <class T>
STICTION_HD SpatialT<T> operator*(const CompositeT<T>& I, const SpatialT<T>& v) {
  return {I.second * v.angular + cross(I.moment, v.linear), v.linear * I.mass - cross(I.moment, v.angular)};
}

template <class T>
STICTION_HD CompositeT<T> operator+(const CompositeT<T>& a, const CompositeT<T>& b) {
  return {a.mass + b.mass, a.moment + b.moment, a.second + b.second};
}

// Fills composite from pose.
template <class T>
STICTION_HD void tree_composites(const TreeViewT<T>& tree, const TreeDataT<T>& data) {
  for (int i = tree.begin; i < tree.end; ++i) data.composite[i] = link_inertia(tree.link[i], data.pose[i]);
  for (int i = tree.end - 1; i >= tree.begin; --i) {
    const int parent = tree.link[i].parent;
    if (parent > 0) data.composite[parent] = data.composite[parent] + data.composite[i];
  }
}

// Number of degrees of freedom of a link.
STICTION_HD int link_dofs(JointType type) {
  return type == JointType::kFree ? 6 : (type == JointType::kBall ? 3 : 1);
}

// Entries S_jᵀ F of one row of M, from ancestor `from` of the path on.
template <class T>
STICTION_HD void mass_row(const TreeViewT<T>& tree, const SpatialT<T>* motion, int dof, int from, const SpatialT<T>& F,
                          T* M) {
  const int first = tree.row[dof], count = tree.row[dof + 1] - first;
  const int* ancestor = tree.ancestor + first;
  T* row = M + first;
  for (int d = from; d < count; ++d) row[d] = dot(motion[ancestor[d]], F);
  row[count - 1] += tree.armature[dof];
}

// The rows of a free root: its S are (0, eₖ) and (R eₖ, 0).
template <class T>
STICTION_HD void free_root_rows(const TreeViewT<T>& tree, const TreeDataT<T>& data, const LinkT<T>& link,
                                const CompositeT<T>& I, T* M) {
  for (int k = 0; k < 3; ++k) {
    T* row = M + tree.row[link.dof + k];
    for (int j = 0; j < k; ++j) row[j] = T(0);
    row[k] = I.mass + tree.armature[link.dof + k];
  }
  for (int k = 3; k < 6; ++k) {
    const Vec3T<T>& axis = data.motion[link.dof + k].angular;
    const Vec3T<T> torque = I.second * axis;
    T* row = M + tree.row[link.dof + k];
    store_vec3(-cross(I.moment, axis), row);
    for (int j = 3; j <= k; ++j) row[j] = dot(data.motion[link.dof + j].angular, torque);
    row[k] += tree.armature[link.dof + k];
  }
}

// The rows of a link with the inertia I of all that it carries. Under a free root the first six entries are the force
// itself and its torque in the axes of the root: its S are (0, eₖ) and (R eₖ, 0).
template <class T>
STICTION_HD void mass_rows(const TreeViewT<T>& tree, const TreeDataT<T>& data, int i, const CompositeT<T>& I, T* M) {
  const LinkT<T>& link = tree.link[i];
  const bool under_free = tree.link[link.root].type == JointType::kFree && link.parent > 0;
  for (int k = 0; k < link_dofs(link.type); ++k) {
    const int dof = link.dof + k;
    const SpatialT<T> F = I * data.motion[dof];
    if (under_free) {
      T* row = M + tree.row[dof];
      store_vec3(F.linear, row);
      store_vec3(transpose_times(data.pose[link.root].R, F.angular), row + 3);
    }
    mass_row(tree, data.motion, dof, under_free ? 6 : 0, F, M);
  }
}

// Fills composite and the rows of M from pose and motion.
template <class T>
STICTION_HD void tree_crba(const TreeViewT<T>& tree, const TreeDataT<T>& data, T* M) {
  for (int i = tree.begin; i < tree.end; ++i) data.composite[i] = link_inertia(tree.link[i], data.pose[i]);
  // A free root is the first link of its tree; its rows inside the loop would slow down all others.
  const int root = tree.begin;
  const bool free_root = root < tree.end && tree.link[root].type == JointType::kFree;
  for (int i = tree.end - 1; i >= root + int(free_root); --i) {
    const CompositeT<T> I = data.composite[i];
    mass_rows(tree, data, i, I, M);
    const int parent = tree.link[i].parent;
    if (parent > 0) data.composite[parent] = data.composite[parent] + I;
  }
  if (free_root) free_root_rows(tree, data, tree.link[root], data.composite[root], M);
}

// Writes the rows of M of one tree into a full symmetric matrix, row-major, that is zero elsewhere. `first` is its
// first degree of freedom, n their number.
template <class T>
STICTION_HD void scatter_mass(const TreeViewT<T>& tree, const T* M, int first, int n, T* block) {
  for (int k = 0; k < n; ++k)
    for (int e = tree.row[first + k]; e < tree.row[first + k + 1]; ++e) {
      const int j = tree.ancestor[e] - first;
      block[k * n + j] = M[e];
      block[j * n + k] = M[e];
    }
}

// The rows of M of one tree from a full matrix.
template <class T>
STICTION_HD void gather_mass(const TreeViewT<T>& tree, const T* block, int first, int n, T* M) {
  for (int k = 0; k < n; ++k)
    for (int e = tree.row[first + k]; e < tree.row[first + k + 1]; ++e)
      M[e] = block[k * n + (tree.ancestor[e] - first)];
}

// The block of one tree as a full symmetric matrix.
template <class T>
STICTION_HD void mass_block(const TreeViewT<T>& tree, const T* M, int first, int n, T* block) {
  for (int i = 0; i < n * n; ++i) block[i] = T(0);
  scatter_mass(tree, M, first, n, block);
}

}  // namespace stiction
