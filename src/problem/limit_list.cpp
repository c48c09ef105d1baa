#include "problem/limit_list.hpp"

#include "problem/constraint_rows.hpp"
#include "problem/dof_rows.hpp"
#include "problem/tendon_rows.hpp"
#include "step/workspace.hpp"

#include <algorithm>

namespace stiction {

bool lists_joint(const Model& model, int joint) {
  const auto j = std::size_t(joint);
  return (model.joint_type[j] == JointType::kHinge || model.joint_type[j] == JointType::kSlide) &&
         model.joint_dof[j] < model.tree_dofs();
}

bool lists_tendon(const Model& model, const Mechanism& m, int tendon) {
  const auto begin = m.tendon_rows.dof.begin() + m.tendon_rows.row[std::size_t(tendon)];
  const auto end = m.tendon_rows.dof.begin() + m.tendon_rows.row[std::size_t(tendon) + 1];
  return std::all_of(begin, end, [&](int d) { return d < model.tree_dofs(); });
}

LimitList::LimitList(const Model& model, const Mechanism& m) {
  const auto add = [&](ConstraintKind kind, int i, double lower, double upper, double gap_margin) {
    for (const int side : {0, 1}) {
      key.push_back(row_key(kind, i, side));
      element.push_back(i);
      part.push_back(side);
      sign.push_back(side == 0 ? 1 : -1);
      bound.push_back(side == 0 ? lower : upper);
      margin.push_back(gap_margin);
    }
  };
  for (int i = 0; i < model.njoint; ++i) {
    const auto j = std::size_t(i);
    if (!model.joint_limited[j] || !lists_joint(model, i)) continue;
    add(ConstraintKind::kJointLimit, i, model.joint_lower[j], model.joint_upper[j], model.joint_margin[j]);
    q.insert(q.end(), 2, model.joint_q[j]);
    dof.insert(dof.end(), 2, model.joint_dof[j]);
  }
  for (int i = 0; i < model.ntendon; ++i) {
    const auto t = std::size_t(i);
    if (!model.tendon_limited[t] || !tendon_moves(m, i) || !lists_tendon(model, m, i)) continue;
    add(ConstraintKind::kTendonLimit, i, model.tendon_lower[t], model.tendon_upper[t], 0);
  }
  gap.resize(size());
  force.resize(size());
  selected.resize(size());
}

void LimitList::measure(const State& state, const Mechanism& m) {
  const std::size_t joints = q.size();
  for (std::size_t i = 0; i < joints; ++i) gap[i] = sign[i] * (state.q[std::size_t(q[i])] - bound[i]) - margin[i];
  for (std::size_t i = joints; i < size(); ++i)
    gap[i] = sign[i] * (m.tendon_length[std::size_t(element[i])] - bound[i]) - margin[i];
  std::fill(force.begin(), force.end(), 0.0);
  std::fill(selected.begin(), selected.end(), 0);
}

std::size_t LimitList::find(std::uint64_t wanted) const {
  const auto found = std::lower_bound(key.begin(), key.end(), wanted);
  return found != key.end() && *found == wanted ? std::size_t(found - key.begin()) : size();
}

double LimitList::tendon_rate(const Mechanism& m, std::size_t i, const std::vector<double>& u) const {
  const auto t = std::size_t(element[i]);
  double rate = 0;
  for (auto e = std::size_t(m.tendon_rows.row[t]); e < std::size_t(m.tendon_rows.row[t + 1]); ++e)
    rate += m.tendon_jacobian[e] * u[std::size_t(m.tendon_rows.dof[e])];
  return rate;
}

ConstraintRow limit_row(const Model& model, std::size_t limit, Workspace& w) {
  const LimitList& limits = w.constraint_rows.limits;
  const int element = limits.element[limit], part = limits.part[limit];
  const double sign = limits.sign[limit];
  ConstraintRow row = limit < limits.dof.size()
                          ? dof_row(model, w, ConstraintKind::kJointLimit, element, part, limits.dof[limit], sign)
                          : tendon_row(model, ConstraintKind::kTendonLimit, element, part, sign, w);
  row.law = Law::kUnilateral;
  row.gap = limits.gap[limit];
  row.force = limits.force[limit];
  return row;
}

}  // namespace stiction
