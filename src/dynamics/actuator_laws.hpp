// Activation dynamics, gains and biases of actuators, one actuator at a time; host and device. The forms and their
// parameters are those of MJCF (its documentation: "Actuation model", "Muscle actuators"), so that a file means here
// what it means there.
#pragma once

#include <stiction/model.hpp>

#include "math/host_device.hpp"

namespace stiction {

// Guards divisions, as in MJCF.
template <class T>
STICTION_HD T at_least_tiny(T x) {
  return x > T(1e-15) ? x : T(1e-15);
}

// 0 below 0, 1 above 1, and in between the polynomial of degree five with two smooth derivatives at both ends.
template <class T>
STICTION_HD T smooth_step(T x) {
  if (x <= T(0)) return T(0);
  if (x >= T(1)) return T(1);
  return x * x * x * (T(3) * x * (T(2) * x - T(5)) + T(10));
}

// Rate of a muscle's activation: (control − activation) / τ, where τ grows with the activation while it rises and
// shrinks with it while it falls. Parameters: τ up, τ down, width of the transition between the two.
template <class T>
STICTION_HD T muscle_activation_rate(T control, T activation, const T* parameter) {
  const auto unit = [](T x) { return x < T(0) ? T(0) : (x > T(1) ? T(1) : x); };
  const T change = unit(control) - activation, scale = T(0.5) + T(1.5) * unit(activation);
  const T up = parameter[0] * scale, down = parameter[1] / scale, width = parameter[2];
  const T share = width < T(1e-15) ? (change > T(0) ? T(1) : T(0)) : smooth_step(change / width + T(0.5));
  return change / at_least_tiny(down + (up - down) * share);
}

// Activation after the time h, and before the range is applied. Filters with their exact solution decay by exp(−h/τ).
template <class T>
STICTION_HD T next_activation(ActuatorDynamics kind, T control, T activation, const T* parameter, T h) {
  using std::exp;
  switch (kind) {
    case ActuatorDynamics::kIntegrator:
      return activation + h * control;
    case ActuatorDynamics::kFilter:
      return activation + h * (control - activation) / at_least_tiny(parameter[0]);
    case ActuatorDynamics::kFilterExact: {
      const T tau = at_least_tiny(parameter[0]);
      return activation + (control - activation) * (T(1) - exp(-h / tau));
    }
    case ActuatorDynamics::kMuscle:
      return activation + h * muscle_activation_rate(control, activation, parameter);
    default:
      return activation;
  }
}

// What a muscle makes of a tendon's length and velocity: in units of its rest length and of its fastest shortening.
template <class T>
struct MuscleStateT {
  T length{}, velocity{}, peak_force{};
};

// Parameters of a muscle: range (2), force, scale, lmin, lmax, vmax, fpmax, fvmax.
template <class T>
STICTION_HD MuscleStateT<T> muscle_state(T length, T velocity, T length_lower, T length_upper, T acceleration,
                                         const T* p) {
  // A negative force asks for the scale over the acceleration of a unit force at the reference configuration.
  const T force = p[2] < T(0) ? p[3] / at_least_tiny(acceleration) : p[2];
  const T rest = (length_upper - length_lower) / at_least_tiny(p[1] - p[0]);
  return {p[0] + (length - length_lower) / at_least_tiny(rest), velocity / at_least_tiny(rest * p[6]), force};
}

// Active force over length: a bell of four parabolas on [lmin, lmax] with its peak 1 at 1.
template <class T>
STICTION_HD T muscle_force_length(T length, T lmin, T lmax) {
  if (length < lmin || length > lmax) return T(0);
  const T a = T(0.5) * (lmin + T(1)), b = T(0.5) * (T(1) + lmax);
  T x{};
  if (length <= a) {
    x = (length - lmin) / at_least_tiny(a - lmin);
    return T(0.5) * x * x;
  }
  if (length > b) {
    x = (lmax - length) / at_least_tiny(lmax - b);
    return T(0.5) * x * x;
  }
  x = length <= T(1) ? (T(1) - length) / at_least_tiny(T(1) - a) : (length - T(1)) / at_least_tiny(b - T(1));
  return T(1) - T(0.5) * x * x;
}

// Active force over velocity: 0 at the fastest shortening, 1 at rest, fvmax where it lengthens fast.
template <class T>
STICTION_HD T muscle_force_velocity(T velocity, T fvmax) {
  const T y = fvmax - T(1);
  if (velocity <= T(-1)) return T(0);
  if (velocity <= T(0)) return (velocity + T(1)) * (velocity + T(1));
  if (velocity <= y) return fvmax - (y - velocity) * (y - velocity) / at_least_tiny(y);
  return fvmax;
}

// Passive force over length: a parabola from 1 on that goes over into a straight line half-way to lmax.
template <class T>
STICTION_HD T muscle_force_passive(T length, T lmax, T fpmax) {
  if (length <= T(1)) return T(0);
  const T b = T(0.5) * (T(1) + lmax), x = (length - (length <= b ? T(1) : b)) / at_least_tiny(b - T(1));
  return fpmax * (length <= b ? T(0.5) * x * x : T(0.5) + x);
}

}  // namespace stiction
