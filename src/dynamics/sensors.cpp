#include "dynamics/sensors.hpp"

#include "dynamics/body_motion.hpp"
#include "dynamics/kinematics.hpp"
#include "dynamics/site_zone.hpp"
#include "step/workspace.hpp"

#include <algorithm>

namespace stiction {
namespace {

// A frame that is carried by a body.
struct Frame {
  int body = 0;
  Transform pose;
};

class Sensing {
 public:
  Sensing(const Model& model, const Options& options, const SensorInput& input, Workspace& w)
      : model_(model), options_(options), in_(input), w_(w), motion_(model, options, input, w) {}

  void write(std::size_t sensor, double* out) const;

 private:
  void joint(std::size_t sensor, double* out) const;
  void frame(std::size_t sensor, double* out) const;
  void site(std::size_t sensor, double* out) const;
  double touch(const Frame& zone) const;
  double potential_energy() const;
  Frame frame_of(SensorObject kind, int index) const;

  const Model& model_;
  const Options& options_;
  const SensorInput& in_;
  Workspace& w_;
  BodyMotion motion_;
};

void put(const Vec3& v, double* out) {
  out[0] = v.x, out[1] = v.y, out[2] = v.z;
}
void put(const Quat& q, double* out) {
  out[0] = q.w, out[1] = q.x, out[2] = q.y, out[3] = q.z;
}

Frame Sensing::frame_of(SensorObject kind, int index) const {
  const auto i = std::size_t(index);
  switch (kind) {
    case SensorObject::kBodyInertial:
      return {index, w_.body_pose[i] * Transform{model_.body_com[i], model_.body_inertia_frame[i]}};
    case SensorObject::kBody:
      return {index, w_.body_pose[i]};
    case SensorObject::kShape:
      return {model_.shape_body[i], w_.shape_pose[i]};
    case SensorObject::kSite:
      return {model_.site_body[i], site_pose(model_, w_, index)};
    default:
      return {};
  }
}

// Poses and velocities are seen from the reference frame, if there is one; accelerations never are.
void Sensing::frame(std::size_t s, double* out) const {
  const Frame f = frame_of(model_.sensor_object_kind[s], model_.sensor_object[s]);
  const bool relative = model_.sensor_reference[s] >= 0;
  const Frame r = relative ? frame_of(model_.sensor_reference_kind[s], model_.sensor_reference[s]) : Frame{};
  const auto seen = [&](const Vec3& v) { return rotate_inverse(r.pose.q, v); };
  const Mat3 axes = rotation_matrix(f.pose.q);
  switch (model_.sensor_type[s]) {
    case SensorType::kFramePosition:
      return put(seen(f.pose.p - r.pose.p), out);
    case SensorType::kFrameOrientation:
      return put(normalized(conjugate(r.pose.q) * f.pose.q), out);
    case SensorType::kFrameXAxis:
      return put(seen(axes.column(0)), out);
    case SensorType::kFrameYAxis:
      return put(seen(axes.column(1)), out);
    case SensorType::kFrameZAxis:
      return put(seen(axes.column(2)), out);
    case SensorType::kFrameLinearVelocity: {
      const Spatial v = motion_.velocity(f.body, f.pose.p), carried = motion_.velocity(r.body, f.pose.p);
      return put(seen(v.linear - carried.linear), out);
    }
    case SensorType::kFrameAngularVelocity:
      return put(seen(motion_.velocity(f.body, f.pose.p).angular - motion_.velocity(r.body, r.pose.p).angular), out);
    case SensorType::kFrameLinearAcceleration:
      return put(motion_.acceleration(f.body, f.pose.p).linear, out);
    default:
      return put(motion_.acceleration(f.body, f.pose.p).angular, out);
  }
}

// What is fixed to a site, in the axes of the site.
void Sensing::site(std::size_t s, double* out) const {
  const Frame f = frame_of(SensorObject::kSite, model_.sensor_object[s]);
  const auto seen = [&](const Vec3& v) { return rotate_inverse(f.pose.q, v); };
  switch (model_.sensor_type[s]) {
    case SensorType::kVelocimeter:
      return put(seen(motion_.velocity(f.body, f.pose.p).linear), out);
    case SensorType::kGyro:
      return put(seen(motion_.velocity(f.body, f.pose.p).angular), out);
    case SensorType::kAccelerometer:
      return put(seen(motion_.acceleration(f.body, f.pose.p).linear), out);
    case SensorType::kForce:
      return put(seen(motion_.support(f.body, f.pose.p).linear), out);
    case SensorType::kTorque:
      return put(seen(motion_.support(f.body, f.pose.p).angular), out);
    default:
      out[0] = touch({model_.sensor_object[s], f.pose});
  }
}

// Sum of the normal forces on the site's body whose line of action, outwards from the contact, meets the site.
double Sensing::touch(const Frame& zone) const {
  const auto s = std::size_t(zone.body);  // the site
  double sum = 0;
  for (std::size_t c = 0; c < std::size_t(in_.contacts.ncontact); ++c) {
    const bool first = in_.contacts.body_a[c] == model_.site_body[s];
    if (!first && in_.contacts.body_b[c] != model_.site_body[s]) continue;
    const double force = dot(in_.contacts.force[c], in_.contacts.normal[c]);
    if (!(force > 0)) continue;
    const Vec3 towards = in_.contacts.normal[c] * (first ? 1.0 : -1.0);
    const Vec3 p = rotate_inverse(zone.pose.q, in_.contacts.point[c] - zone.pose.p);
    if (ray_meets(model_.site_type[s], model_.site_size[s], p, rotate_inverse(zone.pose.q, towards))) sum += force;
  }
  return sum;
}

void Sensing::joint(std::size_t s, double* out) const {
  const auto i = std::size_t(model_.sensor_object[s]);
  const Mechanism& m = w_.mechanism;
  switch (model_.sensor_type[s]) {
    case SensorType::kJointPosition:
      out[0] = in_.state.q[std::size_t(model_.joint_q[i])];
      return;
    case SensorType::kJointVelocity:
      out[0] = in_.state.u[std::size_t(model_.joint_dof[i])];
      return;
    case SensorType::kJointActuatorForce:
      out[0] = m.actuator_joint_force[std::size_t(model_.joint_dof[i])];
      return;
    case SensorType::kTendonLength:
      out[0] = m.tendon_length[i];
      return;
    case SensorType::kTendonVelocity:
      out[0] = m.tendon_velocity[i];
      return;
    case SensorType::kTendonActuatorForce:
      out[0] = 0;
      for (std::size_t a = 0; a < std::size_t(model_.nactuator); ++a)
        if (model_.actuator_target[a] == ActuatorTarget::kTendon && model_.actuator_target_index[a] == int(i))
          out[0] += m.actuator_force[a];
      return;
    case SensorType::kActuatorLength:
      out[0] = m.actuator_length[i];
      return;
    case SensorType::kActuatorVelocity:
      out[0] = m.actuator_velocity[i];
      return;
    case SensorType::kActuatorForce:
      out[0] = m.actuator_force[i];
      return;
    case SensorType::kBallOrientation: {
      const double* q = in_.state.q.data() + model_.joint_q[i];
      return put(normalized(Quat{q[0], q[1], q[2], q[3]}), out);
    }
    default: {
      const double* u = in_.state.u.data() + model_.joint_dof[i];
      return put(Vec3{u[0], u[1], u[2]}, out);
    }
  }
}

// Weight of all bodies, those at rest too, and springs.
double Sensing::potential_energy() const {
  double sum = 0;
  for (std::size_t b = 1; b < std::size_t(model_.nbody); ++b)
    sum -= model_.body_mass[b] * dot(options_.gravity, w_.body_pose[b] * model_.body_com[b]);
  return sum + elastic_energy(model_, in_.state.q, w_.mechanism.tendon_length);
}

void Sensing::write(std::size_t s, double* out) const {
  const SensorType type = model_.sensor_type[s];
  const int body = model_.sensor_object[s];
  if (type <= SensorType::kBallAngularVelocity) return joint(s, out);
  if (type <= SensorType::kFrameAngularAcceleration) return frame(s, out);
  if (type <= SensorType::kTorque) return site(s, out);
  switch (type) {
    case SensorType::kSubtreeCentreOfMass:
      return put(motion_.subtree_com(body), out);
    case SensorType::kSubtreeLinearVelocity:
      return put(motion_.subtree_velocity(body), out);
    case SensorType::kSubtreeAngularMomentum:
      return put(motion_.subtree_angular_momentum(body), out);
    case SensorType::kPotentialEnergy:
      out[0] = potential_energy();
      return;
    case SensorType::kKineticEnergy:
      out[0] = motion_.kinetic_energy();
      return;
    default:
      out[0] = in_.state.time;
  }
}

// Directions have no size to cut.
bool has_size(SensorType type) {
  return type != SensorType::kBallOrientation && type != SensorType::kFrameOrientation &&
         type != SensorType::kFrameXAxis && type != SensorType::kFrameYAxis && type != SensorType::kFrameZAxis;
}

}  // namespace

void compute_sensors(const Model& model, const Options& options, const SensorInput& input, Workspace& w,
                     std::span<double> out) {
  compute_mechanism(model, options, input.control, input.state, w);
  const Sensing sensing(model, options, input, w);
  for (std::size_t s = 0; s < std::size_t(model.nsensor); ++s) {
    sensing.write(s, out.data() + model.sensor_data[s]);
    const double most = model.sensor_cutoff[s];
    if (!(most > 0) || !has_size(model.sensor_type[s])) continue;
    for (int i = model.sensor_data[s]; i < model.sensor_data[s + 1]; ++i)
      out[std::size_t(i)] = std::clamp(out[std::size_t(i)], -most, most);
  }
}

}  // namespace stiction
