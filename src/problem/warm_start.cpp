#include "problem/warm_start.hpp"

#include "collide/shape.hpp"
#include "math/row_products.hpp"
#include "problem/contact_frame.hpp"

#include <cmath>
#include <limits>

namespace stiction {
namespace {

constexpr int kAskAgain = 64;  // steps after which push-out that was given up is demanded again, though nothing moved

Vec3 point_in_body(const Workspace& w, const Contacts& contacts, std::size_t c) {
  return inverse(w.body_pose[std::size_t(contacts.body_a[c])]) * contacts.point[c];
}

}  // namespace

int read_warm_start(const State& state, Contacts& contacts, Workspace& w) {
  const auto count = std::size_t(contacts.ncontact), old_count = std::size_t(state.nwarm);
  // match[c]: old contact of contact c, -1 if none yet; used[o] follows behind.
  std::vector<int>& match = w.match_scratch;
  match.assign(count + old_count, -1);
  int* used = match.data() + count;
  int matched = 0;
  // Keys ascend in both lists (contacts are ordered by shapes, then feature): one merge finds all equal keys.
  for (std::size_t c = 0, o = 0; c < count && o < old_count;) {
    if (contacts.key[c] == state.warm_key[o]) {
      match[c] = int(o), used[o] = 1;
      ++matched, ++c, ++o;
    } else if (contacts.key[c] < state.warm_key[o]) {
      ++c;
    } else {
      ++o;
    }
  }
  // Left-over contacts: nearest left-over point of the same pair, in the frame of body A.
  std::size_t pair_begin = 0;
  for (std::size_t c = 0; c < count; ++c) {
    const std::uint64_t pair = contacts.key[c] >> kFeatureBits;
    while (pair_begin < old_count && (state.warm_key[pair_begin] >> kFeatureBits) < pair) ++pair_begin;
    if (match[c] >= 0) continue;
    const Vec3 point = point_in_body(w, contacts, c);
    double nearest = std::numeric_limits<double>::infinity();
    for (std::size_t o = pair_begin; o < old_count && (state.warm_key[o] >> kFeatureBits) == pair; ++o) {
      const double distance = norm_squared(state.warm_point[o] - point);
      if (used[o] < 0 && distance < nearest) nearest = distance, match[c] = int(o);
    }
    if (match[c] >= 0) used[match[c]] = 1, ++matched;
  }
  for (std::size_t c = 0; c < count; ++c) {
    contacts.force[c] = match[c] >= 0 ? state.warm_force[std::size_t(match[c])] : Vec3{};
    contacts.torque[c] = match[c] >= 0 ? state.warm_torque[std::size_t(match[c])] : Vec3{};
  }
  return matched;
}

void recall_push_out(const Options& options, const State& state, Contacts& contacts, const Workspace& w) {
  if (!options.warm_start || state.steps % kAskAgain == 0) return;
  for (std::size_t c = 0; c < std::size_t(contacts.ncontact); ++c) {
    if (w.match_scratch[c] < 0) continue;
    const auto old = std::size_t(w.match_scratch[c]);
    const bool stays = std::abs(contacts.gap[c] - state.warm_gap[old]) <= options.touching_gap;
    if (stays) contacts.push_out[c] = state.warm_push_out[old];
  }
}

void multipliers_from_forces(const Contacts& contacts, std::span<const ContactFrame> frames, const ContactProblem& p,
                             std::vector<double>& lambda) {
  for (std::size_t c = 0; c < std::size_t(contacts.ncontact); ++c)
    frames[c].multipliers(contacts.force[c], contacts.torque[c], lambda.data() + p.block_row[c]);
}

// Forces and end velocities of the contacts in the world frame, for the user and the next warm start.
void write_contacts(const Workspace& w, Contacts& contacts) {
  const ContactProblem& p = w.problem;
  for (std::size_t c = 0; c < std::size_t(contacts.ncontact); ++c) {
    const ContactFrame& frame = w.frames[c];
    const double* lambda = w.solution.lambda.data() + p.block_row[c];
    double velocity[kMostBlockRows] = {};
    contacts.push_out[c] = w.solution.push_out[c];
    contacts.force[c] = frame.force(lambda);
    contacts.torque[c] = frame.torque(lambda);
    for (int side = 0; side < 2; ++side) {
      const int tree = side == 0 ? p.block_tree_a[c] : p.block_tree_b[c];
      if (tree < 0) continue;
      const double* J = p.jacobian.data() + (side == 0 ? p.block_jacobian_a[c] : p.block_jacobian_b[c]);
      const double* u = w.solution.u.data() + p.tree_dof[std::size_t(tree)];
      const int n = p.tree_size(tree);
      for (int k = 0; k < frame.linear; ++k) velocity[k] += row_dot(J + k * n, u, n);
    }
    contacts.velocity[c] = frame.velocity(velocity);
  }
}

void write_warm_start(const Contacts& contacts, const Workspace& w, State& next) {
  next.nwarm = contacts.ncontact;
  next.resize();
  for (std::size_t c = 0; c < std::size_t(contacts.ncontact); ++c) {
    next.warm_key[c] = contacts.key[c];
    next.warm_point[c] = point_in_body(w, contacts, c);
    next.warm_force[c] = contacts.force[c];
    next.warm_torque[c] = contacts.torque[c];
    next.warm_gap[c] = contacts.gap[c];
    next.warm_push_out[c] = contacts.push_out[c];
  }
}

}  // namespace stiction
