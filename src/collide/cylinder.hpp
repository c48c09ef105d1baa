// A cylinder as the narrow phase sees it beside support functions: distance of a point, the points of its rims that
// stand in for vertices, and the line of its side that faces a body.
//
// Rim points: the lowest one of each end (towards the other body), which moves around the rim as the cylinder rolls but
// keeps its id, and eight places on the rim of a cap that faces the other body, at multiples of 45° in the cylinder's
// own frame. The lowest takes the place of the nearest of the eight.
#pragma once

#include "collide/support.hpp"

namespace stiction::detail {

// x in the frame of the cylinder. Inside: the nearer of side and cap, on ties the cap.
template <class T>
STICTION_HD PointDistance<T> distance_to(const CylinderSupport<T>& c, const Vec3T<T>& x) {
  const Vec3T<T> r = radial(x);
  const T length = norm(r);
  const Vec3T<T> across = length > T(0) ? r / length : Vec3T<T>{T(1), T(0), T(0)};
  const Vec3T<T> along{T(0), T(0), sign_of(x.z)};
  const T side = length - c.radius, cap = magnitude(x.z) - c.half;
  if (side > T(0) && cap > T(0)) {
    using std::sqrt;
    const T distance = sqrt(side * side + cap * cap);
    return {distance, (across * side + along * cap) / distance};
  }
  if (cap >= side) return {cap, along};
  return {side, across};
}

// A cylinder in the frame of the other body.
template <class T>
struct PlacedCylinder {
  CylinderSupport<T> own;
  Placement<T> place;

  STICTION_HD Vec3T<T> axis() const { return place.R.column(2); }
  STICTION_HD Vec3T<T> end_centre(int end) const { return place.t + axis() * (own.half * T(2 * end - 1)); }
  STICTION_HD Vec3T<T> local(const Vec3T<T>& x) const { return transpose_times(place.R, x - place.t); }
};

constexpr int kRimPlaces = 8;

// A cap faces the other body if its axis is within 45° of the normal.
template <class T>
constexpr T kCapFaces = T(0.7);

// Place k on the rim as a direction across the axis, in the frame of the cylinder.
template <class T>
STICTION_HD Vec3T<T> rim_place(int k) {
  const T half = T(0.7071067811865476);
  const auto cosine = [&](int i) {
    return (i & 3) == 2 ? T(0) : ((i & 3) == 0 ? T(1) : half) * (((i + 2) & 4) ? T(-1) : T(1));
  };
  return {cosine(k), cosine((k + 6) & 7), T(0)};
}

// The place nearest to a direction across the axis; ties to the first.
template <class T>
STICTION_HD int nearest_rim_place(const Vec3T<T>& direction) {
  int nearest = 0;
  T most{};
  for (int k = 0; k < kRimPlaces; ++k) {
    const Vec3T<T> place = rim_place<T>(k);
    const T near = place.x * direction.x + place.y * direction.y;
    if (k == 0 || near > most) most = near, nearest = k;
  }
  return nearest;
}

template <class T>
class RimPoints {
 public:
  // n: unit, from the cylinder to the other body.
  STICTION_HD RimPoints(const PlacedCylinder<T>& cylinder, const Vec3T<T>& n) : cylinder_(cylinder) {
    // In the cylinder's frame, so that the direction is across the axis however small the tilt.
    const Vec3T<T> own = transpose_times(cylinder.place.R, n), across = radial(own);
    along_ = own.z;
    end_ = along_ < T(0) ? 0 : 1;
    const T tilt = norm(across);
    // Upright up to rounding no place is the lowest: the first stands in.
    const Vec3T<T> lowest = tilt > Tolerance<T>::kTouch ? across / tilt : Vec3T<T>{T(1), T(0), T(0)};
    lowest_ = cylinder.place.R * lowest;
    if (cap_faces()) taken_ = nearest_rim_place(lowest);
  }
  // The end that faces the other body, and whether its cap does so more than the side.
  STICTION_HD int end() const { return end_; }
  STICTION_HD bool cap_faces() const { return magnitude(along_) > kCapFaces<T>; }
  STICTION_HD Vec3T<T> lowest(int end) const { return cylinder_.end_centre(end) + lowest_ * cylinder_.own.radius; }

  STICTION_HD int count() const { return cap_faces() ? 1 + kRimPlaces : 2; }
  // 0: the lowest of the facing end; then the lowest of the other end, or the places of the cap.
  STICTION_HD bool has(int i) const { return !(cap_faces() && i == 1 + taken_); }
  STICTION_HD Vec3T<T> point(int i) const {
    if (i == 0) return lowest(end_);
    if (!cap_faces()) return lowest(1 - end_);
    return cylinder_.end_centre(end_) + direction(i - 1) * cylinder_.own.radius;
  }
  STICTION_HD std::uint32_t index(int i) const {
    if (i == 0) return static_cast<std::uint32_t>(end_);
    if (!cap_faces()) return static_cast<std::uint32_t>(1 - end_);
    return static_cast<std::uint32_t>(2 + kRimPlaces * end_ + i - 1);
  }

 private:
  const PlacedCylinder<T>& cylinder_;
  Vec3T<T> lowest_{};  // unit, across the axis
  T along_{};
  int end_ = 0, taken_ = 0;

  STICTION_HD Vec3T<T> direction(int k) const { return cylinder_.place.R * rim_place<T>(k); }
};

}  // namespace stiction::detail
