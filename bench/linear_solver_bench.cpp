// Time of one iteration of the paper's Newton method by each linear solver, the sixth, on islands of growing size:
// where `auto` changes from one to the next (docs/performance.md). Iterative ones leave a millionth of their residual,
// as they do near the end of a solve.
#include <benchmark/benchmark.h>

#include "solvers/solver.hpp"
#include "support/random_problem.hpp"

namespace stiction::test {
namespace {

constexpr int kBefore = 5;
constexpr double kForcing = 1e-6;

void iterate_once(benchmark::State& state, const ContactProblem& problem, LinearSolver linear_solver) {
  const SolverEntry& solver = *find_solver("newton-fb");
  SolverWorkspace workspace;
  Solution start, solution;
  solve_islands(problem, solver,
                {.max_iterations = kBefore, .warm_start = false, .linear_solver = LinearSolver::kDirect}, workspace,
                start);
  const SolverSettings settings{
      .tolerance = 1e-14, .max_iterations = 1, .linear_solver = linear_solver, .linear_forcing = kForcing};
  SolveStats stats;
  for (auto _ : state) {
    solution = start;
    stats = solve_islands(problem, solver, settings, workspace, solution);
  }
  state.counters["rows"] = problem.nrow;
  state.counters["dofs"] = problem.nv;
  state.counters["linear"] = stats.linear_iterations;
}

void register_all() {
  static constexpr std::pair<LinearSolver, const char*> kSolvers[] = {
      {LinearSolver::kDirect, "direct"}, {LinearSolver::kLdlt, "ldlt"}, {LinearSolver::kPcr, "pcr"}};
  const auto add = [](const std::string& name, const ContactProblem& problem) {
    for (const auto& [kind, solver] : kSolvers)
      benchmark::RegisterBenchmark(("linear/" + name + "/" + solver).c_str(), [problem,
                                                                               kind = kind](benchmark::State& state) {
        iterate_once(state, problem, kind);
      })->Unit(benchmark::kMicrosecond);
  };
  for (int bodies : {1, 3, 10, 30, 100, 300, 1000, 3000}) add("pile/" + std::to_string(bodies), pile(bodies));
  for (int side : {3, 10, 30}) add("wall/" + std::to_string(side * side), box_wall(side, side));
  for (int bodies : {3, 10, 30}) add("stack/" + std::to_string(bodies), box_stack(bodies, 1));
  for (int contacts : {4, 12}) {
    ProblemMaker maker;
    maker.add_random_tree(30);
    for (int k = 0; k < contacts; ++k) maker.add_random_block(0, -1, 3);
    add("tree30/" + std::to_string(contacts), maker.finish());
  }
}

const int registered = (register_all(), 0);

}  // namespace
}  // namespace stiction::test
