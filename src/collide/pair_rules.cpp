#include "collide/pair_rules.hpp"

#include <algorithm>

#include "model/supported.hpp"

namespace stiction {

namespace {

std::uint64_t ordered(int a, int b) {
  const auto low = static_cast<std::uint32_t>(std::min(a, b)), high = static_cast<std::uint32_t>(std::max(a, b));
  return (static_cast<std::uint64_t>(low) << 32) | high;
}

// Friction in the directions that a condim has: 1 none, 3 sliding, 4 and torsion, 6 and rolling.
PairSurface surface_of(int condim, const PairFriction& friction, double restitution) {
  PairSurface out;
  out.restitution = restitution;
  if (condim >= 3) out.friction = friction[0], out.friction_second = friction[1];
  if (condim >= 4) out.friction_torque.x = friction[2];
  if (condim >= 6) out.friction_torque.y = friction[3], out.friction_torque.z = friction[4];
  return out;
}

PairFriction pair_friction(const Vec3& shape) {
  return {shape.x, shape.x, shape.y, shape.z, shape.z};
}

// A mesh without triangles (a signed distance field) does not collide.
bool has_geometry(const Model& model, std::size_t shape) {
  switch (model.shape_type[shape]) {
    case ShapeType::kMesh:
      return model.shape_mesh[shape] >= 0;
    case ShapeType::kHeightField:
      return model.shape_height_field[shape] >= 0;
    default:
      return true;
  }
}

}  // namespace

PairRules::PairRules(const Model& model) {
  constexpr int kMostTabled = 256;  // shapes whose table fits into the cache
  const std::vector<bool> collides = detail::shapes_that_collide(model);
  for (int shape = 0; shape < model.nshape; ++shape) {
    const auto s = static_cast<std::size_t>(shape);
    const int body = model.shape_body[s];
    surface_.push_back({model.shape_friction[s], model.shape_restitution[s], model.shape_compliance[s],
                        model.shape_damping[s], model.shape_condim[s], model.shape_priority[s], model.shape_contype[s],
                        model.shape_conaffinity[s], body});
    participates_.push_back(collides[s] && has_geometry(model, s) ? 1 : 0);
    moves_.push_back(model.body_tree[static_cast<std::size_t>(body)] >= 0 ? 1 : 0);
    belt_.push_back(norm(model.shape_surface_velocity[s]) > 0 || norm(model.shape_surface_spin[s]) > 0 ? 1 : 0);
    margin_.push_back(model.shape_margin[s]);
  }
  widest_margin_ = margin_;

  for (int pair = 0; pair < model.npair; ++pair) {
    const auto p = static_cast<std::size_t>(pair);
    const int a = model.pair_shape_a[p], b = model.pair_shape_b[p];
    explicit_.push_back({ordered(a, b), pair});
    pair_surface_.push_back(surface_of(model.pair_condim[p], model.pair_friction[p], model.pair_restitution[p]));
    pair_margin_.push_back(model.pair_margin[p]);
    for (int shape : {a, b}) {
      double& widest = widest_margin_[static_cast<std::size_t>(shape)];
      widest = std::max(widest, model.pair_margin[p]);
    }
  }
  // Of two explicit pairs for the same shapes the first holds.
  std::sort(explicit_.begin(), explicit_.end(), [](const ExplicitPair& x, const ExplicitPair& y) {
    return x.shapes != y.shapes ? x.shapes < y.shapes : x.index < y.index;
  });
  for (std::size_t e = 0; e < model.exclude_body_a.size(); ++e)
    excluded_.push_back(ordered(model.exclude_body_a[e], model.exclude_body_b[e]));
  std::sort(excluded_.begin(), excluded_.end());

  // A body without joints is welded to its parent; parents come first.
  for (int body = 0; body < model.nbody; ++body) {
    const auto b = static_cast<std::size_t>(body);
    const bool welded = body > 0 && model.body_joint_count[b] == 0;
    weld_.push_back(welded ? weld_[static_cast<std::size_t>(model.body_parent[b])] : body);
    const auto root = static_cast<std::size_t>(weld_[b]);
    weld_parent_.push_back(root == 0 ? 0 : weld_[static_cast<std::size_t>(model.body_parent[root])]);
  }
  std::vector<int> touching(static_cast<std::size_t>(model.nbody));
  for (std::size_t shape = 0; shape < surface_.size(); ++shape) {
    rigid_body_.push_back(weld_[static_cast<std::size_t>(surface_[shape].body)]);
    touching[static_cast<std::size_t>(rigid_body_.back())] += participates_[shape];
  }
  for (const int body : rigid_body_) compound_.push_back(touching[static_cast<std::size_t>(body)] > 1 ? 1 : 0);
  if (model.nshape > kMostTabled) return;
  std::vector<char> allowed;
  allowed.reserve(surface_.size() * surface_.size());
  for (int a = 0; a < model.nshape; ++a)
    for (int b = 0; b < model.nshape; ++b) allowed.push_back(judge(a, b) ? 1 : 0);
  allowed_ = std::move(allowed);
}

int PairRules::explicit_pair(int shape_a, int shape_b) const {
  if (explicit_.empty()) return -1;
  const std::uint64_t shapes = ordered(shape_a, shape_b);
  const auto at = std::lower_bound(explicit_.begin(), explicit_.end(), shapes,
                                   [](const ExplicitPair& pair, std::uint64_t wanted) { return pair.shapes < wanted; });
  return at != explicit_.end() && at->shapes == shapes ? at->index : -1;
}

bool PairRules::judge(int shape_a, int shape_b) const {
  const Surface &a = surface_[static_cast<std::size_t>(shape_a)], &b = surface_[static_cast<std::size_t>(shape_b)];
  if ((a.contype & b.conaffinity) == 0 && (b.contype & a.conaffinity) == 0) return false;
  const auto body_a = static_cast<std::size_t>(a.body), body_b = static_cast<std::size_t>(b.body);
  const int weld_a = weld_[body_a], weld_b = weld_[body_b];
  if (weld_a == weld_b) return false;
  // A body and its parent do not touch, except where one of them is fixed to the world.
  const bool both_move = weld_a != 0 && weld_b != 0;
  if (both_move && (weld_parent_[body_a] == weld_b || weld_parent_[body_b] == weld_a)) return false;
  return excluded_.empty() || !std::binary_search(excluded_.begin(), excluded_.end(), ordered(a.body, b.body));
}

PairSurface PairRules::surface(int shape_a, int shape_b, int explicit_pair) const {
  const Surface &a = surface_[static_cast<std::size_t>(shape_a)], &b = surface_[static_cast<std::size_t>(shape_b)];
  PairSurface out = explicit_pair >= 0 ? pair_surface_[static_cast<std::size_t>(explicit_pair)] : mixed(a, b);
  // Springs in series; of their dampers what 1 / (k + iω d) leaves at low frequency, d / k² = Σ d_i / k_i².
  out.compliance = a.compliance + b.compliance;
  if (out.compliance > 0)
    out.damping = (a.damping * a.compliance * a.compliance + b.damping * b.compliance * b.compliance) /
                  (out.compliance * out.compliance);
  return out;
}

PairSurface PairRules::mixed(const Surface& a, const Surface& b) const {
  if (a.priority != b.priority) {
    const Surface& deciding = a.priority > b.priority ? a : b;
    return surface_of(deciding.condim, pair_friction(deciding.friction), deciding.restitution);
  }
  return surface_of(std::max(a.condim, b.condim), pair_friction(max(a.friction, b.friction)),
                    std::max(a.restitution, b.restitution));
}

}  // namespace stiction
