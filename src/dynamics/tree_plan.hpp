// The links of a model (tree_link.hpp), derived once; and memory for the algorithms that run over them.
#pragma once

#include <stiction/model.hpp>

#include "dynamics/tree_link.hpp"

namespace stiction {

// Constant arrays. Links come in the order of their degrees of freedom: tree by tree, parents before children.
struct TreePlan {
  int nq = 0;
  std::vector<Link> link;               // link 0: the world
  std::vector<int> tree_link;           // ntree + 1: first link of each tree
  std::vector<int> tree_dof;            // ntree + 1: first degree of freedom of each tree
  std::vector<int> row;                 // nv + 1: first entry of each row of the mass matrix
  std::vector<int> ancestor;            // degree of freedom of each entry
  std::vector<double> armature;         // nv [kg or kg m²]
  std::vector<int> body_link;           // nbody: link that carries the body
  std::vector<Transform> body_in_link;  // nbody: pose of the body frame in that link

  int nlink() const { return int(link.size()); }
  int nv() const { return int(armature.size()); }
  int ntree() const { return int(tree_link.size()) - 1; }
  int nentry() const { return int(ancestor.size()); }
  int nroot() const { return link.back().origin + 1; }
  // Entry of TreeData::origin to which the spatial vectors of a moving body refer.
  int origin_of(int body) const { return link[std::size_t(body_link[std::size_t(body)])].origin; }
  TreeView view() const;          // all trees
  TreeView view(int tree) const;  // one tree
};

TreePlan make_tree_plan(const Model& model);

// For the algorithms that users call by themselves. Throws Error if the model is in maximal coordinates.
TreePlan make_reduced_plan(const Model& model);
// Throws Error: the joint of that degree of freedom meets no inertia.
[[noreturn]] void refuse_singular(const Model& model, int dof);

// Owns the arrays that TreeData points to.
class TreeMemory {
 public:
  explicit TreeMemory(const TreePlan& plan);
  TreeData data();

 private:
  std::vector<double> scalars_;
  std::vector<Vec3> origin_;
  std::vector<LinkPose> pose_;
  std::vector<Spatial> motion_, handle_, velocity_, acceleration_, force_;
  std::vector<CompositeT<double>> composite_;
  std::vector<ArticulatedT<double>> articulated_;
};

}  // namespace stiction
