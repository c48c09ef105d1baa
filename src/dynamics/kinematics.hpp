// From coordinates to poses, inertia and forces, tree by tree, for the step. A tree of one free joint (with any bodies
// welded to it) is a free body: dynamics/free_body.hpp moves it with its exact torque-free rotation. All other trees
// are articulated: dynamics/tree_*.hpp, with the Coriolis force in the kick and q ⊕ h u⁺ as the drift.
#pragma once

#include "model/integrator.hpp"
#include "step/workspace.hpp"

namespace stiction {

// Constants of the trees: mass, centre of mass and inertia of the root with all that is welded to it; reach of shapes.
void prepare_trees(const Model& model, Workspace& workspace);

// Positions of the links of articulated trees from q, where they are not those of q already: all that potential_energy
// needs.
void compute_tree_positions(const std::vector<double>& q, Workspace& workspace);

// Poses of bodies and shapes from q. Quaternions are taken as directions: they need not have unit length.
void compute_poses(const Model& model, const std::vector<double>& q, Workspace& workspace);

// Inertia blocks of the problem and the generalized force: springs, dampers, actuators, applied wrenches, weight, and
// of articulated trees the Coriolis force. What springs, dampers and servos change over the step is in the inertia.
void compute_inertia_and_force(const Model& model, const Options& options, const Control& control, const State& state,
                               Workspace& workspace);

// Velocities of the links of articulated trees at the velocity u, where they are not those of u already.
void compute_link_velocities(const std::vector<double>& u, Workspace& workspace);

// Velocity of the point p of a body; zero if it is fixed to the world. compute_link_velocities(u) goes before.
Vec3 point_velocity(const Model& model, const Workspace& workspace, int body, const Vec3& p,
                    const std::vector<double>& u);

// The same of body B relative to body A.
inline Vec3 relative_velocity(const Model& model, const Workspace& workspace, int body_a, int body_b, const Vec3& p,
                              const std::vector<double>& u) {
  return point_velocity(model, workspace, body_b, p, u) - point_velocity(model, workspace, body_a, p, u);
}

// Angular velocity of a body, likewise.
Vec3 angular_velocity(const Model& model, const Workspace& workspace, int body, const std::vector<double>& u);

// Adds the forces of the fluid to the passive forces of the mechanism. Poses go before.
void add_fluid_forces(const Model& model, const Options& options, const State& state, Workspace& workspace);

// Jacobian of the velocity of a point of a moving body along each direction, times the sign, over the degrees of
// freedom of the body's tree: rows × dofs, row-major. Adds to `out`, which starts at zero.
void add_point_rows(const Model& model, const Workspace& workspace, int body, const Vec3& point, double sign,
                    const Vec3* directions, int rows, double* out);

// Jacobian of the angular velocity of a moving body along a direction, times the sign. Adds to `out`.
void add_turn_row(const Model& model, const Workspace& workspace, int body, double sign, const Vec3& direction,
                  double* out);

// −Σ m g·x over the trees [J]; compute_tree_positions(q) goes before.
double potential_energy(const Model& model, const Options& options, const std::vector<double>& q,
                        const Workspace& workspace);

// [m/s] bound on the speed of any point of a shape at the velocities u; compute_link_velocities(u) goes before.
double shape_speed(const Model& model, const std::vector<double>& u, const Workspace& workspace, std::size_t shape);

// Bound on the speed of each shape over the step from the velocities before and after it without contact.
void compute_shape_speed(const Model& model, const std::vector<double>& u, const std::vector<double>& free_velocity,
                         Workspace& workspace);

// Coriolis force of articulated trees at the mean of the velocity before the step and the free one, and the free
// velocity with it: what makes the midpoint rule one of second order where inertia changes with the positions.
void centre_coriolis_force(const Model& model, const Options& options, const State& state, Workspace& workspace);

// The state after a drift with the velocity u⁺: q and u of `next`. Reads the coordinates from `state`.
void integrate(const Model& model, const detail::Drift& drift, const State& state, const std::vector<double>& velocity,
               Workspace& workspace, State& next);
// The same into workspace.next; since compute_poses only of the trees whose velocity is another than in the last call.
void integrate_changed(const Model& model, const detail::Drift& drift, const State& state,
                       const std::vector<double>& velocity, Workspace& workspace);
// Moves the state itself with its own velocity; trees that stand still keep their bits.
void drift_state(const Model& model, const detail::Drift& drift, const Workspace& workspace, State& state);

}  // namespace stiction
