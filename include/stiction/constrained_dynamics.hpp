// Constrained dynamics on its own: the accelerations of a model's trees whose bodies are held by points, frames and
// loops, and the forces that hold them.
//
//   M u̇ + bias = τ + Jᵀ λ,      J u̇ + J̇ u + damping ċ + stiffness c = 0
//
// by the principle of least constraint: u̇ is the acceleration closest to the free one, in the metric M, of all those
// that satisfy the rows. Where rows contradict each other u̇ satisfies them as well as possible; where they say the
// same twice, λ is the smallest of all forces that do it. Bodies and joints alone, as in dynamics.hpp: whatever else
// acts goes into τ. An object holds scratch memory and does not allocate when called: use one per thread.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include <stiction/model.hpp>

namespace stiction {

enum class BilateralType { kPoint = 0, kFrame = 1 };

// Holds a point (3 rows) or a frame (6 rows) of body a at a point or frame of body b; two bodies of one tree make a
// loop. With the points p_a, p_b and the angular velocities ω, in world axes:
//   rows 0 to 2:   ċ = ṗ_a − ṗ_b,   λ [N] acts on body a at p_a and −λ on body b at p_b
//   rows 3 to 5:   ċ = ω_a − ω_b,   λ [N m] likewise
struct BilateralConstraint {
  BilateralType type = BilateralType::kPoint;
  int body_a = 0, body_b = 0;    // 0: the world
  Transform pose_a{}, pose_b{};  // of the point or frame in the frame of its body
  // Baumgarte's terms pull an error c back: 1/T² and 2/T let it decay in about the time T. 0: none.
  double stiffness = 0;  // ≥ 0 [1/s²]
  double damping = 0;    // ≥ 0 [1/s]
};

struct ProximalSettings {
  double mu = 1e-8;          // > 0, of the mean of the Delassus diagonal: smaller converges in fewer iterations, but
                             // separates rows that are nearly dependent from rounding errors less well
  double tolerance = 1e-12;  // > 0, of the largest free acceleration of a row
  int max_iterations = 100;
};

struct ProximalResult {
  int iterations = 0;
  bool converged = false;
  bool consistent = true;  // false: rows contradict each other, and `residual` is what no acceleration can remove
  double residual = 0;     // largest of the rows [m/s² or rad/s²; of impulses m/s or rad/s]
};

class ConstrainedDynamics {
 public:
  using In = std::span<const double>;
  using Out = std::span<double>;

  // Error, naming the constraint, where a body does not exist or a number is out of range.
  ConstrainedDynamics(std::shared_ptr<const Model> model, std::vector<BilateralConstraint> constraints,
                      const ProximalSettings& settings = {});
  ~ConstrainedDynamics();
  ConstrainedDynamics(ConstrainedDynamics&&) noexcept;
  ConstrainedDynamics& operator=(ConstrainedDynamics&&) noexcept;

  const Model& model() const;
  int rows() const;  // of all constraints

  // u̇ and λ (rows) of the forces τ. Error if the mass matrix is not positive definite.
  ProximalResult accelerations(In q, In u, In tau, Out udot, Out lambda);
  // A shock: M (next − u) = Jᵀ λ with J next = −restitution · J u; λ are impulses [N s, N m s].
  ProximalResult impulses(In q, In u, double restitution, Out next, Out lambda);

  void jacobian(In q, Out jacobian);  // rows × nv, row-major
  void delassus(In q, Out delassus);  // J M⁻¹ Jᵀ, rows × rows

 private:
  struct Memory;
  std::unique_ptr<Memory> memory_;
};

}  // namespace stiction
