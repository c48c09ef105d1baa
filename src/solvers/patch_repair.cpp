#include "solvers/patch_repair.hpp"

#include <algorithm>
#include <cmath>

#include "solvers/natural_newton.hpp"

namespace stiction {
namespace {

constexpr int kRounds = 20, kIdleRounds = 4;
constexpr int kMostPatches = 60;   // that are repaired in a round; where more are left, it is too early
constexpr double kProgress = 0.5;  // of the residual; what does less has not helped
constexpr int kNewtonIterations = 8;
constexpr int kVariants = 5;
constexpr int kPartIterations = 150;  // factorisations of a part
constexpr int kLargestPart = 60;      // blocks

std::pair<int, int> trees_of(const Island& island, int c) {
  return std::minmax(island.tree_a[std::size_t(c)], island.tree_b[std::size_t(c)]);
}

// Blocks patch after patch in s.patch_list; patch k is patch_first[k] … patch_first[k+1].
void find_patches(SolverScratch& s) {
  const Island& island = s.island;
  s.patch_list.resize(std::size_t(island.nblock));
  for (int c = 0; c < island.nblock; ++c) s.patch_list[std::size_t(c)] = c;
  std::sort(s.patch_list.begin(), s.patch_list.end(), [&](int a, int b) {
    const auto x = trees_of(island, a), y = trees_of(island, b);
    return x != y ? x < y : a < b;
  });
  s.patch_first.clear();
  for (int k = 0; k < island.nblock; ++k)
    if (k == 0 || trees_of(island, s.patch_list[std::size_t(k)]) != trees_of(island, s.patch_list[std::size_t(k - 1)]))
      s.patch_first.push_back(k);
  s.patch_first.push_back(island.nblock);
}

double patch_residual(const SolverScratch& s, std::size_t patch) {
  double residual = 0;
  for (int k = s.patch_first[patch]; k < s.patch_first[patch + 1]; ++k) {
    const int c = s.patch_list[std::size_t(k)];
    residual = std::max(residual, norm(natural_map(s, c, s.rows(s.current.v, c), s.rows(s.current.p, c))));
  }
  return residual;
}

int count_unsolved(const SolverScratch& s, double accept) {
  int count = 0;
  for (std::size_t k = 0; k + 1 < s.patch_first.size(); ++k) count += patch_residual(s, k) > accept;
  return count;
}

// The blocks of a patch, or with its surroundings all blocks that touch one of its trees, in s.part.
void choose_part(SolverScratch& s, std::size_t patch, bool surroundings) {
  const int first = s.patch_first[patch], last = s.patch_first[patch + 1];
  if (!surroundings) {
    s.part.assign(s.patch_list.begin() + first, s.patch_list.begin() + last);
    return;
  }
  const auto trees = trees_of(s.island, s.patch_list[std::size_t(first)]);
  const auto touches = [&](int tree) { return tree >= 0 && (tree == trees.first || tree == trees.second); };
  s.part.clear();
  for (int c = 0; c < s.island.nblock; ++c)
    if (touches(s.island.tree_a[std::size_t(c)]) || touches(s.island.tree_b[std::size_t(c)])) s.part.push_back(c);
}

// The part as an island of its own: the other impulses stay, and what they do is in the bias.
void gather_part(const SolverScratch& s, SolverScratch& local) {
  const Island& from = s.island;
  Island& to = local.island;
  to.problem = from.problem;
  to.index = from.index;
  to.scale = from.scale;
  std::vector<int>& trees = local.patch_list;  // island's number of each local tree
  trees.clear();
  for (int c : s.part)
    for (int t : {from.tree_a[std::size_t(c)], from.tree_b[std::size_t(c)]})
      if (t >= 0) trees.push_back(t);
  std::sort(trees.begin(), trees.end());
  trees.erase(std::unique(trees.begin(), trees.end()), trees.end());
  const auto local_tree = [&](int t) {
    return t < 0 ? -1 : int(std::lower_bound(trees.begin(), trees.end(), t) - trees.begin());
  };
  to.tree.clear();
  to.dof.assign(1, 0);
  for (int t : trees) {
    to.tree.push_back(from.tree[std::size_t(t)]);
    to.dof.push_back(to.dof.back() + from.tree_size(t));
  }
  for (auto* list : {&to.block, &to.tree_a, &to.tree_b}) list->clear();
  for (auto* list : {&to.jacobian_a, &to.jacobian_b}) list->clear();
  for (auto* list : {&to.friction, &to.bias}) list->clear();
  to.law.clear();
  to.box.clear();
  to.row.assign(1, 0);
  for (int block : s.part) {
    const auto c = std::size_t(block);
    to.block.push_back(from.block[c]);
    to.row.push_back(to.row.back() + from.block_size(block));
    to.tree_a.push_back(local_tree(from.tree_a[c]));
    to.tree_b.push_back(local_tree(from.tree_b[c]));
    to.jacobian_a.push_back(from.jacobian_a[c]);
    to.jacobian_b.push_back(from.jacobian_b[c]);
    to.friction.push_back(from.friction[c]);
    to.law.push_back(from.law[c]);
    to.box.push_back(from.box[c]);
    for (int i = 0; i < from.block_size(block); ++i) to.bias.push_back(s.current.v[std::size_t(from.row[c] + i)]);
  }
  to.ntree = int(to.tree.size());
  to.nblock = int(to.block.size());
  to.nv = to.dof.back();
  to.nrow = to.row.back();
  to.free_velocity.assign(std::size_t(to.nv), 0.0);
}

// Solves the part for its own impulses and takes them over if that helps.
void solve_part(const Targets& targets, SolverScratch& s, SolverScratch& local) {
  gather_part(s, local);
  local.max_iterations = kPartIterations;
  if (!reset_island(local)) return;
  for (std::size_t k = 0; k < s.part.size(); ++k)
    local.set_rows(local.current.p, int(k), s.rows(s.current.p, s.part[k]));
  // b = v − W p: with the impulses that it has, the part has the velocities that it has.
  evaluate(local, local.current);
  for (std::size_t i = 0; i < local.island.bias.size(); ++i)
    local.island.bias[i] -= local.current.v[i] - local.island.bias[i];
  evaluate(local, local.current);
  const double before = local.current.residual;
  keep_best(local);
  if (!newton_from_start(targets, local) && !follow_path(targets, {}, local))
    follow_variants(targets, kVariants, local);
  if (!(local.best.residual < kProgress * before)) return;
  for (std::size_t k = 0; k < s.part.size(); ++k) s.set_rows(s.current.p, s.part[k], local.rows(local.best.p, int(k)));
  evaluate(s, s.current);
  keep_best(s);
}

}  // namespace

bool repair_patches(const Targets& targets, SolverScratch& s) {
  if (!s.local) s.local = std::make_unique<SolverScratch>();
  find_patches(s);
  s.current.copy(s.best);
  const Targets within{kProgress * targets.aim, kProgress * targets.accept};
  int idle = 0;
  for (int round = 0; round < kRounds && idle < kIdleRounds && s.may_factor(); ++round) {
    if (count_unsolved(s, targets.accept) > kMostPatches) return false;
    const double before = s.best.residual;
    for (std::size_t k = 0; k + 1 < s.patch_first.size(); ++k) {
      if (patch_residual(s, k) <= targets.accept) continue;
      choose_part(s, k, idle % 2 == 1);
      if (int(s.part.size()) <= kLargestPart) solve_part(within, s, *s.local);
    }
    if (s.best.residual <= targets.accept) return true;
    s.trial.copy(s.current);
    natural_newton({.target = targets.aim, .max_iterations = kNewtonIterations}, s);
    if (s.best.residual <= targets.accept) return true;
    if (s.current.residual > s.trial.residual) s.current.copy(s.trial);
    idle = s.best.residual < kProgress * before ? 0 : idle + 1;
  }
  return false;
}

}  // namespace stiction
