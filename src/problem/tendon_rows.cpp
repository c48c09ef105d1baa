#include "problem/tendon_rows.hpp"

#include "problem/assemble.hpp"
#include "step/workspace.hpp"

namespace stiction {
namespace {

int tree_of(const Model& model, int dof) {
  return model.body_tree[std::size_t(model.dof_body[std::size_t(dof)])];
}

// A row with sign · J of the tendon.
ConstraintRow tendon_row(const Model& model, ConstraintKind kind, int tendon, int part, double sign, Workspace& w) {
  const Mechanism& m = w.mechanism;
  ConstraintRows& rows = w.constraint_rows;
  const auto begin = std::size_t(m.tendon_rows.row[std::size_t(tendon)]);
  const auto end = std::size_t(m.tendon_rows.row[std::size_t(tendon) + 1]);
  ConstraintRow row;
  row.kind = kind;
  row.element = tendon;
  row.part = part;
  // Degrees of freedom ascend, so those of one tree stand together.
  row.tree_a = tree_of(model, m.tendon_rows.dof[begin]);
  row.tree_b = tree_of(model, m.tendon_rows.dof[end - 1]);
  if (row.tree_b == row.tree_a) row.tree_b = -1;
  row.jacobian_a = int(rows.jacobian.size());
  row.jacobian_b = row.jacobian_a + w.problem.tree_size(row.tree_a);
  const int entries = row.jacobian_b + (row.tree_b < 0 ? 0 : w.problem.tree_size(row.tree_b));
  rows.jacobian.resize(std::size_t(entries), 0.0);
  for (std::size_t e = begin; e < end; ++e) {
    const int dof = m.tendon_rows.dof[e], tree = tree_of(model, dof);
    const int first = tree == row.tree_a ? row.jacobian_a : row.jacobian_b;
    rows.jacobian[std::size_t(first + dof - model.tree_dof[std::size_t(tree)])] = sign * m.tendon_jacobian[e];
  }
  return row;
}

bool moves(const Mechanism& m, std::size_t tendon) {
  return m.tendon_rows.row[tendon] < m.tendon_rows.row[tendon + 1];
}

}  // namespace

void add_tendon_rows(const Model& model, const Options& options, Workspace& w) {
  const Mechanism& m = w.mechanism;
  for (int tendon = 0; tendon < model.ntendon; ++tendon) {
    const auto t = std::size_t(tendon);
    if (!model.tendon_limited[t] || !moves(m, t)) continue;
    for (int side = 0; side < 2; ++side) {
      ConstraintRow row = tendon_row(model, ConstraintKind::kTendonLimit, tendon, side, side == 0 ? 1 : -1, w);
      row.law = Law::kUnilateral;
      row.gap = side == 0 ? m.tendon_length[t] - model.tendon_lower[t] : model.tendon_upper[t] - m.tendon_length[t];
      row.bias = normal_bias(options, row.gap, 0, 0, 0);
      w.constraint_rows.list.push_back(row);
    }
  }
  for (int tendon = 0; tendon < model.ntendon; ++tendon) {
    const auto t = std::size_t(tendon);
    if (!(model.tendon_friction[t] > 0) || !moves(m, t)) continue;
    ConstraintRow row = tendon_row(model, ConstraintKind::kTendonFriction, tendon, 0, 1, w);
    row.lower = -model.tendon_friction[t];
    row.upper = model.tendon_friction[t];
    row.selected = true;
    w.constraint_rows.list.push_back(row);
  }
}

}  // namespace stiction
