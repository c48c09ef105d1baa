#include "solvers/local_evaluation.hpp"

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

void add(double squared, double& largest, double& sum) {
  sum += squared;
  largest = std::max(largest, squared);
}

}  // namespace

void LocalEvaluation::start(const SolverScratch& s) {
  tree_blocks_.list(s.island);
  squared_.resize(std::size_t(s.island.nblock));
  for (int c = 0; c < s.island.nblock; ++c) squared_[std::size_t(c)] = squared_residual(s, s.current, c);
  seen_.assign(squared_.size(), 0);
  updates_ = 0;
}

void LocalEvaluation::update(const std::vector<int>& trees, SolverScratch& s) {
  Iterate& at = s.current;
  for (int tree : trees) velocity_of_tree(s.island, tree, tree_blocks_.of(tree), at.p.data(), at.u.data());
  ++updates_;
  for (int tree : trees)
    for (int block : tree_blocks_.of(tree)) {
      const auto c = std::size_t(block);
      if (seen_[c] == updates_) continue;
      seen_[c] = updates_;
      const auto first = std::size_t(s.island.row[c]);
      block_velocity(s.island, block, at.u.data(), true, at.v.data() + first);
      if (s.island.compliant) at.v[first] += s.island.compliance[c] * at.p[first];
      squared_[c] = squared_residual(s, at, block);
    }
}

BlocksResidual LocalEvaluation::residual_of(const std::vector<int>& blocks) const {
  double largest = 0, sum = 0;
  for (int block : blocks) add(squared_[std::size_t(block)], largest, sum);
  return {std::isfinite(sum) ? std::sqrt(largest) : INFINITY, sum};
}

BlocksResidual LocalEvaluation::residual() const {
  double largest = 0, sum = 0;
  for (double squared : squared_) add(squared, largest, sum);
  return {std::isfinite(sum) ? std::sqrt(largest) : INFINITY, sum};
}

int LocalEvaluation::worst_block() const {
  return int(std::max_element(squared_.begin(), squared_.end()) - squared_.begin());
}

int LocalEvaluation::count_above(double bound) const {
  return int(std::count_if(squared_.begin(), squared_.end(), [&](double x) { return x > bound * bound; }));
}

}  // namespace stiction
