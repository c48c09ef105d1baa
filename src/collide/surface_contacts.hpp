// Collects the contacts of a pair with a surface, of which there can be many, and keeps those that bound the motion.
//
// Contacts with one normal n allow every motion of two rigid bodies that keeps gap + h (v·n + ω·(r × n)) ≥ 0 at each of
// them. That is a linear function over the contact plane, so only the corners of the lower hull of the points (x, y,
// gap) matter. Of a group of similar normals (0.1 rad) the lowest point is kept, and in sixteen directions the point
// that the plane meets first when it turns by each of the slopes below, the last nearly a right angle (the outline).
// Groups come in the order of their least gaps.
//
// A place inside the other body has a contact where the rules for sides give it one (surface_features.hpp). They ask
// for the nearest part of the surface, which need not be where the body gets out: of a body whose vertex is nearest to
// a face, another vertex may be deeper below that face. Ways out that are passed over so are held back, and where no
// contact is half as deep as something is inside, the shortest of them is one, if it is not much longer than that: else
// it leads somewhere else.
#pragma once

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

  // A place is `inside` [m] the other body.
  STICTION_HD void find_inside(T inside) { inside_ = maximum(inside_, inside); }
  // A way out.
  STICTION_HD void hold_back(const ContactPointT<T>& way_out) {
    if (!holds_back_ || way_out.gap > held_back_.gap) held_back_ = way_out;
    holds_back_ = true;
  }

  // At most kMaxSurfacePoints.
  STICTION_HD int write(ContactPointT<T>* out) {
    bool is_told = !holds_back_ || -held_back_.gap > kFar * inside_;
    for (int i = 0; i < count_ && !is_told; ++i) is_told = -point_[i].gap > inside_ / T(2);
    if (!is_told) add(held_back_);
    return reduce(out);
  }

 private:
  static constexpr int kRoom = 192, kAll = 16, kSlopes = 7;
  static constexpr T kFar = T(10);  // times the depth of what is inside
  ContactPointT<T> point_[kRoom];
  int count_ = 0;
  T margin_, merge_;  // [m]
  ContactPointT<T> held_back_{};
  bool holds_back_ = false;
  T inside_{};  // [m] the most that was found

  // Calls on the device: the stack of a thread holds their arrays once, and not for every place that adds a contact.
  STICTION_HD_CALL void make_room() {
    ContactPointT<T> kept[kMaxSurfacePoints];
    count_ = reduce(kept);
    for (int i = 0; i < count_; ++i) point_[i] = kept[i];
  }

  STICTION_HD_CALL int reduce(ContactPointT<T>* out) const {
    bool done[kRoom] = {};
    int written = 0;
    while (written < kMaxSurfacePoints) {
      int seed = -1;
      for (int i = 0; i < count_; ++i)
        if (!done[i] && (seed < 0 || point_[i].gap < point_[seed].gap)) seed = i;
      if (seed < 0) break;
      written = write_group(seed, done, out, written);
    }
    return written;
  }

  STICTION_HD int write_group(int seed, bool* done, ContactPointT<T>* out, int written) const {
    const Vec3T<T> n = point_[seed].normal;
    bool member[kRoom];
    int members = 0;
    for (int i = 0; i < count_; ++i) {
      member[i] = !done[i] && (i == seed || dot(n, point_[i].normal) > T(0.995));
      if (member[i]) ++members, done[i] = true;
    }
    const auto keep = [&](int i) {
      if (!member[i] || written == kMaxSurfacePoints) return;
      out[written++] = point_[i];
      member[i] = false;
    };
    if (members <= kAll) {
      for (int i = 0; i < count_; ++i) keep(i);
      return written;
    }
    Vec3T<T> u, w;
    tangent_frame(n, u, w);
    keep(seed);
    // Cosines of multiples of 22.5°.
    const T half = T(0.7071067811865476), large = T(0.9238795325112867), small = T(0.3826834323650898);
    const T cosine[16] = {T(1),  large,  half,  small,  T(0), -small, -half, -large,
                          T(-1), -large, -half, -small, T(0), small,  half,  large};
    const T slope[kSlopes] = {T(0.001), T(0.005), T(0.02), T(0.06), T(0.2), T(0.6), T(100)};
    bool wanted[kRoom] = {};
    for (int k = 0; k < 16 * kSlopes; ++k) {
      const Vec3T<T> toward = (u * cosine[k & 15] + w * cosine[(k + 12) & 15]) * slope[k >> 4];
      int best = -1;
      T most{};
      for (int i = 0; i < count_; ++i) {
        if (!member[i] && i != seed) continue;
        const T score = dot(toward, point_[i].point - point_[seed].point) - point_[i].gap;
        if (best < 0 || score > most) best = i, most = score;
      }
      wanted[best] = true;
    }
    for (int i = 0; i < count_; ++i)
      if (wanted[i]) keep(i);
    return written;
  }
};

}  // namespace stiction::detail
