// Sums over the links of a tree: mass, centre of mass, momentum, energy. Host and device.
#pragma once

#include "dynamics/tree_crba.hpp"

namespace stiction {

// Σ m c of the links, c in the world [kg m].
template <class T>
STICTION_HD Vec3T<T> tree_moment(const TreeViewT<T>& tree, const TreeDataT<T>& data) {
  Vec3T<T> sum{};
  for (int i = tree.begin; i < tree.end; ++i)
    sum +=
        (data.origin[tree.link[i].origin] + (data.pose[i].p + data.pose[i].R * tree.link[i].com)) * tree.link[i].mass;
  return sum;
}

template <class T>
STICTION_HD T tree_mass(const TreeViewT<T>& tree) {
  T sum{};
  for (int i = tree.begin; i < tree.end; ++i) sum += tree.link[i].mass;
  return sum;
}

// Momentum of the links about the tree's origin, from pose and velocity.
template <class T>
STICTION_HD SpatialT<T> tree_momentum(const TreeViewT<T>& tree, const TreeDataT<T>& data) {
  SpatialT<T> sum{};
  for (int i = tree.begin; i < tree.end; ++i) sum = sum + link_inertia(tree.link[i], data.pose[i]) * data.velocity[i];
  return sum;
}

// ½ Σ v·I v + ½ Σ armature u² [J], from pose and velocity.
template <class T>
STICTION_HD T tree_kinetic_energy(const TreeViewT<T>& tree, const TreeDataT<T>& data, const T* u) {
  T sum{};
  for (int i = tree.begin; i < tree.end; ++i)
    sum += dot(data.velocity[i], link_inertia(tree.link[i], data.pose[i]) * data.velocity[i]);
  for (int d = tree.dof_begin; d < tree.dof_end; ++d) sum += tree.armature[d] * u[d] * u[d];
  return sum * T(0.5);
}

}  // namespace stiction
