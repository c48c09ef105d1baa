#include "problem/tendon_rows.hpp"

#include "problem/dof_rows.hpp"
#include "step/workspace.hpp"

namespace stiction {

ConstraintRow tendon_row(const Model& model, ConstraintKind kind, int tendon, int part, double sign, Workspace& w) {
  const Mechanism& m = w.mechanism;
  const auto begin = std::size_t(m.tendon_rows.row[std::size_t(tendon)]);
  const auto count = std::size_t(m.tendon_rows.row[std::size_t(tendon) + 1]) - begin;
  return dofs_row(model, w, kind, tendon, part, std::span(m.tendon_rows.dof).subspan(begin, count),
                  std::span(m.tendon_jacobian).subspan(begin, count), sign);
}

bool tendon_moves(const Mechanism& m, int tendon) {
  return m.tendon_rows.row[std::size_t(tendon)] < m.tendon_rows.row[std::size_t(tendon) + 1];
}

void add_tendon_rows(const Model& model, Workspace& w) {
  const Mechanism& m = w.mechanism;
  for (int tendon = 0; tendon < model.ntendon; ++tendon) {
    const auto t = std::size_t(tendon);
    if (!model.tendon_limited[t] || !tendon_moves(m, tendon) || lists_tendon(model, m, tendon)) continue;
    for (int side = 0; side < 2; ++side) {
      ConstraintRow row = tendon_row(model, ConstraintKind::kTendonLimit, tendon, side, side == 0 ? 1 : -1, w);
      row.law = Law::kUnilateral;
      row.gap = side == 0 ? m.tendon_length[t] - model.tendon_lower[t] : model.tendon_upper[t] - m.tendon_length[t];
      w.constraint_rows.list.push_back(row);
    }
  }
  for (int tendon = 0; tendon < model.ntendon; ++tendon) {
    const auto t = std::size_t(tendon);
    if (!(model.tendon_friction[t] > 0) || !tendon_moves(m, tendon)) continue;
    ConstraintRow row = tendon_row(model, ConstraintKind::kTendonFriction, tendon, 0, 1, w);
    row.lower = -model.tendon_friction[t];
    row.upper = model.tendon_friction[t];
    row.selected = true;
    w.constraint_rows.list.push_back(row);
  }
}

}  // namespace stiction
