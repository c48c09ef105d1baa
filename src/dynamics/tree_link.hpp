// The data that the tree algorithms work on, host and device: plain structs in flat arrays.
//
// One link per joint, parents before children, link 0 the world. The frame of a hinge or slide link has its z axis
// along the joint axis and its origin at the anchor, so that the joint is a turn about z or a push along z; a ball link
// has its origin at the anchor and the axes of its body; a free link is the body frame. A body with several joints is a
// chain of links of which the last carries its mass; a body without joints belongs to the link that carries it.
//
// Spatial vectors (Featherstone, Rigid Body Dynamics Algorithms, 2008) are written in world axes about one point for
// all links under one root, the current origin of the root. Nothing then needs a transformation on its way along the
// tree; only the inertias of the links are turned, once. We depart from the book, which writes them in link frames.
// A tree has one root; where rows couple many free bodies, these form one tree with several (model/coupling.hpp).
#pragma once

#include <stiction/model.hpp>

#include "math/spatial.hpp"
#include "math/sym3.hpp"

namespace stiction {

template <class T>
struct LinkT {
  JointType type = JointType::kFree;
  int parent = 0;       // link; 0: the world
  int tree = 0;         // kinematic tree
  int root = 0;         // the link under the world that carries it
  int origin = 0;       // entry of TreeData::origin, that of its root
  int q = 0;            // first position coordinate
  int dof = 0;          // first degree of freedom
  int massive = 0;      // 1 if the link has mass or inertia of its own
  T reference{};        // position of a hinge or slide at which the link stands at its placement [rad or m]
  Vec3T<T> position{};  // placement of the joint in the parent link: origin [m] …
  QuatT<T> rotation{};  // … and axes
  T mass{};             // [kg]
  Vec3T<T> com{};       // centre of mass in the link frame [m]
  Sym3T<T> inertia{};   // about the centre of mass, in the axes of the link [kg m²]
};

// A forest of links and the pattern of its mass matrix. Row k of the lower triangle has entries only at the degrees of
// freedom that carry k: `ancestor` lists them from the root to k itself, row after row.
// The algorithms run over the links [begin, end) with the degrees of freedom [dof_begin, dof_end): all, or one tree.
template <class T>
struct TreeViewT {
  int begin = 1, end = 1, dof_begin = 0, dof_end = 0;
  const LinkT<T>* link = nullptr;  // link 0 the world
  const int* row = nullptr;        // nv + 1: first entry of each row
  const int* ancestor = nullptr;   // row[nv]
  const T* armature = nullptr;     // nv [kg or kg m²]
};

template <class T>
struct LinkPoseT {
  QuatT<T> q{};  // axes of the link in the world …
  Mat3T<T> R{};  // … and as a matrix
  Vec3T<T> p{};  // origin relative to that of the tree [m]
};

// Symmetric 6×6 inertia of an articulated body: A ω + B v, Bᵀ ω + C v.
template <class T>
struct ArticulatedT {
  Sym3T<T> A{};
  Mat3T<T> B{};
  Sym3T<T> C{};
};

// Inertia of a rigid body about the tree's origin with a symmetric second moment.
template <class T>
struct CompositeT {
  T mass{};           // [kg]
  Vec3T<T> moment{};  // [kg m]
  Sym3T<T> second{};  // [kg m²]
};

// What the algorithms write; the caller owns the memory. Each algorithm names the arrays that it fills and those that
// it expects to be filled.
template <class T>
struct TreeDataT {
  T* half_angle = nullptr;                 // nlink [rad]
  T* sine = nullptr;                       // nlink, of the half angle
  T* cosine = nullptr;                     // nlink
  Vec3T<T>* origin = nullptr;              // one per root: the point that spatial vectors refer to [m]
  LinkPoseT<T>* pose = nullptr;            // nlink
  SpatialT<T>* motion = nullptr;           // nv: S, velocity of the link for a unit rate of the degree of freedom
  SpatialT<T>* velocity = nullptr;         // nlink
  SpatialT<T>* acceleration = nullptr;     // nlink
  SpatialT<T>* force = nullptr;            // nlink
  CompositeT<T>* composite = nullptr;      // nlink
  ArticulatedT<T>* articulated = nullptr;  // nlink
  SpatialT<T>* handle = nullptr;           // nv: U = I S of ABA
  T* gain = nullptr;                       // nv: 1 / (Sᵀ U + armature) of ABA
  T* residual = nullptr;                   // nv: τ − Sᵀ p of ABA
};

using Link = LinkT<double>;
using TreeView = TreeViewT<double>;
using LinkPose = LinkPoseT<double>;
using TreeData = TreeDataT<double>;

}  // namespace stiction
