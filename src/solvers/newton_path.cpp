#include "solvers/newton_path.hpp"

#include <algorithm>

#include "solvers/natural_newton.hpp"

namespace stiction {
namespace {

// Newton before any path: from a warm start, and from zero impulses, where a path is the better way.
constexpr int kWarmIterations = 40, kWarmPatience = 16, kColdIterations = 8, kColdPatience = 1;
// In a large island most blocks settle within some iterations and a few never: those are then searched by themselves.
constexpr int kLargeIterations = 12;
constexpr double kFarStart = 0.1;  // residual, relative, from which an undamped first step leads nowhere
// Sweeps where the first step from a warm start led nowhere and the start is further off than this, relative to the
// scale: contacts that come and go find their pieces. Trees with more degrees of freedom couple theirs too closely.
constexpr int kSweeps = 5, kSmallTree = 32;
constexpr double kFarToSweep = 1e-3;
constexpr double kVariantStart = 3, kVariantBoundary = 0.9;  // other paths are followed closer to their centre
constexpr int kPathIterations = 40;
constexpr double kUnlikeMasses = 1e3;  // ratio of inverse effective masses from which impulses are of unlike sizes
constexpr int kFirstCrossover = 2;     // iterations of the path before the pieces say anything
constexpr int kCrossoverIterations = 8, kCrossoverPatience = 2;
constexpr double kCrossoverBound = 1e-1;  // residual after the step on the pieces, relative, above which it has failed
// The pieces need not have settled where the predictor goes far and τ is small, relative to the scale squared.
constexpr double kLongStep = 0.6, kSmallParameter = 1e-6;
// Twice in a row below it, the path has ended: it turns back, or rounding hides it.
constexpr double kShortStep = 0.05;

int sweeps_after_first(const SolverScratch& s) {
  // On the contacts of a single tree the first step leads nowhere so rarely that sweeps cost more than they save.
  if (s.island.ntree == 1 || s.island.nblock > kSmallIsland) return 0;
  if (!(s.current.residual > kFarToSweep * s.island.scale)) return 0;
  for (int t = 0; t < s.island.ntree; ++t)
    if (s.island.tree_size(t) > kSmallTree) return 0;
  return kSweeps;
}

// From the path to the solution; leaves current as it was if that fails.
bool crossover(const Targets& targets, SolverScratch& s) {
  s.trial.copy(s.current);
  if (newton_step_on_pieces(s) && s.current.residual < kCrossoverBound * s.island.scale)
    natural_newton({.target = targets.aim,
                    .accept = targets.accept,
                    .max_iterations = kCrossoverIterations,
                    .patience = kCrossoverPatience},
                   s);
  s.current.copy(s.trial);
  return s.best.residual <= targets.accept;
}

// Contacts of a light body under a heavy one carry impulses of the heavy one, decades above those with which a path
// starts. What would hold all contacts where they are is of the right size.
bool follow_loaded(const Targets& targets, SolverScratch& s) {
  const auto lighter = [](const BlockScale<double>& a, const BlockScale<double>& b) { return a.normal < b.normal; };
  const auto [heavy, light] = std::minmax_element(s.scale.begin(), s.scale.begin() + s.island.nblock, lighter);
  if (!(light->normal > kUnlikeMasses * heavy->normal)) return false;
  return_to_zero(s);
  std::fill(s.pieces.begin(), s.pieces.end(), ContactPiece::kStick);
  return newton_step_on_pieces(s) && follow_path(targets, {.loaded = true}, s);
}

}  // namespace

bool follow_path(const Targets& targets, const InteriorSettings& settings, SolverScratch& s) {
  s.result.used_interior = true;
  interior_start(settings, s);
  const double small = kSmallParameter * s.island.scale * s.island.scale;
  int short_steps = 0;
  for (int iteration = 0; iteration < kPathIterations; ++iteration) {
    std::swap(s.pieces, s.pieces_before);
    if (interior_step(settings, s) == InteriorStatus::kStalled) return false;
    if (s.current.residual <= targets.accept) return true;
    short_steps = s.path_step < kShortStep ? short_steps + 1 : 0;
    if (short_steps == 2) return false;
    if (iteration < kFirstCrossover) continue;
    const bool near_end = s.path_step > kLongStep && s.path_parameter < small;
    if ((near_end || s.pieces == s.pieces_before) && crossover(targets, s)) return true;
  }
  return false;
}

bool is_cold(const SolverScratch& s) {
  return std::all_of(s.current.p.begin(), s.current.p.end(), [](double p) { return p == 0; });
}

bool newton_from_start(const Targets& targets, SolverScratch& s) {
  const bool cold = is_cold(s);
  const bool large = s.island.nblock > kSmallIsland;
  natural_newton({.target = targets.aim,
                  .accept = targets.accept,
                  .max_iterations = cold ? kColdIterations : (large ? kLargeIterations : kWarmIterations),
                  .patience = cold ? kColdPatience : kWarmPatience,
                  .damped = large && s.current.residual > kFarStart * s.island.scale,
                  .at_least_one = true,
                  .from_before = true,
                  .sweeps = cold ? 0 : sweeps_after_first(s)},
                 s);
  return s.best.residual <= targets.accept;
}

bool follow_variants(const Targets& targets, int variants, SolverScratch& s) {
  if (follow_loaded(targets, s)) return true;
  for (int variant = 1; variant <= variants; ++variant)
    if (follow_path(targets, {.start = kVariantStart, .boundary = kVariantBoundary, .variant = variant}, s))
      return true;
  return false;
}

}  // namespace stiction
