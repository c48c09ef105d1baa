// Time of the Newton matrix in body space: order and pattern (prepare), factorisation, refined solution.
#include <benchmark/benchmark.h>

#include "solvers/newton_matrix.hpp"
#include "support/newton_blocks.hpp"
#include "support/random_problem.hpp"

namespace stiction::test {
namespace {

constexpr double kShift = 1e-9;

// Half of the contacts stick, half slide or are open, as in a heap that settles.
constexpr BlockKind kKind = BlockKind::kMixed;

// r = (A W + B) p: a right-hand side that redundant contacts can meet.
std::vector<double> right_side(const NewtonBlocks& blocks) {
  const Island& island = blocks.island;
  std::vector<double> p(std::size_t(island.nrow)), u(std::size_t(island.nv)), v(p.size()), r(p.size(), 0.0);
  Random random(5);
  for (double& entry : p) entry = random.normal();
  generalized_impulse(island, p.data(), u.data());
  apply_inverse_inertia(island, u.data());
  contact_velocity(island, u.data(), false, v.data());
  for (int c = 0; c < island.nblock; ++c)
    for (int i = 0; i < island.block_size(c); ++i)
      for (int j = 0; j < island.block_size(c); ++j) {
        const auto entry = std::size_t(island.square[std::size_t(c)] + island.block_size(c) * i + j);
        const auto row = std::size_t(island.row[std::size_t(c)]);
        r[row + std::size_t(i)] +=
            blocks.A[entry] * v[row + std::size_t(j)] + blocks.B[entry] * p[row + std::size_t(j)];
      }
  return r;
}

enum class Part { kPrepare, kFactor, kSolve };

void measure(benchmark::State& state, const ContactProblem& problem, Part part) {
  const NewtonBlocks blocks(problem, kKind, 3);
  const std::vector<double> r = right_side(blocks);
  std::vector<double> delta_p(r.size()), delta_u(std::size_t(blocks.island.nv));
  BodySpaceMatrix matrix;
  bool factored = true;
  double residual = 0;
  const auto run = [&](Part which) {
    if (which == Part::kPrepare) matrix.prepare(blocks.island, blocks.delassus.data());
    if (which == Part::kFactor) factored = matrix.factor(blocks.A.data(), blocks.B.data(), kShift);
    if (which == Part::kSolve) residual = matrix.solve(r.data(), delta_p.data(), delta_u.data());
  };
  for (Part which : {Part::kPrepare, Part::kFactor, Part::kSolve}) run(which);
  for (auto _ : state) run(part);
  if (!factored) state.SkipWithError("the factorisation broke down");
  state.counters["trees"] = blocks.island.ntree;
  state.counters["blocks"] = blocks.island.nblock;
  state.counters["dofs"] = blocks.island.nv;
  state.counters["residual"] = residual;
}

void register_all() {
  static constexpr std::pair<Part, const char*> kParts[] = {
      {Part::kPrepare, "prepare"}, {Part::kFactor, "factor"}, {Part::kSolve, "solve"}};
  const auto add = [](const std::string& name, const ContactProblem& problem) {
    for (const auto& [part, part_name] : kParts)
      benchmark::RegisterBenchmark(("body_space/" + name + "/" + part_name).c_str(),
                                   [problem, part = part](benchmark::State& state) { measure(state, problem, part); });
  };
  for (int bodies : {1, 5, 25, 100, 500}) add("pile/" + std::to_string(bodies), pile(bodies));
  add("wall/100", box_wall(10, 10));
  add("stack/10", box_stack(10, 1));
  add("robots/8x30",
      random_forest({.trees = 8, .dofs_low = 30, .dofs_high = 30, .extra_edges = 0, .blocks_per_pair = 8}));
  add("tree/1x264", random_forest({.trees = 1, .dofs_low = 264, .dofs_high = 264, .blocks_per_pair = 100}));
}

const int registered = (register_all(), 0);

}  // namespace
}  // namespace stiction::test
