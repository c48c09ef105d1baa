// The world as it was built: constant during a simulation. Flat arrays, indices instead of pointers, so that CPU loops,
// CUDA kernels, files and Python views share them. Coordinates follow MuJoCo: a free joint has q = (position,
// quaternion w x y z) of the body frame in the world and u = (velocity of the body origin in the world, angular
// velocity in the body frame).
//
// Coordinates are reduced (a joint is a degree of freedom of its tree) or, in a model from to_maximal, maximal: every
// body with joints has a free joint, and its joints are held: rows of the problem. The positions and velocities of held
// joints stand behind all others in q and u. They follow from the bodies; the step writes them.
#pragma once

#include <stiction/error.hpp>
#include <stiction/options.hpp>

namespace stiction {

enum class JointType : std::int32_t { kFree = 0, kBall = 1, kSlide = 2, kHinge = 3 };
enum class ShapeType : std::int32_t {
  kPlane = 0,
  kSphere = 1,
  kCapsule = 2,
  kBox = 3,
  kHull = 4,  // convex polyhedron: model.hull_* arrays
  kCylinder = 5,
  kEllipsoid = 6,
  kMesh = 7,        // surface of triangles, closed or open: model.mesh_* arrays
  kHeightField = 8  // solid under a grid of heights: model.height_field_* arrays
};
enum class ActuatorGain : std::int32_t { kFixed = 0, kAffine = 1, kMuscle = 2, kUser = 3 };
enum class ActuatorBias : std::int32_t { kNone = 0, kAffine = 1, kMuscle = 2, kUser = 3 };
enum class ActuatorTarget : std::int32_t {
  kJoint = 0,
  kTendon = 1,
  kSite = 2,
  kBody = 3,
  kSliderCrank = 4,
  kJointInParent = 5  // as kJoint, the torque of a ball or free joint in the frame of the parent
};
enum class ActuatorDynamics : std::int32_t {
  kNone = 0,
  kIntegrator = 1,
  kFilter = 2,
  kFilterExact = 3,
  kMuscle = 4,
  kUser = 5,
  kPhase = 6  // the activation is a phase α [rad] that the control advances [rad/s]; the target follows a profile f(α)
};
enum class EqualityType : std::int32_t {
  kConnect = 0,  // the origins of two frames coincide
  kWeld = 1,     // two frames coincide
  kJoint = 2,    // a joint's position is a polynomial of another's
  kTendon = 3    // a tendon's length is a polynomial of another's
};
enum class TendonType : std::int32_t { kFixed = 0, kSpatial = 1 };
enum class WrapType : std::int32_t { kJoint = 0, kPulley = 1, kSite = 2, kSphere = 3, kCylinder = 4 };
enum class SensorType : std::int32_t {
  kJointPosition = 0,
  kJointVelocity = 1,
  kTendonLength = 2,
  kTendonVelocity = 3,
  kActuatorLength = 4,
  kActuatorVelocity = 5,
  kActuatorForce = 6,
  kJointActuatorForce = 7,
  kTendonActuatorForce = 8,
  kBallOrientation = 9,
  kBallAngularVelocity = 10,
  kFramePosition = 11,
  kFrameOrientation = 12,
  kFrameXAxis = 13,
  kFrameYAxis = 14,
  kFrameZAxis = 15,
  kFrameLinearVelocity = 16,
  kFrameAngularVelocity = 17,
  kFrameLinearAcceleration = 18,
  kFrameAngularAcceleration = 19,
  kVelocimeter = 20,
  kGyro = 21,
  kAccelerometer = 22,
  kTouch = 23,
  kForce = 24,
  kTorque = 25,
  kSubtreeCentreOfMass = 26,
  kSubtreeLinearVelocity = 27,
  kSubtreeAngularMomentum = 28,
  kPotentialEnergy = 29,
  kKineticEnergy = 30,
  kClock = 31
};
enum class SensorObject : std::int32_t {
  kNone = 0,
  kBodyInertial = 1,  // frame at the centre of mass along the principal axes (MJCF: body)
  kBody = 2,          // frame of the body (MJCF: xbody)
  kShape = 3,
  kSite = 4,
  kJoint = 5,
  kTendon = 6,
  kActuator = 7
};

// How many numbers a sensor of a kind gives.
int sensor_size(SensorType type);

// X(name, meaning)
#define STICTION_MODEL_SIZES(X)                                                 \
  X(nq, "position coordinates")                                                 \
  X(nv, "degrees of freedom")                                                   \
  X(nbody, "bodies; body 0 is the world")                                       \
  X(njoint, "joints")                                                           \
  X(ntree, "kinematic trees that can move; a free body is a tree of one joint") \
  X(nshape, "collision shapes")                                                 \
  X(nhull, "convex hulls shared by shapes")                                     \
  X(nhullvertex, "vertices of all hulls")                                       \
  X(nhullface, "faces of all hulls")                                            \
  X(nhullfacevertex, "vertex references of all hull faces")                     \
  X(nmesh, "triangle meshes shared by shapes")                                  \
  X(nmeshvertex, "vertices of all meshes")                                      \
  X(nmeshtriangle, "triangles of all meshes")                                   \
  X(nheightfield, "height fields shared by shapes")                             \
  X(nheight, "samples of all height fields")                                    \
  X(npair, "explicit contact pairs with parameters of their own")               \
  X(nexclude, "pairs of bodies that never touch")                               \
  X(nsite, "sites: frames fixed to bodies")                                     \
  X(nequality, "equality constraints")                                          \
  X(ntendon, "tendons")                                                         \
  X(nwrap, "path objects of all tendons")                                       \
  X(nactuator, "actuators")                                                     \
  X(nprofile, "samples of the phase profiles of all actuators")                 \
  X(nactivation, "activation variables of all actuators")                       \
  X(nmocap, "bodies moved by motion capture")                                   \
  X(nsensor, "sensors")                                                         \
  X(nsensordata, "numbers of all sensors")                                      \
  X(nkey, "keyframes: named states")

// X(type, name, count, unit, meaning)
#define STICTION_MODEL_ARRAYS(X)                                                                                      \
  X(std::string, body_name, nbody, "", "name of the body; made up (body7) where the file has none")                   \
  X(int, body_parent, nbody, "", "parent body; 0 for children of the world, -1 for the world itself")                 \
  X(int, body_tree, nbody, "", "tree that moves the body; -1 if it is fixed to the world")                            \
  X(int, body_joint, nbody, "", "first joint of the body; -1 if none (welded to its parent)")                         \
  X(int, body_joint_count, nbody, "", "joints of the body")                                                           \
  X(int, body_held_joint, nbody, "", "first held joint of the body; without meaning if it has none")                  \
  X(int, body_held_joint_count, nbody, "", "joints of the body that rows of the problem hold (maximal coordinates)")  \
  X(Transform, body_pose, nbody, "m", "pose of the body frame in its parent at the reference configuration")          \
  X(double, body_mass, nbody, "kg", "mass")                                                                           \
  X(Vec3, body_com, nbody, "m", "centre of mass in the body frame")                                                   \
  X(Quat, body_inertia_frame, nbody, "", "principal axes of inertia in the body frame")                               \
  X(Vec3, body_inertia, nbody, "kg m²", "principal moments of inertia about the centre of mass")                      \
  X(double, body_gravity_compensation, nbody, "1", "share of the weight that is carried by a made-up force")          \
  X(int, body_mocap, nbody, "",                                                                                       \
    "row of Control.mocap_pose that poses the body; -1 if it is not moved by motion capture")                         \
  X(int, tree_root, ntree, "", "first body of the tree")                                                              \
  X(int, tree_dof, ntree + 1, "", "first degree of freedom of the tree; the last entry: that of held joints, or nv")  \
  X(std::string, joint_name, njoint, "", "name of the joint; made up (joint3) where the file has none")               \
  X(JointType, joint_type, njoint, "", "0 free, 1 ball, 2 slide, 3 hinge")                                            \
  X(int, joint_body, njoint, "", "body that the joint moves")                                                         \
  X(int, joint_q, njoint, "", "first position coordinate")                                                            \
  X(int, joint_dof, njoint, "", "first degree of freedom")                                                            \
  X(Vec3, joint_anchor, njoint, "m", "anchor in the body frame")                                                      \
  X(Vec3, joint_axis, njoint, "", "unit axis in the body frame (slide, hinge)")                                       \
  X(int, joint_limited, njoint, "", "1 if the range holds")                                                           \
  X(double, joint_lower, njoint, "m or rad", "lower limit")                                                           \
  X(double, joint_upper, njoint, "m or rad", "upper limit; for a ball joint the largest angle")                       \
  X(double, joint_stiffness, njoint, "N/m or N m/rad", "stiffness of the joint spring")                               \
  X(double, joint_margin, njoint, "m or rad", "distance from the limit at which it holds already")                    \
  X(int, joint_force_limited, njoint, "", "1 if the force range holds")                                               \
  X(double, joint_force_lower, njoint, "N or N m", "lower bound of the total force of actuators on the joint")        \
  X(double, joint_force_upper, njoint, "N or N m", "upper bound of the total force of actuators on the joint")        \
  X(int, joint_actuator_compensates, njoint, "",                                                                      \
    "1 if gravity compensation counts as force of actuators on the joint")                                            \
  X(int, dof_body, nv, "", "body that the degree of freedom moves")                                                   \
  X(int, dof_joint, nv, "", "joint of the degree of freedom")                                                         \
  X(int, dof_parent, nv, "", "next degree of freedom towards the root; -1 at the root")                               \
  X(double, dof_armature, nv, "kg or kg m²", "inertia added by a geared motor")                                       \
  X(double, dof_damping, nv, "N s/m or N m s/rad", "viscous damping")                                                 \
  X(double, dof_friction, nv, "N or N m", "dry joint friction")                                                       \
  X(double, q_reference, nq, "m or rad", "reference configuration: q of the file as written")                         \
  X(double, q_spring, nq, "m or rad", "configuration in which the joint springs are at rest")                         \
  X(std::string, shape_name, nshape, "", "name of the shape; made up (shape5) where the file has none")               \
  X(ShapeType, shape_type, nshape, "", "0 plane, 1 sphere, 2 capsule, 3 box, 4 hull, 5 cylinder, 6 ellipsoid, …")     \
  X(int, shape_body, nshape, "", "body that carries the shape")                                                       \
  X(Transform, shape_pose, nshape, "m", "pose of the shape frame in its body")                                        \
  X(Vec3, shape_size, nshape, "m", "sphere: radius; capsule, cylinder: radius, half-length (z); box: half-sizes")     \
  X(int, shape_hull, nshape, "", "hull of a kHull shape; -1 otherwise")                                               \
  X(int, shape_mesh, nshape, "", "mesh of a kMesh shape; -1 otherwise")                                               \
  X(int, shape_height_field, nshape, "", "height field of a kHeightField shape; -1 otherwise")                        \
  X(Vec3, shape_friction, nshape, "1, m, m", "sliding, torsional, rolling friction")                                  \
  X(double, shape_restitution, nshape, "1", "restitution in [0, 1]")                                                  \
  X(double, shape_compliance, nshape, "m/N", "of each contact point, 0: rigid; 1 / stiffness")                        \
  X(double, shape_damping, nshape, "N s/m", "of each contact point of a compliant shape")                             \
  X(Vec3, shape_surface_velocity, nshape, "m/s", "of a moving surface (belt), in the shape frame")                    \
  X(Vec3, shape_surface_spin, nshape, "rad/s", "of a moving surface about the shape's origin, in the shape frame")    \
  X(int, shape_condim, nshape, "", "1: frictionless, 3: sliding friction, 4: and torsion, 6: and rolling")            \
  X(int, shape_contype, nshape, "", "contact type bits")                                                              \
  X(int, shape_conaffinity, nshape, "", "contact affinity bits")                                                      \
  X(int, shape_priority, nshape, "", "the shape of higher priority decides friction, restitution and condim")         \
  X(double, shape_margin, nshape, "m", "the surface stands this far outside the shape")                               \
  X(double, shape_gap, nshape, "m", "detection buffer of MuJoCo; not used")                                           \
  X(int, shape_group, nshape, "", "group of MJCF, 0 to 5: what queries see is chosen by it")                          \
  X(Colour, shape_colour, nshape, "", "colour for pictures")                                                          \
  X(int, hull_vertex, nhull + 1, "", "first vertex of the hull")                                                      \
  X(int, hull_face, nhull + 1, "", "first face of the hull")                                                          \
  X(Vec3, hull_vertex_position, nhullvertex, "m", "vertex in the shape frame")                                        \
  X(Vec3, hull_face_normal, nhullface, "", "outward unit normal in the shape frame")                                  \
  X(int, hull_face_vertex, nhullface + 1, "", "first vertex reference of the face")                                   \
  X(int, hull_face_vertex_index, nhullfacevertex, "", "vertex within its hull, counter-clockwise seen from outside")  \
  X(int, mesh_vertex, nmesh + 1, "", "first vertex of the mesh")                                                      \
  X(int, mesh_triangle, nmesh + 1, "", "first triangle of the mesh")                                                  \
  X(Vec3, mesh_vertex_position, nmeshvertex, "m", "vertex in the shape frame")                                        \
  X(int, mesh_triangle_vertex, 3 * nmeshtriangle, "",                                                                 \
    "three vertices within the mesh, counter-clockwise from outside")                                                 \
  X(int, height_field_rows, nheightfield, "", "samples along y")                                                      \
  X(int, height_field_columns, nheightfield, "", "samples along x")                                                   \
  X(Vec3, height_field_size, nheightfield, "m", "half-sizes along x and y; depth of the solid below height 0")        \
  X(int, height_field_sample, nheightfield + 1, "", "first sample of the height field")                               \
  X(double, height_field_height, nheight, "m", "height over z = 0 of the shape frame, row by row from -y, -x")        \
  X(int, pair_shape_a, npair, "", "first shape of an explicit pair")                                                  \
  X(int, pair_shape_b, npair, "", "second shape of an explicit pair")                                                 \
  X(int, pair_condim, npair, "", "as shape_condim")                                                                   \
  X(PairFriction, pair_friction, npair, "1, 1, m, m, m",                                                              \
    "sliding along the two tangents, torsional, rolling about the two tangents")                                      \
  X(double, pair_restitution, npair, "1", "restitution of the pair")                                                  \
  X(double, pair_margin, npair, "m", "distance at which the pair touches, in place of the two shape_margin")          \
  X(double, pair_gap, npair, "m", "as shape_gap")                                                                     \
  X(int, exclude_body_a, nexclude, "", "first body of an excluded pair")                                              \
  X(int, exclude_body_b, nexclude, "", "second body of an excluded pair")                                             \
  X(std::string, site_name, nsite, "", "name of the site; made up (site2) where the file has none")                   \
  X(int, site_body, nsite, "", "body that carries the site")                                                          \
  X(Transform, site_pose, nsite, "m", "pose of the site in its body")                                                 \
  X(ShapeType, site_type, nsite, "", "as shape_type: the zone of a touch sensor")                                     \
  X(Vec3, site_size, nsite, "m", "as shape_size: the zone of a touch sensor")                                         \
  X(std::string, equality_name, nequality, "", "name of the equality; made up (equality1) where the file has none")   \
  X(EqualityType, equality_type, nequality, "", "0 connect, 1 weld, 2 joint, 3 tendon")                               \
  X(int, equality_active, nequality, "", "1 if the constraint holds")                                                 \
  X(int, equality_a, nequality, "", "body (connect, weld), joint or tendon that is constrained")                      \
  X(int, equality_b, nequality, "", "the other body, joint or tendon; -1: none, the position or length is constant")  \
  X(Transform, equality_frame_a, nequality, "m", "connect, weld: the frame in body a that meets frame_b")             \
  X(Transform, equality_frame_b, nequality, "m", "connect, weld: the frame in body b")                                \
  X(Polynomial, equality_polynomial, nequality, "m or rad",                                                           \
    "joint, tendon: a − a₀ = c₀ + c₁ x + c₂ x² + c₃ x³ + c₄ x⁴, x = b − b₀")                                          \
  X(std::string, tendon_name, ntendon, "", "name of the tendon; made up (tendon1) where the file has none")           \
  X(TendonType, tendon_type, ntendon, "", "0 fixed: sum of joint positions, 1 spatial: path in space")                \
  X(int, tendon_wrap, ntendon + 1, "", "first path object of the tendon; the last entry is nwrap")                    \
  X(int, tendon_limited, ntendon, "", "1 if the range holds")                                                         \
  X(double, tendon_lower, ntendon, "m or rad", "lower limit of the length")                                           \
  X(double, tendon_upper, ntendon, "m or rad", "upper limit of the length")                                           \
  X(double, tendon_margin, ntendon, "m or rad", "distance from the limit at which it holds already")                  \
  X(double, tendon_stiffness, ntendon, "N/m", "stiffness of the tendon spring")                                       \
  X(double, tendon_spring_lower, ntendon, "m", "the spring pushes below this length")                                 \
  X(double, tendon_spring_upper, ntendon, "m", "the spring pulls above this length")                                  \
  X(double, tendon_damping, ntendon, "N s/m", "viscous damping of the length")                                        \
  X(double, tendon_friction, ntendon, "N", "dry friction along the tendon")                                           \
  X(double, tendon_armature, ntendon, "kg", "inertia of the tendon's velocity")                                       \
  X(int, tendon_force_limited, ntendon, "", "1 if the force range holds")                                             \
  X(double, tendon_force_lower, ntendon, "N", "lower bound of the total force of actuators on the tendon")            \
  X(double, tendon_force_upper, ntendon, "N", "upper bound of the total force of actuators on the tendon")            \
  X(double, tendon_reference_length, ntendon, "m or rad", "length in the reference configuration")                    \
  X(WrapType, wrap_type, nwrap, "", "0 joint, 1 pulley, 2 site, 3 sphere, 4 cylinder")                                \
  X(int, wrap_object, nwrap, "", "joint, site or shape of the path object; -1 for a pulley")                          \
  X(int, wrap_side_site, nwrap, "", "site that says on which side of a sphere or cylinder the tendon runs; -1: none") \
  X(double, wrap_parameter, nwrap, "1", "joint: coefficient; pulley: divisor of the branch that follows")             \
  X(std::string, actuator_name, nactuator, "", "name of the actuator")                                                \
  X(ActuatorTarget, actuator_target, nactuator, "",                                                                   \
    "0 joint, 1 tendon, 2 site, 3 body, 4 slider-crank, 5 joint in the parent's frame")                               \
  X(int, actuator_target_index, nactuator, "",                                                                        \
    "index of the joint, tendon, site or body; slider-crank: site of the crank")                                      \
  X(int, actuator_second_site, nactuator, "",                                                                         \
    "site: reference site, -1 for the world; slider-crank: site of the slider")                                       \
  X(double, actuator_crank_length, nactuator, "m", "length of the rod of a slider-crank")                             \
  X(Spatial, actuator_gear, nactuator, "", "linear: the file's first three coefficients; angular: its last three")    \
  X(ActuatorDynamics, actuator_dynamics, nactuator, "",                                                               \
    "0 none, 1 integrator, 2 filter, 3 exact filter, 4 muscle, 6 phase")                                              \
  X(Parameters, actuator_dynamics_parameters, nactuator, "",                                                          \
    "parameters of the activation dynamics; p0 is the time constant [s]")                                             \
  X(int, actuator_profile, nactuator, "", "phase: first sample of the profile f over one turn of the phase")          \
  X(int, actuator_profile_count, nactuator, "", "phase: samples; 0: f has no periodic part")                          \
  X(double, actuator_profile_advance, nactuator, "m or rad", "phase: what f gains in one turn, 2π for a crank")       \
  X(double, profile_value, nprofile, "m or rad", "samples of profiles, evenly spaced over one turn")                  \
  X(int, actuator_activation, nactuator, "", "first activation variable; -1: none")                                   \
  X(int, actuator_activation_count, nactuator, "", "activation variables")                                            \
  X(int, actuator_activation_early, nactuator, "",                                                                    \
    "1 if the force of a step is that of the activation after the step")                                              \
  X(int, actuator_activation_limited, nactuator, "", "1 if the activation range holds")                               \
  X(double, actuator_activation_lower, nactuator, "", "lower bound of the activation")                                \
  X(double, actuator_activation_upper, nactuator, "", "upper bound of the activation")                                \
  X(ActuatorGain, actuator_gain, nactuator, "", "0 fixed, 1 affine, 2 muscle")                                        \
  X(Parameters, actuator_gain_parameters, nactuator, "",                                                              \
    "fixed, affine: gain = p0 + p1·length + p2·velocity; muscle: range, force, …, fvmax")                             \
  X(ActuatorBias, actuator_bias, nactuator, "", "0 none, 1 affine, 2 muscle")                                         \
  X(Parameters, actuator_bias_parameters, nactuator, "",                                                              \
    "affine: bias = p0 + p1·length + p2·velocity; muscle: as its gain")                                               \
  X(int, actuator_control_limited, nactuator, "", "1 if the control range holds")                                     \
  X(double, actuator_control_lower, nactuator, "", "lower bound of the control")                                      \
  X(double, actuator_control_upper, nactuator, "", "upper bound of the control")                                      \
  X(int, actuator_force_limited, nactuator, "", "1 if the force range holds")                                         \
  X(double, actuator_force_lower, nactuator, "N or N m", "lower bound of the force")                                  \
  X(double, actuator_force_upper, nactuator, "N or N m", "upper bound of the force")                                  \
  X(double, actuator_length_lower, nactuator, "m or rad", "smallest feasible length, the scale of a muscle")          \
  X(double, actuator_length_upper, nactuator, "m or rad", "largest feasible length, the scale of a muscle")           \
  X(double, actuator_reference_acceleration, nactuator, "1/kg",                                                       \
    "|M⁻¹ Jᵀ| at the reference configuration, the scale of a muscle's force")                                         \
  X(std::string, sensor_name, nsensor, "", "name of the sensor; made up (sensor4) where the file has none")           \
  X(SensorType, sensor_type, nsensor, "", "kind of the sensor; see enum SensorType")                                  \
  X(SensorObject, sensor_object_kind, nsensor, "",                                                                    \
    "0 none, 1 body (inertial frame), 2 body, 3 shape, 4 site, 5 joint, 6 tendon, 7 actuator")                        \
  X(int, sensor_object, nsensor, "", "index of what is sensed; -1: none")                                             \
  X(SensorObject, sensor_reference_kind, nsensor, "",                                                                 \
    "kind of the frame in which a frame sensor measures; 0: the world")                                               \
  X(int, sensor_reference, nsensor, "", "index of that frame; -1: the world")                                         \
  X(int, sensor_data, nsensor + 1, "", "first number of the sensor; the last entry is nsensordata")                   \
  X(double, sensor_cutoff, nsensor, "", "numbers are cut off at ± this value; 0: not")                                \
  X(std::string, key_name, nkey, "", "name of the keyframe")                                                          \
  X(double, key_time, nkey, "s", "time of the keyframe")                                                              \
  X(double, key_q, nkey* nq, "m or rad", "positions, one row per keyframe")                                           \
  X(double, key_u, nkey* nv, "m/s or rad/s", "velocities, one row per keyframe")                                      \
  X(double, key_activation, nkey* nactivation, "", "activations, one row per keyframe")                               \
  X(Transform, key_mocap_pose, nkey* nmocap, "m", "poses of mocap bodies, one row per keyframe")                      \
  X(double, key_control, nkey* nactuator, "", "controls, one row per keyframe")

struct Model {
  std::string name;
  Options options;  // as the file or the builder set them; a Simulation takes these unless it is given its own
  STICTION_MODEL_SIZES(STICTION_DECLARE_SIZE)
  STICTION_MODEL_ARRAYS(STICTION_DECLARE_ARRAY)

  // Gives every array the length that the sizes ask for.
  void resize() { STICTION_MODEL_ARRAYS(STICTION_RESIZE_ARRAY) }

  template <class Self, class Visitor>
  static void visit_sizes(Self& self, Visitor&& visitor) {
    STICTION_MODEL_SIZES(STICTION_VISIT_SIZE)
  }
  template <class Self, class Visitor>
  static void visit_arrays(Self& self, Visitor&& visitor) {
    STICTION_MODEL_ARRAYS(STICTION_VISIT_FIELD)
  }

  // Degrees of freedom of trees: those of the problem. Behind them stand those of held joints.
  int tree_dofs() const { return tree_dof.back(); }
  bool is_held(int joint) const { return joint_dof[std::size_t(joint)] >= tree_dofs(); }

  // Index of a named element; throws Error with the near names if there is none.
  int body(const std::string& wanted) const;
  int joint(const std::string& wanted) const;
  int shape(const std::string& wanted) const;
  int site(const std::string& wanted) const;
  int equality(const std::string& wanted) const;
  int tendon(const std::string& wanted) const;
  int actuator(const std::string& wanted) const;
  int sensor(const std::string& wanted) const;
  int key(const std::string& wanted) const;
};

// Throws Error, naming the element, if the model is inconsistent: sizes, indices, non-finite numbers, empty ranges,
// bodies that move without mass or inertia, inertia against the triangle inequality, loops that cannot close.
void check_model(const Model& model);

// The same model in maximal coordinates: every body with joints becomes a free body, its joints rows of the problem,
// with their limits, springs, dampers, armature, friction, actuators and sensors. Names and bodies stay; free joints
// come first in the list of joints. Throws Error, naming the element, for what rows between two bodies cannot say: a
// tendon or joint equality with rows over more than two bodies, joints of a body that are not independent.
Model to_maximal(const Model& model);

}  // namespace stiction
