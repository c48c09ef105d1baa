// Tendons, transmissions, passive forces and actuators of a model, as the step needs them: lengths, their rates, their
// Jacobian rows, forces.
#pragma once

#include <stiction/state.hpp>

#include <functional>

namespace stiction {

struct Workspace;

// Rows over few degrees of freedom each: entries row[i] … row[i + 1] − 1 belong to row i, in ascending order of dof.
struct SparseRows {
  std::vector<int> row, dof;

  int entries() const { return int(dof.size()); }
};

// X(type, name, count, unit, meaning)
#define STICTION_MECHANISM_ARRAYS(X)                                                                                  \
  X(double, tendon_length, ntendon, "m or rad", "length of each tendon")                                              \
  X(double, tendon_velocity, ntendon, "m/s or rad/s", "its rate")                                                     \
  X(double, tendon_jacobian, ntendonentry, "", "entries of the rows of the lengths, as tendon_rows has them")         \
  X(double, actuator_length, nactuator, "m or rad", "length of each transmission, gear included")                     \
  X(double, actuator_velocity, nactuator, "m/s or rad/s", "its rate")                                                 \
  X(double, actuator_moment, nactuatorentry, "", "entries of the rows of the lengths, as actuator_rows has them")     \
  X(double, actuator_force, nactuator, "N or N m", "force of each actuator at the start of the step")                 \
  X(double, actuator_joint_force, nv, "N or N m", "force of all actuators on each degree of freedom")                 \
  X(double, row_joint_force, nv, "N or N m", "the part of it that rows of the problem stand for")                     \
  X(double, passive_force, nv, "N or N m", "springs, dampers and gravity compensation at the start of the step")      \
  X(double, spring_force, nv, "N or N m", "the part of passive force that is of springs; zero where there are none")  \
  X(double, compensation, nv, "N or N m", "the part of passive force that carries weight; scratch")                   \
  X(double, stiffness, nv, "N/m or N m/rad", "stiffness of springs and servos on each degree of freedom")             \
  X(double, damping, nv, "N s/m or N m s/rad", "damping of dampers and servos on each degree of freedom")             \
  X(double, servo_stiffness, nv, "N/m or N m/rad", "the part of stiffness that is of actuators")                      \
  X(double, servo_damping, nv, "N s/m or N m s/rad", "the part of damping that is of actuators")                      \
  X(double, implicit_inertia, nv, "kg or kg m²", "h damping + h² stiffness: what the step adds to the diagonal of M") \
  X(double, tendon_scratch, ntendon, "", "scratch")                                                                   \
  X(double, next_activation, nactivation, "", "activation after the step")                                            \
  X(double, row_scratch, nv, "", "one row over all degrees of freedom; zero between uses")

// [J], and what it belongs to.
struct StoredEnergy {
  double potential = 0, elastic = 0;
};
struct KeptEnergy {
  StoredEnergy energy;
  std::vector<double> q;  // empty: none
  Vec3 gravity;
};

struct Mechanism {
  SparseRows tendon_rows, actuator_rows;  // constant
  int nv = 0, ntendon = 0, nactuator = 0, nactivation = 0, ntendonentry = 0, nactuatorentry = 0;
  // Constant: springs of joints or tendons, springs of spatial tendons, dry friction of joints, bodies whose weight is
  // carried, joints with a range of force.
  bool has_springs = false, has_spatial_springs = false, has_joint_friction = false;
  bool has_compensation = false, has_joint_ranges = false;
  std::vector<char> is_row;  // 1 for actuators that are rows of the problem (model/motor.hpp); constant
  STICTION_MECHANISM_ARRAYS(STICTION_DECLARE_ARRAY)

  explicit Mechanism(const Model& model);
};

// Adds the generalized force of a force f at the point p of a body and a torque (all in the world frame) to a row over
// all degrees of freedom: (J_v, J_ω)ᵀ (f, τ). Nothing if the body is fixed to the world.
void add_wrench(const Model& model, const Workspace& workspace, int body, const Vec3& p, const Vec3& f,
                const Vec3& torque, double* row);

// Pose of a site in the world.
Transform site_pose(const Model& model, const Workspace& workspace, int site);

// Lengths, rates and Jacobian rows of tendons. Poses go before.
void compute_tendons(const Model& model, const State& state, Workspace& workspace);
// Length of one tendon at the positions q and the poses of bodies that belong to them.
double tendon_length(const Model& model, const std::function<Transform(int body)>& pose, int tendon,
                     const std::vector<double>& q);
// Adds what a spatial tendon does to the bodies on its path to their wrenches about the world's origin; `tension` is
// the force that lengthens it.
void add_tendon_wrenches(const Model& model, const Workspace& workspace, int tendon, double tension,
                         std::vector<Spatial>& wrench);
// The same as compute_tendons for actuators; tendons go before.
void compute_transmissions(const Model& model, const State& state, Workspace& workspace);
// Force of a tendon's spring and damper, positive where it lengthens the tendon [N].
double tendon_spring_force(const Model& model, const Mechanism& mechanism, int tendon);
// Energy of the springs of joints and tendons [J].
double elastic_energy(const Model& model, const std::vector<double>& q, const std::vector<double>& tendon_length);
// Whether the energies at the start of the step are those with which the one before ended.
bool stored_energy_is_known(const Options& options, const State& state, const Workspace& workspace);
// Energies at the start of the step. Poses go before, where they are not known.
StoredEnergy stored_energy_before(const Model& model, const Options& options, const State& state, Workspace& workspace);
// The same at the end of the step, to be kept; compute_tree_positions goes before. Poses of the workspace are then
// those of `next`, where a spatial tendon has a spring.
StoredEnergy stored_energy_after(const Model& model, const Options& options, const State& next, Workspace& workspace);
// h f·v⁺ of the springs in the step that was solved, f their force as the step takes it [J].
double spring_work(const Model& model, double timestep, const Workspace& workspace);
// Springs, dampers and gravity compensation at the state: passive_force, and the diagonals stiffness and damping.
void compute_passive_force(const Model& model, const Options& options, const State& state, Workspace& workspace);
// All of these at the state, from the poses on; leaves the problem of the last step alone.
void compute_mechanism(const Model& model, const Options& options, const Control& control, const State& state,
                       Workspace& workspace);
// Forces of actuators at the state; adds what servos on joints contribute to stiffness and damping.
void compute_actuation(const Model& model, const Options& options, const Control& control, const State& state,
                       Workspace& workspace);

}  // namespace stiction
