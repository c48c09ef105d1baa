// Primal-dual interior point on De Saxcé's form of contact with friction.
#pragma once

#include "laws/second_order_cone.hpp"
#include "math/vec3.hpp"
#include "solvers/interior_box.hpp"

namespace stiction {

struct SolverScratch;

// One block on the central path.
struct InteriorBlock {
  bool ray = false;          // one row, or no friction
  bool sliding_ray = false;  // three rows without friction
  bool is_box = false;       // a box row: all is in `box`
  InteriorBox box;
  double mu = 0, w = 0;  // friction; inverse effective mass [1/kg]
  Vec3 x, y;             // cone variables [m/s]
  Vec3 lambda;           // S y = S⁻¹ x
  NesterovTodd<double> S;
  Vec3 direction;  // z_t / ‖z_t‖ in its last two entries
  Vec3 gap;        // v + μ ‖z_t‖ n − z [m/s]
  Vec3 dx, dy;     // step of x and y
};

struct InteriorSettings {
  double start = 1;        // size of the first x and y, relative to the velocity scale
  double boundary = 0.99;  // fraction of the step to the boundary that is taken
  bool relaxed = false;    // leave the shift μ ‖z_t‖ out: the convex relaxation
  bool frozen = false;     // take the shift from scratch.shift: a convex problem near the exact one
  // Where the full derivative of the shift leads nowhere (the path folds back), a part of it still leads on, slower: a
  // cautious path starts with half of it, takes less after short steps and more after long ones, and does not let τ run
  // ahead of the gap.
  bool cautious = false;
  int variant = 0;  // of the path: 0 the central one, else one with other weights
};

// Sets current and z to the start of the central path.
void interior_start(const InteriorSettings& settings, SolverScratch& scratch);

enum class InteriorStatus { kMoved, kStalled };

// One predictor and corrector step along the central path from (current.p, z): one factorisation. Fills pieces with
// the piece of the law towards which each block moves.
InteriorStatus interior_step(const InteriorSettings& settings, SolverScratch& scratch);

}  // namespace stiction
