#include "solvers/part_search.hpp"

#include <algorithm>

#include "solvers/condense.hpp"
#include "solvers/gauss_seidel.hpp"
#include "solvers/natural_newton.hpp"
#include "solvers/proximal.hpp"

namespace stiction {
namespace {

constexpr int kGrowths = 6, kVariants = 5;
constexpr int kLargestPart = 80;                       // blocks
constexpr int kFactorisations = 300, kProximal = 100;  // small ones for all parts, and of those by continuation
constexpr int kNewtonIterations = 6;                   // after the part was solved
constexpr int kSweeps = 100;                           // after a search that did not help
constexpr double kProgress = 0.5;                      // of the residual; what does less has not helped
// A block belongs to the part if its residual is above this share of the largest; more where the part is too large.
constexpr double kFirstShare = 1e-3, kShareGrowth = 3;
constexpr double kWithin = 0.3;  // of the island's targets, for the part
constexpr double kFar = 1e-2;    // residual, relative, of a step that is not worth keeping

std::pair<int, int> trees_of(const Island& island, int c) {
  return std::minmax(island.tree_a[std::size_t(c)], island.tree_b[std::size_t(c)]);
}

// Adds to the part all patches with a block whose residual is above the bound.
void add_patches(SolverScratch& s, double bound) {
  s.part_trees.clear();
  for (int c = 0; c < s.island.nblock; ++c)
    if (block_residual(s, s.current, c) > bound) s.part_trees.push_back(trees_of(s.island, c));
  for (int c : s.part) s.part_trees.push_back(trees_of(s.island, c));
  std::sort(s.part_trees.begin(), s.part_trees.end());
  s.part.clear();
  for (int c = 0; c < s.island.nblock; ++c)
    if (std::binary_search(s.part_trees.begin(), s.part_trees.end(), trees_of(s.island, c))) s.part.push_back(c);
}

// Adds the patches that are not solved, the worst first, as many as there is room for. False if none could be added.
bool grow_part(double accept, SolverScratch& s) {
  const std::size_t before = s.part.size();
  s.part_before = s.part;
  for (double share = 0; share < 1; share = std::max(kFirstShare, kShareGrowth * share)) {
    s.part = s.part_before;
    add_patches(s, std::max(kProgress * accept, share * s.current.residual));
    if (int(s.part.size()) <= kLargestPart) break;
  }
  if (int(s.part.size()) > kLargestPart) s.part = s.part_before;
  return s.part.size() > before;
}

// Adds all blocks that touch a tree of the part. False if that is too much.
bool add_neighbours(SolverScratch& s) {
  s.part_before = s.part;
  s.part_tree_list.clear();
  for (int c : s.part)
    for (int t : {s.island.tree_a[std::size_t(c)], s.island.tree_b[std::size_t(c)]})
      if (t >= 0) s.part_tree_list.push_back(t);
  std::sort(s.part_tree_list.begin(), s.part_tree_list.end());
  const auto touches = [&](int t) {
    return t >= 0 && std::binary_search(s.part_tree_list.begin(), s.part_tree_list.end(), t);
  };
  s.part.clear();
  for (int c = 0; c < s.island.nblock; ++c)
    if (touches(s.island.tree_a[std::size_t(c)]) || touches(s.island.tree_b[std::size_t(c)])) s.part.push_back(c);
  if (s.part.size() > s.part_before.size() && int(s.part.size()) <= kLargestPart) return true;
  s.part = s.part_before;
  return false;
}

bool solve_part(const Targets& targets, int factorisations, SolverScratch& local) {
  local.max_iterations = factorisations;
  const Targets within{kWithin * targets.aim, kWithin * targets.accept};
  return newton_from_start(within, local) || proximal_continuation(within.accept, kProximal, local) ||
         follow_path(within, {}, local) || follow_variants(within, kVariants, local);
}

// One part, grown until the rest of the island stays on its pieces. Every growth starts again from where the first did.
// True if the island is solved.
bool solve_and_grow(const Targets& targets, int& budget, SolverScratch& s) {
  s.part.clear();
  grow_part(targets.accept, s);
  s.trial.copy(s.current);
  for (int growth = 0; growth < kGrowths && !s.part.empty() && budget > 0; ++growth) {
    if (int(s.part.size()) == s.island.nblock) return false;
    s.current.copy(s.trial);
    if (!condense_island(s)) return false;
    const bool solved = solve_part(targets, budget, *s.local);
    budget -= s.local->result.factorisations;
    if (!extend_part(s)) return false;
    if (s.best.residual <= targets.accept) return true;
    if (s.current.residual < kProgress * s.trial.residual) break;
    if (!grow_part(targets.accept, s) && (solved || !add_neighbours(s))) break;
  }
  if (!(s.current.residual < kFar * s.island.scale)) s.current.copy(s.trial);
  natural_newton({.target = targets.aim,
                  .accept = targets.accept,
                  .max_iterations = kNewtonIterations,
                  .patience = kNewtonIterations},
                 s);
  return s.best.residual <= targets.accept;
}

}  // namespace

bool search_parts(const Targets& targets, SolverScratch& s) {
  if (!s.local) s.local = std::make_unique<SolverScratch>();
  int budget = kFactorisations;
  const double before = s.best.residual;
  s.current.copy(s.best);
  if (solve_and_grow(targets, budget, s)) return true;
  if (s.best.residual < kProgress * before) return false;
  s.current.copy(s.best);
  gauss_seidel(targets.aim, kSweeps, s);
  natural_newton({.target = targets.aim,
                  .accept = targets.accept,
                  .max_iterations = 2 * kNewtonIterations,
                  .patience = kNewtonIterations},
                 s);
  if (s.best.residual <= targets.accept) return true;
  return s.current.residual <= kFar * s.island.scale && solve_and_grow(targets, budget, s);
}

}  // namespace stiction
