#include <stiction/constrained_dynamics.hpp>

#include "dynamics/constrained_plan.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace stiction {

struct ConstrainedDynamics::Memory {
  Memory(std::shared_ptr<const Model> shared, std::span<const BilateralConstraint> constraints,
         const ProximalSettings& proximal)
      : model(std::move(shared)),
        settings(proximal),
        plan(make_reduced_plan(*model)),
        rows(make_constraint_plan(plan, constraints)),
        tree_arrays(plan),
        kkt_arrays(plan, rows),
        data(tree_arrays.data()),
        kkt(kkt_arrays.data()) {}

  std::shared_ptr<const Model> model;
  ProximalSettings settings;
  TreePlan plan;
  ConstraintPlan rows;
  TreeMemory tree_arrays;
  KktMemory kkt_arrays;
  TreeData data;
  KktData kkt;

  void require(const char* argument, std::size_t size, int wanted, const char* meaning) const {
    if (size != std::size_t(wanted))
      throw Error(fmt::format("{} has {} numbers, model '{}' with {} rows of constraints asks for {} ({})", argument,
                              size, model->name, rows.rows(), wanted, meaning));
  }
  // Positions of all links.
  TreeView place(In q) {
    require("q", q.size(), plan.nq, "nq");
    const TreeView view = plan.view();
    tree_positions(view, q.data(), data);
    return view;
  }
  ProximalResult result(const KktStatus& status) const {
    if (status.bad_dof >= 0) refuse_singular(*model, status.bad_dof);
    return status.proximal;
  }
};

namespace {

bool finite(const Transform& pose) {
  return is_finite(pose.p) && std::isfinite(pose.q.w) && is_finite(Vec3{pose.q.x, pose.q.y, pose.q.z});
}

void check_constraints(const Model& model, std::span<const BilateralConstraint> constraints) {
  for (std::size_t i = 0; i < constraints.size(); ++i) {
    const BilateralConstraint& c = constraints[i];
    for (const int body : {c.body_a, c.body_b})
      if (body < 0 || body >= model.nbody)
        throw Error(fmt::format("constraint {}: there is no body {}; model '{}' has bodies 0 (the world) to {}", i,
                                body, model.name, model.nbody - 1));
    if (!finite(c.pose_a) || !finite(c.pose_b))
      throw Error(fmt::format("constraint {}: pose_a and pose_b must be finite", i));
    if (!(c.stiffness >= 0) || !std::isfinite(c.stiffness))
      throw Error(fmt::format("constraint {}: stiffness is {}, must be finite and at least 0", i, c.stiffness));
    if (!(c.damping >= 0) || !std::isfinite(c.damping))
      throw Error(fmt::format("constraint {}: damping is {}, must be finite and at least 0", i, c.damping));
  }
}

void check_settings(const ProximalSettings& settings) {
  if (!(settings.mu > 0) || !std::isfinite(settings.mu))
    throw Error(fmt::format("mu is {}, must be finite and positive", settings.mu));
  if (!(settings.tolerance > 0) || !std::isfinite(settings.tolerance))
    throw Error(fmt::format("tolerance is {}, must be finite and positive", settings.tolerance));
  if (settings.max_iterations < 1)
    throw Error(fmt::format("max_iterations is {}, must be at least 1", settings.max_iterations));
}

}  // namespace

ConstrainedDynamics::ConstrainedDynamics(std::shared_ptr<const Model> model,
                                         std::vector<BilateralConstraint> constraints,
                                         const ProximalSettings& settings) {
  check_model(*model);
  check_constraints(*model, constraints);
  check_settings(settings);
  memory_ = std::make_unique<Memory>(std::move(model), constraints, settings);
}
ConstrainedDynamics::~ConstrainedDynamics() = default;
ConstrainedDynamics::ConstrainedDynamics(ConstrainedDynamics&&) noexcept = default;
ConstrainedDynamics& ConstrainedDynamics::operator=(ConstrainedDynamics&&) noexcept = default;

const Model& ConstrainedDynamics::model() const {
  return *memory_->model;
}

int ConstrainedDynamics::rows() const {
  return memory_->rows.rows();
}

ProximalResult ConstrainedDynamics::accelerations(In q, In u, In tau, Out udot, Out lambda) {
  Memory& m = *memory_;
  const int nv = m.plan.nv();
  m.require("u", u.size(), nv, "nv");
  m.require("tau", tau.size(), nv, "nv");
  m.require("udot", udot.size(), nv, "nv");
  m.require("lambda", lambda.size(), rows(), "rows");
  const TreeView view = m.place(q);
  return m.result(kkt_accelerations(view, m.rows.view(), m.settings, u.data(), tau.data(), m.model->options.gravity,
                                    m.data, m.kkt, udot.data(), lambda.data()));
}

ProximalResult ConstrainedDynamics::impulses(In q, In u, double restitution, Out next, Out lambda) {
  Memory& m = *memory_;
  const int nv = m.plan.nv();
  m.require("u", u.size(), nv, "nv");
  m.require("next", next.size(), nv, "nv");
  m.require("lambda", lambda.size(), rows(), "rows");
  const TreeView view = m.place(q);
  return m.result(
      kkt_impulses(view, m.rows.view(), m.settings, u.data(), restitution, m.data, m.kkt, next.data(), lambda.data()));
}

void ConstrainedDynamics::jacobian(In q, Out jacobian) {
  Memory& m = *memory_;
  const int nv = m.plan.nv();
  m.require("jacobian", jacobian.size(), rows() * nv, "rows × nv");
  const TreeView view = m.place(q);
  std::fill(jacobian.begin(), jacobian.end(), 0.0);
  for (int i = 0; i < int(m.rows.block.size()); ++i) {
    const ConstraintBlock& block = m.rows.block[std::size_t(i)];
    const ConstraintArmsT<double> arm = constraint_arms(block, m.data.pose);
    for (int k = 0; k < 3; ++k) {
      const Vec3 axis = Mat3::identity().row[k];
      const Spatial at_a = block.angular ? Spatial{axis, {}} : point_wrench(arm.a, axis);
      const Spatial at_b = block.angular ? Spatial{axis, {}} : point_wrench(arm.b, axis);
      double* row = jacobian.data() + std::ptrdiff_t(3 * i + k) * nv;
      add_row(view, m.data.motion, block.link_a, at_a, 1.0, 0, row);
      add_row(view, m.data.motion, block.link_b, at_b, -1.0, 0, row);
    }
  }
}

void ConstrainedDynamics::delassus(In q, Out delassus) {
  Memory& m = *memory_;
  const int n = rows();
  m.require("delassus", delassus.size(), n * n, "rows × rows");
  const TreeView view = m.place(q);
  if (const int bad = kkt_factor_mass(view, m.rows.view(), m.data, m.kkt); bad >= 0) refuse_singular(*m.model, bad);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j <= i; ++j) {
      const double value = m.kkt.delassus[packed_row(i) + j];
      delassus[std::size_t(i * n + j)] = value;
      delassus[std::size_t(j * n + i)] = value;
    }
}

}  // namespace stiction
