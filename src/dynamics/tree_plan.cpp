#include "dynamics/tree_plan.hpp"

#include "model/tree.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace stiction {
namespace {

// A rotation that takes z to the axis. Coordinate axes are met exactly, by a turn about a diagonal of the cube.
Quat rotation_from_z(const Vec3& axis) {
  for (int signs = 0; signs < 8; ++signs) {
    const Quat q{0.5, signs & 1 ? -0.5 : 0.5, signs & 2 ? -0.5 : 0.5, signs & 4 ? -0.5 : 0.5};
    if (rotate(q, Vec3{0, 0, 1}) == axis) return q;
  }
  // The shortest turn (1 + z·a, z × a); where the axis points down, the same from −z after half a turn about x.
  return normalized(axis.z >= 0 ? Quat{1 + axis.z, -axis.y, axis.x, 0} : Quat{-axis.y, 1 - axis.z, 0, axis.x});
}

// Pose of a joint's link in the frame of its body.
Transform link_in_body(const Model& model, std::size_t joint) {
  switch (model.joint_type[joint]) {
    case JointType::kFree:
      return {};
    case JointType::kBall:
      return {model.joint_anchor[joint], {}};
    default:
      return {model.joint_anchor[joint], rotation_from_z(model.joint_axis[joint])};
  }
}

void add_links(const Model& model, TreePlan& plan) {
  std::vector<int> joint_link(std::size_t(model.njoint)), order;
  order.reserve(joint_link.size());
  for (int joint = 0; joint < model.njoint; ++joint)
    if (!model.is_held(joint)) order.push_back(joint);
  std::sort(order.begin(), order.end(),
            [&](int a, int b) { return model.joint_dof[std::size_t(a)] < model.joint_dof[std::size_t(b)]; });
  for (std::size_t i = 0; i < order.size(); ++i) joint_link[std::size_t(order[i])] = int(i) + 1;

  plan.link.resize(order.size() + 1);
  plan.tree_link.assign(std::size_t(model.ntree) + 1, plan.nlink());
  plan.body_link.resize(std::size_t(model.nbody));
  plan.body_in_link.resize(std::size_t(model.nbody));
  for (std::size_t b = 1; b < std::size_t(model.nbody); ++b) {
    const auto parent = std::size_t(model.body_parent[b]);
    int link = plan.body_link[parent];
    Transform body = plan.body_in_link[parent] * model.body_pose[b];  // the body in the link so far
    for (int k = 0; k < model.body_joint_count[b]; ++k) {
      const auto joint = std::size_t(model.body_joint[b] + k);
      const Transform in_body = link_in_body(model, joint), placement = body * in_body;
      Link& next = plan.link[std::size_t(joint_link[joint])];
      next.type = model.joint_type[joint];
      next.parent = next.type == JointType::kFree ? 0 : link;
      next.tree = model.body_tree[b];
      next.q = model.joint_q[joint];
      next.dof = model.joint_dof[joint];
      const bool scalar = next.type == JointType::kHinge || next.type == JointType::kSlide;
      next.reference = scalar ? model.q_reference[std::size_t(next.q)] : 0;
      next.position = placement.p;
      next.rotation = normalized(placement.q);
      link = joint_link[joint];
      body = inverse(in_body);
      int& first = plan.tree_link[std::size_t(next.tree)];
      first = std::min(first, link);
    }
    plan.body_link[b] = link;
    plan.body_in_link[b] = {body.p, normalized(body.q)};
  }
}

void add_roots(TreePlan& plan) {
  int roots = 0;
  for (std::size_t i = 1; i < plan.link.size(); ++i) {
    Link& link = plan.link[i];
    const Link& parent = plan.link[std::size_t(link.parent)];
    link.root = link.parent == 0 ? int(i) : parent.root;
    link.origin = link.parent == 0 ? roots++ : parent.origin;
  }
}

// Mass, centre of mass and inertia of each link from the bodies that it carries.
void add_masses(const Model& model, TreePlan& plan) {
  const auto com = [&](std::size_t b) { return plan.body_in_link[b] * model.body_com[b]; };
  for (std::size_t b = 1; b < std::size_t(model.nbody); ++b) {
    Link& link = plan.link[std::size_t(plan.body_link[b])];
    link.mass += model.body_mass[b];
    link.com += com(b) * model.body_mass[b];
  }
  for (Link& link : plan.link) link.com = link.mass > 0 ? link.com / link.mass : Vec3{};
  for (std::size_t b = 1; b < std::size_t(model.nbody); ++b) {
    Link& link = plan.link[std::size_t(plan.body_link[b])];
    const Mat3 axes = rotation_matrix(plan.body_in_link[b].q * model.body_inertia_frame[b]);
    const Vec3& I = model.body_inertia[b];
    link.inertia = link.inertia + turned(axes, Sym3{I.x, I.y, I.z, 0, 0, 0}) +
                   parallel_axis(model.body_mass[b], com(b) - link.com);
    link.massive = link.massive || model.body_mass[b] > 0 || I.x > 0 || I.y > 0 || I.z > 0;
  }
  plan.link[0] = {};  // what is fixed to the world does not move
}

void add_rows(const Model& model, TreePlan& plan) {
  plan.row.assign(1, 0);
  for (int dof = 0; dof < model.tree_dofs(); ++dof) {
    const int parent = model.dof_parent[std::size_t(dof)];
    if (parent >= 0) {
      const int first = plan.row[std::size_t(parent)], last = plan.row[std::size_t(parent) + 1];
      for (int e = first; e < last; ++e) plan.ancestor.push_back(plan.ancestor[std::size_t(e)]);
    }
    plan.ancestor.push_back(dof);
    plan.row.push_back(plan.nentry());
  }
}

}  // namespace

TreeView TreePlan::view() const {
  return {1, nlink(), 0, nv(), link.data(), row.data(), ancestor.data(), armature.data()};
}

TreeView TreePlan::view(int tree) const {
  const auto t = std::size_t(tree);
  return {tree_link[t], tree_link[t + 1], tree_dof[t],     tree_dof[t + 1],
          link.data(),  row.data(),       ancestor.data(), armature.data()};
}

TreePlan make_tree_plan(const Model& model) {
  TreePlan plan;
  plan.nq = model.nq;
  plan.armature.assign(model.dof_armature.begin(), model.dof_armature.begin() + model.tree_dofs());
  plan.tree_dof = model.tree_dof;
  add_links(model, plan);
  add_roots(plan);
  add_masses(model, plan);
  add_rows(model, plan);
  return plan;
}

TreePlan make_reduced_plan(const Model& model) {
  TreePlan plan = make_tree_plan(model);
  if (plan.nv() != model.nv)
    throw Error(
        fmt::format("model '{}' is in maximal coordinates: its joints are rows, not degrees of freedom; use "
                    "the model from which it was made",
                    model.name));
  return plan;
}

void refuse_singular(const Model& model, int dof) {
  const auto joint = std::size_t(model.dof_joint[std::size_t(dof)]);
  throw Error(
      fmt::format("joint '{}' of model '{}' meets no inertia: give what it moves mass and inertia, or the "
                  "joint armature",
                  model.joint_name[joint], model.name));
}

TreeMemory::TreeMemory(const TreePlan& plan)
    : scalars_(3 * plan.link.size() + 2 * plan.armature.size()),
      origin_(std::size_t(plan.nroot())),
      pose_(plan.link.size()),
      motion_(plan.armature.size()),
      handle_(plan.armature.size()),
      velocity_(plan.link.size()),
      acceleration_(plan.link.size()),
      force_(plan.link.size()),
      composite_(plan.link.size()),
      articulated_(plan.link.size()) {}

TreeData TreeMemory::data() {
  const std::size_t n = pose_.size(), nv = motion_.size();
  double* x = scalars_.data();
  return {x,
          x + n,
          x + 2 * n,
          origin_.data(),
          pose_.data(),
          motion_.data(),
          velocity_.data(),
          acceleration_.data(),
          force_.data(),
          composite_.data(),
          articulated_.data(),
          handle_.data(),
          x + 3 * n,
          x + 3 * n + nv};
}

}  // namespace stiction
