#include "step/last_look.hpp"

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

// Of a tree's largest velocity: such a change moves nothing by more than this share of the way that it goes in a step.
constexpr double kSameMotion = 1e-6;

bool is_same(const double* u, const double* before, int count) {
  double largest = 0, change = 0;
  for (int d = 0; d < count; ++d) {
    largest = std::max(largest, std::abs(u[d]));
    change = std::max(change, std::abs(u[d] - before[d]));
  }
  return change <= kSameMotion * largest;
}

}  // namespace

void LastLook::compare(const Model& model, const std::vector<double>& u, std::span<const char> shape_asleep) {
  const bool first = velocity_.empty();
  velocity_.resize(u.size());
  tree_as_before_.assign(std::size_t(model.ntree), 0);
  for (std::size_t t = 0; t < tree_as_before_.size(); ++t) {
    const int begin = model.tree_dof[t], count = model.tree_dof[t + 1] - begin;
    if (!first && is_same(u.data() + begin, velocity_.data() + begin, count))
      tree_as_before_[t] = 1;
    else
      std::copy_n(u.begin() + begin, count, velocity_.begin() + begin);
  }
  shape_as_before_.assign(shape_asleep.begin(), shape_asleep.end());
  for (std::size_t s = 0; !first && s < shape_as_before_.size(); ++s) {
    const int tree = model.body_tree[std::size_t(model.shape_body[s])];
    if (tree < 0 || tree_as_before_[std::size_t(tree)] != 0) shape_as_before_[s] = 1;
  }
}

}  // namespace stiction
