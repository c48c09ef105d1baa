#include "model/check_mechanism.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

#include <fmt/format.h>

namespace stiction::detail {

namespace {

using Names = std::vector<std::string>;

constexpr double kLargestJump = 4;  // of a periodic profile from its last sample to its first, of its other steps

class Checker {
 public:
  explicit Checker(const Model& model) : m_(model) {}

  void bodies() const;
  void joints() const;
  void sites() const;
  void equalities() const;
  void tendons() const;
  void actuators() const;
  void sensors() const;

 private:
  void require(bool holds, const std::string& element, const std::string& problem) const {
    if (!holds) throw Error(fmt::format("model '{}', {}: {}", m_.name, element, problem));
  }
  // The element refers to entry `index` of the named things of a kind.
  void require_index(int index, std::string_view kind, const Names& names, const std::string& element) const {
    require(index >= 0 && index < static_cast<int>(names.size()), element,
            fmt::format("it refers to {} {}, but there are {} of them (0 to {})", kind, index, names.size(),
                        static_cast<int>(names.size()) - 1));
  }
  void require_range(int limited, double lower, double upper, std::string_view what, const std::string& element) const {
    require(limited == 0 || lower <= upper, element,
            fmt::format("the lower bound {} of its {} is above the upper bound {}: exchange them", lower, what, upper));
  }
  void require_unit(const Quat& q, const std::string& element) const {
    const double square = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
    require(std::abs(square - 1) < 1e-6, element,
            fmt::format("a quaternion of it must have length 1, it has {}", std::sqrt(square)));
  }
  bool scalar_joint(int joint) const {
    const JointType type = m_.joint_type[std::size_t(joint)];
    return type == JointType::kSlide || type == JointType::kHinge;
  }
  void path(std::size_t tendon, const std::string& element) const;
  void target(std::size_t actuator, const std::string& element) const;
  void activation(std::size_t actuator, const std::string& element) const;
  void profile(std::size_t actuator, const std::string& element) const;
  void sensed(SensorObject kind, int index, const std::string& element) const;

  const Model& m_;
};

void Checker::bodies() const {
  std::vector<int> used(std::size_t(m_.nmocap), 0);
  for (std::size_t b = 0; b < std::size_t(m_.nbody); ++b) {
    const int row = m_.body_mocap[b];
    if (row < 0) continue;
    const std::string element = fmt::format("body '{}'", m_.body_name[b]);
    require(row < m_.nmocap && used[std::size_t(row)]++ == 0, element, fmt::format("{} is no row of its own", row));
    require(m_.body_parent[b] == 0 && m_.body_joint_count[b] == 0, element,
            "a body moved by motion capture is a child of the world and has no joints");
  }
  require(std::all_of(used.begin(), used.end(), [](int count) { return count == 1; }), "nmocap",
          "there are more rows than bodies moved by motion capture");
}

void Checker::joints() const {
  for (std::size_t j = 0; j < std::size_t(m_.njoint); ++j) {
    const std::string element = fmt::format("joint '{}'", m_.joint_name[j]);
    require_range(m_.joint_limited[j], m_.joint_lower[j], m_.joint_upper[j], "range", element);
    require_range(m_.joint_force_limited[j], m_.joint_force_lower[j], m_.joint_force_upper[j], "actuator force range",
                  element);
    require(m_.joint_stiffness[j] >= 0, element,
            fmt::format("stiffness must not be negative, it is {}", m_.joint_stiffness[j]));
    require(m_.joint_limited[j] == 0 || m_.joint_type[j] != JointType::kFree, element, "a free joint has no limits");
  }
  for (std::size_t d = 0; d < std::size_t(m_.nv); ++d) {
    const std::string element = fmt::format("joint '{}'", m_.joint_name[std::size_t(m_.dof_joint[d])]);
    require(m_.dof_damping[d] >= 0, element, fmt::format("damping must not be negative, it is {}", m_.dof_damping[d]));
    require(m_.dof_friction[d] >= 0, element,
            fmt::format("friction must not be negative, it is {}", m_.dof_friction[d]));
    require(m_.dof_armature[d] >= 0, element,
            fmt::format("armature must not be negative, it is {}", m_.dof_armature[d]));
  }
}

void Checker::sites() const {
  for (std::size_t s = 0; s < std::size_t(m_.nsite); ++s) {
    const std::string element = fmt::format("site '{}'", m_.site_name[s]);
    require_index(m_.site_body[s], "body", m_.body_name, element);
    require_unit(m_.site_pose[s].q, element);
  }
}

void Checker::equalities() const {
  for (std::size_t e = 0; e < std::size_t(m_.nequality); ++e) {
    const std::string element = fmt::format("equality '{}'", m_.equality_name[e]);
    const int a = m_.equality_a[e], b = m_.equality_b[e];
    switch (m_.equality_type[e]) {
      case EqualityType::kConnect:
      case EqualityType::kWeld:
        require_index(a, "body", m_.body_name, element);
        require_index(b, "body", m_.body_name, element);
        require_unit(m_.equality_frame_a[e].q, element);
        require_unit(m_.equality_frame_b[e].q, element);
        break;
      case EqualityType::kJoint:
        for (const int joint : {a, b}) {
          if (joint == -1 && joint == b) continue;
          require_index(joint, "joint", m_.joint_name, element);
          require(scalar_joint(joint), element,
                  fmt::format("joint '{}' has no single position: only hinges and slides can be coupled",
                              m_.joint_name[std::size_t(joint)]));
        }
        break;
      case EqualityType::kTendon:
        require_index(a, "tendon", m_.tendon_name, element);
        if (b != -1) require_index(b, "tendon", m_.tendon_name, element);
        break;
      default:
        require(false, element, fmt::format("{} is no kind of equality", int(m_.equality_type[e])));
    }
  }
}

// A spatial tendon runs from site to site; each sphere or cylinder stands between two sites, and a pulley begins a new
// branch. A fixed tendon has joints only.
void Checker::path(std::size_t t, const std::string& element) const {
  const int first = m_.tendon_wrap[t], last = m_.tendon_wrap[t + 1];
  require(first >= 0 && first < last && last <= m_.nwrap, element, "it has no path");
  const auto type_at = [&](int w) { return w < first || w >= last ? WrapType::kPulley : m_.wrap_type[std::size_t(w)]; };
  for (int w = first; w < last; ++w) {
    const std::size_t i = std::size_t(w);
    const bool joint = m_.wrap_type[i] == WrapType::kJoint;
    require(joint == (m_.tendon_type[t] == TendonType::kFixed), element,
            "a fixed tendon couples joints, a spatial tendon runs through sites, around shapes and over pulleys");
    switch (m_.wrap_type[i]) {
      case WrapType::kJoint:
        require_index(m_.wrap_object[i], "joint", m_.joint_name, element);
        require(scalar_joint(m_.wrap_object[i]), element,
                fmt::format("joint '{}' has no single position: only hinges and slides can be coupled",
                            m_.joint_name[std::size_t(m_.wrap_object[i])]));
        break;
      case WrapType::kPulley:
        require(m_.wrap_parameter[i] > 0, element, "the divisor of a pulley must be greater than 0");
        break;
      case WrapType::kSite:
        require_index(m_.wrap_object[i], "site", m_.site_name, element);
        require(type_at(w - 1) != WrapType::kPulley || type_at(w + 1) != WrapType::kPulley, element,
                "a branch needs two sites at least");
        break;
      case WrapType::kSphere:
      case WrapType::kCylinder: {
        require_index(m_.wrap_object[i], "shape", m_.shape_name, element);
        const ShapeType wanted = m_.wrap_type[i] == WrapType::kSphere ? ShapeType::kSphere : ShapeType::kCylinder;
        require(m_.shape_type[std::size_t(m_.wrap_object[i])] == wanted, element,
                "a tendon wraps around spheres and cylinders only");
        require(type_at(w - 1) == WrapType::kSite && type_at(w + 1) == WrapType::kSite, element,
                "a sphere or cylinder stands between two sites of the path");
        if (m_.wrap_side_site[i] != -1) require_index(m_.wrap_side_site[i], "site", m_.site_name, element);
        break;
      }
      default:
        require(false, element, fmt::format("{} is no kind of path object", int(m_.wrap_type[i])));
    }
  }
}

void Checker::tendons() const {
  for (std::size_t t = 0; t < std::size_t(m_.ntendon); ++t) {
    const std::string element = fmt::format("tendon '{}'", m_.tendon_name[t]);
    path(t, element);
    require_range(m_.tendon_limited[t], m_.tendon_lower[t], m_.tendon_upper[t], "range", element);
    require_range(m_.tendon_force_limited[t], m_.tendon_force_lower[t], m_.tendon_force_upper[t],
                  "actuator force range", element);
    require_range(1, m_.tendon_spring_lower[t], m_.tendon_spring_upper[t], "spring length", element);
    require(m_.tendon_stiffness[t] >= 0 && m_.tendon_damping[t] >= 0 && m_.tendon_friction[t] >= 0 &&
                m_.tendon_armature[t] >= 0,
            element, "stiffness, damping, friction and armature must not be negative");
  }
  require(m_.tendon_wrap[std::size_t(m_.ntendon)] == m_.nwrap, "tendon_wrap", "its last entry must be nwrap");
}

void Checker::target(std::size_t a, const std::string& element) const {
  const int index = m_.actuator_target_index[a], second = m_.actuator_second_site[a];
  switch (m_.actuator_target[a]) {
    case ActuatorTarget::kJoint:
    case ActuatorTarget::kJointInParent:
      return require_index(index, "joint", m_.joint_name, element);
    case ActuatorTarget::kTendon:
      return require_index(index, "tendon", m_.tendon_name, element);
    case ActuatorTarget::kBody:
      return require_index(index, "body", m_.body_name, element);
    case ActuatorTarget::kSite:
      require_index(index, "site", m_.site_name, element);
      if (second != -1) require_index(second, "site", m_.site_name, element);
      return;
    case ActuatorTarget::kSliderCrank:
      require_index(index, "site", m_.site_name, element);
      require_index(second, "site", m_.site_name, element);
      return require(m_.actuator_crank_length[a] > 0, element, "the rod of a slider-crank needs a length above 0 m");
  }
  require(false, element, fmt::format("{} is no kind of target", int(m_.actuator_target[a])));
}

void Checker::activation(std::size_t a, const std::string& element) const {
  const int first = m_.actuator_activation[a], count = m_.actuator_activation_count[a];
  const ActuatorDynamics dynamics = m_.actuator_dynamics[a];
  if (dynamics == ActuatorDynamics::kNone || dynamics == ActuatorDynamics::kUser) return;
  require(first >= 0 && count >= 1 && first + count <= m_.nactivation, element,
          "it has activation dynamics but no activation variable");
  const bool filter = dynamics == ActuatorDynamics::kFilter || dynamics == ActuatorDynamics::kFilterExact;
  require(!filter || m_.actuator_dynamics_parameters[a][0] >= 0, element,
          fmt::format("the time constant must not be negative, it is {} s", m_.actuator_dynamics_parameters[a][0]));
}

void Checker::profile(std::size_t a, const std::string& element) const {
  if (m_.actuator_dynamics[a] != ActuatorDynamics::kPhase) return;
  const int first = m_.actuator_profile[a], count = m_.actuator_profile_count[a];
  require(count == 0 || (count >= 3 && first >= 0 && first + count <= m_.nprofile), element,
          fmt::format("the profile of its phase needs 3 samples or more in profile_value, or none; it has {}", count));
  double jump = 0, largest = 0;  // from the last sample to the first, and of all others [m or rad]
  for (int k = 0; k < count; ++k) {
    const auto value = [&](int i) { return m_.profile_value[std::size_t(first + i)]; };
    const double step = std::abs(value((k + 1) % count) - value(k));
    (k + 1 == count ? jump : largest) = std::max(k + 1 == count ? jump : largest, step);
  }
  require(!(jump > kLargestJump * largest), element,
          fmt::format(
              "the profile of its phase is not periodic: it jumps by {} from the last sample to the first, elsewhere "
              "by at most {}: give what it gains in a turn as the advance, and samples without it",
              jump, largest));
  require(m_.actuator_target[a] == ActuatorTarget::kJoint && scalar_joint(m_.actuator_target_index[a]), element,
          "a phase motor turns a hinge or moves a slide: a crank needs a pin about which it turns");
  require(m_.actuator_gain[a] == ActuatorGain::kFixed && m_.actuator_gain_parameters[a][0] == 1 &&
              m_.actuator_bias[a] == ActuatorBias::kAffine,
          element, "a phase motor has the gain 1 and its stiffness and damping in the affine bias (0, −k_p, −k_d)");
  const Parameters& bias = m_.actuator_bias_parameters[a];
  require(
      bias[1] <= 0 && bias[2] <= 0 && bias[1] + bias[2] < 0, element,
      fmt::format("stiffness and damping of a phase motor must not be negative, and one above 0; they are {} and {}",
                  -bias[1], -bias[2]));
}

void Checker::actuators() const {
  for (std::size_t a = 0; a < std::size_t(m_.nactuator); ++a) {
    const std::string element = fmt::format("actuator '{}'", m_.actuator_name[a]);
    target(a, element);
    activation(a, element);
    profile(a, element);
    require_range(m_.actuator_control_limited[a], m_.actuator_control_lower[a], m_.actuator_control_upper[a],
                  "control range", element);
    require_range(m_.actuator_force_limited[a], m_.actuator_force_lower[a], m_.actuator_force_upper[a], "force range",
                  element);
    require_range(m_.actuator_activation_limited[a], m_.actuator_activation_lower[a], m_.actuator_activation_upper[a],
                  "activation range", element);
  }
}

void Checker::sensed(SensorObject kind, int index, const std::string& element) const {
  switch (kind) {
    case SensorObject::kNone:
      return;
    case SensorObject::kBodyInertial:
    case SensorObject::kBody:
      return require_index(index, "body", m_.body_name, element);
    case SensorObject::kShape:
      return require_index(index, "shape", m_.shape_name, element);
    case SensorObject::kSite:
      return require_index(index, "site", m_.site_name, element);
    case SensorObject::kJoint:
      return require_index(index, "joint", m_.joint_name, element);
    case SensorObject::kTendon:
      return require_index(index, "tendon", m_.tendon_name, element);
    case SensorObject::kActuator:
      return require_index(index, "actuator", m_.actuator_name, element);
  }
  require(false, element, fmt::format("{} is nothing that can be sensed", int(kind)));
}

// What a kind of sensor can look at.
bool can_sense(SensorType type, SensorObject kind) {
  if (type <= SensorType::kJointVelocity || type == SensorType::kJointActuatorForce ||
      type == SensorType::kBallOrientation || type == SensorType::kBallAngularVelocity)
    return kind == SensorObject::kJoint;
  if (type <= SensorType::kTendonVelocity || type == SensorType::kTendonActuatorForce)
    return kind == SensorObject::kTendon;
  if (type <= SensorType::kActuatorForce) return kind == SensorObject::kActuator;
  if (type <= SensorType::kFrameAngularAcceleration)
    return kind >= SensorObject::kBodyInertial && kind <= SensorObject::kSite;
  if (type <= SensorType::kTorque) return kind == SensorObject::kSite;
  if (type <= SensorType::kSubtreeAngularMomentum)
    return kind == SensorObject::kBody || kind == SensorObject::kBodyInertial;
  return true;
}

void Checker::sensors() const {
  for (std::size_t s = 0; s < std::size_t(m_.nsensor); ++s) {
    const std::string element = fmt::format("sensor '{}'", m_.sensor_name[s]);
    const SensorType type = m_.sensor_type[s];
    require(type >= SensorType::kJointPosition && type <= SensorType::kClock, element,
            fmt::format("{} is no kind of sensor", int(type)));
    require(can_sense(type, m_.sensor_object_kind[s]), element,
            fmt::format("a sensor of the kind {} cannot look at what has the kind {}", int(type),
                        int(m_.sensor_object_kind[s])));
    sensed(m_.sensor_object_kind[s], m_.sensor_object[s], element);
    sensed(m_.sensor_reference_kind[s], m_.sensor_reference[s], element);
    require(m_.sensor_data[s] >= 0 && m_.sensor_data[s + 1] - m_.sensor_data[s] == sensor_size(type) &&
                m_.sensor_data[s + 1] <= m_.nsensordata,
            element, fmt::format("it has {} numbers, not those that sensor_data gives it", sensor_size(type)));
  }
}

}  // namespace

void check_mechanism(const Model& model) {
  const Checker checker(model);
  checker.bodies();
  checker.joints();
  checker.sites();
  checker.equalities();
  checker.tendons();
  checker.actuators();
  checker.sensors();
}

}  // namespace stiction::detail
