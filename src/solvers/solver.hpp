// What a solver is: a function on one island, a row in a table. Islands are independent, so they are solved in
// parallel, with the same bits for any number of threads.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "problem/island.hpp"

namespace stiction {

struct IslandResult {
  int factorisations = 0;
  int sweeps = 0;  // of pgs; iterations of admm, and of Newton's method with an iterative linear solver
  int linear_iterations = 0;
  bool used_interior = false, used_proximal = false;
  bool reduced = false;   // its push-out
  bool refuted = false;   // impulses were found that contradict the demanded velocities (existence.hpp)
  bool branched = false;  // facets were found by branching
  bool solved = false;

  int iterations() const { return sweeps > 0 ? sweeps : factorisations; }
};

// Memory of one solver thread; grows, never shrinks. Each solver keeps its parts there.
struct SolverScratch;

// Reads the warm start from solution.lambda and writes u, lambda and push_out of the island's trees and blocks.
using SolveIsland = IslandResult (*)(const ContactProblem& problem, int island, const SolverSettings& settings,
                                     SolverScratch& scratch, Solution& solution);

struct SolverEntry {
  std::string_view name;
  std::string_view meaning;
  SolveIsland solve;
};

std::span<const SolverEntry> solver_table();
// Null if there is none of that name.
const SolverEntry* find_solver(std::string_view name);

// Scratch for every thread, kept between steps.
class SolverWorkspace {
 public:
  SolverWorkspace();
  ~SolverWorkspace();
  SolverScratch& thread(int index);  // grows the pool on first use: call reserve before a parallel region
  void reserve(int threads);

  // u of the problem at the start of the step, to which the multipliers of the warm start belong; empty: not known.
  std::span<const double> velocity_before;
  // Factors on push-out with which the first blocks begin; all others have it in full.
  std::span<const double> push_out_before;
  std::vector<int> order;             // islands, largest first
  std::vector<IslandResult> results;  // of each island

 private:
  std::vector<std::unique_ptr<SolverScratch>> scratch_;
};

// Solves all islands. Trees that no row touches get u = ũ. Does not allocate after warm-up.
SolveStats solve_islands(const ContactProblem& problem, const SolverEntry& solver, const SolverSettings& settings,
                         SolverWorkspace& workspace, Solution& solution);

}  // namespace stiction
