#include "problem/dof_rows.hpp"

#include "step/workspace.hpp"

namespace stiction {
namespace {

int tree_of(const Model& model, int dof) {
  return model.body_tree[std::size_t(model.dof_body[std::size_t(dof)])];
}

void add_tree(int tree, int& a, int& b) {
  if (tree < 0 || tree == a || tree == b) return;
  (a < 0 ? a : b) = tree;
}

double* entries_of(ConstraintRows& rows, const ConstraintRow& row, int tree) {
  return rows.jacobian.data() + (tree == row.tree_a ? row.jacobian_a : row.jacobian_b);
}

ConstraintRow row_of(ConstraintKind kind, int element, int part) {
  ConstraintRow row;
  row.kind = kind;
  row.element = element;
  row.part = part;
  return row;
}

void set_dof(const Model& model, int dof, double sign, ConstraintRow& row) {
  row.tree_a = tree_of(model, dof);
  row.dof = dof;
  row.sign = sign;
}

}  // namespace

void add_trees_of_dof(const Model& model, const Workspace& w, int dof, int& tree_a, int& tree_b) {
  add_tree(tree_of(model, dof), tree_a, tree_b);
  if (dof >= model.tree_dofs()) add_tree(w.held.of_dof(model, dof).parent_tree, tree_a, tree_b);
}

void add_entries(const ContactProblem& p, ConstraintRow& row, ConstraintRows& rows) {
  row.jacobian_a = int(rows.jacobian.size());
  row.jacobian_b = row.jacobian_a + (row.tree_a < 0 ? 0 : p.tree_size(row.tree_a));
  rows.jacobian.resize(std::size_t(row.jacobian_b + (row.tree_b < 0 ? 0 : p.tree_size(row.tree_b))), 0.0);
}

void add_dof(const Model& model, const Workspace& w, int dof, double factor, const ConstraintRow& row,
             ConstraintRows& rows) {
  if (dof < model.tree_dofs()) {
    const int tree = tree_of(model, dof);
    entries_of(rows, row, tree)[dof - model.tree_dof[std::size_t(tree)]] += factor;
    return;
  }
  add_held_row(model, w.held.of_dof(model, dof), w.held.rate(model, dof), factor, row, rows);
}

void add_held_row(const Model& model, const HeldBody& body, const HeldRow& held, double factor,
                  const ConstraintRow& row, ConstraintRows& rows) {
  const auto add = [&](int tree, int dof, const double* values) {
    double* entries = entries_of(rows, row, tree) + (dof - model.tree_dof[std::size_t(tree)]);
    for (int i = 0; i < 6; ++i) entries[i] += factor * values[i];
  };
  add(body.tree, body.dof, held.child);
  if (body.parent_dof >= 0) add(body.parent_tree, body.parent_dof, held.parent);
}

ConstraintRow dof_row(const Model& model, Workspace& w, ConstraintKind kind, int element, int part, int dof,
                      double sign) {
  if (dof >= model.tree_dofs())
    return dofs_row(model, w, kind, element, part, std::span(&dof, 1), std::span(&sign, 1), 1);
  ConstraintRow row = row_of(kind, element, part);
  set_dof(model, dof, sign, row);
  return row;
}

ConstraintRow dofs_row(const Model& model, Workspace& w, ConstraintKind kind, int element, int part,
                       std::span<const int> dofs, std::span<const double> factors, double sign) {
  ConstraintRow row = row_of(kind, element, part);
  for (const int dof : dofs) add_trees_of_dof(model, w, dof, row.tree_a, row.tree_b);
  add_entries(w.problem, row, w.constraint_rows);
  for (std::size_t i = 0; i < dofs.size(); ++i) add_dof(model, w, dofs[i], sign * factors[i], row, w.constraint_rows);
  return row;
}

}  // namespace stiction
