// The blocks of rows of a set of bilateral constraints (constrained_rows.hpp), derived once; and memory for them.
#pragma once

#include <stiction/constrained_dynamics.hpp>

#include "dynamics/constrained_kkt.hpp"
#include "dynamics/tree_plan.hpp"

namespace stiction {

struct ConstraintPlan {
  std::vector<ConstraintBlock> block;  // a point: one; a frame: that of its origin, then that of its axes
  std::vector<ConstraintOverlap> overlap;
  int ncolumn = 0;

  int rows() const { return 3 * int(block.size()); }
  KktView view() const { return {int(block.size()), int(overlap.size()), block.data(), overlap.data()}; }
};

ConstraintPlan make_constraint_plan(const TreePlan& trees, std::span<const BilateralConstraint> constraints);

// Owns the arrays that KktData points to.
class KktMemory {
 public:
  KktMemory(const TreePlan& trees, const ConstraintPlan& constraints);
  KktData data();

 private:
  std::size_t nentry_, nv_, rows_;
  std::vector<double> scalars_;
  std::vector<Vec3> columns_;
};

}  // namespace stiction
