// The dynamics of a model's kinematic trees, function by function: what a controller or a planner calls directly. Rigid
// bodies and joints with their armature alone: no contacts, limits, springs, dampers or actuators.
//
//   M(q) u̇ + bias(q, u) = τ        bias: gravity, Coriolis and centrifugal force
//
// Coordinates are those of State: a free joint has the velocity of the body origin in world axes and the angular
// velocity in body axes. Arrays have Model::nq positions and Model::nv velocities, accelerations or forces; every
// function throws Error, naming the argument, where a length or a body does not fit. Velocities and Jacobians are in
// world axes. An object holds scratch memory and does not allocate when called: use one per thread.
#pragma once

#include <memory>
#include <span>

#include <stiction/model.hpp>

namespace stiction {

class Dynamics {
 public:
  using In = std::span<const double>;
  using Out = std::span<double>;

  // Gravity is that of the model's options.
  explicit Dynamics(std::shared_ptr<const Model> model);
  ~Dynamics();
  Dynamics(Dynamics&&) noexcept;
  Dynamics& operator=(Dynamics&&) noexcept;

  const Model& model() const;

  // τ of the motion, by the recursive Newton-Euler algorithm.
  void rnea(In q, In u, In udot, Out tau);
  // u̇ of the forces, by the articulated-body algorithm. Error if a joint meets no inertia.
  void aba(In q, In u, In tau, Out udot);
  // M, nv × nv, symmetric, by composite rigid bodies; armature on its diagonal.
  void crba(In q, Out mass);
  // x ← M⁻¹ x by the tree-sparse factor of M. Error if M is not positive definite.
  void solve_mass(In q, Out x);
  void bias_force(In q, In u, Out tau);
  void gravity_force(In q, Out tau);  // bias at rest: what holds the robot still

  Transform body_pose(In q, int body);
  // Velocity of the body origin (linear) and angular velocity.
  Spatial body_velocity(In q, In u, int body);
  // Their rates; without gravity.
  Spatial body_acceleration(In q, In u, In udot, int body);

  // Velocity of a point given in the body frame: 3 × nv, row-major.
  void point_jacobian(In q, int body, const Vec3& point, Out jacobian);
  // J̇ u: the acceleration of that point at u̇ = 0.
  Vec3 point_bias(In q, In u, int body, const Vec3& point);
  // Rows 0 to 2: velocity of the body origin; rows 3 to 5: angular velocity. 6 × nv, row-major.
  void frame_jacobian(In q, int body, Out jacobian);
  // J̇ u of the frame: linear and angular acceleration at u̇ = 0.
  Spatial frame_bias(In q, In u, int body);

  double kinetic_energy(In q, In u);  // ½ uᵀ M u [J]
  double potential_energy(In q);      // −Σ m g·x of the moving bodies [J]
  double mass() const;                // of the moving bodies [kg]
  Vec3 centre_of_mass(In q);          // of the moving bodies [m]
  // Linear momentum [N s] and angular momentum about the centre of mass [N m s] of the moving bodies.
  Spatial centroidal_momentum(In q, In u);
  // Its matrix, 6 × nv: rows 0 to 2 linear, 3 to 5 angular.
  void centroidal_matrix(In q, Out matrix);

  // q ⊕ h u: positions after the time h [s] at the velocity u.
  void integrate(In q, In u, double h, Out next);

 private:
  struct Memory;
  std::unique_ptr<Memory> memory_;
};

}  // namespace stiction
