// Memory of the stepper: what each stage hands to the next. Declared in a table as all other data; nothing here
// outlives a step except the constants of the trees and the last good state.
#pragma once

#include "certify/certify.hpp"
#include "collide/collide.hpp"
#include "dynamics/free_body.hpp"
#include "dynamics/geometric_stiffness.hpp"
#include "dynamics/held_joints.hpp"
#include "dynamics/mechanism.hpp"
#include "dynamics/smooth_motion.hpp"
#include "dynamics/tree_plan.hpp"
#include "problem/bias_rounds.hpp"
#include "problem/constraint_rows.hpp"
#include "problem/contact_frame.hpp"
#include "solvers/solver.hpp"
#include "step/last_look.hpp"
#include "step/sleep.hpp"

#include <stiction/report.hpp>

namespace stiction {

// X(type, name, count, unit, meaning)
#define STICTION_WORKSPACE_ARRAYS(X)                                                                                   \
  X(double, tree_mass, ntree, "kg", "mass of a tree (constant)")                                                       \
  X(Vec3, tree_com, ntree, "m", "centre of mass in the frame of the tree's root (constant)")                           \
  X(Mat3, tree_inertia, ntree, "kg m²", "inertia about the centre of mass in the frame of the root (constant)")        \
  X(Mat3, tree_inertia_inverse, ntree, "1/(kg m²)", "inverse of tree_inertia (constant)")                              \
  X(double, shape_reach, nshape, "m",                                                                                  \
    "largest distance of a point of the shape from its free body's centre of mass, on articulated trees from its own " \
    "origin (constant)")                                                                                               \
  X(Transform, body_pose, nbody, "m", "pose of each body frame in the world")                                          \
  X(Mat3, body_rotation, nbody, "", "rotation matrix of body_pose, of roots of free bodies")                           \
  X(Transform, shape_pose, nshape, "m", "pose of each shape frame in the world")                                       \
  X(double, shape_speed, nshape, "m/s", "bound on the speed of any point of the shape over the step")                  \
  X(Transform, end_pose, nshape, "m", "shape_pose at trial positions at the end of the step")                          \
  X(double, no_speed, nshape, "m/s", "zero: shapes at the end of the step are where they are (constant)")              \
  X(double, force, nv, "N or N m", "generalized force: applied_force, weight, Coriolis force")                         \
  X(double, applied_force, nv, "N or N m", "springs, dampers, actuators and applied wrenches")                         \
  X(double, mass_rows, nmass, "kg, kg m, kg m²", "rows of the mass matrix of articulated trees, as TreePlan has them") \
  X(double, acceleration, nv, "m/s² or rad/s²", "mean over the last step; zero before the first")                      \
  X(Spatial, body_wrench, nbody, "N m, N",                                                                             \
    "forces on each body from outside of its tree, about the origin; for sensors")                                     \
  X(int, tree_free, ntree, "", "1 if the tree is one free body (constant)")                                            \
  X(double, scratch, nv, "", "scratch")

// A candidate contact found at the start of the step, turned at a seam, or added at the end of the step.
enum : char { kAsFound = 0, kAtSeam = 1, kForeseen = 2 };

struct Workspace {
  TreePlan plan;
  TreeMemory tree_memory, trial_memory;
  TreeData links;        // of tree_memory: what articulated trees compute, link by link
  TreeData trial_links;  // of trial_memory: positions at the end of the step, as equalities try them
  // Coordinates and velocity for which `links` holds positions and velocities; empty where it holds none.
  std::vector<double> links_q, links_u;
  std::vector<int> articulated;  // trees that are not a free body
  int nv = 0, nbody = 0, ntree = 0, nshape = 0, nmass = 0;
  STICTION_WORKSPACE_ARRAYS(STICTION_DECLARE_ARRAY)
  Mechanism mechanism;
  HeldJoints held;
  Sleep sleep;
  GeometricStiffness stiff;
  SmoothMotion smooth;
  KeptEnergy kept_energy;
  std::vector<double> held_rate;      // rates of held joints before the step [m/s or rad/s]
  std::vector<double> held_trial;     // positions as HeldJoints::q at trial positions of bodies
  std::vector<Transform> mocap_pose;  // of Control
  std::vector<double> sensor_data;
  ContactProblem problem;
  Solution solution;
  SolverWorkspace solver_workspace;
  const SolverEntry* solver = nullptr;
  Collider collider;
  Contacts candidates;                 // all contacts that could meet within the step
  std::vector<char> selected;          // 1 for those in the problem
  std::vector<char> at_seam;           // kAtSeam for those that took the normal of another contact of their body
  std::vector<int> touching_of_body;   // first of the contacts that touch at the end of the step, -1 if there is none:
  std::vector<int> next_touching;      // contact · 2 + side on which the body is, in a list
  std::vector<double> clearance;       // of those that are not: gap / h + v_n [m/s]
  std::vector<char> missed;            // 1 for those of shapes that pass each other in free flight
  std::vector<char> tree_met;          // 1 for trees that may be turned by a contact
  Contacts end_contacts;               // at trial positions at the end of the step
  Contacts found_at_end;               // the part of them that colliding there finds
  Contacts side_contacts;              // of one pair there, seen from the side on which it was at the start
  LastLook last_look;                  // of turning
  std::vector<double> turn_before;     // turn of the candidates before a round lowers it [m]
  std::vector<char> turns_unforeseen;  // of each tree: its turning was given up in this step
  Contacts touching;                   // contacts of another model than coulomb, which enter as constraint rows
  double contact_error = 0;            // of their rows in the round before [m/s]
  std::vector<ContactFrame> frames;    // of the contacts in the problem
  ConstraintRows constraint_rows;      // all rows that are not contacts
  BiasRounds bias_rounds;
  double equality_drift = 0;  // largest error of an equality at the end of the step [m or rad]
  std::vector<double> row_scratch[6];
  State last_good, next;
  std::vector<double> next_velocity;     // with which integrate_changed filled `next`; empty: not in this step
  std::vector<double> mean_velocity;     // of the velocity before the step and the free one
  std::vector<double> start_q, start_u;  // of the state before the midpoint rule moves it
  std::vector<char> set_by_hand;         // 1 for trees that are not as the last step left them
  std::vector<char> impact;             // 1 for those, and what they strike, that meet an impact in the first half step
  std::vector<double> impact_velocity;  // with which these move over it
  CertifyScratch certify_scratch;
  std::vector<int> match_scratch;

  explicit Workspace(const Model& model);
  // `links` points into `tree_memory`, `trial_links` into `trial_memory`.
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;

  template <class Self, class Visitor>
  static void visit_arrays(Self& self, Visitor&& visitor){STICTION_WORKSPACE_ARRAYS(STICTION_VISIT_FIELD)} FreeBody
      free_body(int tree) const {
    const auto t = std::size_t(tree);
    return {tree_mass[t], tree_com[t], tree_inertia[t]};
  }
};

}  // namespace stiction
