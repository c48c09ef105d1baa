// Collects the contacts of a pair with a surface, of which there can be many, and keeps those that bound the motion.
//
// Contacts with one normal n allow every motion of two rigid bodies that keeps gap + h (v·n + ω·(r × n)) ≥ 0 at each of
// them. That is a linear function over the contact plane, so only the corners of the lower hull of the points (x, y,
// gap) matter. Of a group of similar normals (0.1 rad) the lowest point is kept, and in sixteen directions the point
// that the plane meets first when it turns by each of the slopes below, the last nearly a right angle (the outline).
// Groups come in the order of their least gaps, and where there is not room for all, in turns: what holds a body from
// one side does not take the room of what holds it from another.
//
// A place inside the other body has a contact where the rules for sides give it one (surface_features.hpp). They ask
// for the nearest part of the surface, which need not be where the body gets out: of a body whose vertex is nearest to
// a face, another vertex may be deeper below that face. Ways out that are passed over so are held back. From the
// shortest on, each is a contact where none around it, within some lengths of it, is half as deep as something is
// inside there, if it is not much longer than that: else it leads somewhere else. The shortest also is one where no
// contact of the pair tells of what is deepest.
#pragma once

#include <cstdint>
#include <limits>

#include "collide/shape.hpp"

namespace stiction::detail {

template <class T>
class SurfaceContacts {
 public:
  STICTION_HD SurfaceContacts(T margin, T merge) : margin_(margin), merge_(merge) {}

  // A contact within the margin, or not known to be beyond; one at the place and with the normal of another only if it
  // is nearer.
  STICTION_HD void add(const ContactPointT<T>& contact) {
    if (!(contact.gap < margin_ || contact.cut_short)) return;
    for (int i = 0; i < count_; ++i) {
      if (!(norm_squared(point_[i].point - contact.point) < merge_ * merge_)) continue;
      if (!(dot(point_[i].normal, contact.normal) > T(0.9998))) continue;
      if (contact.gap < point_[i].gap - T(1e-5) * merge_) {
        point_[i].point = contact.point;
        point_[i].normal = contact.normal;
        point_[i].gap = contact.gap;
      }
      point_[i].cut_short = point_[i].cut_short || contact.cut_short;
      return;
    }
    if (count_ == kRoom) make_room();
    point_[count_++] = contact;
  }

  // A place x (in the frame of the world) is `inside` [m] the other body.
  STICTION_HD void find_inside(const Vec3T<T>& x, T inside) {
    if (inside > inside_) inside_ = inside, deepest_ = x;
  }
  // A way out of a place that is `inside` [m] the other body. Of more than there is room for the shortest.
  STICTION_HD void hold_back(const ContactPointT<T>& way_out, T inside) {
    find_inside(way_out.point, inside);
    int place = held_;
    if (held_ == kHeld) {
      place = 0;
      for (int i = 1; i < kHeld; ++i)
        if (way_out_[i].gap < way_out_[place].gap) place = i;
      if (!(way_out.gap > way_out_[place].gap)) return;
    } else {
      ++held_;
    }
    way_out_[place] = way_out;
    out_of_[place] = inside;
  }

  // At most kMaxSurfacePoints.
  STICTION_HD int write(ContactPointT<T>* out) {
    if (held_ > 0) add_held_back();
    return reduce(out);
  }

 private:
  static constexpr int kRoom = 192, kAll = 16, kSlopes = 7, kHeld = 16;
  // A way out is told of by what is within kAround times its length, and belongs to what is inside by a kFar-th of it.
  static constexpr T kAround = T(10), kFar = T(10);
  ContactPointT<T> point_[kRoom];
  int count_ = 0;
  T margin_, merge_;  // [m]
  ContactPointT<T> way_out_[kHeld];
  T out_of_[kHeld];  // [m] inside
  int held_ = 0;
  Vec3T<T> deepest_{};
  T inside_{};  // [m] of the deepest place

  // Does a contact around a way out, within `reach`, tell of what is inside there, or is nothing?
  STICTION_HD bool is_told(const ContactPointT<T>& way_out, T reach) const {
    const auto is_around = [&](const Vec3T<T>& x) { return norm_squared(x - way_out.point) <= reach * reach; };
    T inside = is_around(deepest_) ? inside_ : T(0);
    for (int i = 0; i < held_; ++i)
      if (is_around(way_out_[i].point)) inside = maximum(inside, out_of_[i]);
    bool told = -way_out.gap > kFar * inside;
    for (int i = 0; i < count_ && !told; ++i) told = -point_[i].gap > inside / T(2) && is_around(point_[i].point);
    return told;
  }

  STICTION_HD_CALL void add_held_back() {
    bool done[kHeld] = {};
    int first = -1;
    for (int round = 0; round < held_; ++round) {
      int shortest = -1;
      for (int i = 0; i < held_; ++i)
        if (!done[i] && (shortest < 0 || way_out_[i].gap > way_out_[shortest].gap)) shortest = i;
      done[shortest] = true;
      if (round == 0) first = shortest;
      if (!is_told(way_out_[shortest], -kAround * way_out_[shortest].gap)) add(way_out_[shortest]);
    }
    if (!is_told(way_out_[first], std::numeric_limits<T>::infinity())) add(way_out_[first]);
  }

  // Calls on the device: the stack of a thread holds their arrays once, and not for every place that adds a contact.
  STICTION_HD_CALL void make_room() {
    ContactPointT<T> kept[kMaxSurfacePoints];
    count_ = reduce(kept);
    for (int i = 0; i < count_; ++i) point_[i] = kept[i];
  }

  using Index = std::uint8_t;
  static constexpr Index kNone = 255;

  // Writes what is wanted of each group of similar normals, in the order of their least gaps. Where that is more than
  // there is room for, the groups take turns, so that none takes the room of another.
  STICTION_HD_CALL int reduce(ContactPointT<T>* out) const {
    Index group[kRoom], turn[kRoom], seed[kRoom], size[kRoom];
    const int groups = find_groups(group, seed, size);
    int wanted = 0;
    for (int i = 0; i < count_; ++i) turn[i] = 0;
    for (int g = 0; g < groups; ++g) wanted += size[g] > kAll ? take_turns(g, seed[g], group, turn) : size[g];
    int turns = kRoom, left = 0;  // all take part in so many turns, the first `left` in one more
    if (wanted > kMaxSurfacePoints) {
      for (int g = 0; g < groups; ++g)
        if (size[g] <= kAll) take_turns(g, seed[g], group, turn);
      left = kMaxSurfacePoints;
      for (turns = 0;; ++turns) {
        int taking = 0;
        for (int i = 0; i < count_; ++i) taking += turn[i] == turns ? 1 : 0;
        if (taking > left) break;
        left -= taking;
      }
    }
    int written = 0;
    for (int g = 0; g < groups; ++g) {
      const bool all = turns == kRoom && size[g] <= kAll;
      const int last = left > 0 ? turns : turns - 1;  // turn of this group
      if (!all && last >= 0) out[written++] = point_[seed[g]];
      bool more = false;
      for (int i = 0; i < count_; ++i) {
        if (group[i] != g || !(all || (i != seed[g] && turn[i] <= last))) continue;
        out[written++] = point_[i];
        more = more || turn[i] == turns;
      }
      if (left > 0 && (more || turns == 0)) --left;
    }
    return written;
  }

  // The group of each point, the point of least gap in each group, and how many there are in it.
  STICTION_HD int find_groups(Index* group, Index* seed, Index* size) const {
    for (int i = 0; i < count_; ++i) group[i] = kNone;
    for (int g = 0;; ++g) {
      int least = -1;
      for (int i = 0; i < count_; ++i)
        if (group[i] == kNone && (least < 0 || point_[i].gap < point_[least].gap)) least = i;
      if (least < 0) return g;
      seed[g] = static_cast<Index>(least);
      size[g] = 0;
      for (int i = 0; i < count_; ++i) {
        if (group[i] != kNone || !(i == least || dot(point_[least].normal, point_[i].normal) > T(0.995))) continue;
        group[i] = static_cast<Index>(g);
        ++size[g];
      }
    }
  }

  // The turns in which a group's points are taken: the lowest first, then the outline, then what is met by planes that
  // turn less and less; kNone for what is never met. Returns their number. Of a small group all are taken.
  STICTION_HD int take_turns(int g, int seed, const Index* group, Index* turn) const {
    Vec3T<T> u, w;
    tangent_frame(point_[seed].normal, u, w);
    // Cosines of multiples of 22.5°.
    const T half = T(0.7071067811865476), large = T(0.9238795325112867), small = T(0.3826834323650898);
    const T cosine[16] = {T(1),  large,  half,  small,  T(0), -small, -half, -large,
                          T(-1), -large, -half, -small, T(0), small,  half,  large};
    const T slope[kSlopes] = {T(100), T(0.6), T(0.2), T(0.06), T(0.02), T(0.005), T(0.001)};
    int members = 0, taken = 0;
    for (int i = 0; i < count_; ++i)
      if (group[i] == g) turn[i] = kNone, ++members;
    turn[seed] = static_cast<Index>(taken++);
    for (int k = 0; k < 16 * kSlopes; ++k) {
      // Opposite directions after each other.
      const int direction = (k & 1) * 8 + (k >> 1 & 1) * 4 + (k >> 2 & 1) * 2 + (k >> 3 & 1);
      const Vec3T<T> toward = (u * cosine[direction] + w * cosine[(direction + 12) & 15]) * slope[k >> 4];
      int best = -1;
      T most{};
      for (int i = 0; i < count_; ++i) {
        if (group[i] != g) continue;
        const T score = dot(toward, point_[i].point - point_[seed].point) - point_[i].gap;
        if (best < 0 || score > most) best = i, most = score;
      }
      if (turn[best] == kNone) turn[best] = static_cast<Index>(taken++);
    }
    for (int i = 0; members <= kAll && i < count_; ++i)
      if (group[i] == g && turn[i] == kNone) turn[i] = static_cast<Index>(taken++);
    return taken;
  }
};

}  // namespace stiction::detail
