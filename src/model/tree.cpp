// Lays out the coordinates of a forest of bodies. See tree.hpp.
#include "model/tree.hpp"

#include <map>

namespace stiction::detail {

namespace {

// A tree starts at every body that has joints and no ancestor with joints, and at every free joint: the parent of a
// body with held joints does not carry it. What is joined gets one number, that of its first body.
void number_trees(Model& model, const std::vector<int>& joined) {
  std::map<int, int> number;
  int count = 0;
  model.ntree = 0;
  model.tree_root.clear();
  for (int body = 0; body < model.nbody; ++body) {
    const std::size_t b = static_cast<std::size_t>(body);
    const int parent = model.body_parent[b];
    model.body_tree[b] = parent < 0 ? -1 : model.body_tree[static_cast<std::size_t>(parent)];
    const bool joints = model.body_joint_count[b] > 0;
    const bool free = joints && model.joint_type[static_cast<std::size_t>(model.body_joint[b])] == JointType::kFree;
    if (free || (joints && model.body_tree[b] < 0)) {
      const int group = joined.empty() ? count : joined[static_cast<std::size_t>(count)];
      const auto [at, is_new] = number.try_emplace(group, model.ntree);
      model.body_tree[b] = at->second;
      ++count;
      if (!is_new) continue;
      ++model.ntree;
      model.tree_root.push_back(body);
    }
  }
}

}  // namespace

void lay_out_coordinates(Model& model, const std::vector<int>& joined) {
  model.nq = model.nv = 0;
  for (const JointType type : model.joint_type) {
    model.nq += position_count(type);
    model.nv += dof_count(type);
  }
  number_trees(model, joined);
  model.resize();

  std::vector<std::vector<int>> bodies_of_tree(static_cast<std::size_t>(model.ntree));
  for (int body = 0; body < model.nbody; ++body)
    if (const int tree = model.body_tree[static_cast<std::size_t>(body)]; tree >= 0)
      bodies_of_tree[static_cast<std::size_t>(tree)].push_back(body);

  int q = 0, dof = 0;
  std::vector<int> last_dof(static_cast<std::size_t>(model.nbody), -1);  // last degree of freedom up to and at a body
  for (std::size_t tree = 0; tree < bodies_of_tree.size(); ++tree) {
    model.tree_dof[tree] = dof;
    for (const int body : bodies_of_tree[tree]) {
      const std::size_t b = static_cast<std::size_t>(body);
      int previous = last_dof[static_cast<std::size_t>(model.body_parent[b])];
      for (int i = 0; i < model.body_joint_count[b]; ++i) {
        const int joint = model.body_joint[b] + i;
        const std::size_t j = static_cast<std::size_t>(joint);
        if (model.joint_type[j] == JointType::kFree) previous = -1;
        model.joint_q[j] = q;
        model.joint_dof[j] = dof;
        q += position_count(model.joint_type[j]);
        for (int k = 0; k < dof_count(model.joint_type[j]); ++k, ++dof) {
          const std::size_t d = static_cast<std::size_t>(dof);
          model.dof_body[d] = body;
          model.dof_joint[d] = joint;
          model.dof_parent[d] = previous;
          previous = dof;
        }
      }
      last_dof[b] = previous;
    }
  }
  model.tree_dof[static_cast<std::size_t>(model.ntree)] = dof;

  for (int body = 0; body < model.nbody; ++body) {
    const std::size_t b = static_cast<std::size_t>(body);
    for (int i = 0; i < model.body_held_joint_count[b]; ++i) {
      const int joint = model.body_held_joint[b] + i;
      const std::size_t j = static_cast<std::size_t>(joint);
      model.joint_q[j] = q;
      model.joint_dof[j] = dof;
      q += position_count(model.joint_type[j]);
      for (int k = 0; k < dof_count(model.joint_type[j]); ++k, ++dof) {
        const std::size_t d = static_cast<std::size_t>(dof);
        model.dof_body[d] = body;
        model.dof_joint[d] = joint;
        model.dof_parent[d] = -1;
      }
    }
  }
}

std::vector<int> welded_to(const Model& model) {
  std::vector<int> carrier(static_cast<std::size_t>(model.nbody));
  for (int body = 0; body < model.nbody; ++body) {
    const std::size_t b = static_cast<std::size_t>(body);
    const bool own = body == 0 || model.body_joint_count[b] > 0;
    carrier[b] = own ? body : carrier[static_cast<std::size_t>(model.body_parent[b])];
  }
  return carrier;
}

}  // namespace stiction::detail
