// Rows over degrees of freedom. Those of a tree stand for themselves; that of a held joint stands for its row over the
// bodies on both sides (dynamics/held_joints.hpp).
#pragma once

#include "dynamics/held_joints.hpp"
#include "problem/constraint_rows.hpp"

#include <span>

namespace stiction {

// Adds the trees that a degree of freedom moves to those of the row, of which there is room for two.
void add_trees_of_dof(const Model& model, const Workspace& workspace, int dof, int& tree_a, int& tree_b);
// Gives the row entries for its trees, all zero.
void add_entries(const ContactProblem& problem, ConstraintRow& row, ConstraintRows& rows);
// Adds factor · the velocity of a degree of freedom to a row with entries for its trees.
void add_dof(const Model& model, const Workspace& workspace, int dof, double factor, const ConstraintRow& row,
             ConstraintRows& rows);
// Adds factor · a row over two free bodies likewise.
void add_held_row(const Model& model, const HeldBody& body, const HeldRow& held, double factor,
                  const ConstraintRow& row, ConstraintRows& rows);

// A row with sign · the velocity of one degree of freedom.
ConstraintRow dof_row(const Model& model, Workspace& workspace, ConstraintKind kind, int element, int part, int dof,
                      double sign);
// A row with Σ factor · velocity.
ConstraintRow dofs_row(const Model& model, Workspace& workspace, ConstraintKind kind, int element, int part,
                       std::span<const int> dofs, std::span<const double> factors, double sign);

}  // namespace stiction
