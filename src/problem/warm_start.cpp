#include "problem/warm_start.hpp"

#include <limits>

namespace stiction {
namespace {

constexpr int kFeatureBits = 24;  // the low bits of a key; the rest names the pair of shapes

Vec3 point_in_body(const Workspace& w, const Contacts& contacts, std::size_t c) {
  return inverse(w.body_pose[std::size_t(contacts.body_a[c])]) * contacts.point[c];
}

// λ of one contact in its frame (n, t1, t2) from a world force.
void write_lambda(const ContactProblem& p, const Contacts& contacts, std::size_t c, const Vec3& force,
                  std::vector<double>& lambda) {
  Vec3 frame[3] = {contacts.normal[c], {}, {}};
  tangent_frame(frame[0], frame[1], frame[2]);
  const int first = p.block_row[c];
  for (int k = 0; k < p.block_size(int(c)); ++k) lambda[std::size_t(first + k)] = dot(frame[k], force);
}

}  // namespace

int read_warm_start(const State& state, const Contacts& contacts, Workspace& w) {
  const auto count = std::size_t(contacts.ncontact), old_count = std::size_t(state.nwarm);
  std::vector<double>& lambda = w.solution.lambda;
  lambda.assign(std::size_t(w.problem.nrow), 0.0);
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
  for (std::size_t c = 0; c < count; ++c)
    if (match[c] >= 0) write_lambda(w.problem, contacts, c, state.warm_force[std::size_t(match[c])], lambda);
  return matched;
}

void write_warm_start(const Contacts& contacts, const Workspace& w, State& next) {
  next.nwarm = contacts.ncontact;
  next.resize();
  for (std::size_t c = 0; c < std::size_t(contacts.ncontact); ++c) {
    next.warm_key[c] = contacts.key[c];
    next.warm_point[c] = point_in_body(w, contacts, c);
    next.warm_force[c] = contacts.force[c];
  }
}

}  // namespace stiction
