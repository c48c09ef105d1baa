#include "certify/energy.hpp"

#include "math/row_products.hpp"
#include "math/row_sums.hpp"

#include <algorithm>

namespace stiction {
namespace {

// y ← B x over all trees, B given by its symmetric blocks.
void apply_blocks(const ContactProblem& p, std::span<const double> blocks, const double* x, double* y) {
  std::fill(y, y + p.nv, 0.0);
  for (int t = 0; t < p.ntree; ++t) {
    const int n = p.tree_size(t), first = p.tree_dof[std::size_t(t)];
    const double* B = blocks.data() + p.tree_inertia[std::size_t(t)];
    detail::add_rows_times(x + first, B, n, n, y + first);
  }
}

// M x: with what the problem has, less what the step added to it.
void apply_inertia(const EnergyInput& in, const double* x, double* y, double* scratch) {
  const int nv = in.problem.nv;
  apply_blocks(in.problem, in.problem.inertia, x, y);
  for (int d = 0; d < nv; ++d) y[d] -= in.implicit_inertia[std::size_t(d)] * x[d];
  if (in.added_inertia.empty()) return;
  apply_blocks(in.problem, in.added_inertia, x, scratch);
  for (int d = 0; d < nv; ++d) y[d] -= scratch[d];
}

// The line to which the work of a block's first row belongs.
double& work_line(const EnergyInput& in, int block, Certificate& out) {
  if (block < in.contacts.ncontact)
    return in.contacts.gap[std::size_t(block)] < 0 ? out.push_out_work : out.normal_work;
  const auto r = std::size_t(block - in.contacts.ncontact);
  switch (in.constraints.kind[r]) {
    case ConstraintKind::kJointFriction:
    case ConstraintKind::kTendonFriction:
      return out.friction_work;
    case ConstraintKind::kEquality:
    case ConstraintKind::kHeldJoint:
      return out.equality_work;
    case ConstraintKind::kMotor:
    case ConstraintKind::kJointInertia:
      return out.actuator_work;
    case ConstraintKind::kContact:
      if (in.constraints.part[r] > 0) return out.friction_work;
      break;
    case ConstraintKind::kJointLimit:
    case ConstraintKind::kTendonLimit:
      break;
  }
  return in.constraints.gap[r] < 0 ? out.push_out_work : out.normal_work;
}

}  // namespace

void write_energy_ledger(const EnergyInput& in, std::vector<double>& scratch, Certificate& out) {
  const ContactProblem& p = in.problem;
  const int nv = p.nv;
  scratch.resize(4 * std::size_t(nv));
  double *change = scratch.data(), *before = change + nv, *momentum = before + nv, *added = momentum + nv;
  const double *u = in.solution.u.data(), *u_before = in.velocity_before.data();
  for (int d = 0; d < nv; ++d) change[d] = u[d] - u_before[d];
  apply_inertia(in, u_before, before, added);
  apply_inertia(in, change, momentum, added);
  // M u⁺ = M u + M (u⁺ − u)
  const double kinetic_before = 0.5 * row_dot(u_before, before, nv);
  out.kinetic_energy = 0.5 * (row_dot(u, before, nv) + row_dot(u, momentum, nv));
  out.potential_energy = in.potential_after;
  out.elastic_energy = in.elastic_after;
  double smooth_work = 0;  // of weight and Coriolis force
  for (int d = 0; d < nv; ++d) {
    const auto i = std::size_t(d);
    out.actuator_work += (p.timestep * in.applied_force[i] - in.implicit_inertia[i] * change[d]) * u[d];
    smooth_work += p.timestep * (in.force[i] - in.applied_force[i]) * u[d];
  }
  out.actuator_work -= in.spring_work;
  const double lost = 0.5 * row_dot(change, momentum, nv);
  double added_work = 0;
  if (!in.added_inertia.empty()) {
    apply_blocks(p, in.added_inertia, change, added);
    added_work = row_dot(u, added, nv);
  }
  const double potential_change = in.potential_after - in.potential_before;
  const double elastic_change = in.elastic_after - in.elastic_before;
  out.step_loss = lost + added_work - (smooth_work + potential_change) - (in.spring_work + elastic_change);
  for (int b = 0; b < p.nblock; ++b) {
    const auto first = std::size_t(p.block_row[std::size_t(b)]), end = std::size_t(p.block_row[std::size_t(b) + 1]);
    // h λ·(J u⁺), normal and tangential part
    work_line(in, b, out) += p.timestep * in.solution.lambda[first] * in.row_velocity[first];
    for (std::size_t r = first + 1; r < end; ++r) {
      // Moving surfaces, the biases of friction, are driven: λ·(J u⁺ + b) is dissipated, −λ·b is what the drive does.
      const double drive = -p.timestep * in.solution.lambda[r] * p.bias[r];
      out.friction_work += p.timestep * in.solution.lambda[r] * in.row_velocity[r] - drive;
      out.actuator_work += drive;
    }
  }
  const double energy_change = out.kinetic_energy - kinetic_before + potential_change + elastic_change;
  out.injected = energy_change - (out.friction_work + out.push_out_work + out.normal_work + out.equality_work +
                                  out.actuator_work - out.step_loss);
}

}  // namespace stiction
