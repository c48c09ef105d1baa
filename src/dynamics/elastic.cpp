// Energy of springs and what they do in a step: dynamics/mechanism.hpp.
//
//   joint:   ½ k |q − q_spring|², for a ball with the rotation vector;   tendon:   ½ k (l − l_spring)²
//
// In the step a spring of a joint acts at its end, with the force −k (x + h v⁺), a spring of a tendon with that at the
// start.
#include "dynamics/kinematics.hpp"
#include "dynamics/mechanism.hpp"
#include "step/workspace.hpp"

#include <algorithm>

namespace stiction {
namespace {

double elastic_energy_after(const Model& model, const State& next, Workspace& w) {
  Mechanism& m = w.mechanism;
  if (!m.has_springs) return 0;
  if (m.has_spatial_springs) compute_poses(model, next.q, w);
  const auto pose = [&](int body) { return w.body_pose[std::size_t(body)]; };
  for (int t = 0; t < model.ntendon; ++t)
    m.tendon_scratch[std::size_t(t)] =
        model.tendon_stiffness[std::size_t(t)] == 0 ? 0 : tendon_length(model, pose, t, next.q);
  return elastic_energy(model, next.q, m.tendon_scratch);
}

}  // namespace

double elastic_energy(const Model& model, const std::vector<double>& q, const std::vector<double>& tendon_length) {
  double sum = 0;
  for (std::size_t j = 0; j < std::size_t(model.njoint); ++j) {
    const double k = model.joint_stiffness[j];
    if (k == 0) continue;
    const double* x = q.data() + model.joint_q[j];
    const double* rest = model.q_spring.data() + model.joint_q[j];
    const JointType type = model.joint_type[j];
    const int straight = type == JointType::kFree ? 3 : (type == JointType::kBall ? 0 : 1);
    for (int i = 0; i < straight; ++i) sum += 0.5 * k * (x[i] - rest[i]) * (x[i] - rest[i]);
    if (type != JointType::kFree && type != JointType::kBall) continue;
    const auto read = [](const double* from) { return normalized(Quat{from[0], from[1], from[2], from[3]}); };
    sum += 0.5 * k * norm_squared(rotation_vector(conjugate(read(rest + straight)) * read(x + straight)));
  }
  for (std::size_t t = 0; t < std::size_t(model.ntendon); ++t) {
    const double length = tendon_length[t];
    const double stretch = length - std::clamp(length, model.tendon_spring_lower[t], model.tendon_spring_upper[t]);
    sum += 0.5 * model.tendon_stiffness[t] * stretch * stretch;
  }
  return sum;
}

bool stored_energy_is_known(const Options& options, const State& state, const Workspace& w) {
  const KeptEnergy& kept = w.kept_energy;
  // Ends of spatial tendons may have been moved by hand: mocap bodies are not part of q.
  return !w.mechanism.has_spatial_springs && kept.q == state.q && kept.gravity == options.gravity;
}

StoredEnergy stored_energy_before(const Model& model, const Options& options, const State& state, Workspace& w) {
  const Mechanism& m = w.mechanism;
  if (stored_energy_is_known(options, state, w)) return w.kept_energy.energy;
  if (m.has_springs) compute_tendons(model, state, w);
  return {potential_energy(model, options, state.q, w),
          m.has_springs ? elastic_energy(model, state.q, m.tendon_length) : 0};
}

StoredEnergy stored_energy_after(const Model& model, const Options& options, const State& next, Workspace& w) {
  w.kept_energy.energy = {potential_energy(model, options, next.q, w), elastic_energy_after(model, next, w)};
  w.kept_energy.q = next.q;
  w.kept_energy.gravity = options.gravity;
  return w.kept_energy.energy;
}
double spring_work(const Model& model, double h, const Workspace& w) {
  const Mechanism& m = w.mechanism;
  if (!m.has_springs) return 0;
  double sum = 0;
  for (std::size_t d = 0; d < std::size_t(model.nv); ++d) {
    // Held joints have their rates in the next state.
    const double v = d < std::size_t(model.tree_dofs()) ? w.solution.u[d] : w.next.u[d];
    sum += h * (m.spring_force[d] - h * (m.stiffness[d] - m.servo_stiffness[d]) * v) * v;
  }
  return sum;
}

}  // namespace stiction
