#include "problem/constraint_rows.hpp"

#include "math/row_products.hpp"
#include "model/tree.hpp"
#include "problem/assemble.hpp"
#include "problem/springs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace stiction {
namespace {

std::uint64_t key_of(const ConstraintRow& row) {
  return row_key(row.kind, row.element, row.part);
}

// gap + h v: negative if the limit is passed within the step [m or rad].
double gap_after(const Options& options, const Workspace& w, const ConstraintRow& row, const std::vector<double>& u) {
  const double v =
      row.dof >= 0 ? row.sign * u[std::size_t(row.dof)] : row_velocity(w.problem, w.constraint_rows, row, u);
  return row.gap + options.timestep * v;
}

// A limit goes into the problem.
void select_limit(const Options& options, ConstraintRow& row) {
  row.selected = true;
  if (make_spring(options, row)) return;
  row.bias = normal_bias(options, row.gap, 0, 0, 0);
}

// The same for a limit that has no row yet: it takes its place in the order of keys.
void select_limit(const Model& model, const Options& options, std::size_t limit, Workspace& w) {
  std::vector<ConstraintRow>& list = w.constraint_rows.list;
  LimitList& limits = w.constraint_rows.limits;
  limits.selected[limit] = 1;
  const auto place =
      std::find_if(list.begin(), list.end(), [&](const ConstraintRow& row) { return key_of(row) > limits.key[limit]; });
  select_limit(options, *list.insert(place, limit_row(model, limit, w)));
}

// Calls f(row, number of the row's block) for the rows in the problem; the last blocks are theirs.
template <class Rows, class Function>
void each_in_problem(Rows& rows, const ContactProblem& p, Function&& f) {
  std::size_t block = std::size_t(p.nblock) - rows.in_problem.size();
  for (const int i : rows.in_problem) f(rows.list[std::size_t(i)], block++);
}

}  // namespace

double ConstraintRow::relinearise(double timestep, double C, double v) {
  const double before = bias, error = C - rest;
  if (share > 0) {
    bias = share * (error / timestep - v);
    return timestep * std::abs(bias - before);
  }
  bias = error / timestep - v - compliance * force;
  return std::abs(error);
}

std::uint64_t row_key(ConstraintKind kind, int element, int part) {
  return std::uint64_t(kind) << 56 | std::uint64_t(element) << 8 | std::uint64_t(part);
}

RowIdentity row_identity(std::uint64_t key) {
  return {ConstraintKind(key >> 56), int(key >> 8 & 0xffffffff), int(key & 0xff)};
}

double row_velocity(const ContactProblem& p, const ConstraintRows& rows, const ConstraintRow& row,
                    const std::vector<double>& u) {
  if (row.dof >= 0) return row.sign * u[std::size_t(row.dof)];
  double v = 0;
  for (int side = 0; side < 2; ++side) {
    const int tree = side == 0 ? row.tree_a : row.tree_b;
    if (tree < 0) continue;
    const double* J = rows.jacobian.data() + (side == 0 ? row.jacobian_a : row.jacobian_b);
    const double* x = u.data() + p.tree_dof[std::size_t(tree)];
    v += row_dot(J, x, p.tree_size(tree));
  }
  return v;
}

int select_closing_limits(const Model& model, const Options& options, const std::vector<double>& u, Workspace& w) {
  const double margin = row_margin(options);
  int added = 0;
  for (ConstraintRow& row : w.constraint_rows.list) {
    if (row.selected || (row.gap > margin && gap_after(options, w, row, u) >= 0)) continue;
    select_limit(options, row);
    ++added;
  }
  const LimitList& limits = w.constraint_rows.limits;
  for (std::size_t i = 0; i < limits.size(); ++i) {
    const bool open = limits.gap[i] > margin && limits.gap_after(options, w.mechanism, i, u) >= 0;
    if (limits.selected[i] || open) continue;
    select_limit(model, options, i, w);
    ++added;
  }
  return added;
}

bool select_recorded(const Model& model, const Options& options, const Constraints& recorded, Workspace& w) {
  std::size_t r = 0;
  const LimitList& limits = w.constraint_rows.limits;
  for (; r < std::size_t(recorded.nconstraint); ++r) {
    const std::size_t i = limits.find(row_key(recorded.kind[r], recorded.element[r], recorded.part[r]));
    if (i < limits.size() && !limits.selected[i]) select_limit(model, options, i, w);
  }
  r = 0;
  for (ConstraintRow& row : w.constraint_rows.list) {
    if (row.kind == ConstraintKind::kContact) continue;  // recorded as a contact
    const bool same = r < std::size_t(recorded.nconstraint) && recorded.kind[r] == row.kind &&
                      recorded.element[r] == row.element && recorded.part[r] == row.part;
    if (!same && row.selected) return false;
    if (!same) continue;
    if (!row.selected) select_limit(options, row);
    row.force = recorded.force[r];
    if (row.is_linearised()) row.bias = recorded.bias[r];
    row.turn = recorded.turn[r];
    row.parent_turn = recorded.parent_turn[r];
    ++r;
  }
  return r == std::size_t(recorded.nconstraint);
}

double omitted_limit_violation(const Options& options, const std::vector<double>& u, const Workspace& w) {
  double worst = 0;
  for (const ConstraintRow& row : w.constraint_rows.list)
    if (!row.selected) worst = std::max(worst, -gap_after(options, w, row, u));
  const LimitList& limits = w.constraint_rows.limits;
  for (std::size_t i = 0; i < limits.size(); ++i)
    if (!limits.selected[i]) worst = std::max(worst, -limits.gap_after(options, w.mechanism, i, u));
  return worst / options.timestep;
}

void count_constraint_rows(Workspace& w, ContactProblem& p) {
  ConstraintRows& rows = w.constraint_rows;
  rows.in_problem.clear();
  for (std::size_t i = 0; i < rows.list.size(); ++i)
    if (rows.list[i].selected) rows.in_problem.push_back(int(i));
  for (const int i : rows.in_problem) {
    const ConstraintRow& row = rows.list[std::size_t(i)];
    ++p.nblock;
    ++p.nrow;
    for (const int tree : {row.tree_a, row.tree_b})
      if (tree >= 0) p.njacobian += p.tree_size(tree);
  }
}

void write_constraint_rows(Workspace& w, int block, int row_index, int entry, ContactProblem& p) {
  const ConstraintRows& rows = w.constraint_rows;
  for (const int i : rows.in_problem) {
    const ConstraintRow& row = rows.list[std::size_t(i)];
    const auto b = std::size_t(block++);
    p.block_law[b] = row.law;
    p.block_friction[b] = 0;
    p.block_lower[b] = row.lower;
    p.block_upper[b] = row.upper;
    p.block_compliance[b] = row.compliance;
    p.block_friction_compliance[b] = 0;
    p.block_row[b] = row_index;
    p.bias[std::size_t(row_index++)] = row.bias;
    for (int side = 0; side < 2; ++side) {
      const int tree = side == 0 ? row.tree_a : row.tree_b;
      (side == 0 ? p.block_tree_a : p.block_tree_b)[b] = tree;
      (side == 0 ? p.block_jacobian_a : p.block_jacobian_b)[b] = entry;
      if (tree < 0) continue;
      const int n = p.tree_size(tree);
      if (row.dof >= 0) {
        p.jacobian[std::size_t(entry + row.dof - p.tree_dof[std::size_t(tree)])] = row.sign;
      } else {
        const double* J = rows.jacobian.data() + (side == 0 ? row.jacobian_a : row.jacobian_b);
        std::copy(J, J + n, p.jacobian.begin() + entry);
      }
      entry += n;
    }
  }
}

void write_biases(const ConstraintRows& rows, ContactProblem& p) {
  each_in_problem(rows, p, [&](const ConstraintRow& row, std::size_t block) {
    p.bias[std::size_t(p.block_row[block])] = row.bias;
  });
}

int read_row_warm_start(const State& state, ConstraintRows& rows) {
  int matched = 0;
  for (std::size_t o = 0; o < std::size_t(state.nwarmrow); ++o) {
    const std::size_t limit = rows.limits.find(state.warm_row_key[o]);
    if (limit == rows.limits.size()) continue;
    rows.limits.force[limit] = state.warm_row_force[o];
    ++matched;
  }
  // Keys ascend in both lists.
  std::size_t old = 0;
  for (ConstraintRow& row : rows.list) {
    const std::uint64_t key = key_of(row);
    while (old < std::size_t(state.nwarmrow) && state.warm_row_key[old] < key) ++old;
    if (old == std::size_t(state.nwarmrow)) break;
    if (state.warm_row_key[old] != key) continue;
    row.force = state.warm_row_force[old];
    ++matched;
  }
  return matched;
}

void read_row_warm_start(const State& state, const Constraints& constraints, const ContactProblem& p,
                         std::vector<double>& lambda) {
  const auto first = std::size_t(p.nblock - constraints.nconstraint);
  for (std::size_t r = 0; r < std::size_t(constraints.nconstraint); ++r) {
    const std::uint64_t key = row_key(constraints.kind[r], constraints.element[r], constraints.part[r]);
    const auto found = std::lower_bound(state.warm_row_key.begin(), state.warm_row_key.end(), key);
    const bool known = found != state.warm_row_key.end() && *found == key;
    lambda[std::size_t(p.block_row[first + r])] =
        known ? state.warm_row_force[std::size_t(found - state.warm_row_key.begin())] : 0.0;
  }
}

void multipliers_from_rows(const ConstraintRows& rows, const ContactProblem& p, std::vector<double>& lambda) {
  each_in_problem(rows, p, [&](const ConstraintRow& row, std::size_t block) {
    lambda[std::size_t(p.block_row[block])] = row.force;
  });
}

void forces_from_solution(const ContactProblem& p, const Solution& solution, ConstraintRows& rows) {
  each_in_problem(rows, p, [&](ConstraintRow& row, std::size_t block) {
    row.force = solution.lambda[std::size_t(p.block_row[block])];
  });
}

void write_row_warm_start(const Constraints& constraints, State& next) {
  next.nwarmrow = constraints.nconstraint;
  next.resize();
  for (std::size_t r = 0; r < std::size_t(constraints.nconstraint); ++r) {
    next.warm_row_key[r] = row_key(constraints.kind[r], constraints.element[r], constraints.part[r]);
    next.warm_row_force[r] = constraints.force[r];
  }
}

void report_constraints(const ContactProblem& p, const Solution& solution, const ConstraintRows& rows,
                        Constraints& constraints) {
  constraints.nconstraint = int(rows.in_problem.size());
  constraints.resize();
  std::size_t r = 0;
  each_in_problem(rows, p, [&](const ConstraintRow& row, std::size_t block) {
    constraints.kind[r] = row.kind;
    constraints.element[r] = row.element;
    constraints.part[r] = row.part;
    constraints.gap[r] = row.gap;
    constraints.bias[r] = p.bias[std::size_t(p.block_row[block])];
    constraints.push_out[r] = solution.push_out[block];
    constraints.force[r] = solution.lambda[std::size_t(p.block_row[block])];
    constraints.velocity[r] = row_velocity(p, rows, row, solution.u);
    constraints.turn[r] = row.turn;
    constraints.parent_turn[r] = row.parent_turn;
    ++r;
  });
}

}  // namespace stiction
