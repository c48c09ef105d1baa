#include "solvers/domain_sweeps.hpp"

#include <algorithm>
#include <cmath>

#include "solvers/natural_newton.hpp"
#include "solvers/proximal.hpp"

namespace stiction {
namespace {

constexpr int kLeastTrees = 500;    // of an island that is divided
constexpr int kDomainTrees = 60;    // of a domain, before its neighbours
constexpr double kWithin = 0.3;     // of the target, to which domains are solved; those that meet it are left alone
constexpr double kReduction = 0.5;  // of a domain's residual in one visit: its neighbours move it again
constexpr double kFarStart = 0.1;   // residual, relative, from which Newton's method starts damped
constexpr int kIterations = 12, kPatience = 16;
// Factorisations of a domain in one visit, and of those by continuation: one hard domain must not cost more than all of
// the island.
constexpr int kFactorisations = 200, kProximal = 60;
// A sweep that leaves more than this share halts at single places, which lie badly in both partitions. Trees of such a
// place, places that are mended between two sweeps, and their factorisations by continuation, which on the whole island
// would cost ten times as much.
constexpr double kHalts = 0.5;
constexpr int kPlaceTrees = 120, kPlaces = 12, kPlaceProximal = 400;
constexpr double kNearlySolved = 0.005;  // share of the blocks that may miss the target
// The mean contraction of the last sweeps must promise the target after this many more.
constexpr int kLastSweeps = 4, kMoreSweeps = 24;

void divide(const SolverScratch& s, DomainScratch& scratch) {
  for (int k = 0; k < 2; ++k) {
    scratch.partition[k].divide(s.island, scratch.evaluation.tree_blocks(), kDomainTrees, k == 1);
    const std::size_t count = scratch.partition[k].domains().size();
    auto& locals = scratch.domain[k];
    while (locals.size() < count) locals.push_back(std::make_unique<SolverScratch>());
    scratch.gathered[k].assign(count, 0);
  }
}

// Calls f(first row of the island, its first row of the domain, number) for each block, or dof for each tree.
template <class F>
void each_stretch(const std::vector<int>& members, const std::vector<int>& from, const std::vector<int>& to, F&& f) {
  for (std::size_t k = 0; k < members.size(); ++k)
    f(std::size_t(from[std::size_t(members[k])]), std::size_t(to[k]), to[k + 1] - to[k]);
}

// The island of a domain. It holds all trees of its blocks, which have the W_cc of the whole island.
void gather(const SolverScratch& s, const Domain& domain, SolverScratch& local) {
  gather_domain(s.island, domain, local.island);
  size_island(local);
  each_stretch(domain.block, s.island.square, local.island.square, [&](std::size_t from, std::size_t to, int n) {
    std::copy_n(s.delassus.data() + from, n, local.delassus.data() + to);
  });
  for (std::size_t k = 0; k < domain.block.size(); ++k) local.scale[k] = s.scale[std::size_t(domain.block[k])];
}

// Impulses of a domain as they are, and its free velocities: what its trees do with the impulses of all other blocks.
void hold_others(const SolverScratch& s, const Domain& domain, const BlocksResidual& residual, SolverScratch& local) {
  Island& island = local.island;
  Iterate& at = local.current;
  each_stretch(domain.block, s.island.row, island.row, [&](std::size_t from, std::size_t to, int n) {
    std::copy_n(s.current.p.data() + from, n, at.p.data() + to);
    std::copy_n(s.current.v.data() + from, n, at.v.data() + to);
  });
  generalized_impulse(island, at.p.data(), at.u.data());
  apply_inverse_inertia(island, at.u.data());
  each_stretch(domain.tree, s.island.dof, island.dof, [&](std::size_t from, std::size_t to, int n) {
    for (int d = 0; d < n; ++d)
      island.free_velocity[to + std::size_t(d)] = s.current.u[from + std::size_t(d)] - at.u[to + std::size_t(d)];
    std::copy_n(s.current.u.data() + from, n, at.u.data() + to);
  });
  at.residual = residual.largest;
  at.squared = residual.squared;
  local.best.copy(at);
}

void take_back(const SolverScratch& local, const Domain& domain, LocalEvaluation& evaluation, SolverScratch& s) {
  each_stretch(domain.block, s.island.row, local.island.row, [&](std::size_t to, std::size_t from, int n) {
    std::copy_n(local.best.p.data() + from, n, s.current.p.data() + to);
  });
  evaluation.update(domain.tree, s);
}

void solve_domain(double target, double reduction, int proximal, const Domain& domain, SolverScratch& local,
                  LocalEvaluation& evaluation, SolverScratch& s) {
  const BlocksResidual before = evaluation.residual_of(domain.block);
  hold_others(s, domain, before, local);
  local.result = {};
  local.max_iterations = kFactorisations + proximal;
  const double enough = std::max(kWithin * target, reduction * before.largest);
  if (!natural_newton({.target = enough,
                       .max_iterations = kIterations,
                       .patience = kPatience,
                       .damped = before.largest > kFarStart * s.island.scale},
                      local) &&
      !follow_path({enough, enough}, {}, local))
    proximal_continuation(enough, proximal, local);
  take_back(local, domain, evaluation, s);
}

// Current, of which every change was followed, as an iterate of the whole island.
void finish_change(const LocalEvaluation& evaluation, SolverScratch& s) {
  const BlocksResidual residual = evaluation.residual();
  s.current.residual = residual.largest;
  s.current.squared = residual.squared;
  keep_best(s);
}

// Forth over one partition, back over the other: impulses travel up a pile as fast as down.
void sweep(double target, bool back, DomainScratch& scratch, SolverScratch& s) {
  const std::span<const Domain> domains = scratch.partition[back].domains();
  for (std::size_t k = 0; k < domains.size(); ++k) {
    const std::size_t d = back ? domains.size() - 1 - k : k;
    if (scratch.evaluation.residual_of(domains[d].block).largest <= target) continue;
    SolverScratch& local = *scratch.domain[back][d];
    char& gathered = scratch.gathered[back][d];
    if (gathered == 0) gather(s, domains[d], local);
    gathered = 1;
    solve_domain(target, kReduction, kProximal, domains[d], local, scratch.evaluation, s);
  }
  finish_change(scratch.evaluation, s);
}

// What is left in single places is solved there: in larger domains about the worst block, one after the other, while
// that helps.
void mend_places(double target, DomainScratch& scratch, SolverScratch& s) {
  if (!scratch.worst) scratch.worst = std::make_unique<SolverScratch>();
  for (int k = 0; k < kPlaces && s.current.residual > target; ++k) {
    const double before = s.current.residual;
    const auto c = std::size_t(scratch.evaluation.worst_block());
    const int seed = std::max(s.island.tree_a[c], s.island.tree_b[c]);
    scratch.worst_place.divide_off(s.island, scratch.evaluation.tree_blocks(), seed, kPlaceTrees);
    const Domain& domain = scratch.worst_place.domains().front();
    gather(s, domain, *scratch.worst);
    solve_domain(target, 0, kPlaceProximal, domain, *scratch.worst, scratch.evaluation, s);
    finish_change(scratch.evaluation, s);
    if (!(s.current.residual < before)) return;
  }
}

}  // namespace

bool has_domains(const Island& island) {
  return island.ntree >= kLeastTrees;
}

bool is_nearly_solved(double target, const SolverScratch& s) {
  int missed = 0;
  for (int c = 0; c < s.island.nblock; ++c) {
    if (s.island.law[std::size_t(c)] == Law::kBox) return false;
    missed += block_residual(s, s.current, c) > target;
  }
  return missed > 0 && missed <= kNearlySolved * s.island.nblock;
}

bool domain_sweeps(double target, SolverScratch& s) {
  if (!s.domains) s.domains = std::make_unique<DomainScratch>();
  s.domains->evaluation.start(s);
  if (s.domains->evaluation.count_above(target) <= kPlaces) mend_places(target, *s.domains, s);
  if (s.current.residual <= target) return true;
  divide(s, *s.domains);
  double before[kLastSweeps];  // best residuals, the one of sweep k at k % kLastSweeps
  for (int k = 0; s.current.residual > target; ++k) {
    const double residual = s.current.residual;
    sweep(target, k % 2 == 1, *s.domains, s);
    if (s.current.residual > kHalts * residual) mend_places(target, *s.domains, s);
    double& old = before[k % kLastSweeps];
    const double contraction = k >= kLastSweeps ? s.best.residual / old : 0;
    if (!(s.best.residual * std::pow(contraction, double(kMoreSweeps) / kLastSweeps) <= target))
      return s.best.residual <= target;
    old = s.best.residual;
  }
  return true;
}

}  // namespace stiction
