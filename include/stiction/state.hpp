// What changes: the state, what acts on it, and the contacts of the last step.
#pragma once

#include <stiction/model.hpp>

namespace stiction {

// X(type, name, count, unit, meaning)
#define STICTION_STATE_ARRAYS(X)                                                                                   \
  X(double, q, nq, "m or rad", "positions, in the order of Model.joint_q")                                         \
  X(double, u, nv, "m/s or rad/s", "velocities, in the order of Model.joint_dof")                                  \
  X(double, activation, nactivation, "",                                                                           \
    "activation of the actuators that have one, in the order of Model.actuator_activation")                        \
  X(std::uint64_t, warm_key, nwarm, "", "identity (shapes, features) of each contact of the last step")            \
  X(Vec3, warm_point, nwarm, "m", "contact point in the frame of body A, to match contacts whose feature changed") \
  X(Vec3, warm_force, nwarm, "N", "contact force on body B in the world frame, the solver's next guess")           \
  X(Vec3, warm_torque, nwarm, "N m", "its torque of torsional and rolling friction")                               \
  X(double, warm_gap, nwarm, "m", "its gap")                                                                       \
  X(double, warm_push_out, nwarm, "1", "Contacts.push_out of it: what contradicted others is not asked for again") \
  X(std::uint64_t, warm_row_key, nwarmrow, "",                                                                     \
    "identity (kind, element, part) of each constraint row of the last step")                                      \
  X(double, warm_row_force, nwarmrow, "N or N m", "force of the row, the solver's next guess")                     \
  X(double, rest_time, ntree, "s", "for how long a tree has been slower than sleep_speed")                         \
  X(int, sleep_group, ntree, "", "trees that sleep together: 1 + the first of them; 0: awake")                     \
  X(std::uint64_t, sleep_mark, ntree, "",                                                                          \
    "fingerprint of q and u of a tree that sleeps, of model and options: with others it wakes")                    \
  X(std::uint64_t, step_mark, ntree, "",                                                                           \
    "fingerprint of q and u with which a step of the midpoint rule ended: with others they were set by hand")

struct State {
  double time = 0;         // [s]
  std::int64_t steps = 0;  // steps taken so far
  int nq = 0, nv = 0, nactivation = 0, nwarm = 0, nwarmrow = 0, ntree = 0;
  STICTION_STATE_ARRAYS(STICTION_DECLARE_ARRAY)

  void resize() { STICTION_STATE_ARRAYS(STICTION_RESIZE_ARRAY) }
  template <class Self, class Visitor>
  static void visit_arrays(Self& self, Visitor&& visitor) {
    STICTION_STATE_ARRAYS(STICTION_VISIT_FIELD)
  }
};

#define STICTION_CONTROL_ARRAYS(X)                                                                        \
  X(double, input, nactuator, "", "control of each actuator")                                             \
  X(Spatial, wrench, nbody, "N m, N", "torque and force on each body at its centre of mass, world frame") \
  X(double, generalized_force, nv, "N or N m", "force on each degree of freedom")                         \
  X(Transform, mocap_pose, nmocap, "m", "pose in the world of each body moved by motion capture")

struct Control {
  int nactuator = 0, nbody = 0, nv = 0, nmocap = 0;
  STICTION_CONTROL_ARRAYS(STICTION_DECLARE_ARRAY)

  void resize() { STICTION_CONTROL_ARRAYS(STICTION_RESIZE_ARRAY) }
  template <class Self, class Visitor>
  static void visit_arrays(Self& self, Visitor&& visitor) {
    STICTION_CONTROL_ARRAYS(STICTION_VISIT_FIELD)
  }
};

// Contacts in a fixed order: by shape pair, then by feature. The normal points from A to B; body A has the lower index
// of shape. gap > 0: apart; gap < 0: penetration.
#define STICTION_CONTACTS_ARRAYS(X)                                                                                   \
  X(int, shape_a, ncontact, "", "first shape")                                                                        \
  X(int, shape_b, ncontact, "", "second shape")                                                                       \
  X(int, body_a, ncontact, "", "body of the first shape")                                                             \
  X(int, body_b, ncontact, "", "body of the second shape")                                                            \
  X(std::uint64_t, key, ncontact, "", "identity over time: shape pair and features")                                  \
  X(Vec3, point, ncontact, "m",                                                                                       \
    "midway between the surfaces at the nearest point of the patch, the others in its plane; world frame")            \
  X(Vec3, normal, ncontact, "", "unit normal from A to B, world frame")                                               \
  X(double, gap, ncontact, "m", "signed distance along the normal at the start of the step")                          \
  X(double, turn, ncontact, "m", "what turning within the step takes from the gap beyond its linear part; ≤ 0")       \
  X(double, friction, ncontact, "1", "sliding friction coefficient of the pair; 0 for condim 1")                      \
  X(double, friction_second, ncontact, "1", "the same along the second tangent; another one only in explicit pairs")  \
  X(Vec3, friction_torque, ncontact, "m",                                                                             \
    "torsional friction, and rolling friction about the two tangents; 0 where the condim has none")                   \
  X(double, restitution, ncontact, "1", "restitution of the pair")                                                    \
  X(double, compliance, ncontact, "m/N", "of the pair, 0: rigid")                                                     \
  X(double, damping, ncontact, "N s/m", "of a compliant pair")                                                        \
  X(Vec3, surface_velocity, ncontact, "m/s",                                                                          \
    "of the moving surface of B relative to that of A at the point, beyond that of the bodies; world frame")          \
  X(Vec3, surface_spin, ncontact, "rad/s", "the same of the angular velocities of the surfaces")                      \
  X(double, push_out, ncontact, "1",                                                                                  \
    "factor on the push-out of penetration; below 1 where no solution was found with all of it")                      \
  X(Vec3, force, ncontact, "N", "force on body B over the step, world frame")                                         \
  X(Vec3, torque, ncontact, "N m", "torque of torsional and rolling friction on body B about the point, world frame") \
  X(Vec3, velocity, ncontact, "m/s", "velocity of B relative to A at the point at the end of the step, world frame")

struct Contacts {
  int ncontact = 0;
  STICTION_CONTACTS_ARRAYS(STICTION_DECLARE_ARRAY)

  void resize() { STICTION_CONTACTS_ARRAYS(STICTION_RESIZE_ARRAY) }
  template <class Self, class Visitor>
  static void visit_arrays(Self& self, Visitor&& visitor) {
    STICTION_CONTACTS_ARRAYS(STICTION_VISIT_FIELD)
  }
};

enum class ConstraintKind : std::int32_t {
  kJointLimit = 0,
  kJointFriction = 1,
  kTendonLimit = 2,
  kTendonFriction = 3,
  kEquality = 4,
  kMotor = 5,
  kJointInertia = 6,  // held joint: armature, and what springs, dampers and servos change over the step
  kHeldJoint = 7,     // held joints of a body: where they do not let it move
  kContact = 8        // within a step only: rows of contacts of other models than coulomb, reported as Contacts
};

// Rows of a step that are not contacts, in a fixed order: by kind, element and part. A limit is here only in steps in
// which it is near or reached.
#define STICTION_CONSTRAINTS_ARRAYS(X)                                                                              \
  X(ConstraintKind, kind, nconstraint, "",                                                                          \
    "0 joint limit, 1 joint friction, 2 tendon limit, 3 tendon friction, 4 equality, 5 motor, 6 inertia of a held " \
    "joint, 7 held joints")                                                                                         \
  X(int, element, nconstraint, "", "joint, tendon, equality or actuator; held joints: their body")                  \
  X(int, part, nconstraint, "", "limit: 0 lower, 1 upper; joint friction: degree of freedom; equality: row of it")  \
  X(double, gap, nconstraint, "m or rad", "limit: distance to it; equality: error; at the start of the step")       \
  X(double, bias, nconstraint, "m/s or rad/s", "b of the row, as the last round of the step had it")                \
  X(double, push_out, nconstraint, "1", "limit: as Contacts.push_out")                                              \
  X(double, force, nconstraint, "N or N m", "force of the row over the step: of a limit ≥ 0, away from it")         \
  X(double, velocity, nconstraint, "m/s or rad/s", "velocity of the row at the end of the step, without its bias")  \
  X(Vec3, turn, nconstraint, "rad", "held joints: turn of the body at which the row is taken")                      \
  X(Vec3, parent_turn, nconstraint, "rad", "the same of the body that carries the joints")

struct Constraints {
  int nconstraint = 0;
  STICTION_CONSTRAINTS_ARRAYS(STICTION_DECLARE_ARRAY)

  void resize() { STICTION_CONSTRAINTS_ARRAYS(STICTION_RESIZE_ARRAY) }
  template <class Self, class Visitor>
  static void visit_arrays(Self& self, Visitor&& visitor) {
    STICTION_CONSTRAINTS_ARRAYS(STICTION_VISIT_FIELD)
  }
};

// "limit of joint 'knee'", for messages.
std::string constraint_name(const Model& model, ConstraintKind kind, int element);

// The reference configuration at rest, sized for the model.
State make_state(const Model& model);
// A named keyframe; throws Error if there is none of that name.
State make_state(const Model& model, const std::string& key);
// The state of `reduced` for its model in maximal coordinates, `maximal` = to_maximal(`reduced`): the same poses,
// velocities, activations and time, no warm start.
State to_maximal(const Model& reduced, const Model& maximal, const State& state);
// Zero control with mocap bodies where the model has them, sized for the model; or the control of a keyframe.
Control make_control(const Model& model);
Control make_control(const Model& model, const std::string& key);

}  // namespace stiction
