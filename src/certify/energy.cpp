#include "certify/energy.hpp"

namespace stiction {
namespace {

// xᵀ B y over all trees, B given by its blocks.
double block_product(const ContactProblem& p, std::span<const double> blocks, const double* x, const double* y) {
  double sum = 0;
  if (blocks.empty()) return sum;
  for (int t = 0; t < p.ntree; ++t) {
    const int n = p.tree_size(t), first = p.tree_dof[std::size_t(t)];
    const double* M = blocks.data() + p.tree_inertia[std::size_t(t)];
    for (int i = 0; i < n; ++i) {
      double row = 0;
      for (int j = 0; j < n; ++j) row += M[i * n + j] * y[first + j];
      sum += x[first + i] * row;
    }
  }
  return sum;
}

// xᵀ M y: what the problem has, less what the step added to it.
double inertia_product(const EnergyInput& in, const double* x, const double* y) {
  double sum = block_product(in.problem, in.problem.inertia, x, y) - block_product(in.problem, in.added_inertia, x, y);
  for (std::size_t d = 0; d < std::size_t(in.problem.nv); ++d) sum -= x[d] * in.implicit_inertia[d] * y[d];
  return sum;
}

// h λ·(J u⁺) of one block, normal and tangential part.
void block_work(const ContactProblem& p, const Solution& s, int block, double& normal, double& tangential) {
  const auto b = std::size_t(block);
  normal = tangential = 0;
  for (int side = 0; side < 2; ++side) {
    const int tree = side == 0 ? p.block_tree_a[b] : p.block_tree_b[b];
    if (tree < 0) continue;
    const int n = p.tree_size(tree);
    const double* J = p.jacobian.data() + (side == 0 ? p.block_jacobian_a[b] : p.block_jacobian_b[b]);
    const double* u = s.u.data() + p.tree_dof[std::size_t(tree)];
    for (int k = 0; k < p.block_size(block); ++k) {
      double v = 0;
      for (int d = 0; d < n; ++d) v += J[k * n + d] * u[d];
      (k == 0 ? normal : tangential) += p.timestep * s.lambda[std::size_t(p.block_row[b] + k)] * v;
    }
  }
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
  const auto nv = std::size_t(p.nv);
  scratch.resize(nv);
  for (std::size_t d = 0; d < nv; ++d) scratch[d] = in.solution.u[d] - in.velocity_before[d];
  const double kinetic_before = 0.5 * inertia_product(in, in.velocity_before.data(), in.velocity_before.data());
  out.kinetic_energy = 0.5 * inertia_product(in, in.solution.u.data(), in.solution.u.data());
  out.potential_energy = in.potential_after;
  double smooth_work = 0;  // of weight and Coriolis force
  for (std::size_t d = 0; d < nv; ++d) {
    out.actuator_work += (p.timestep * in.applied_force[d] - in.implicit_inertia[d] * scratch[d]) * in.solution.u[d];
    smooth_work += p.timestep * (in.force[d] - in.applied_force[d]) * in.solution.u[d];
  }
  out.step_loss = 0.5 * inertia_product(in, scratch.data(), scratch.data()) +
                  block_product(p, in.added_inertia, in.solution.u.data(), scratch.data()) -
                  (smooth_work + in.potential_after - in.potential_before);
  for (int b = 0; b < p.nblock; ++b) {
    double normal = 0, tangential = 0;
    block_work(p, in.solution, b, normal, tangential);
    out.friction_work += tangential;
    work_line(in, b, out) += normal;
  }
  const double change = out.kinetic_energy - kinetic_before + in.potential_after - in.potential_before;
  out.injected = change - (out.friction_work + out.push_out_work + out.normal_work + out.equality_work +
                           out.actuator_work - out.step_loss);
}

}  // namespace stiction
