// The part of the builder that moves, couples and measures bodies. What refers to elements is checked by check_model
// when the model is finished; here only what it could not name.
#include <stiction/builder.hpp>

#include <algorithm>

#include <fmt/format.h>

#include "model/names.hpp"
#include "model/tree.hpp"

namespace stiction {

void Builder::set_joint(int joint, const JointSettings& settings) {
  require(joint >= 0 && joint < static_cast<int>(joints_.size()), "set_joint",
          fmt::format("there is no joint {}; there are {}", joint, joints_.size()));
  joints_[static_cast<std::size_t>(joint)].settings = settings;
}

int Builder::add_joint_universal(int body, const Vec3& first_axis, const Vec3& second_axis, const Vec3& anchor,
                                 const std::string& name) {
  const auto part = [&](const char* suffix) { return name.empty() ? "" : name + suffix; };
  const int first = add_joint(body, JointType::kHinge, first_axis, anchor, part("_1"));
  add_joint(body, JointType::kHinge, second_axis, anchor, part("_2"));
  return first;
}

int Builder::add_joint_planar(int body, const Vec3& x_axis, const Vec3& y_axis, const Vec3& anchor,
                              const std::string& name) {
  const auto part = [&](const char* suffix) { return name.empty() ? "" : name + suffix; };
  const int first = add_joint(body, JointType::kSlide, x_axis, anchor, part("_x"));
  add_joint(body, JointType::kSlide, y_axis, anchor, part("_y"));
  add_joint(body, JointType::kHinge, cross(x_axis, y_axis), anchor, part("_turn"));
  return first;
}

void Builder::set_mocap(int body) {
  require_body(body, "set_mocap");
  bodies_[static_cast<std::size_t>(body)].mocap = true;
}

int Builder::add_site(int body, const Transform& pose, const std::string& name) {
  require_body(body, fmt::format("site '{}'", name));
  sites_.push_back({name, body, {pose.p, normalized(pose.q)}});
  return static_cast<int>(sites_.size()) - 1;
}

Transform Builder::reference_pose(int body) const {
  const Body& b = bodies_[static_cast<std::size_t>(body)];
  return body == 0 ? Transform{} : reference_pose(b.parent) * b.pose;
}

int Builder::add_equality_connect(int body_a, int body_b, const Vec3& anchor, const std::string& name) {
  require_body(body_a, fmt::format("equality '{}'", name));
  require_body(body_b, fmt::format("equality '{}'", name));
  const Vec3 met = inverse(reference_pose(body_b)) * (reference_pose(body_a) * anchor);
  equalities_.push_back({name, EqualityType::kConnect, body_a, body_b, {anchor, {}}, {met, {}}});
  return static_cast<int>(equalities_.size()) - 1;
}

int Builder::add_equality_weld(int body_a, int body_b, const std::string& name) {
  require_body(body_a, fmt::format("equality '{}'", name));
  require_body(body_b, fmt::format("equality '{}'", name));
  const Transform b_in_a = inverse(reference_pose(body_a)) * reference_pose(body_b);
  equalities_.push_back({name, EqualityType::kWeld, body_a, body_b, {b_in_a.p, normalized(b_in_a.q)}, {}});
  return static_cast<int>(equalities_.size()) - 1;
}

int Builder::add_equality_joint(int joint_a, int joint_b, const Polynomial& polynomial, const std::string& name) {
  equalities_.push_back({name, EqualityType::kJoint, joint_a, joint_b, {}, {}, polynomial});
  return static_cast<int>(equalities_.size()) - 1;
}

int Builder::add_tendon_fixed(const std::vector<std::pair<int, double>>& joints, const TendonSettings& settings) {
  Tendon tendon{settings, TendonType::kFixed, {}};
  tendon.path.reserve(joints.size());
  for (const auto& [joint, coefficient] : joints) tendon.path.push_back({WrapType::kJoint, joint, -1, coefficient});
  tendons_.push_back(std::move(tendon));
  return static_cast<int>(tendons_.size()) - 1;
}

int Builder::add_tendon_spatial(const std::vector<PathObject>& path, const TendonSettings& settings) {
  tendons_.push_back({settings, TendonType::kSpatial, path});
  return static_cast<int>(tendons_.size()) - 1;
}

int Builder::add_actuator(ActuatorTarget target, int index, double gain, const Parameters& bias,
                          const ActuatorSettings& settings) {
  require(target == ActuatorTarget::kJoint || target == ActuatorTarget::kTendon,
          fmt::format("actuator '{}'", settings.name), "the target must be a joint or a tendon");
  actuators_.push_back({settings, target, index, gain, bias});
  return static_cast<int>(actuators_.size()) - 1;
}

int Builder::add_motor(ActuatorTarget target, int index, const ActuatorSettings& settings) {
  return add_actuator(target, index, 1, {}, settings);
}
int Builder::add_position_servo(ActuatorTarget target, int index, double kp, double kv,
                                const ActuatorSettings& settings) {
  return add_actuator(target, index, kp, {0, -kp, -kv}, settings);
}
int Builder::add_velocity_servo(ActuatorTarget target, int index, double kv, const ActuatorSettings& settings) {
  return add_actuator(target, index, kv, {0, 0, -kv}, settings);
}

int Builder::add_phase_motor(int joint, const std::vector<double>& samples, double advance, double kp, double kd,
                             const ActuatorSettings& settings) {
  const int actuator = add_actuator(ActuatorTarget::kJoint, joint, 1, {0, -kp, -kd}, settings);
  actuators_.back().phase = true;
  actuators_.back().samples = samples;
  actuators_.back().advance = advance;
  return actuator;
}

int Builder::add_sensor(SensorType type, SensorObject kind, int object, const std::string& name) {
  sensors_.push_back({name, type, kind, object});
  return static_cast<int>(sensors_.size()) - 1;
}

void Builder::fill_joint_settings(Model& model) const {
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    const JointSettings& s = joints_[j].settings;
    const bool ball = joints_[j].type == JointType::kBall;
    model.joint_limited[j] = std::isfinite(s.upper) || (!ball && std::isfinite(s.lower)) ? 1 : 0;
    model.joint_lower[j] = ball ? 0 : s.lower;
    model.joint_upper[j] = s.upper;
    model.joint_stiffness[j] = s.stiffness;
    const auto dof = static_cast<std::size_t>(model.joint_dof[j]);
    const auto dofs = static_cast<std::size_t>(detail::dof_count(joints_[j].type));
    if (dofs == 1) model.q_spring[static_cast<std::size_t>(model.joint_q[j])] = s.spring_reference;
    for (std::size_t d = dof; d < dof + dofs; ++d) {
      model.dof_damping[d] = s.damping;
      model.dof_friction[d] = s.friction;
      model.dof_armature[d] = s.armature;
    }
  }
}

void Builder::fill_mechanism(Model& model) const {
  for (std::size_t s = 0; s < sites_.size(); ++s) {
    model.site_name[s] = sites_[s].name;
    model.site_body[s] = sites_[s].body;
    model.site_pose[s] = sites_[s].pose;
    model.site_type[s] = ShapeType::kSphere;
    model.site_size[s] = {0.005, 0, 0};
  }
  for (std::size_t e = 0; e < equalities_.size(); ++e) {
    const Equality& equality = equalities_[e];
    model.equality_name[e] = equality.name;
    model.equality_type[e] = equality.type;
    model.equality_active[e] = 1;
    model.equality_a[e] = equality.a;
    model.equality_b[e] = equality.b;
    model.equality_frame_a[e] = equality.frame_a;
    model.equality_frame_b[e] = equality.frame_b;
    model.equality_polynomial[e] = equality.polynomial;
  }
  detail::fill_names("site", model.site_name);
  detail::fill_names("equality", model.equality_name);
  fill_tendons(model);
  fill_actuators(model);
  fill_sensors(model);
}

void Builder::fill_tendons(Model& model) const {
  model.nwrap = 0;
  for (const Tendon& tendon : tendons_) model.nwrap += static_cast<int>(tendon.path.size());
  model.resize();
  std::size_t w = 0;
  for (std::size_t t = 0; t < tendons_.size(); ++t) {
    const TendonSettings& s = tendons_[t].settings;
    model.tendon_name[t] = s.name;
    model.tendon_type[t] = tendons_[t].type;
    model.tendon_wrap[t] = static_cast<int>(w);
    model.tendon_limited[t] = std::isfinite(s.lower) || std::isfinite(s.upper) ? 1 : 0;
    model.tendon_lower[t] = s.lower;
    model.tendon_upper[t] = s.upper;
    model.tendon_stiffness[t] = s.stiffness;
    model.tendon_damping[t] = s.damping;
    model.tendon_friction[t] = s.friction;
    model.tendon_spring_lower[t] = s.spring_lower;
    model.tendon_spring_upper[t] = s.spring_upper;
    for (const PathObject& object : tendons_[t].path) {
      model.wrap_type[w] = object.type;
      model.wrap_object[w] = object.object;
      model.wrap_side_site[w] = object.side_site;
      model.wrap_parameter[w++] = object.divisor;
    }
  }
  model.tendon_wrap.back() = model.nwrap;
  detail::fill_names("tendon", model.tendon_name);
}

void Builder::fill_actuators(Model& model) const {
  model.nprofile = model.nactivation = 0;
  for (const Actuator& actuator : actuators_) {
    model.nprofile += static_cast<int>(actuator.samples.size());
    model.nactivation += actuator.phase ? 1 : 0;
  }
  model.resize();
  int sample = 0, activation = 0;
  for (std::size_t a = 0; a < actuators_.size(); ++a) {
    const ActuatorSettings& s = actuators_[a].settings;
    model.actuator_name[a] = s.name;
    model.actuator_target[a] = actuators_[a].target;
    model.actuator_target_index[a] = actuators_[a].index;
    model.actuator_second_site[a] = -1;
    model.actuator_gear[a].linear.x = s.gear;
    model.actuator_activation[a] = actuators_[a].phase ? activation : -1;
    if (actuators_[a].phase) {
      model.actuator_dynamics[a] = ActuatorDynamics::kPhase;
      model.actuator_activation_count[a] = 1;
      model.actuator_profile[a] = sample;
      model.actuator_profile_count[a] = static_cast<int>(actuators_[a].samples.size());
      model.actuator_profile_advance[a] = actuators_[a].advance;
      std::copy(actuators_[a].samples.begin(), actuators_[a].samples.end(), model.profile_value.begin() + sample);
      sample += model.actuator_profile_count[a];
      ++activation;
    }
    model.actuator_gain_parameters[a][0] = actuators_[a].gain;
    model.actuator_bias[a] = ActuatorBias::kAffine;
    model.actuator_bias_parameters[a] = actuators_[a].bias;
    model.actuator_control_limited[a] = std::isfinite(s.control_lower) || std::isfinite(s.control_upper) ? 1 : 0;
    model.actuator_control_lower[a] = s.control_lower;
    model.actuator_control_upper[a] = s.control_upper;
    model.actuator_force_limited[a] = std::isfinite(s.force_lower) || std::isfinite(s.force_upper) ? 1 : 0;
    model.actuator_force_lower[a] = s.force_lower;
    model.actuator_force_upper[a] = s.force_upper;
  }
  detail::fill_names("actuator", model.actuator_name);
}

void Builder::fill_sensors(Model& model) const {
  model.nsensordata = 0;
  for (std::size_t s = 0; s < sensors_.size(); ++s) {
    model.sensor_name[s] = sensors_[s].name;
    model.sensor_type[s] = sensors_[s].type;
    model.sensor_object_kind[s] = sensors_[s].kind;
    model.sensor_object[s] = sensors_[s].object;
    model.sensor_reference[s] = -1;
    model.sensor_data[s] = model.nsensordata;
    model.nsensordata += sensor_size(sensors_[s].type);
  }
  model.sensor_data.back() = model.nsensordata;
  detail::fill_names("sensor", model.sensor_name);
}

}  // namespace stiction
