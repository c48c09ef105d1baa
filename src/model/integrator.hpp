// How a step moves positions, by name.
//
//   euler      q⁺ = q ⊕ h u⁺: of first order; contacts and joints hold at the positions of the state
//   midpoint   q_m = q ⊕ (h/2) u, forces and contacts at q_m, q⁺ = q_m ⊕ (h/2) u⁺: of second order in smooth motion;
//              contacts and joints hold at the q_m of each step, half a step ahead of the state (J. J. Moreau,
//              "Numerical aspects of the sweeping process", 1999)
#pragma once

#include <stiction/options.hpp>

#include <string_view>

namespace stiction::detail {

// Throws Error with the list of names if there is no such integrator.
void check_integrator_name(std::string_view name);

// Of options that were checked.
inline bool is_midpoint(const Options& options) {
  return options.integrator == std::string_view("midpoint");
}

// A motion with constant velocities in equal parts. A whole step of the midpoint rule is two halves: the first ends
// where the state stands, and bodies that tumble turn differently in one part than in two.
struct Drift {
  double time = 0;  // of each part [s]
  int parts = 1;
};
inline Drift whole_step(const Options& options) {
  return is_midpoint(options) ? Drift{options.timestep / 2, 2} : Drift{options.timestep, 1};
}
inline Drift half_step(const Options& options) {
  return {options.timestep / 2, 1};
}

}  // namespace stiction::detail
