#include "step/entering.hpp"

#include "collide/shape.hpp"
#include "problem/reach.hpp"
#include "problem/trial_pose.hpp"

#include <algorithm>

namespace stiction {
namespace {

std::uint64_t centre_key(std::uint64_t key, int side) {
  const std::uint64_t features = (std::uint64_t(1) << kFeatureBits) - 1;
  return (key & ~features) | feature_of_centre(side);
}

// Whether the shapes can move against each other by more than the ball inside one of them within the step.
bool is_fast(const Options& options, const Workspace& w, int a, int b) {
  const double travel = options.timestep * (w.shape_speed[std::size_t(a)] + w.shape_speed[std::size_t(b)]);
  return travel > w.collider.inner_radius(a) || travel > w.collider.inner_radius(b);
}

// After candidate `last` − 1, the last of its pair.
void add_candidate(const Entry& entry, int side, std::size_t last, Workspace& w) {
  Contacts& k = w.candidates;
  insert_contact(k, last - 1, k, last);
  k.key[last] = centre_key(k.key[last], side);
  k.normal[last] = side == 0 ? entry.normal : -entry.normal;
  k.point[last] = entry.point;
  k.gap[last] = entry.gap;
  k.turn[last] = 0;
  k.push_out[last] = 1;
  k.force[last] = {};
  k.torque[last] = {};
  w.selected.insert(w.selected.begin() + std::ptrdiff_t(last), 0);
  w.at_seam.insert(w.at_seam.begin() + std::ptrdiff_t(last), kAtSeam);  // its plane stays
}

}  // namespace

bool hold_out_centres(const Model& model, const Options& options, const State& state, const std::vector<double>& u,
                      Workspace& w) {
  Contacts& k = w.candidates;
  bool placed = false, added = false;
  const auto at_end = [&](int shape) {
    if (!placed) poses_at_end(model, options, state, u, w);
    placed = true;
    return TrialPoses{model, w, &w.next.q}(model.shape_body[std::size_t(shape)]) * model.shape_pose[std::size_t(shape)];
  };
  for (std::size_t first = 0, last; first < std::size_t(k.ncontact); first = last) {
    const int a = k.shape_a[first], b = k.shape_b[first];
    for (last = first + 1; last < std::size_t(k.ncontact) && k.shape_a[last] == a && k.shape_b[last] == b;) ++last;
    if (!is_fast(options, w, a, b)) continue;
    const Transform &start_a = w.shape_pose[std::size_t(a)], &start_b = w.shape_pose[std::size_t(b)];
    for (const int side : {0, 1}) {
      if (k.key[last - 1] >= centre_key(k.key[first], side)) continue;
      Entry entry;
      const bool enters = side == 0 ? w.collider.entry(a, b, start_a, start_b, at_end(a), at_end(b), entry)
                                    : w.collider.entry(b, a, start_b, start_a, at_end(b), at_end(a), entry);
      if (!enters) continue;
      add_candidate(entry, side, last++, w);
      added = true;
    }
  }
  return added;
}

}  // namespace stiction
