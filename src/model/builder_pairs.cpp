// Which shapes of a Builder touch beyond the rules: bodies that never do, and explicit pairs with their own surface.
#include <stiction/builder.hpp>

#include <algorithm>

#include <fmt/format.h>

namespace stiction {

void Builder::exclude(int body_a, int body_b) {
  require_body(body_a, "exclude");
  require_body(body_b, "exclude");
  exclude_a_.push_back(body_a);
  exclude_b_.push_back(body_b);
}

void Builder::add_pair(int shape_a, int shape_b, const PairSettings& settings) {
  const std::string element = fmt::format("pair of the shapes {} and {}", shape_a, shape_b);
  for (const int shape : {shape_a, shape_b})
    require(shape >= 0 && shape < static_cast<int>(shapes_.size()), element,
            fmt::format("there is no shape {} of {}", shape, shapes_.size()));
  require(shape_a != shape_b, element, "a shape cannot touch itself");
  require(std::none_of(pairs_.begin(), pairs_.end(),
                       [&](const Pair& p) { return std::minmax(p.a, p.b) == std::minmax(shape_a, shape_b); }),
          element, "there is already a pair of these two");
  require(settings.margin >= 0, element, fmt::format("margin must be at least 0 m, it is {}", settings.margin));
  pairs_.push_back({shape_a, shape_b, settings});
}

void Builder::fill_pairs(Model& model) const {
  model.exclude_body_a = exclude_a_;
  model.exclude_body_b = exclude_b_;
  for (std::size_t p = 0; p < pairs_.size(); ++p) {
    const PairSettings& own = pairs_[p].settings;
    const ShapeSettings* a = &shapes_[static_cast<std::size_t>(pairs_[p].a)].settings;
    const ShapeSettings* b = &shapes_[static_cast<std::size_t>(pairs_[p].b)].settings;
    // The shape of higher priority decides what the pair does not say, otherwise the larger value.
    if (a->priority > b->priority) b = a;
    if (b->priority > a->priority) a = b;
    const Vec3 f = max(a->friction, b->friction);
    model.pair_shape_a[p] = pairs_[p].a;
    model.pair_shape_b[p] = pairs_[p].b;
    model.pair_condim[p] = own.condim.value_or(std::max(a->condim, b->condim));
    model.pair_friction[p] = own.friction.value_or(PairFriction{f.x, f.x, f.y, f.z, f.z});
    model.pair_restitution[p] = own.restitution.value_or(std::max(a->restitution, b->restitution));
    model.pair_margin[p] = own.margin;
  }
}

}  // namespace stiction
