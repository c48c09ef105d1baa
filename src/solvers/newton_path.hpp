// Semismooth Newton, and where that does not contract an interior-point path with crossover to it: what solves an
// island, and what solves a part of one (part_search.hpp).
#pragma once

#include "solvers/interior_point.hpp"
#include "solvers/natural_newton.hpp"
#include "solvers/scratch.hpp"

namespace stiction {

// Residuals [m/s]: a method aims at the first, and its result is taken where it is below the second.
struct Targets {
  double aim = 0, accept = 0;
};

// Follows a path from its start. As soon as the pieces of the law (open, stick, slide) towards which it moves have
// settled, a Newton step on those pieces and semismooth Newton from there; if that does not get to the solution, the
// path goes on. True if best is acceptable.
bool follow_path(const Targets& targets, const InteriorSettings& settings, SolverScratch& scratch);

// Whether all impulses of current are zero.
bool is_cold(const SolverScratch& scratch);
// Newton from current: patient from a warm start, brief from zero impulses. True if best is acceptable.
bool newton_from_start(const Targets& targets, SolverScratch& scratch);
// That many other paths. True if best is acceptable.
bool follow_variants(const Targets& targets, int variants, SolverScratch& scratch);

}  // namespace stiction
