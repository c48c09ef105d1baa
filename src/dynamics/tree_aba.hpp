// Forward dynamics by articulated bodies (Featherstone 2008, table 7.1), in world axes.
//
//   U = I^A S,   d = Sᵀ U + armature,   e = τ − Sᵀ p
//   I^A_parent += I^A − U Uᵀ / d,   p_parent += p + U e / d            from the leaves to the root
//   u̇ = (e − Uᵀ a_parent) / d,     a = a_parent + S u̇                from the root to the leaves
//
// We depart from the book in two ways. About one point no inertia is transformed on its way to the parent. And the
// velocity products, Ṡ u and gravity, are gathered first into the forces p of the single links at u̇ = 0; accelerations
// a then stand for the part of u̇ alone, and I^A Ṡ u need not be formed.
#pragma once

#include "dynamics/tree_crba.hpp"
#include "dynamics/tree_rnea.hpp"

namespace stiction {

// I v of an articulated inertia.
template <class T>
STICTION_HD SpatialT<T> operator*(const ArticulatedT<T>& I, const SpatialT<T>& v) {
  return {I.A * v.angular + I.B * v.linear, transpose_times(I.B, v.angular) + I.C * v.linear};
}

template <class T>
STICTION_HD ArticulatedT<T> articulated_from(const CompositeT<T>& I) {
  return {I.second, skew(I.moment), {I.mass, I.mass, I.mass, T(0), T(0), T(0)}};
}

// a −= v uᵀ, where the sum of all such products of a joint is symmetric.
template <class T>
STICTION_HD void subtract_outer(const SpatialT<T>& v, const SpatialT<T>& u, ArticulatedT<T>& I) {
  I.A = I.A - symmetric_outer(v.angular, u.angular);
  I.B = I.B - outer(v.angular, u.linear);
  I.C = I.C - symmetric_outer(v.linear, u.linear);
}

template <class T>
STICTION_HD void add_to(const ArticulatedT<T>& I, ArticulatedT<T>& sum) {
  sum.A = sum.A + I.A;
  sum.B = sum.B + I.B;
  sum.C = sum.C + I.C;
}

// Hinge and slide: leaves the inertia and force that the parent feels in `I` and `p`.
template <class T>
STICTION_HD bool release_scalar(const TreeViewT<T>& tree, const TreeDataT<T>& data, int dof, const T* tau,
                                ArticulatedT<T>& I, SpatialT<T>& p) {
  const SpatialT<T>& S = data.motion[dof];
  const SpatialT<T> U = I * S;
  const T d = dot(S, U) + tree.armature[dof], e = tau[dof] - dot(S, p);
  if (!(d > T(0))) return false;
  const T gain = T(1) / d;
  const SpatialT<T> V = U * gain;
  subtract_outer(V, U, I);
  p = p + V * e;
  data.handle[dof] = U;
  data.gain[dof] = gain;
  data.residual[dof] = e;
  return true;
}

// Ball joint, in world axes: S = (1, p̂), armature R diag(a) Rᵀ. Keeps the inverse of d in articulated[i].A.
template <class T>
STICTION_HD bool release_ball(const TreeViewT<T>& tree, const TreeDataT<T>& data, int i, const T* tau,
                              ArticulatedT<T>& I, SpatialT<T>& p) {
  const int dof = tree.link[i].dof;
  const LinkPoseT<T>& pose = data.pose[i];
  const Mat3T<T> axes = Mat3T<T>::identity();
  SpatialT<T>* U = data.handle + dof;
  Mat3T<T> d{};
  for (int k = 0; k < 3; ++k) {
    U[k] = I * SpatialT<T>{axes.row[k], cross(pose.p, axes.row[k])};
    // Sᵀ U: moment about the anchor
    d.row[k] = U[k].angular - cross(pose.p, U[k].linear);
  }
  const Vec3T<T> armature = load_vec3(tree.armature + dof);
  const Sym3T<T> total =
      Sym3T<T>::from(d) + turned(pose.R, Sym3T<T>{armature.x, armature.y, armature.z, T(0), T(0), T(0)});
  Sym3T<T> gain{};
  if (!invert_positive(total, gain)) return false;
  const Vec3T<T> e = pose.R * load_vec3(tau + dof) - (p.angular - cross(pose.p, p.linear));
  const Vec3T<T> turn = gain * e;
  const Mat3T<T> full = gain.full();
  for (int k = 0; k < 3; ++k) {
    const SpatialT<T> V = U[0] * full(0, k) + U[1] * full(1, k) + U[2] * full(2, k);
    subtract_outer(V, U[k], I);
  }
  p = p + U[0] * turn.x + U[1] * turn.y + U[2] * turn.z;
  store_vec3(e, data.residual + dof);
  data.articulated[i].A = gain;
  return true;
}

// Free joint, the root: (α, a) from [A B; Bᵀ C] by blocks, C first.
template <class T>
STICTION_HD bool release_free(const TreeViewT<T>& tree, const TreeDataT<T>& data, int i, const T* tau,
                              const SpatialT<T>& p, T* udot) {
  const int dof = tree.link[i].dof;
  const LinkPoseT<T>& pose = data.pose[i];
  const ArticulatedT<T>& I = data.articulated[i];
  const T* armature = tree.armature + dof;
  const Sym3T<T> C = I.C + Sym3T<T>{armature[0], armature[1], armature[2], T(0), T(0), T(0)};
  const Sym3T<T> A = I.A + turned(pose.R, Sym3T<T>{armature[3], armature[4], armature[5], T(0), T(0), T(0)});
  Sym3T<T> C_inverse{}, S_inverse{};
  if (!invert_positive(C, C_inverse)) return false;
  Mat3T<T> X{};  // B C⁻¹
  for (int k = 0; k < 3; ++k) X.row[k] = C_inverse * I.B.row[k];
  // Schur complement A − B C⁻¹ Bᵀ
  const Sym3T<T> product{dot(I.B.row[0], X.row[0]), dot(I.B.row[1], X.row[1]), dot(I.B.row[2], X.row[2]),
                         dot(I.B.row[0], X.row[1]), dot(I.B.row[0], X.row[2]), dot(I.B.row[1], X.row[2])};
  if (!invert_positive(A - product, S_inverse)) return false;
  const Vec3T<T> force = load_vec3(tau + dof) - p.linear;
  const Vec3T<T> torque = pose.R * load_vec3(tau + dof + 3) - p.angular;
  const Vec3T<T> alpha = S_inverse * (torque - X * force);
  const Vec3T<T> a = C_inverse * (force - transpose_times(I.B, alpha));
  store_vec3(a, udot + dof);
  store_vec3(transpose_times(pose.R, alpha), udot + dof + 3);
  data.acceleration[i] = {alpha, a};
  return true;
}

// From leaves to root, then back. `force` holds p of the single links, `articulated` their inertias. Returns the first
// link whose joint meets no inertia, or 0.
template <class T>
STICTION_HD int tree_articulate(const TreeViewT<T>& tree, const T* tau, const TreeDataT<T>& data, T* udot) {
  data.acceleration[0] = {};
  for (int i = tree.end - 1; i >= tree.begin; --i) {
    const LinkT<T>& link = tree.link[i];
    if (link.type == JointType::kFree) {
      if (!release_free(tree, data, i, tau, data.force[i], udot)) return i;
      continue;
    }
    ArticulatedT<T> I = data.articulated[i];
    SpatialT<T> p = data.force[i];
    const bool resists = link.type == JointType::kBall ? release_ball(tree, data, i, tau, I, p)
                                                       : release_scalar(tree, data, link.dof, tau, I, p);
    if (!resists) return i;
    if (link.parent == 0) continue;
    add_to(I, data.articulated[link.parent]);
    data.force[link.parent] = data.force[link.parent] + p;
  }
  for (int i = tree.begin; i < tree.end; ++i) {
    const LinkT<T>& link = tree.link[i];
    if (link.type == JointType::kFree) continue;
    const SpatialT<T>& a = data.acceleration[link.parent];
    if (link.type == JointType::kBall) {
      const SpatialT<T>* U = data.handle + link.dof;
      const Vec3T<T> felt{dot(U[0], a), dot(U[1], a), dot(U[2], a)};
      const Vec3T<T> alpha = data.articulated[i].A * (load_vec3(data.residual + link.dof) - felt);
      store_vec3(transpose_times(data.pose[i].R, alpha), udot + link.dof);
      data.acceleration[i] = a + SpatialT<T>{alpha, cross(data.pose[i].p, alpha)};
    } else {
      const T x = (data.residual[link.dof] - dot(data.handle[link.dof], a)) * data.gain[link.dof];
      udot[link.dof] = x;
      data.acceleration[i] = a + data.motion[link.dof] * x;
    }
  }
  return 0;
}

// u̇ of the forces τ in the gravity g, from pose and motion. Fills all but composite; acceleration is the part of u̇.
// Returns the first link whose joint meets no inertia, or 0.
template <class T>
STICTION_HD int tree_aba(const TreeViewT<T>& tree, const T* u, const T* tau, const Vec3T<T>& gravity,
                         const TreeDataT<T>& data, T* udot) {
  data.velocity[0] = {};
  data.acceleration[0] = {{}, -gravity};
  SpatialT<T> v{}, a{};
  for (int i = tree.begin; i < tree.end; ++i) {
    accelerate_link<T>(tree, i, u, nullptr, data, v, a);
    data.force[i] = link_force(tree.link[i], data.pose[i], v, a);
    data.articulated[i] = articulated_from(link_inertia(tree.link[i], data.pose[i]));
  }
  return tree_articulate(tree, tau, data, udot);
}

}  // namespace stiction
