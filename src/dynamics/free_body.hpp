// One free rigid body, host and device. Coordinates as MuJoCo has them: q = (origin o, quaternion of R), u = (velocity
// of the origin in the world, angular velocity ω in the body frame). c: centre of mass in the body frame, I: inertia
// about it in the body frame.
//
// Rotation is integrated so that angular momentum and kinetic energy of a torque-free body are kept to rounding: with
// Π = I ω (body frame) and the mean rate ω̄ = I⁻¹ (Π⁰ + Π¹) / 2, the body turns by exp(h ω̄) and Π¹ = exp(−h ω̄) Π⁰.
// Momentum: R¹Π¹ = R⁰Π⁰ by construction. Energy: Π¹ − Π⁰ is a multiple of ω̄ × (Π⁰ + Π¹), which is normal to ω̄.
#pragma once

#include "math/spatial.hpp"

namespace stiction {

template <class T>
struct FreeBodyT {
  T mass{};            // [kg]
  Vec3T<T> com{};      // c [m]
  Mat3T<T> inertia{};  // I [kg m²]
};

// Row-major 6×6 inertia matrix in the coordinates u:  M = [ m 1, −m R ĉ ; m ĉ Rᵀ, I + m (|c|² 1 − c cᵀ) ].
template <class T>
STICTION_HD void free_body_inertia(const FreeBodyT<T>& body, const Mat3T<T>& R, T* M) {
  const Mat3T<T> coupling = R * skew(body.com) * (-body.mass);
  const SpatialInertiaT<T> about_origin = spatial_inertia(body.mass, body.com, body.inertia);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      M[6 * i + j] = i == j ? body.mass : T(0);
      M[6 * i + 3 + j] = coupling(i, j);
      M[6 * (3 + j) + i] = coupling(i, j);
      M[6 * (3 + i) + 3 + j] = about_origin.rotational(i, j);
    }
}

// Row of the Jacobian for the velocity along d of the body point at r = p − o (world frame):  (d, Rᵀ (r × d)).
template <class T>
STICTION_HD void free_body_row(const Mat3T<T>& R, const Vec3T<T>& r, const Vec3T<T>& d, T* row) {
  const Vec3T<T> turn = transpose_times(R, cross(r, d));
  row[0] = d.x, row[1] = d.y, row[2] = d.z;
  row[3] = turn.x, row[4] = turn.y, row[5] = turn.z;
}

// Generalized force of a force f and torque τ about the centre of mass (world frame):  (f, c × Rᵀf + Rᵀτ).
template <class T>
STICTION_HD void free_body_force(const FreeBodyT<T>& body, const Mat3T<T>& R, const Vec3T<T>& f, const Vec3T<T>& tau,
                                 T* out) {
  const Vec3T<T> turn = cross(body.com, transpose_times(R, f)) + transpose_times(R, tau);
  out[0] += f.x, out[1] += f.y, out[2] += f.z;
  out[3] += turn.x, out[4] += turn.y, out[5] += turn.z;
}

// One substep of torque-free rotation; see the head. ω̄ solves 2 I ω̄ = Π⁰ + exp(−h ω̄) Π⁰ by a Newton iteration with the
// derivative 2 I − h Π̂ of the mid-point form, exact up to h². Momentum is kept whatever the iteration reached.
template <class T>
STICTION_HD void turn_torque_free(const Mat3T<T>& I, const Mat3T<T>& I_inverse, T h, QuatT<T>& q, Vec3T<T>& omega) {
  const Vec3T<T> start = I * omega;
  Vec3T<T> mean = omega, end = start;
  QuatT<T> turn{};
  T last = T(-1);
  for (int iteration = 0; iteration < 20; ++iteration) {
    turn = quat_from_rotation_vector(mean * h);
    end = rotate_inverse(turn, start);
    const Vec3T<T> residual = I * mean * T(2) - start - end;
    const Mat3T<T> derivative = I * T(2) - skew((start + end) * T(0.5)) * h;
    const Vec3T<T> change = inverse(derivative) * residual;
    const T size = norm(change);
    // Stops at rounding: the change no longer shrinks.
    if (size == T(0) || (last >= T(0) && size >= last)) break;
    last = size;
    mean -= change;
  }
  turn = quat_from_rotation_vector(mean * h);
  end = rotate_inverse(turn, start);
  q = normalized(q * turn);
  omega = I_inverse * end;
}

// Moves a free body for the time h with its velocity u (changed by the gyroscopic torque alone): the centre of mass on
// a straight line, the rotation as above in substeps of at most 0.25 rad (at most 64 of them).
template <class T>
STICTION_HD void move_free_body(const FreeBodyT<T>& body, const Mat3T<T>& inertia_inverse, T h, Vec3T<T>& origin,
                                QuatT<T>& q, Vec3T<T>& velocity, Vec3T<T>& omega) {
  const Vec3T<T> com_velocity = velocity + rotate(q, cross(omega, body.com));
  const Vec3T<T> com = origin + rotate(q, body.com) + com_velocity * h;
  const T angle = norm(omega) * h;
  int substeps = 1;
  while (substeps < 64 && angle > T(0.25) * T(substeps)) ++substeps;
  for (int i = 0; i < substeps; ++i) turn_torque_free(body.inertia, inertia_inverse, h / T(substeps), q, omega);
  // Where the body does not turn, o + h v is taken as it stands: a resting body then keeps its bits.
  if (angle == T(0)) {
    origin += velocity * h;
    return;
  }
  origin = com - rotate(q, body.com);
  velocity = com_velocity - rotate(q, cross(omega, body.com));
}

using FreeBody = FreeBodyT<double>;

}  // namespace stiction
