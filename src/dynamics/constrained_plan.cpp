#include "dynamics/constrained_plan.hpp"

#include <algorithm>

namespace stiction {
namespace {

// Degrees of freedom on the path to `last`, from the root.
std::span<const int> path_to(const TreePlan& trees, int last) {
  if (last < 0) return {};
  const auto row = std::size_t(last);
  return {trees.ancestor.data() + trees.row[row], std::size_t(trees.row[row + 1] - trees.row[row])};
}

int shared_length(std::span<const int> a, std::span<const int> b) {
  return int(std::ranges::mismatch(a, b).in1 - a.begin());
}

ConstraintBlock make_block(const TreePlan& trees, const BilateralConstraint& constraint, int angular) {
  const auto a = std::size_t(constraint.body_a), b = std::size_t(constraint.body_b);
  const Transform frame_a = trees.body_in_link[a] * constraint.pose_a;
  const Transform frame_b = trees.body_in_link[b] * constraint.pose_b;
  const TreeView view = trees.view();
  ConstraintBlock block;
  block.angular = angular;
  block.link_a = trees.body_link[a];
  block.link_b = trees.body_link[b];
  block.last_a = last_dof(view, block.link_a);
  block.last_b = last_dof(view, block.link_b);
  const auto path_a = path_to(trees, block.last_a), path_b = path_to(trees, block.last_b);
  block.count_a = int(path_a.size());
  block.count_b = int(path_b.size());
  block.shared = shared_length(path_a, path_b);
  block.point_a = frame_a.p;
  block.point_b = frame_b.p;
  block.frame_a = normalized(frame_a.q);
  block.frame_b = normalized(frame_b.q);
  block.stiffness = constraint.stiffness;
  block.damping = constraint.damping;
  return block;
}

// A run of a block's columns along one path: the degrees of freedom [from, to) of the path, at `column` + depth.
struct Run {
  std::span<const int> path;
  int from, to, column;
};

std::array<Run, 2> runs_of(const TreePlan& trees, const ConstraintBlock& block) {
  return {{{path_to(trees, block.last_a), 0, block.count_a, block.column},
           {path_to(trees, block.last_b), block.shared, block.count_b, block.column + block.count_a - block.shared}}};
}

void add_overlaps(const TreePlan& trees, ConstraintPlan& plan) {
  const int count = int(plan.block.size());
  for (int i = 0; i < count; ++i)
    for (int j = 0; j <= i; ++j)
      for (const Run& a : runs_of(trees, plan.block[std::size_t(i)]))
        for (const Run& b : runs_of(trees, plan.block[std::size_t(j)])) {
          const int from = std::max(a.from, b.from);
          const int to = std::min({a.to, b.to, shared_length(a.path, b.path)});
          if (from < to) plan.overlap.push_back({i, j, a.column + from, b.column + from, to - from});
        }
}

}  // namespace

ConstraintPlan make_constraint_plan(const TreePlan& trees, std::span<const BilateralConstraint> constraints) {
  ConstraintPlan plan;
  plan.block.reserve(2 * constraints.size());
  for (const BilateralConstraint& constraint : constraints)
    for (int angular = 0; angular <= int(constraint.type == BilateralType::kFrame); ++angular) {
      ConstraintBlock block = make_block(trees, constraint, angular);
      block.column = plan.ncolumn;
      plan.ncolumn += block.columns();
      plan.block.push_back(block);
    }
  add_overlaps(trees, plan);
  return plan;
}

KktMemory::KktMemory(const TreePlan& trees, const ConstraintPlan& constraints)
    : nentry_(std::size_t(trees.nentry())),
      nv_(std::size_t(trees.nv())),
      rows_(std::size_t(constraints.rows())),
      scalars_(nentry_ + nv_ + std::size_t(packed_row(int(rows_))) + 3 * rows_),
      columns_(2 * std::size_t(constraints.ncolumn)) {}

KktData KktMemory::data() {
  double* x = scalars_.data();
  double* rows = x + nentry_ + nv_ + packed_row(int(rows_));
  return {x,    x + nentry_,  columns_.data(), columns_.data() + columns_.size() / 2, x + nentry_ + nv_,
          rows, rows + rows_, rows + 2 * rows_};
}

}  // namespace stiction
