#include "model/coupling.hpp"

#include <algorithm>
#include <numeric>

namespace stiction::detail {

namespace {

// The tree that moves a body, if any does.
void add_body(const Model& model, int body, std::set<int>& trees) {
  if (const int tree = model.body_tree[static_cast<std::size_t>(body)]; tree >= 0) trees.insert(tree);
}

// A held joint couples its body and what carries it.
void add_joint(const Model& model, int joint, std::set<int>& trees) {
  const int body = model.joint_body[static_cast<std::size_t>(joint)];
  add_body(model, body, trees);
  if (model.is_held(joint)) add_body(model, model.body_parent[static_cast<std::size_t>(body)], trees);
}

std::set<int> trees_of_equality(const Model& model, std::size_t e) {
  std::set<int> trees;
  for (const int part : {model.equality_a[e], model.equality_b[e]}) {
    if (part < 0) continue;
    if (model.equality_type[e] == EqualityType::kJoint) add_joint(model, part, trees);
    if (model.equality_type[e] == EqualityType::kTendon) trees.merge(trees_of_tendon(model, part));
  }
  return trees;
}

}  // namespace

std::set<int> trees_of_tendon(const Model& model, int tendon) {
  std::set<int> trees;
  const auto t = static_cast<std::size_t>(tendon);
  for (int i = model.tendon_wrap[t]; i < model.tendon_wrap[t + 1]; ++i) {
    const auto w = static_cast<std::size_t>(i), object = static_cast<std::size_t>(model.wrap_object[w]);
    switch (model.wrap_type[w]) {
      case WrapType::kPulley:
        break;
      case WrapType::kJoint:
        add_joint(model, model.wrap_object[w], trees);
        break;
      case WrapType::kSite:
        add_body(model, model.site_body[object], trees);
        break;
      case WrapType::kSphere:
      case WrapType::kCylinder:
        add_body(model, model.shape_body[object], trees);
        break;
    }
  }
  return trees;
}

std::vector<int> joined_trees(const Model& model) {
  std::vector<int> first(static_cast<std::size_t>(model.ntree));
  std::iota(first.begin(), first.end(), 0);
  const auto first_of = [&](int tree) {
    while (first[static_cast<std::size_t>(tree)] != tree) tree = first[static_cast<std::size_t>(tree)];
    return tree;
  };
  const auto join = [&](const std::set<int>& trees) {
    if (trees.size() <= 2) return;
    int least = first_of(*trees.begin());
    for (const int tree : trees) least = std::min(least, first_of(tree));
    for (const int tree : trees) first[static_cast<std::size_t>(first_of(tree))] = least;
  };
  for (std::size_t e = 0; e < static_cast<std::size_t>(model.nequality); ++e) join(trees_of_equality(model, e));
  for (int t = 0; t < model.ntendon; ++t) {
    const auto i = static_cast<std::size_t>(t);
    if (model.tendon_limited[i] || model.tendon_friction[i] > 0) join(trees_of_tendon(model, t));
  }
  for (std::size_t t = 0; t < first.size(); ++t) first[t] = first_of(static_cast<int>(t));
  return first;
}

}  // namespace stiction::detail
