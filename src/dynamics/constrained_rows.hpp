// Rows of bilateral constraints on trees and their part of the factor of the KKT matrix; host and device.
//
//   K = [−μI  J; Jᵀ  M] = U D Uᵀ,   U = [U_G  W; 0  Lᵀ],   M = Lᵀ D_M L,   Y = J L⁻¹,   W = Y D_M⁻¹
//
// (Carpentier and Le Lidec, course on contact dynamics, "sparse contact matrix decomposition"; Carpentier, Budhiraja,
// Mansard, Proximal and sparse resolution of constrained dynamic equations, RSS 2021.) The constraints stand first, so
// that the elimination from the leaves to the root keeps every row within the joints that carry its bodies.
//
// We depart from the paper in the storage: instead of one matrix with a pattern, rows come in blocks of three (the
// velocity of a point, or an angular velocity), and a block has one 3-vector per joint coordinate of its support. The
// support of a block is the path to body a, followed by what the path to body b does not share with it.
#pragma once

#include "dynamics/tree_jacobian.hpp"

namespace stiction {

template <class T>
struct ConstraintBlockT {
  int angular = 0;                // 1: three rows of angular velocity; 0: of the velocity of a point
  int link_a = 0, link_b = 0;     // 0: the world
  int last_a = -1, last_b = -1;   // last degree of freedom of each path; -1: the world
  int count_a = 0;                // degrees of freedom on the path to a,
  int shared = 0;                 // those of them on the path to b as well,
  int count_b = 0;                // and on the path to b
  int column = 0;                 // first vector of the block in Y and W
  Vec3T<T> point_a{}, point_b{};  // in the frames of the links [m]
  QuatT<T> frame_a{}, frame_b{};  // axes in those of the links
  T stiffness{};                  // [1/s²]
  T damping{};                    // [1/s]

  STICTION_HD int columns() const { return count_a + count_b - shared; }
};

// A run of degrees of freedom that two blocks share: vectors `column_i` … and `column_j` … of Y.
struct ConstraintOverlap {
  int i = 0, j = 0;  // blocks, j ≤ i
  int column_i = 0, column_j = 0, count = 0;
};

// Where the points of a block are, relative to the origins of their trees.
template <class T>
struct ConstraintArmsT {
  Vec3T<T> a{}, b{};
};

template <class T>
STICTION_HD ConstraintArmsT<T> constraint_arms(const ConstraintBlockT<T>& block, const LinkPoseT<T>* pose) {
  const LinkPoseT<T>&a = pose[block.link_a], &b = pose[block.link_b];
  return {a.p + a.R * block.point_a, b.p + b.R * block.point_b};
}

// Velocity of the rows for the motions of the two links.
template <class T>
STICTION_HD Vec3T<T> constraint_velocity(const ConstraintBlockT<T>& block, const ConstraintArmsT<T>& arm,
                                         const SpatialT<T>* velocity) {
  const SpatialT<T>&a = velocity[block.link_a], &b = velocity[block.link_b];
  if (block.angular) return a.angular - b.angular;
  return motion_at(a, arm.a).linear - motion_at(b, arm.b).linear;
}

// J̇ u, from the velocities and accelerations of the links at u̇ = 0; weight in the latter cancels.
template <class T>
STICTION_HD Vec3T<T> constraint_drift(const ConstraintBlockT<T>& block, const ConstraintArmsT<T>& arm,
                                      const TreeDataT<T>& data) {
  const int a = block.link_a, b = block.link_b;
  if (block.angular) return data.acceleration[a].angular - data.acceleration[b].angular;
  return point_acceleration(data.velocity[a], data.acceleration[a], arm.a) -
         point_acceleration(data.velocity[b], data.acceleration[b], arm.b);
}

// The error c: distance of the points, or the rotation vector from the axes of b to those of a.
template <class T>
STICTION_HD Vec3T<T> constraint_error(const TreeViewT<T>& tree, const ConstraintBlockT<T>& block,
                                      const ConstraintArmsT<T>& arm, const TreeDataT<T>& data) {
  const int a = block.link_a, b = block.link_b;
  if (!block.angular) {
    const Vec3T<T> from = a > 0 ? data.origin[tree.link[a].origin] : Vec3T<T>{};
    const Vec3T<T> to = b > 0 ? data.origin[tree.link[b].origin] : Vec3T<T>{};
    return (from + arm.a) - (to + arm.b);
  }
  using std::atan2;
  QuatT<T> turn = (data.pose[a].q * block.frame_a) * conjugate(data.pose[b].q * block.frame_b);
  if (turn.w < T(0)) turn = {-turn.w, -turn.x, -turn.y, -turn.z};
  const Vec3T<T> v{turn.x, turn.y, turn.z};
  const T sine = norm(v);
  return sine > T(0) ? v * (T(2) * atan2(sine, turn.w) / sine) : Vec3T<T>{};
}

// Columns of J on the support: Y ← the three rows.
template <class T>
STICTION_HD void constraint_columns(const TreeViewT<T>& tree, const ConstraintBlockT<T>& block,
                                    const ConstraintArmsT<T>& arm, const SpatialT<T>* motion, Vec3T<T>* Y) {
  if (block.count_a > 0) {
    const int* path = tree.ancestor + tree.row[block.last_a];
    for (int d = 0; d < block.count_a; ++d) {
      const SpatialT<T>& S = motion[path[d]];
      Y[d] = block.angular ? S.angular : S.linear + cross(S.angular, arm.a);
    }
  }
  if (block.count_b == 0) return;
  const int* path = tree.ancestor + tree.row[block.last_b];
  for (int d = 0; d < block.shared; ++d) {
    const SpatialT<T>& S = motion[path[d]];
    Y[d] -= block.angular ? S.angular : S.linear + cross(S.angular, arm.b);
  }
  Vec3T<T>* beyond = Y + block.count_a - block.shared;
  for (int d = block.shared; d < block.count_b; ++d) {
    const SpatialT<T>& S = motion[path[d]];
    beyond[d] = -(block.angular ? S.angular : S.linear + cross(S.angular, arm.b));
  }
}

// Y ← Y L⁻¹, W ← Y D⁻¹: one elimination from the leaves to the root, over the support alone.
template <class T>
STICTION_HD void constraint_eliminate(const TreeViewT<T>& tree, const ConstraintBlockT<T>& block, const T* factor,
                                      Vec3T<T>* Y, Vec3T<T>* W) {
  if (block.count_b > block.shared) {
    const int* path = tree.ancestor + tree.row[block.last_b];
    const int shift = block.count_a - block.shared;
    for (int d = block.count_b - 1; d >= block.shared; --d) {
      const T* row = factor + tree.row[path[d]];
      const Vec3T<T> y = Y[shift + d];
      for (int e = 0; e < block.shared; ++e) Y[e] -= y * row[e];
      for (int e = block.shared; e < d; ++e) Y[shift + e] -= y * row[e];
      W[shift + d] = y * row[d];
    }
  }
  if (block.count_a == 0) return;
  const int* path = tree.ancestor + tree.row[block.last_a];
  for (int d = block.count_a - 1; d >= 0; --d) {
    const T* row = factor + tree.row[path[d]];
    const Vec3T<T> y = Y[d];
    for (int e = 0; e < d; ++e) Y[e] -= y * row[e];
    W[d] = y * row[d];
  }
}

// Σ W x over the support; x by degrees of freedom.
template <class T>
STICTION_HD Vec3T<T> constraint_gather(const TreeViewT<T>& tree, const ConstraintBlockT<T>& block, const Vec3T<T>* W,
                                       const T* x) {
  Vec3T<T> sum{};
  if (block.count_a > 0) {
    const int* path = tree.ancestor + tree.row[block.last_a];
    for (int d = 0; d < block.count_a; ++d) sum += W[d] * x[path[d]];
  }
  if (block.count_b > block.shared) {
    const int* path = tree.ancestor + tree.row[block.last_b];
    const Vec3T<T>* beyond = W + block.count_a - block.shared;
    for (int d = block.shared; d < block.count_b; ++d) sum += beyond[d] * x[path[d]];
  }
  return sum;
}

// x += Wᵀ λ.
template <class T>
STICTION_HD void constraint_scatter(const TreeViewT<T>& tree, const ConstraintBlockT<T>& block, const Vec3T<T>* W,
                                    const Vec3T<T>& lambda, T* x) {
  if (block.count_a > 0) {
    const int* path = tree.ancestor + tree.row[block.last_a];
    for (int d = 0; d < block.count_a; ++d) x[path[d]] += dot(W[d], lambda);
  }
  if (block.count_b > block.shared) {
    const int* path = tree.ancestor + tree.row[block.last_b];
    const Vec3T<T>* beyond = W + block.count_a - block.shared;
    for (int d = block.shared; d < block.count_b; ++d) x[path[d]] += dot(beyond[d], lambda);
  }
}

using ConstraintBlock = ConstraintBlockT<double>;

}  // namespace stiction
