// The part of the builder that moves, couples and measures bodies: joints' settings, sites, loops, tendons, actuators,
// sensors.
#include <stiction/builder.hpp>

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "fields.hpp"
#include "module.hpp"

namespace stiction::python {
namespace {

void bind_enums(nb::module_& module) {
  nb::enum_<ActuatorTarget>(module, "ActuatorTarget", nb::is_arithmetic(), "What an actuator moves.")
      .value("joint", ActuatorTarget::kJoint)
      .value("tendon", ActuatorTarget::kTendon);
  nb::enum_<WrapType>(module, "WrapType", nb::is_arithmetic(), "An object on the path of a tendon.")
      .value("pulley", WrapType::kPulley)
      .value("site", WrapType::kSite)
      .value("sphere", WrapType::kSphere)
      .value("cylinder", WrapType::kCylinder);
  nb::enum_<SensorObject>(module, "SensorObject", nb::is_arithmetic(), "What a sensor looks at.")
      .value("none", SensorObject::kNone)
      .value("body_inertial", SensorObject::kBodyInertial)
      .value("body", SensorObject::kBody)
      .value("shape", SensorObject::kShape)
      .value("site", SensorObject::kSite)
      .value("joint", SensorObject::kJoint)
      .value("tendon", SensorObject::kTendon)
      .value("actuator", SensorObject::kActuator);
  nb::enum_<SensorType>(module, "SensorType", nb::is_arithmetic(), "What a sensor measures.")
      .value("joint_position", SensorType::kJointPosition)
      .value("joint_velocity", SensorType::kJointVelocity)
      .value("tendon_length", SensorType::kTendonLength)
      .value("tendon_velocity", SensorType::kTendonVelocity)
      .value("actuator_length", SensorType::kActuatorLength)
      .value("actuator_velocity", SensorType::kActuatorVelocity)
      .value("actuator_force", SensorType::kActuatorForce)
      .value("joint_actuator_force", SensorType::kJointActuatorForce)
      .value("tendon_actuator_force", SensorType::kTendonActuatorForce)
      .value("ball_orientation", SensorType::kBallOrientation)
      .value("ball_angular_velocity", SensorType::kBallAngularVelocity)
      .value("frame_position", SensorType::kFramePosition)
      .value("frame_orientation", SensorType::kFrameOrientation)
      .value("frame_x_axis", SensorType::kFrameXAxis)
      .value("frame_y_axis", SensorType::kFrameYAxis)
      .value("frame_z_axis", SensorType::kFrameZAxis)
      .value("frame_linear_velocity", SensorType::kFrameLinearVelocity)
      .value("frame_angular_velocity", SensorType::kFrameAngularVelocity)
      .value("frame_linear_acceleration", SensorType::kFrameLinearAcceleration)
      .value("frame_angular_acceleration", SensorType::kFrameAngularAcceleration)
      .value("velocimeter", SensorType::kVelocimeter)
      .value("gyro", SensorType::kGyro)
      .value("accelerometer", SensorType::kAccelerometer)
      .value("touch", SensorType::kTouch)
      .value("force", SensorType::kForce)
      .value("torque", SensorType::kTorque)
      .value("subtree_centre_of_mass", SensorType::kSubtreeCentreOfMass)
      .value("subtree_linear_velocity", SensorType::kSubtreeLinearVelocity)
      .value("subtree_angular_momentum", SensorType::kSubtreeAngularMomentum)
      .value("potential_energy", SensorType::kPotentialEnergy)
      .value("kinetic_energy", SensorType::kKineticEnergy)
      .value("clock", SensorType::kClock);
}

void bind_joints(nb::class_<Builder>& bound) {
  const JointSettings defaults;
  bound.def(
      "set_joint",
      [](Builder& self, int joint, double lower, double upper, double stiffness, double spring_reference,
         double damping, double friction, double armature) {
        self.set_joint(joint, {lower, upper, stiffness, spring_reference, damping, friction, armature});
      },
      nb::arg("joint"), nb::kw_only(), nb::arg("lower") = defaults.lower, nb::arg("upper") = defaults.upper,
      nb::arg("stiffness") = defaults.stiffness, nb::arg("spring_reference") = defaults.spring_reference,
      nb::arg("damping") = defaults.damping, nb::arg("friction") = defaults.friction,
      nb::arg("armature") = defaults.armature,
      "Range, spring, viscous damping, dry friction and armature of a joint; bounds hold where they are finite.");
  bound.def(
      "add_joint_universal",
      [](Builder& self, int body, const ArrayLike& first_axis, const ArrayLike& second_axis, const ArrayLike& anchor,
         const std::string& name) {
        return self.add_joint_universal(body, to_vec3(first_axis, "first_axis"), to_vec3(second_axis, "second_axis"),
                                        to_vec3(anchor, "anchor"), name);
      },
      nb::arg("body"), nb::arg("first_axis"), nb::arg("second_axis"), nb::arg("anchor") = nb::make_tuple(0, 0, 0),
      nb::arg("name") = "", "Two hinges NAME_1 and NAME_2 through one anchor; returns the first.");
  bound.def(
      "add_joint_planar",
      [](Builder& self, int body, const ArrayLike& x_axis, const ArrayLike& y_axis, const ArrayLike& anchor,
         const std::string& name) {
        return self.add_joint_planar(body, to_vec3(x_axis, "x_axis"), to_vec3(y_axis, "y_axis"),
                                     to_vec3(anchor, "anchor"), name);
      },
      nb::arg("body"), nb::arg("x_axis"), nb::arg("y_axis"), nb::arg("anchor") = nb::make_tuple(0, 0, 0),
      nb::arg("name") = "", "Slides NAME_x and NAME_y and a hinge NAME_turn normal to both; returns the first.");
  bound.def("set_mocap", &Builder::set_mocap, nb::arg("body"), "The body is posed by Control.mocap_pose.");
  bound.def(
      "add_site",
      [](Builder& self, int body, const ArrayLike& position, const ArrayLike& quaternion, const std::string& name) {
        return self.add_site(body, {to_vec3(position, "position"), to_quat(quaternion, "quaternion")}, name);
      },
      nb::arg("body"), nb::arg("position") = nb::make_tuple(0, 0, 0),
      nb::arg("quaternion") = nb::make_tuple(1, 0, 0, 0), nb::arg("name") = "", "A frame fixed to a body.");
}

Polynomial to_polynomial(const std::vector<double>& coefficients) {
  Polynomial out{};
  if (coefficients.size() > out.size())
    throw Error("a polynomial has at most " + std::to_string(out.size()) + " terms");
  std::copy(coefficients.begin(), coefficients.end(), out.begin());
  return out;
}

void bind_loops(nb::class_<Builder>& bound) {
  bound.def(
      "add_equality_connect",
      [](Builder& self, int body_a, int body_b, const ArrayLike& anchor, const std::string& name) {
        return self.add_equality_connect(body_a, body_b, to_vec3(anchor, "anchor"), name);
      },
      nb::arg("body_a"), nb::arg("body_b"), nb::arg("anchor"), nb::arg("name") = "",
      "The point `anchor` of body a stays on the point of body b that it meets in the reference configuration.");
  bound.def("add_equality_weld", &Builder::add_equality_weld, nb::arg("body_a"), nb::arg("body_b"),
            nb::arg("name") = "", "The bodies keep the pose to each other of the reference configuration.");
  bound.def(
      "add_equality_joint",
      [](Builder& self, int joint_a, int joint_b, const std::vector<double>& polynomial, const std::string& name) {
        return self.add_equality_joint(joint_a, joint_b, to_polynomial(polynomial), name);
      },
      nb::arg("joint_a"), nb::arg("joint_b"), nb::arg("polynomial"), nb::arg("name") = "",
      "Position of joint a = c0 + c1 x + c2 x² + …, x that of joint b (-1: constant), both from their references.");
}

#define STICTION_TENDON_PARAMETERS                                                                            \
  const std::string &name, double lower, double upper, double stiffness, double damping, double spring_lower, \
      double spring_upper, double friction
#define STICTION_TENDON_ARGUMENTS                                                                                  \
  nb::kw_only(), nb::arg("name") = "", nb::arg("lower") = defaults.lower, nb::arg("upper") = defaults.upper,       \
                 nb::arg("stiffness") = defaults.stiffness, nb::arg("damping") = defaults.damping,                 \
                 nb::arg("spring_lower") = defaults.spring_lower, nb::arg("spring_upper") = defaults.spring_upper, \
                 nb::arg("friction") = defaults.friction
#define STICTION_TENDON_VALUES                                                   \
  TendonSettings {                                                               \
    name, lower, upper, stiffness, damping, spring_lower, spring_upper, friction \
  }

void bind_tendons(nb::module_& module, nb::class_<Builder>& bound) {
  const TendonSettings defaults;
  nb::class_<PathObject>(module, "PathObject", "One object on the path of a spatial tendon.")
      .def(
          "__init__",
          [](PathObject* self, WrapType type, int object, int side_site, double divisor) {
            new (self) PathObject{type, object, side_site, divisor};
          },
          nb::arg("type"), nb::arg("object") = -1, nb::arg("side_site") = -1, nb::arg("divisor") = 1.0);
  bound.def(
      "add_tendon_fixed",
      [](Builder& self, const std::vector<std::pair<int, double>>& joints, STICTION_TENDON_PARAMETERS) {
        return self.add_tendon_fixed(joints, STICTION_TENDON_VALUES);
      },
      nb::arg("joints"), STICTION_TENDON_ARGUMENTS, "Length = Σ coefficient · position over (joint, coefficient).");
  bound.def(
      "add_tendon_spatial",
      [](Builder& self, const std::vector<PathObject>& path, STICTION_TENDON_PARAMETERS) {
        return self.add_tendon_spatial(path, STICTION_TENDON_VALUES);
      },
      nb::arg("path"), STICTION_TENDON_ARGUMENTS,
      "A string through sites, around spheres and cylinders, over pulleys.");
}

#define STICTION_ACTUATOR_PARAMETERS                                                                    \
  const std::string &name, double gear, double control_lower, double control_upper, double force_lower, \
      double force_upper
#define STICTION_ACTUATOR_ARGUMENTS                                                                                    \
  nb::kw_only(), nb::arg("name") = "", nb::arg("gear") = defaults.gear,                                                \
                 nb::arg("control_lower") = defaults.control_lower, nb::arg("control_upper") = defaults.control_upper, \
                 nb::arg("force_lower") = defaults.force_lower, nb::arg("force_upper") = defaults.force_upper
#define STICTION_ACTUATOR_VALUES                                       \
  ActuatorSettings {                                                   \
    name, gear, control_lower, control_upper, force_lower, force_upper \
  }

void bind_actuators(nb::class_<Builder>& bound) {
  const ActuatorSettings defaults;
  bound.def(
      "add_motor",
      [](Builder& self, ActuatorTarget target, int index, STICTION_ACTUATOR_PARAMETERS) {
        return self.add_motor(target, index, STICTION_ACTUATOR_VALUES);
      },
      nb::arg("target"), nb::arg("index"), STICTION_ACTUATOR_ARGUMENTS, "force = control");
  bound.def(
      "add_position_servo",
      [](Builder& self, ActuatorTarget target, int index, double kp, double kv, STICTION_ACTUATOR_PARAMETERS) {
        return self.add_position_servo(target, index, kp, kv, STICTION_ACTUATOR_VALUES);
      },
      nb::arg("target"), nb::arg("index"), nb::arg("kp"), nb::arg("kv"), STICTION_ACTUATOR_ARGUMENTS,
      "force = kp (control − length) − kv rate, implicit: stable at any gain");
  bound.def(
      "add_velocity_servo",
      [](Builder& self, ActuatorTarget target, int index, double kv, STICTION_ACTUATOR_PARAMETERS) {
        return self.add_velocity_servo(target, index, kv, STICTION_ACTUATOR_VALUES);
      },
      nb::arg("target"), nb::arg("index"), nb::arg("kv"), STICTION_ACTUATOR_ARGUMENTS,
      "force = kv (control − rate), implicit: stable at any gain");
  bound.def(
      "add_phase_motor",
      [](Builder& self, int joint, const std::vector<double>& samples, double advance, double kp, double kd,
         STICTION_ACTUATOR_PARAMETERS) {
        return self.add_phase_motor(joint, samples, advance, kp, kd, STICTION_ACTUATOR_VALUES);
      },
      nb::arg("joint"), nb::arg("samples"), nb::arg("advance"), nb::arg("kp") = 1e8, nb::arg("kd") = 1e5,
      STICTION_ACTUATOR_ARGUMENTS,
      "force = kp (f(α) − length) + kd (ḟ − rate); the phase α [rad] advances by the control [rad/s], f(α) = advance · "
      "α / 2π + the periodic function through the samples. A crank that turns evenly: samples=[], advance=2π.");
  bound.def("add_sensor", &Builder::add_sensor, nb::arg("type"), nb::arg("kind"), nb::arg("object"),
            nb::arg("name") = "", "A sensor of something; sim.sensor(name) reads it.");
}

}  // namespace

void bind_builder_mechanism(nb::module_& module, nb::class_<Builder>& bound) {
  bind_enums(module);
  bind_joints(bound);
  bind_loops(bound);
  bind_tendons(module, bound);
  bind_actuators(bound);
}

}  // namespace stiction::python
