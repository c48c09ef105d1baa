// From coordinates to poses, inertia and forces, tree by tree. Trees of one free joint (with any bodies welded to it)
// are what step simulates now; the arrays carry trees of any joints.
#pragma once

#include "step/workspace.hpp"

namespace stiction {

// Constants of the trees: mass, centre of mass and inertia of the root with all that is welded to it; reach of shapes.
void prepare_trees(const Model& model, Workspace& workspace);

// Poses of bodies and shapes from q. Quaternions are taken as directions: they need not have unit length.
void compute_poses(const Model& model, const std::vector<double>& q, Workspace& workspace);

// Inertia blocks of the problem and the generalized force of weight, actuators and applied wrenches.
void compute_inertia_and_force(const Model& model, const Options& options, const Control& control,
                               Workspace& workspace);

// Bound on the speed of each shape over the step from the velocities before and after it without contact.
void compute_shape_speed(const Model& model, const std::vector<double>& u, const std::vector<double>& free_velocity,
                         Workspace& workspace);

// The state after the time h with the velocity u⁺: q and u of `next`. Reads the coordinates from `state`.
void integrate(const Model& model, double h, const State& state, const std::vector<double>& velocity,
               const Workspace& workspace, State& next);

}  // namespace stiction
