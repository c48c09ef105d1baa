// Look-ups by name. The arrays themselves are declared in the table of model.hpp, checked in check.cpp.
#include <stiction/model.hpp>

#include "model/names.hpp"

namespace stiction {

int sensor_size(SensorType type) {
  switch (type) {
    case SensorType::kBallOrientation:
    case SensorType::kFrameOrientation:
      return 4;
    case SensorType::kBallAngularVelocity:
    case SensorType::kFramePosition:
    case SensorType::kFrameXAxis:
    case SensorType::kFrameYAxis:
    case SensorType::kFrameZAxis:
    case SensorType::kFrameLinearVelocity:
    case SensorType::kFrameAngularVelocity:
    case SensorType::kFrameLinearAcceleration:
    case SensorType::kFrameAngularAcceleration:
    case SensorType::kVelocimeter:
    case SensorType::kGyro:
    case SensorType::kAccelerometer:
    case SensorType::kForce:
    case SensorType::kTorque:
    case SensorType::kSubtreeCentreOfMass:
    case SensorType::kSubtreeLinearVelocity:
    case SensorType::kSubtreeAngularMomentum:
      return 3;
    default:
      return 1;
  }
}

int Model::body(const std::string& wanted) const {
  return detail::find_name("body", wanted, body_name, name);
}
int Model::joint(const std::string& wanted) const {
  return detail::find_name("joint", wanted, joint_name, name);
}
int Model::shape(const std::string& wanted) const {
  return detail::find_name("shape", wanted, shape_name, name);
}
int Model::site(const std::string& wanted) const {
  return detail::find_name("site", wanted, site_name, name);
}
int Model::equality(const std::string& wanted) const {
  return detail::find_name("equality", wanted, equality_name, name);
}
int Model::tendon(const std::string& wanted) const {
  return detail::find_name("tendon", wanted, tendon_name, name);
}
int Model::sensor(const std::string& wanted) const {
  return detail::find_name("sensor", wanted, sensor_name, name);
}
int Model::actuator(const std::string& wanted) const {
  return detail::find_name("actuator", wanted, actuator_name, name);
}
int Model::key(const std::string& wanted) const {
  return detail::find_name("keyframe", wanted, key_name, name);
}

}  // namespace stiction
