// Sensors of the compiled model. Those that Stiction does not evaluate (cameras, rangefinders, distances …) are left
// out of the Model; report_issues names them.
#include "io/load_parts.hpp"

namespace stiction::detail {

namespace {

struct SensorKind {
  mjtSensor theirs;
  SensorType ours;
};

constexpr SensorKind kSensorKinds[] = {
    {mjSENS_JOINTPOS, SensorType::kJointPosition},
    {mjSENS_JOINTVEL, SensorType::kJointVelocity},
    {mjSENS_TENDONPOS, SensorType::kTendonLength},
    {mjSENS_TENDONVEL, SensorType::kTendonVelocity},
    {mjSENS_ACTUATORPOS, SensorType::kActuatorLength},
    {mjSENS_ACTUATORVEL, SensorType::kActuatorVelocity},
    {mjSENS_ACTUATORFRC, SensorType::kActuatorForce},
    {mjSENS_JOINTACTFRC, SensorType::kJointActuatorForce},
    {mjSENS_TENDONACTFRC, SensorType::kTendonActuatorForce},
    {mjSENS_BALLQUAT, SensorType::kBallOrientation},
    {mjSENS_BALLANGVEL, SensorType::kBallAngularVelocity},
    {mjSENS_FRAMEPOS, SensorType::kFramePosition},
    {mjSENS_FRAMEQUAT, SensorType::kFrameOrientation},
    {mjSENS_FRAMEXAXIS, SensorType::kFrameXAxis},
    {mjSENS_FRAMEYAXIS, SensorType::kFrameYAxis},
    {mjSENS_FRAMEZAXIS, SensorType::kFrameZAxis},
    {mjSENS_FRAMELINVEL, SensorType::kFrameLinearVelocity},
    {mjSENS_FRAMEANGVEL, SensorType::kFrameAngularVelocity},
    {mjSENS_FRAMELINACC, SensorType::kFrameLinearAcceleration},
    {mjSENS_FRAMEANGACC, SensorType::kFrameAngularAcceleration},
    {mjSENS_VELOCIMETER, SensorType::kVelocimeter},
    {mjSENS_GYRO, SensorType::kGyro},
    {mjSENS_ACCELEROMETER, SensorType::kAccelerometer},
    {mjSENS_TOUCH, SensorType::kTouch},
    {mjSENS_FORCE, SensorType::kForce},
    {mjSENS_TORQUE, SensorType::kTorque},
    {mjSENS_SUBTREECOM, SensorType::kSubtreeCentreOfMass},
    {mjSENS_SUBTREELINVEL, SensorType::kSubtreeLinearVelocity},
    {mjSENS_SUBTREEANGMOM, SensorType::kSubtreeAngularMomentum},
    {mjSENS_E_POTENTIAL, SensorType::kPotentialEnergy},
    {mjSENS_E_KINETIC, SensorType::kKineticEnergy},
    {mjSENS_CLOCK, SensorType::kClock},
};

const SensorKind* find_kind(int type) {
  for (const SensorKind& kind : kSensorKinds)
    if (kind.theirs == type) return &kind;
  return nullptr;
}

// What a sensor looks at or measures in; false for cameras.
bool object_kind(int type, SensorObject& kind) {
  switch (type) {
    case mjOBJ_UNKNOWN:
      kind = SensorObject::kNone;
      return true;
    case mjOBJ_BODY:
      kind = SensorObject::kBodyInertial;
      return true;
    case mjOBJ_XBODY:
      kind = SensorObject::kBody;
      return true;
    case mjOBJ_GEOM:
      kind = SensorObject::kShape;
      return true;
    case mjOBJ_SITE:
      kind = SensorObject::kSite;
      return true;
    case mjOBJ_JOINT:
      kind = SensorObject::kJoint;
      return true;
    case mjOBJ_TENDON:
      kind = SensorObject::kTendon;
      return true;
    case mjOBJ_ACTUATOR:
      kind = SensorObject::kActuator;
      return true;
    default:
      return false;
  }
}

}  // namespace

bool sensor_is_held(const mjModel& m, int sensor) {
  SensorObject kind;
  return find_kind(m.sensor_type[sensor]) != nullptr && object_kind(m.sensor_objtype[sensor], kind) &&
         object_kind(m.sensor_reftype[sensor], kind) && m.sensor_delay[sensor] == 0 &&
         m.sensor_interval[2 * sensor] == 0;
}

void fill_sensors(const mjModel& m, Model& model) {
  model.nsensor = model.nsensordata = 0;
  for (int s = 0; s < static_cast<int>(m.nsensor); ++s)
    if (sensor_is_held(m, s)) ++model.nsensor;
  model.resize();
  std::size_t out = 0;
  for (int s = 0; s < static_cast<int>(m.nsensor); ++s) {
    if (!sensor_is_held(m, s)) continue;
    const char* name = mj_id2name(&m, mjOBJ_SENSOR, s);
    model.sensor_name[out] = name ? name : "";
    model.sensor_type[out] = find_kind(m.sensor_type[s])->ours;
    object_kind(m.sensor_objtype[s], model.sensor_object_kind[out]);
    model.sensor_object[out] = m.sensor_objid[s];
    object_kind(m.sensor_reftype[s], model.sensor_reference_kind[out]);
    model.sensor_reference[out] = m.sensor_refid[s];
    model.sensor_data[out] = model.nsensordata;
    model.sensor_cutoff[out] = m.sensor_cutoff[s];
    model.nsensordata += m.sensor_dim[s];
    ++out;
  }
  model.sensor_data[out] = model.nsensordata;
}

}  // namespace stiction::detail
