#include <stiction/dynamics.hpp>

#include "dynamics/tree_aba.hpp"
#include "dynamics/tree_factor.hpp"
#include "dynamics/tree_integrate.hpp"
#include "dynamics/tree_jacobian.hpp"
#include "dynamics/tree_momentum.hpp"
#include "dynamics/tree_plan.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace stiction {

struct Dynamics::Memory {
  explicit Memory(std::shared_ptr<const Model> shared)
      : model(std::move(shared)),
        plan(make_reduced_plan(*model)),
        arrays(plan),
        data(arrays.data()),
        rows(std::size_t(plan.nentry())),
        zero(std::size_t(plan.nv())) {}

  std::shared_ptr<const Model> model;
  TreePlan plan;
  TreeMemory arrays;
  TreeData data;
  std::vector<double> rows;  // of the mass matrix
  std::vector<double> zero;  // nv zeros

  void require(const char* argument, std::size_t size, std::size_t wanted, const char* meaning) const {
    if (size != wanted)
      throw Error(
          fmt::format("{} has {} numbers, model '{}' asks for {} ({})", argument, size, model->name, wanted, meaning));
  }
  void require_dofs(const char* argument, std::size_t size) const { require(argument, size, zero.size(), "nv"); }
  void require_body(int body) const {
    if (body < 0 || body >= model->nbody)
      throw Error(fmt::format("there is no body {}; model '{}' has bodies 0 (the world) to {}", body, model->name,
                              model->nbody - 1));
  }

  // Positions of all links.
  TreeView place(In q) {
    require("q", q.size(), std::size_t(plan.nq), "nq");
    const TreeView view = plan.view();
    tree_positions(view, q.data(), data);
    return view;
  }
  TreeView move(In q, In u) {
    require_dofs("u", u.size());
    const TreeView view = place(q);
    tree_velocities(view, u.data(), data);
    return view;
  }

  int link_of(int body) const { return plan.body_link[std::size_t(body)]; }
  // The point that the spatial vectors of a body refer to.
  Vec3 origin_of(int body) const {
    return model->body_tree[std::size_t(body)] >= 0 ? data.origin[plan.origin_of(body)] : Vec3{};
  }
  // A point of the body frame relative to that.
  Vec3 arm(int body, const Vec3& point) const {
    const LinkPose& link = data.pose[link_of(body)];
    return link.p + link.R * (plan.body_in_link[std::size_t(body)] * point);
  }
  Vec3 com() const {
    Vec3 moment;
    double total = 0;
    for (int t = 0; t < plan.ntree(); ++t) {
      const TreeView view = plan.view(t);
      moment += tree_moment(view, data);
      total += tree_mass(view);
    }
    return total > 0 ? moment / total : Vec3{};
  }
};

Dynamics::Dynamics(std::shared_ptr<const Model> model) {
  check_model(*model);
  memory_ = std::make_unique<Memory>(std::move(model));
}
Dynamics::~Dynamics() = default;
Dynamics::Dynamics(Dynamics&&) noexcept = default;
Dynamics& Dynamics::operator=(Dynamics&&) noexcept = default;

const Model& Dynamics::model() const {
  return *memory_->model;
}

void Dynamics::rnea(In q, In u, In udot, Out tau) {
  Memory& m = *memory_;
  m.require_dofs("u", u.size());
  m.require_dofs("udot", udot.size());
  m.require_dofs("tau", tau.size());
  tree_rnea(m.place(q), u.data(), udot.data(), m.model->options.gravity, m.data, tau.data());
}

void Dynamics::aba(In q, In u, In tau, Out udot) {
  Memory& m = *memory_;
  m.require_dofs("u", u.size());
  m.require_dofs("tau", tau.size());
  m.require_dofs("udot", udot.size());
  const TreeView view = m.place(q);
  if (const int bad = tree_aba(view, u.data(), tau.data(), m.model->options.gravity, m.data, udot.data()); bad > 0)
    refuse_singular(*m.model, view.link[bad].dof);
}

void Dynamics::crba(In q, Out mass) {
  Memory& m = *memory_;
  const std::size_t n = m.zero.size();
  m.require("mass", mass.size(), n * n, "nv × nv");
  const TreeView view = m.place(q);
  tree_crba(view, m.data, m.rows.data());
  mass_block(view, m.rows.data(), 0, int(n), mass.data());
}

void Dynamics::solve_mass(In q, Out x) {
  Memory& m = *memory_;
  m.require_dofs("x", x.size());
  const TreeView view = m.place(q);
  tree_crba(view, m.data, m.rows.data());
  if (const int bad = factor_mass(view, m.rows.data()); bad >= 0) refuse_singular(*m.model, bad);
  stiction::solve_mass(view, m.rows.data(), x.data());
}

void Dynamics::bias_force(In q, In u, Out tau) {
  Memory& m = *memory_;
  m.require_dofs("u", u.size());
  m.require_dofs("tau", tau.size());
  tree_rnea<double>(m.place(q), u.data(), nullptr, m.model->options.gravity, m.data, tau.data());
}

void Dynamics::gravity_force(In q, Out tau) {
  bias_force(q, memory_->zero, tau);
}

Transform Dynamics::body_pose(In q, int body) {
  Memory& m = *memory_;
  m.require_body(body);
  m.place(q);
  return {m.origin_of(body) + m.arm(body, {}),
          normalized(m.data.pose[m.link_of(body)].q * m.plan.body_in_link[std::size_t(body)].q)};
}

Spatial Dynamics::body_velocity(In q, In u, int body) {
  Memory& m = *memory_;
  m.require_body(body);
  m.move(q, u);
  return motion_at(m.data.velocity[m.link_of(body)], m.arm(body, {}));
}

Spatial Dynamics::body_acceleration(In q, In u, In udot, int body) {
  Memory& m = *memory_;
  m.require_body(body);
  m.require_dofs("u", u.size());
  m.require_dofs("udot", udot.size());
  tree_accelerations(m.place(q), u.data(), udot.data(), Vec3{}, m.data);
  const int link = m.link_of(body);
  return {m.data.acceleration[link].angular,
          point_acceleration(m.data.velocity[link], m.data.acceleration[link], m.arm(body, {}))};
}

void Dynamics::point_jacobian(In q, int body, const Vec3& point, Out jacobian) {
  Memory& m = *memory_;
  const std::size_t n = m.zero.size();
  m.require_body(body);
  m.require("jacobian", jacobian.size(), 3 * n, "3 × nv");
  const TreeView view = m.place(q);
  std::fill(jacobian.begin(), jacobian.end(), 0.0);
  for (int k = 0; k < 3; ++k) {
    const Spatial wrench = point_wrench(m.arm(body, point), Mat3::identity().row[k]);
    add_row(view, m.data.motion, m.link_of(body), wrench, 1.0, 0, jacobian.data() + std::size_t(k) * n);
  }
}

Vec3 Dynamics::point_bias(In q, In u, int body, const Vec3& point) {
  Memory& m = *memory_;
  m.require_body(body);
  m.require_dofs("u", u.size());
  tree_accelerations<double>(m.place(q), u.data(), nullptr, Vec3{}, m.data);
  const int link = m.link_of(body);
  return point_acceleration(m.data.velocity[link], m.data.acceleration[link], m.arm(body, point));
}

void Dynamics::frame_jacobian(In q, int body, Out jacobian) {
  Memory& m = *memory_;
  const std::size_t n = m.zero.size();
  m.require("jacobian", jacobian.size(), 6 * n, "6 × nv");
  point_jacobian(q, body, {}, jacobian.first(3 * n));
  std::fill(jacobian.begin() + std::ptrdiff_t(3 * n), jacobian.end(), 0.0);
  for (int k = 0; k < 3; ++k)
    add_row(m.plan.view(), m.data.motion, m.link_of(body), Spatial{Mat3::identity().row[k], {}}, 1.0, 0,
            jacobian.data() + std::size_t(3 + k) * n);
}

Spatial Dynamics::frame_bias(In q, In u, int body) {
  const Vec3 linear = point_bias(q, u, body, {});
  return {memory_->data.acceleration[memory_->link_of(body)].angular, linear};
}

double Dynamics::kinetic_energy(In q, In u) {
  return tree_kinetic_energy(memory_->move(q, u), memory_->data, u.data());
}

double Dynamics::potential_energy(In q) {
  return -mass() * dot(memory_->model->options.gravity, centre_of_mass(q));
}

double Dynamics::mass() const {
  return tree_mass(memory_->plan.view());
}

Vec3 Dynamics::centre_of_mass(In q) {
  memory_->place(q);
  return memory_->com();
}

Spatial Dynamics::centroidal_momentum(In q, In u) {
  Memory& m = *memory_;
  m.move(q, u);
  const Vec3 com = m.com();
  Spatial sum;
  for (int t = 0; t < m.plan.ntree(); ++t)
    sum = sum + force_at(tree_momentum(m.plan.view(t), m.data), com - m.data.origin[t]);
  return sum;
}

void Dynamics::centroidal_matrix(In q, Out matrix) {
  Memory& m = *memory_;
  const std::size_t n = m.zero.size();
  m.require("matrix", matrix.size(), 6 * n, "6 × nv");
  const TreeView view = m.place(q);
  tree_composites(view, m.data);
  const Vec3 com = m.com();
  for (int i = view.begin; i < view.end; ++i) {
    const Link& link = view.link[i];
    for (int dof = link.dof; dof < link.dof + link_dofs(link.type); ++dof) {
      const Spatial h = force_at(m.data.composite[i] * m.data.motion[dof], com - m.data.origin[link.origin]);
      for (int k = 0; k < 3; ++k) {
        matrix[std::size_t(k) * n + std::size_t(dof)] = h.linear[k];
        matrix[std::size_t(3 + k) * n + std::size_t(dof)] = h.angular[k];
      }
    }
  }
}

void Dynamics::integrate(In q, In u, double h, Out next) {
  Memory& m = *memory_;
  m.require("q", q.size(), std::size_t(m.plan.nq), "nq");
  m.require("next", next.size(), std::size_t(m.plan.nq), "nq");
  m.require_dofs("u", u.size());
  for (const Link& link : m.plan.link)
    if (&link != m.plan.link.data()) integrate_link(link, h, q.data(), u.data(), next.data());
}

}  // namespace stiction
