// Leaves of src/dynamics: the algorithms of a small tree with every type of joint.
#pragma once

#include "cuda/leaf.hpp"
#include "dynamics/constrained_kkt.hpp"
#include "dynamics/tree_aba.hpp"

namespace stiction::cuda {

// A free base with an arm of hinge, ball and hinge, and a slide beside it.
constexpr int kTreeLinks = 6;  // with the world
constexpr int kTreeDofs = 12, kTreePositions = 14, kTreeEntries = 73;

template <class T>
struct TreeCase {
  struct Part {
    Vec3T<T> position, com;
    QuatT<T> rotation;
    T mass, reference;
    Sym3T<T> inertia;
  };
  Part part[kTreeLinks];
  T q[kTreePositions], u[kTreeDofs], x[kTreeDofs], armature[kTreeDofs];
};

// The tree and its memory, on the stack of the one who evaluates.
template <class T>
class SmallTree {
 public:
  STICTION_HD explicit SmallTree(const TreeCase<T>& in) {
    const JointType type[kTreeLinks] = {JointType::kFree, JointType::kFree,  JointType::kHinge,
                                        JointType::kBall, JointType::kHinge, JointType::kSlide};
    const int parent[kTreeLinks] = {0, 0, 1, 2, 3, 1};
    int q = 0, dof = 0;
    for (int i = 0; i < kTreeLinks; ++i) {
      const auto& part = in.part[i];
      link_[i] = {type[i],       parent[i],     0,         1,        0,           q, dof, 1, part.reference,
                  part.position, part.rotation, part.mass, part.com, part.inertia};
      if (i == 0) continue;
      const int count = link_dofs(type[i]);
      const int before = parent[i] == 0 ? -1 : link_[parent[i]].dof + link_dofs(type[parent[i]]) - 1;
      for (int k = 0; k < count; ++k) add_row(dof + k, k == 0 ? before : dof + k - 1);
      dof += count;
      q += count == 6 ? 7 : (count == 3 ? 4 : 1);
    }
    view = {1, kTreeLinks, 0, kTreeDofs, link_, row_, ancestor_, in.armature};
    data = {angle_,        sine_,  cosine_,    &origin_,     pose_,   motion_, velocity_,
            acceleration_, force_, composite_, articulated_, handle_, gain_,   residual_};
    tree_positions(view, in.q, data);
  }
  TreeViewT<T> view;
  TreeDataT<T> data;

 private:
  STICTION_HD void add_row(int dof, int parent) {
    int end = dof == 0 ? 0 : row_[dof];
    row_[dof] = end;
    if (parent >= 0)
      for (int e = row_[parent]; e < row_[parent + 1]; ++e) ancestor_[end++] = ancestor_[e];
    ancestor_[end++] = dof;
    row_[dof + 1] = end;
  }

  LinkT<T> link_[kTreeLinks];
  int row_[kTreeDofs + 1], ancestor_[kTreeEntries];
  T angle_[kTreeLinks], sine_[kTreeLinks], cosine_[kTreeLinks], gain_[kTreeDofs], residual_[kTreeDofs];
  Vec3T<T> origin_;
  LinkPoseT<T> pose_[kTreeLinks];
  SpatialT<T> motion_[kTreeDofs], handle_[kTreeDofs];
  SpatialT<T> velocity_[kTreeLinks], acceleration_[kTreeLinks], force_[kTreeLinks];
  CompositeT<T> composite_[kTreeLinks];
  ArticulatedT<T> articulated_[kTreeLinks];
};

inline void draw_tree(Random& random, TreeCase<double>& in) {
  for (auto& part : in.part) {
    const double a = random.uniform(0.1, 0.9), b = random.uniform(0.1, 0.9), c = random.uniform(0.1, 0.9);
    part = {random.vector(0.5),    random.vector(0.2),
            random.rotation(),     random.uniform(0.5, 2),
            random.uniform(-1, 1), turned(rotation_matrix(random.rotation()), Sym3{b + c, a + c, a + b, 0, 0, 0})};
  }
  for (double& q : in.q) q = random.uniform(-1, 1);
  for (const int at : {3, 8}) {  // quaternions of the free and of the ball joint
    const Quat turn = random.rotation();
    in.q[at] = turn.w, in.q[at + 1] = turn.x, in.q[at + 2] = turn.y, in.q[at + 3] = turn.z;
  }
  for (int d = 0; d < kTreeDofs; ++d) {
    in.u[d] = random.uniform(-1, 1);
    in.x[d] = random.uniform(-1, 1);
    in.armature[d] = random.uniform(0, 0.1);
  }
}

struct TreeInverseDynamics {
  static constexpr LeafInfo kInfo{"tree: RNEA", "dynamics/tree_rnea.hpp", 0, 3e-6};
  template <class T>
  using In = TreeCase<T>;
  template <class T>
  struct Out {
    T tau[kTreeDofs];
  };
  template <class T>
  static STICTION_HD void evaluate(const In<T>& in, Out<T>& out) {
    SmallTree<T> tree(in);
    tree_rnea(tree.view, in.u, in.x, Vec3T<T>{T(0), T(0), T(-9.81)}, tree.data, out.tau);
  }
  static void draw(Random& random, In<double>& in) { draw_tree(random, in); }
};

struct TreeForwardDynamics {
  static constexpr LeafInfo kInfo{"tree: ABA", "dynamics/tree_aba.hpp", 0, 2e-5};
  template <class T>
  using In = TreeCase<T>;
  template <class T>
  struct Out {
    T udot[kTreeDofs];
  };
  template <class T>
  static STICTION_HD void evaluate(const In<T>& in, Out<T>& out) {
    SmallTree<T> tree(in);
    tree_aba(tree.view, in.u, in.x, Vec3T<T>{T(0), T(0), T(-9.81)}, tree.data, out.udot);
  }
  static void draw(Random& random, In<double>& in) { draw_tree(random, in); }
};

struct TreeMass {
  static constexpr LeafInfo kInfo{"tree: CRBA, factor, solve", "dynamics/tree_factor.hpp", 0, 2e-5};
  template <class T>
  using In = TreeCase<T>;
  template <class T>
  struct Out {
    T x[kTreeDofs];
  };
  template <class T>
  static STICTION_HD void evaluate(const In<T>& in, Out<T>& out) {
    SmallTree<T> tree(in);
    T rows[kTreeEntries];
    tree_crba(tree.view, tree.data, rows);
    factor_mass(tree.view, rows);
    for (int d = 0; d < kTreeDofs; ++d) out.x[d] = in.x[d];
    solve_mass(tree.view, rows, out.x);
  }
  static void draw(Random& random, In<double>& in) { draw_tree(random, in); }
};

// The end of the arm held in the world, and a point of it at the slide: six rows, the last three a loop.
struct TreeConstrained {
  static constexpr LeafInfo kInfo{"tree: held by a point and a loop", "dynamics/constrained_kkt.hpp", 0, 2e-5};
  static constexpr int kRows = 6, kPath = 11, kShared = 6, kColumns = 2 * kPath + 1;
  template <class T>
  using In = TreeCase<T>;
  template <class T>
  struct Out {
    T udot[kTreeDofs], lambda[kRows];
  };
  template <class T>
  static STICTION_HD void evaluate(const In<T>& in, Out<T>& out) {
    SmallTree<T> tree(in);
    ConstraintBlockT<T> block[2];
    for (ConstraintBlockT<T>& b : block) {
      b.link_a = 4;
      b.last_a = 10;
      b.count_a = kPath;
      b.point_a = in.part[0].com;
    }
    block[1].link_b = 5;
    block[1].last_b = 11;
    block[1].count_b = kShared + 1;
    block[1].shared = kShared;
    block[1].column = kPath;
    block[1].point_b = in.part[0].position;
    const ConstraintOverlap overlap[4] = {
        {0, 0, 0, 0, kPath}, {1, 0, kPath, 0, kPath}, {1, 1, kPath, kPath, kPath}, {1, 1, 2 * kPath, 2 * kPath, 1}};
    T mass[kTreeEntries], force[kTreeDofs], delassus[kRows * (kRows + 1) / 2], mu[kRows], residual[kRows],
        change[kRows];
    Vec3T<T> Y[kColumns], W[kColumns];
    // Float cannot tell 1e-8 of a diagonal from rounding.
    const ProximalSettings settings{sizeof(T) == sizeof(float) ? 1e-4 : 1e-8, sizeof(T) == sizeof(float) ? 1e-5 : 1e-12,
                                    20};
    kkt_accelerations<T>(tree.view, {2, 4, block, overlap}, settings, in.u, in.x, {T(0), T(0), T(-9.81)}, tree.data,
                         {mass, force, Y, W, delassus, mu, residual, change}, out.udot, out.lambda);
  }
  static void draw(Random& random, In<double>& in) { draw_tree(random, in); }
};

using TreeLeaves = LeafList<TreeInverseDynamics, TreeForwardDynamics, TreeMass, TreeConstrained>;

}  // namespace stiction::cuda
