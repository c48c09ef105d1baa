// Springs, dampers and gravity compensation at the start of the step: dynamics/mechanism.hpp.
//
//   joint:    −k (q − q_spring), for a ball −k times the rotation vector from q_spring to q; −d u
//   tendon:   Jᵀ (k (l_spring − l) − d l̇), l_spring the nearer end of the range in which the spring is slack
//   weight:   −c m g at the centre of mass of each body with the share c of its weight carried
#include "dynamics/mechanism.hpp"
#include "step/workspace.hpp"

#include <algorithm>

namespace stiction {
namespace {

Quat read_quat(const double* x) {
  return normalized(Quat{x[0], x[1], x[2], x[3]});
}

void add_joint_springs(const Model& model, const State& state, Mechanism& m) {
  for (std::size_t j = 0; j < std::size_t(model.njoint); ++j) {
    const double k = model.joint_stiffness[j];
    if (k == 0) continue;
    const double* q = state.q.data() + model.joint_q[j];
    const double* rest = model.q_spring.data() + model.joint_q[j];
    double* force = m.passive_force.data() + model.joint_dof[j];
    double* stiffness = m.stiffness.data() + model.joint_dof[j];
    const JointType type = model.joint_type[j];
    const int straight = type == JointType::kFree ? 3 : (type == JointType::kBall ? 0 : 1);
    for (int i = 0; i < straight; ++i) {
      force[i] -= k * (q[i] - rest[i]);
      stiffness[i] += k;
    }
    if (type != JointType::kFree && type != JointType::kBall) continue;
    const Vec3 turn = rotation_vector(conjugate(read_quat(rest + straight)) * read_quat(q + straight));
    for (int i = 0; i < 3; ++i) {
      force[straight + i] -= k * turn[i];
      stiffness[straight + i] += k;
    }
  }
}

void add_tendon_springs(const Model& model, Mechanism& m) {
  for (std::size_t t = 0; t < std::size_t(model.ntendon); ++t) {
    const double slack = std::clamp(m.tendon_length[t], model.tendon_spring_lower[t], model.tendon_spring_upper[t]);
    const double spring = model.tendon_stiffness[t] * (slack - m.tendon_length[t]);
    const double pull = spring - model.tendon_damping[t] * m.tendon_velocity[t];
    if (pull == 0 && spring == 0) continue;
    for (auto e = std::size_t(m.tendon_rows.row[t]); e < std::size_t(m.tendon_rows.row[t + 1]); ++e) {
      const auto d = std::size_t(m.tendon_rows.dof[e]);
      m.passive_force[d] += m.tendon_jacobian[e] * pull;
      m.spring_force[d] += m.tendon_jacobian[e] * spring;
    }
  }
}

void carry_weight(const Model& model, const Options& options, Workspace& w) {
  Mechanism& m = w.mechanism;
  std::fill(m.compensation.begin(), m.compensation.end(), 0.0);
  for (std::size_t b = 1; b < std::size_t(model.nbody); ++b) {
    const double share = model.body_gravity_compensation[b];
    if (share == 0 || model.body_tree[b] < 0) continue;
    add_wrench(model, w, int(b), w.body_pose[b] * model.body_com[b], options.gravity * (-share * model.body_mass[b]),
               {}, m.compensation.data());
  }
  // Where actuators carry the weight, it counts as their force.
  for (std::size_t d = 0; d < std::size_t(model.nv); ++d)
    if (!model.joint_actuator_compensates[std::size_t(model.dof_joint[d])]) m.passive_force[d] += m.compensation[d];
}

}  // namespace

double tendon_spring_force(const Model& model, const Mechanism& m, int tendon) {
  const auto t = std::size_t(tendon);
  const double slack = std::clamp(m.tendon_length[t], model.tendon_spring_lower[t], model.tendon_spring_upper[t]);
  return model.tendon_stiffness[t] * (slack - m.tendon_length[t]) - model.tendon_damping[t] * m.tendon_velocity[t];
}

void compute_passive_force(const Model& model, const Options& options, const State& state, Workspace& w) {
  Mechanism& m = w.mechanism;
  std::fill(m.passive_force.begin(), m.passive_force.end(), 0.0);
  std::fill(m.stiffness.begin(), m.stiffness.end(), 0.0);
  add_joint_springs(model, state, m);
  if (m.has_springs) m.spring_force = m.passive_force;
  for (std::size_t d = 0; d < std::size_t(model.nv); ++d) {
    m.passive_force[d] -= model.dof_damping[d] * state.u[d];
    m.damping[d] = model.dof_damping[d];
  }
  add_tendon_springs(model, m);
  if (m.has_compensation) carry_weight(model, options, w);
}

}  // namespace stiction
