// At most eight points for a manifold, chosen from a stream of candidates: all of them if there are no more than eight;
// otherwise the farthest in eight directions of the contact plane (the convex outline, well spread) and the deepest.
#pragma once

#include "collide/shape.hpp"

namespace stiction::detail {

template <class T>
struct Candidate {
  Vec3T<T> point{};  // [m]
  T gap{};           // [m]
  std::uint32_t feature = 0;
};

template <class T>
class PointReducer {
 public:
  // u, w: unit axes of the contact plane, in the frame of the candidates.
  STICTION_HD PointReducer(const Vec3T<T>& u, const Vec3T<T>& w) {
    // Turned by 0.2 rad: sides of boxes along u or w must not tie.
    const T cosine = T(0.9800665778412416), sine = T(0.19866933079506122), half = T(0.7071067811865476);
    axis_[0] = u * cosine + w * sine;
    axis_[1] = w * cosine - u * sine;
    axis_[2] = (axis_[0] + axis_[1]) * half;
    axis_[3] = (axis_[1] - axis_[0]) * half;
  }

  STICTION_HD void add(const Vec3T<T>& point, T gap, std::uint32_t feature) {
    const Candidate<T> candidate{point, gap, feature};
    if (count_ < kMaxPoints) {
      kept_[count_++] = candidate;
      return;
    }
    if (count_ == kMaxPoints) start_outline();
    ++count_;
    consider(candidate);
  }

  // Merges the point with one that is nearer than `distance`, if there is one: the deeper place with the feature that
  // came first. Places that differ by rounding alone are left.
  STICTION_HD bool merge(const Vec3T<T>& point, T gap, T distance) {
    for (int i = 0; i < stored(); ++i) {
      if (!(norm_squared(kept_[i].point - point) < distance * distance)) continue;
      if (gap < kept_[i].gap - T(1e-5) * distance) {
        kept_[i].point = point;
        kept_[i].gap = gap;
        if (count_ > kMaxPoints && gap < deepest_.gap) deepest_ = kept_[i];
      }
      return true;
    }
    return false;
  }

  // [m²] square of the width of the stored points across the line from the first to the one farthest from it, in the
  // contact plane with the normal n
  STICTION_HD T width_squared(const Vec3T<T>& n) const {
    Vec3T<T> line{};
    for (int i = 1; i < stored(); ++i) {
      const Vec3T<T> d = kept_[i].point - kept_[0].point;
      if (norm_squared(d) > norm_squared(line)) line = d;
    }
    T widest{};
    for (int i = 1; i < stored(); ++i) {
      const T area = dot(n, cross(line, kept_[i].point - kept_[0].point));
      widest = maximum(widest, area * area);
    }
    const T ll = norm_squared(line);
    return ll > T(0) ? widest / ll : T(0);
  }

  STICTION_HD int stored() const { return count_ < kMaxPoints ? count_ : kMaxPoints; }
  STICTION_HD const Candidate<T>& kept(int i) const { return kept_[i]; }

  // The points with a common normal; candidates that are farthest in several directions are written once.
  STICTION_HD int write(const Vec3T<T>& normal, ContactPointT<T>* out) {
    if (count_ > kMaxPoints) keep_deepest();
    int written = 0;
    for (int i = 0; i < stored(); ++i) {
      bool again = false;
      for (int j = 0; j < i; ++j) again = again || kept_[j].feature == kept_[i].feature;
      if (!again) set_contact(out[written++], kept_[i].point, normal, kept_[i].gap, kept_[i].feature);
    }
    return written;
  }

 private:
  Vec3T<T> axis_[4];
  Candidate<T> kept_[kMaxPoints];
  Candidate<T> deepest_;
  int count_ = 0;

  STICTION_HD T along(int direction, const Candidate<T>& c) const {
    const T value = dot(axis_[direction >> 1], c.point);
    return direction & 1 ? -value : value;
  }
  STICTION_HD void consider(const Candidate<T>& c) {
    for (int k = 0; k < kMaxPoints; ++k)
      if (along(k, c) > along(k, kept_[k])) kept_[k] = c;
    if (c.gap < deepest_.gap) deepest_ = c;
  }
  // From "the first eight" to "the farthest of the first eight".
  STICTION_HD void start_outline() {
    Candidate<T> first[kMaxPoints];
    for (int i = 0; i < kMaxPoints; ++i) first[i] = kept_[i];
    deepest_ = first[0];
    for (int k = 0; k < kMaxPoints; ++k) kept_[k] = first[0];
    for (int i = 1; i < kMaxPoints; ++i) consider(first[i]);
  }
  // The deepest point takes the place of a repeated one, or of the one nearest to it.
  STICTION_HD void keep_deepest() {
    int place = 0;
    T nearest = norm_squared(kept_[0].point - deepest_.point);
    for (int k = 0; k < kMaxPoints; ++k) {
      if (kept_[k].feature == deepest_.feature) return;
      T distance = norm_squared(kept_[k].point - deepest_.point);
      for (int j = 0; j < k; ++j)
        if (kept_[j].feature == kept_[k].feature) distance = T(0);
      if (k == 0 || distance < nearest) {
        nearest = distance;
        place = k;
      }
    }
    kept_[place] = deepest_;
  }
};

// Which points of two bodies are of one patch. Within a pair of shapes a patch may be bent a little. Across shapes of
// the same bodies (the soles of a foot, the tiles of a floor) they must be flush: a point moves between the two
// surfaces only, where its place is free anyway.
template <class T>
struct PatchRule {
  T angle;  // [rad] between normals
  T slope;  // height over distance of a point that is farther from the plane than the gaps are wide
};
constexpr PatchRule<double> kWithinPair{0.02, 0.04}, kAcrossPairs{1e-3, 0};

// Makes patches flat: their points take the normal of the nearest and move along it into its plane. Without that, the
// turn that closes different gaps drags the points over each other, a patch of two flat faces cannot stick without
// contradiction, and forces grow inside it until something slides. Gaps stay: the change is of second order in the
// angle. `done`: `count` places to work with.
template <class T>
STICTION_HD void flatten_patches(ContactPointT<T>* points, int count, const PatchRule<T>& rule, char* done) {
  const T cosine = T(1) - rule.angle * rule.angle / T(2);
  for (int i = 0; i < count; ++i) done[i] = 0;
  for (int round = 0; round < count; ++round) {
    int nearest = -1;
    for (int i = 0; i < count; ++i)
      if (!done[i] && (nearest < 0 || points[i].gap < points[nearest].gap)) nearest = i;
    if (nearest < 0) return;
    const Vec3T<T> n = points[nearest].normal, origin = points[nearest].point;
    for (int i = 0; i < count; ++i) {
      if (done[i] || !(dot(n, points[i].normal) >= cosine)) continue;
      // Surfaces that touch at several heights have several patches.
      const Vec3T<T> away = points[i].point - origin;
      const T height = dot(n, away);
      const T gaps = magnitude(points[i].gap) + magnitude(points[nearest].gap);
      if (magnitude(height) > gaps && height * height > rule.slope * rule.slope * norm_squared(away)) continue;
      points[i].normal = n;
      points[i].point -= n * height;
      done[i] = 1;
    }
    done[nearest] = 1;
  }
}

}  // namespace stiction::detail
