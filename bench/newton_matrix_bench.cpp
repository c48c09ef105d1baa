// Time of the Newton matrix. In body space: order and pattern (prepare), factorisation, refined solution. In both forms
// of small islands: one preparation and five iterations.
#include <benchmark/benchmark.h>

#include "solvers/contact_space.hpp"
#include "solvers/newton_matrix.hpp"
#include "support/newton_blocks.hpp"
#include "support/random_problem.hpp"

namespace stiction::test {
namespace {

constexpr double kShift = 1e-9, kContactShift = 1e-10;

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
    if (which == Part::kSolve) residual = matrix.solve(r.data(), 0, delta_p.data(), delta_u.data());
  };
  for (Part which : {Part::kPrepare, Part::kFactor, Part::kSolve}) run(which);
  for (auto _ : state) run(part);
  if (!factored) state.SkipWithError("the factorisation broke down");
  state.counters["trees"] = blocks.island.ntree;
  state.counters["blocks"] = blocks.island.nblock;
  state.counters["dofs"] = blocks.island.nv;
  state.counters["residual"] = residual;
}

constexpr int kIterations = 5;

template <class Matrix>
void iterate(const NewtonBlocks& blocks, const Island& island, const std::vector<double>& r, double shift,
             Matrix& matrix) {
  static thread_local std::vector<double> delta_p, delta_u;
  delta_p.resize(r.size());
  delta_u.resize(std::size_t(island.nv));
  matrix.prepare(island, blocks.delassus.data());
  for (int k = 0; k < kIterations; ++k) {
    matrix.factor(blocks.A.data(), blocks.B.data(), shift);
    matrix.solve(r.data(), 0, delta_p.data(), delta_u.data());
  }
}

void compare_forms(benchmark::State& state, const ContactProblem& problem, bool contact_space) {
  const NewtonBlocks blocks(problem, kKind, 3);
  const std::vector<double> r = right_side(blocks), push_out(std::size_t(blocks.problem.nblock), 1.0);
  Island island;
  ContactSpaceScratch space;
  ContactSpaceMatrix dense;
  BodySpaceMatrix sparse;
  for (auto _ : state) {
    gather_island(blocks.problem, 0, push_out, island);
    if (contact_space) {
      enter_contact_space(space, island);
      iterate(blocks, island, r, kContactShift, dense);
    } else {
      iterate(blocks, island, r, kShift, sparse);
    }
  }
  state.counters["rows"] = island.nrow;
  state.counters["dofs"] = blocks.island.nv;
}

// That many contacts of one tree with the ground.
ContactProblem one_tree(int dofs, int contacts) {
  ProblemMaker maker;
  maker.add_random_tree(dofs);
  for (int k = 0; k < contacts; ++k) maker.add_random_block(0, -1, 3);
  return maker.finish();
}

void register_forms() {
  const auto add = [](const std::string& name, const ContactProblem& problem) {
    for (const bool contact_space : {true, false})
      benchmark::RegisterBenchmark(
          ((contact_space ? "forms/contact_space/" : "forms/body_space/") + name).c_str(),
          [problem, contact_space](benchmark::State& state) { compare_forms(state, problem, contact_space); });
  };
  for (int contacts : {2, 4, 8}) add("body/" + std::to_string(contacts), one_tree(6, contacts));
  for (int bodies : {2, 3, 5}) add("stack/" + std::to_string(bodies), box_stack(bodies, 1));
  for (int contacts : {8, 12, 20, 30}) add("tree30/" + std::to_string(contacts), one_tree(30, contacts));
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

const int registered = (register_all(), register_forms(), 0);

}  // namespace
}  // namespace stiction::test
