// Primal-dual interior point on De Saxcé's form of contact with friction.
#pragma once

#include "laws/second_order_cone.hpp"
#include "math/vec3.hpp"

namespace stiction {

struct SolverScratch;

// One block on the central path.
struct InteriorBlock {
  bool ray = false;      // one row, or no friction
  double mu = 0, w = 0;  // friction; inverse effective mass [1/kg]
  Vec3 x, y;             // cone variables [m/s]
  Vec3 lambda;           // S y = S⁻¹ x
  NesterovTodd<double> S;
  Vec3 direction;  // z_t / ‖z_t‖ in its last two entries
  Vec3 gap;        // v + μ ‖z_t‖ n − z [m/s]
  Vec3 dx, dy;     // step of x and y
  Vec3 product;    // (S⁻¹ dx) ∘ (S dy) of the predictor
};

// Sets current and z to the start of the central path.
void interior_start(SolverScratch& scratch);

// Follows the central path from (current.p, z) until the natural map is at most target [m/s]. False if it stalls.
bool interior_point(double target, SolverScratch& scratch);

}  // namespace stiction
