#include "solvers/solver.hpp"

#include <omp.h>

#include <algorithm>
#include <string>

#include <stiction/error.hpp>

#include "model/solver_names.hpp"
#include "solvers/admm.hpp"
#include "solvers/compliant_contacts.hpp"
#include "solvers/lemke_contacts.hpp"
#include "solvers/newton.hpp"
#include "solvers/paper_newton.hpp"
#include "solvers/pgs.hpp"
#include "solvers/scratch.hpp"

namespace stiction {
namespace {

#define STICTION_SOLVER_ENTRY(name, function, meaning) {name, meaning, function},
constexpr SolverEntry kSolvers[] = {STICTION_SOLVERS(STICTION_SOLVER_ENTRY)};
#undef STICTION_SOLVER_ENTRY

void add(const IslandResult& result, SolveStats& stats) {
  ++stats.islands;
  stats.factorisations += result.factorisations;
  stats.factorisations_max = std::max(stats.factorisations_max, result.factorisations);
  stats.iterations += result.iterations();
  stats.linear_iterations += result.linear_iterations;
  stats.iterations_max = std::max(stats.iterations_max, result.iterations());
  stats.warm += result.solved && !result.used_interior && !result.used_proximal;
  stats.interior += result.used_interior;
  stats.proximal += result.used_proximal;
  stats.branched += result.branched;
  stats.reduced += result.reduced;
  stats.refuted += result.refuted;
  stats.failed += !result.solved;
}

}  // namespace

std::span<const SolverEntry> solver_table() {
  return kSolvers;
}

const SolverEntry* find_solver(std::string_view name) {
  for (const SolverEntry& entry : kSolvers)
    if (entry.name == name) return &entry;
  return nullptr;
}

SolverWorkspace::SolverWorkspace() = default;
SolverWorkspace::~SolverWorkspace() = default;

void SolverWorkspace::reserve(int threads) {
  while (int(scratch_.size()) < threads) scratch_.push_back(std::make_unique<SolverScratch>());
}

SolverScratch& SolverWorkspace::thread(int index) {
  reserve(index + 1);
  return *scratch_[std::size_t(index)];
}

SolveStats solve_islands(const ContactProblem& problem, const SolverEntry& solver, const SolverSettings& settings,
                         SolverWorkspace& workspace, Solution& solution) {
  solution.resize_for(problem);
  std::copy(workspace.push_out_before.begin(), workspace.push_out_before.end(), solution.push_out.begin());
  std::copy(problem.free_velocity.begin(), problem.free_velocity.end(), solution.u.begin());

  // Largest first: a large island taken last would leave the other threads idle. Ties by index.
  std::vector<int>& order = workspace.order;
  order.resize(std::size_t(problem.nisland));
  for (int i = 0; i < problem.nisland; ++i) order[std::size_t(i)] = i;
  const auto blocks = [&](int i) {
    return problem.island_block[std::size_t(i) + 1] - problem.island_block[std::size_t(i)];
  };
  std::sort(order.begin(), order.end(),
            [&](int i, int j) { return blocks(i) != blocks(j) ? blocks(i) > blocks(j) : i < j; });

  // Facets and springs are known to one solver each.
  const auto solve_island = [&](int island) {
    const auto first = std::size_t(problem.island_block[std::size_t(island)]),
               end = std::size_t(problem.island_block[std::size_t(island) + 1]);
    for (std::size_t k = first; k < end; ++k) {
      const Law law = problem.block_law[std::size_t(problem.island_block_list[k])];
      if (is_facet(law)) return SolveIsland(solve_lemke);
      if (is_compliant(law)) return SolveIsland(solve_compliant);
    }
    return solver.solve;
  };
  const int allowed = settings.threads > 0 ? settings.threads : omp_get_max_threads();
  const int wanted = settings.trace != nullptr ? 1 : allowed;
  const int threads = std::max(1, std::min(wanted, problem.nisland));
  workspace.reserve(threads);
  std::vector<IslandResult>& results = workspace.results;
  results.resize(std::size_t(problem.nisland));
  // Each island reads and writes its own trees and blocks only, so the result does not depend on who solves it. A fixed
  // share of the islands, dealt out by size, keeps the scratch memory of each thread warm.
  const auto solve_next = [&](int k, int thread) {
    const int island = order[std::size_t(k)];
    workspace.thread(thread).velocity_before = workspace.velocity_before;
    results[std::size_t(island)] = solve_island(island)(problem, island, settings, workspace.thread(thread), solution);
  };
  if (threads == 1) {
    for (int k = 0; k < problem.nisland; ++k) solve_next(k, 0);
  } else {
#pragma omp parallel for schedule(static, 1) num_threads(threads)
    for (int k = 0; k < problem.nisland; ++k) solve_next(k, omp_get_thread_num());
  }
  SolveStats stats;
  for (const IslandResult& result : results) add(result, stats);
  return stats;
}

SolveStats solve(const ContactProblem& problem, const std::string& solver, const SolverSettings& settings,
                 Solution& solution) {
  detail::check_solver_settings(solver, settings);
  if (settings.warm_start && !solution.lambda.empty() && solution.lambda.size() != std::size_t(problem.nrow))
    throw Error("the solver would start from a solution with " + std::to_string(solution.lambda.size()) +
                " multipliers, but the problem has " + std::to_string(problem.nrow) + " rows");
  SolverWorkspace workspace;
  return solve_islands(problem, *find_solver(solver), settings, workspace, solution);
}

}  // namespace stiction
