#include "dynamics/body_motion.hpp"

#include "dynamics/tree_momentum.hpp"
#include "step/workspace.hpp"

#include <algorithm>

namespace stiction {
namespace {

// A force and torque at p, about the origin of the world.
Spatial about_origin(const Spatial& f, const Vec3& p) {
  return force_at(f, -p);
}

}  // namespace

BodyMotion::BodyMotion(const Model& model, const Options& options, const SensorInput& input, Workspace& w)
    : model_(model), options_(options), in_(input), w_(w) {
  const TreeView all = w.plan.view();
  w.links_q.clear();
  w.links_u.clear();
  tree_positions(all, input.state.q.data(), w.links);
  tree_accelerations(all, input.state.u.data(), input.udot.data(), -options.gravity, w.links);
  const auto measures_force = [](SensorType type) { return type == SensorType::kForce || type == SensorType::kTorque; };
  if (std::none_of(model.sensor_type.begin(), model.sensor_type.end(), measures_force)) return;
  for (std::size_t b = 0; b < std::size_t(model.nbody); ++b)
    w.body_wrench[b] = about_origin(input.control.wrench[b], w.body_pose[b] * model.body_com[b]);
  add_contacts(w.body_wrench);
  add_loops(w.body_wrench);
  add_tendons(w.body_wrench);
}

Spatial BodyMotion::velocity(int body, const Vec3& p) const {
  const int tree = model_.body_tree[std::size_t(body)];
  if (tree < 0) return {};
  return motion_at(w_.links.velocity[w_.plan.body_link[std::size_t(body)]],
                   p - w_.links.origin[w_.plan.origin_of(body)]);
}

Spatial BodyMotion::acceleration(int body, const Vec3& p) const {
  const int tree = model_.body_tree[std::size_t(body)];
  if (tree < 0) return {{}, -options_.gravity};
  const int link = w_.plan.body_link[std::size_t(body)];
  const Spatial& v = w_.links.velocity[link];
  const Spatial& a = w_.links.acceleration[link];
  return {a.angular, point_acceleration(v, a, p - w_.links.origin[w_.plan.origin_of(body)])};
}

bool BodyMotion::carries(int ancestor, int body) const {
  while (body > ancestor) body = model_.body_parent[std::size_t(body)];
  return body == ancestor;
}

template <class Visit>
void BodyMotion::over_subtree(int body, Visit&& visit) const {
  for (int b = body; b < model_.nbody; ++b)
    if (model_.body_mass[std::size_t(b)] > 0 && carries(body, b))
      visit(b, w_.body_pose[std::size_t(b)] * model_.body_com[std::size_t(b)]);
}

void BodyMotion::add_contacts(std::vector<Spatial>& wrench) const {
  for (std::size_t c = 0; c < std::size_t(in_.contacts.ncontact); ++c) {
    const Spatial f = about_origin({in_.contacts.torque[c], in_.contacts.force[c]}, in_.contacts.point[c]);
    Spatial& a = wrench[std::size_t(in_.contacts.body_a[c])];
    Spatial& b = wrench[std::size_t(in_.contacts.body_b[c])];
    a = a - f;
    b = b + f;
  }
}

// Rows of connect and weld: the force on frame b along the axes of the world, then the torque.
void BodyMotion::add_loops(std::vector<Spatial>& wrench) const {
  for (std::size_t r = 0; r < std::size_t(in_.constraints.nconstraint); ++r) {
    if (in_.constraints.kind[r] != ConstraintKind::kEquality) continue;
    const auto e = std::size_t(in_.constraints.element[r]);
    if (model_.equality_type[e] != EqualityType::kConnect && model_.equality_type[e] != EqualityType::kWeld) continue;
    Vec3 along;
    along[in_.constraints.part[r] % 3] = in_.constraints.force[r];
    const Spatial f = in_.constraints.part[r] < 3 ? Spatial{{}, along} : Spatial{along, {}};
    const auto a = std::size_t(model_.equality_a[e]), b = std::size_t(model_.equality_b[e]);
    wrench[a] = wrench[a] - about_origin(f, w_.body_pose[a] * model_.equality_frame_a[e].p);
    wrench[b] = wrench[b] + about_origin(f, w_.body_pose[b] * model_.equality_frame_b[e].p);
  }
}

void BodyMotion::add_tendons(std::vector<Spatial>& wrench) const {
  const Mechanism& m = w_.mechanism;
  for (int t = 0; t < model_.ntendon; ++t) {
    double tension = tendon_spring_force(model_, m, t);
    for (std::size_t a = 0; a < std::size_t(model_.nactuator); ++a)
      if (model_.actuator_target[a] == ActuatorTarget::kTendon && model_.actuator_target_index[a] == t)
        tension += model_.actuator_gear[a].linear.x * m.actuator_force[a];
    for (std::size_t r = 0; r < std::size_t(in_.constraints.nconstraint); ++r) {
      if (in_.constraints.element[r] != t) continue;
      const bool limit = in_.constraints.kind[r] == ConstraintKind::kTendonLimit;
      if (limit) tension += in_.constraints.force[r] * (in_.constraints.part[r] == 0 ? 1.0 : -1.0);
      if (in_.constraints.kind[r] == ConstraintKind::kTendonFriction) tension += in_.constraints.force[r];
    }
    add_tendon_wrenches(model_, w_, t, tension, wrench);
  }
}

// Σ (I a + v ×* I v) − external forces over what the body carries.
Spatial BodyMotion::support(int body, const Vec3& p) const {
  Spatial sum;
  for (int b = body; b < model_.nbody; ++b) {
    if (!carries(body, b)) continue;
    const auto i = std::size_t(b);
    sum = sum - force_at(w_.body_wrench[i], p);
    if (!(model_.body_mass[i] > 0)) continue;
    const Vec3 c = w_.body_pose[i] * model_.body_com[i];
    const Mat3 R = rotation_matrix(w_.body_pose[i].q * model_.body_inertia_frame[i]);
    const Vec3 omega = transpose_times(R, velocity(b, c).angular);
    const Spatial a = acceleration(b, c);
    const Vec3& I = model_.body_inertia[i];
    // Euler's equation in the principal axes.
    const Vec3 torque = R * (scaled(I, transpose_times(R, a.angular)) + cross(omega, scaled(I, omega)));
    sum = sum + force_at(Spatial{torque, a.linear * model_.body_mass[i]}, p - c);
  }
  return sum;
}

Vec3 BodyMotion::subtree_com(int body) const {
  Vec3 moment;
  double mass = 0;
  over_subtree(body, [&](int b, const Vec3& c) {
    moment += c * model_.body_mass[std::size_t(b)];
    mass += model_.body_mass[std::size_t(b)];
  });
  return mass > 0 ? moment / mass : w_.body_pose[std::size_t(body)].p;
}

Vec3 BodyMotion::subtree_velocity(int body) const {
  Vec3 momentum;
  double mass = 0;
  over_subtree(body, [&](int b, const Vec3& c) {
    momentum += velocity(b, c).linear * model_.body_mass[std::size_t(b)];
    mass += model_.body_mass[std::size_t(b)];
  });
  return mass > 0 ? momentum / mass : Vec3{};
}

Vec3 BodyMotion::subtree_angular_momentum(int body) const {
  const Vec3 com = subtree_com(body), mean = subtree_velocity(body);
  Vec3 sum;
  over_subtree(body, [&](int b, const Vec3& c) {
    const auto i = std::size_t(b);
    const Spatial v = velocity(b, c);
    const Mat3 R = rotation_matrix(w_.body_pose[i].q * model_.body_inertia_frame[i]);
    sum += R * scaled(model_.body_inertia[i], transpose_times(R, v.angular));
    sum += cross(c - com, (v.linear - mean) * model_.body_mass[i]);
  });
  return sum;
}

double BodyMotion::kinetic_energy() const {
  double sum = tree_kinetic_energy(w_.plan.view(), w_.links, in_.state.u.data());
  for (auto d = std::size_t(model_.tree_dofs()); d < std::size_t(model_.nv); ++d)
    sum += 0.5 * model_.dof_armature[d] * in_.state.u[d] * in_.state.u[d];
  return sum;
}

}  // namespace stiction
