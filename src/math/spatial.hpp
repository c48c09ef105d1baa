// Spatial (six-dimensional) algebra for host and device: motions and forces as (angular, linear) pairs at one point,
// after Featherstone. Used by trees of bodies; a free body is a tree of one joint.
#pragma once

#include "quat.hpp"

namespace stiction {

template <class T>
struct SpatialT {
  Vec3T<T> angular{};  // motion: angular velocity [rad/s]; force: torque [N m]
  Vec3T<T> linear{};   // motion: velocity of the reference point [m/s]; force: force [N]

  friend STICTION_HD SpatialT operator+(const SpatialT& a, const SpatialT& b) {
    return {a.angular + b.angular, a.linear + b.linear};
  }
  friend STICTION_HD SpatialT operator-(const SpatialT& a, const SpatialT& b) {
    return {a.angular - b.angular, a.linear - b.linear};
  }
  friend STICTION_HD SpatialT operator*(const SpatialT& a, T s) { return {a.angular * s, a.linear * s}; }
};

// Power of a force on a motion [W].
template <class T>
STICTION_HD T dot(const SpatialT<T>& a, const SpatialT<T>& b) {
  return dot(a.angular, b.angular) + dot(a.linear, b.linear);
}

// The same motion seen at a point displaced by r: v(r) = v + ω × r.
template <class T>
STICTION_HD SpatialT<T> motion_at(const SpatialT<T>& m, const Vec3T<T>& r) {
  return {m.angular, m.linear + cross(m.angular, r)};
}

// The same force taken about a point displaced by r: τ(r) = τ − r × f.
template <class T>
STICTION_HD SpatialT<T> force_at(const SpatialT<T>& f, const Vec3T<T>& r) {
  return {f.angular - cross(r, f.linear), f.linear};
}

// v × m, the rate of change of a motion carried along by v.
template <class T>
STICTION_HD SpatialT<T> cross_motion(const SpatialT<T>& v, const SpatialT<T>& m) {
  return {cross(v.angular, m.angular), cross(v.angular, m.linear) + cross(v.linear, m.angular)};
}

// v ×* f, the rate of change of a force carried along by v.
template <class T>
STICTION_HD SpatialT<T> cross_force(const SpatialT<T>& v, const SpatialT<T>& f) {
  return {cross(v.angular, f.angular) + cross(v.linear, f.linear), cross(v.angular, f.linear)};
}

// Inertia of a rigid body about a reference point: mass, first moment, second moment.
template <class T>
struct SpatialInertiaT {
  T mass{};               // [kg]
  Vec3T<T> moment{};      // mass × centre of mass [kg m]
  Mat3T<T> rotational{};  // about the reference point [kg m²]

  friend STICTION_HD SpatialInertiaT operator+(const SpatialInertiaT& a, const SpatialInertiaT& b) {
    return {a.mass + b.mass, a.moment + b.moment, a.rotational + b.rotational};
  }
  // Momentum (about the reference point) of a motion.
  friend STICTION_HD SpatialT<T> operator*(const SpatialInertiaT& I, const SpatialT<T>& v) {
    return {I.rotational * v.angular + cross(I.moment, v.linear), v.linear * I.mass - cross(I.moment, v.angular)};
  }
};

// Inertia with the matrix I_c about the centre of mass c: I = I_c + m (|c|² 1 − c cᵀ).
template <class T>
STICTION_HD SpatialInertiaT<T> spatial_inertia(T mass, const Vec3T<T>& c, const Mat3T<T>& about_com) {
  const Mat3T<T> shift = Mat3T<T>::identity() * dot(c, c) - outer(c, c);
  return {mass, c * mass, about_com + shift * mass};
}

using Spatial = SpatialT<double>;
using SpatialInertia = SpatialInertiaT<double>;

}  // namespace stiction
