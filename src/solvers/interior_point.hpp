// Primal-dual interior point on De Saxcé's form of contact with friction.
#pragma once

#include <vector>

#include "solvers/interior_box.hpp"

namespace stiction {

struct SolverScratch;

// One block on the central path, but for its rows.
struct InteriorBlock {
  bool ray = false;          // one row, or no friction
  bool sliding_ray = false;  // several rows without friction
  bool relaxed = false;      // without the shift μ ‖z_t‖
  bool is_box = false;       // a box row: all is in `box`
  InteriorBox box;
  double mu = 0, w = 0;  // friction; inverse effective mass [1/kg]
  double beta = 0;       // of the Nesterov–Todd scaling S
};

// All blocks, and their rows in the order of the island's.
struct InteriorBlocks {
  std::vector<InteriorBlock> block;
  std::vector<double> x, y;       // cone variables [m/s]
  std::vector<double> lambda;     // S y = S⁻¹ x
  std::vector<double> scaling;    // w of S
  std::vector<double> direction;  // z_t / ‖z_t‖, times the share of the shift's derivative that is kept
  std::vector<double> gap;        // v + μ ‖z_t‖ n − z [m/s]
  std::vector<double> dx, dy;     // step of x and y

  void resize(int blocks, int rows);
};

struct InteriorSettings {
  double start = 1;        // size of the first x and y, relative to the velocity scale
  double boundary = 0.99;  // fraction of the step to the boundary that is taken
  bool relaxed = false;    // leave the shift μ ‖z_t‖ out: the convex relaxation
  int variant = 0;         // of the path: 0 the central one, else one with other weights
  bool loaded = false;     // start from the normal impulses of current where these are larger
};

// Sets current and z to the start of the central path.
void interior_start(const InteriorSettings& settings, SolverScratch& scratch);

enum class InteriorStatus { kMoved, kStalled };

// One predictor and corrector step along the central path from (current.p, z): one factorisation. Fills pieces with
// the piece of the law towards which each block moves.
InteriorStatus interior_step(const InteriorSettings& settings, SolverScratch& scratch);

// The largest ‖gap‖ of a block [m/s].
double largest_gap(const SolverScratch& scratch);

}  // namespace stiction
