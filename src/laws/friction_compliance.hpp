// Friction compliance of the paper's Newton method: φ_f = v_t + C p_t = 0, with C chosen such that a fixed point obeys
// Coulomb's law. Source: Macklin et al. 2019, eqs. (31)–(37) and appendix A.
// Departures: the squared speed outside the root in (102) and (104) is a misprint for the speed; the quotients are
// guarded. C depends on p_n only through the radius, whose derivative the paper leaves out, and so does this file.
#pragma once

#include <cmath>

#include "laws/complementarity.hpp"

namespace stiction {

// C [m/s per N s] from the sliding speed v = ‖v_t‖, the friction impulse ‖p_t‖, the radius μ p_n > 0 and the scale r
// [m/s per N s] that turns impulses into velocities.
template <class Map, class T>
STICTION_HD T friction_compliance(T speed, T friction, T radius, T r) {
  // ψ = φ(‖v_t‖, r (μ p_n − ‖p_t‖)), eq. (32)
  const T psi = Map::evaluate(speed, r * (radius - friction)).value;
  // C = r (‖v_t‖ − ψ) / (r ‖p_t‖ + ψ), eq. (35)
  const T numerator = speed - psi;
  const T denominator = r * friction + psi;
  const T least = T(1e-12) * (r * radius + speed);
  return r * (numerator > T(0) ? numerator : T(0)) / (denominator > least ? denominator : least);
}

}  // namespace stiction
