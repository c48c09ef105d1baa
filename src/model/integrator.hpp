// How a step moves positions, by name.
//
//   euler      q⁺ = q ⊕ h u⁺: of first order; contacts and joints hold at the positions of the state
//   midpoint   q_m = q ⊕ (h/2) u, forces and contacts at q_m, q⁺ = q_m ⊕ (h/2) u⁺: of second order in smooth motion;
//              contacts and joints hold at the q_m of each step, half a step ahead of the state (J. J. Moreau,
//              "Numerical aspects of the sweeping process", 1999)
//   auto       midpoint; euler where rows hold bodies together (loops, couplings, joints in maximal coordinates), which
//              are to be closed at the positions of the state, and under contact models other than coulomb, whose
//              papers have that step
#pragma once

#include <stiction/model.hpp>
#include <stiction/options.hpp>

#include <string_view>

namespace stiction::detail {

// Throws Error with the list of names if there is no such integrator.
void check_integrator_name(std::string_view name);

// What `auto` stands for; other names are their own. A simulation keeps it in its options.
std::string chosen_integrator(const Model& model, const Options& options);

// Of options in force, in which it is not `auto`.
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
// [s] from the state to the end of what its step is solved for.
inline double look_ahead(const Options& options) {
  return is_midpoint(options) ? 1.5 * options.timestep : options.timestep;
}
inline Drift half_step(const Options& options) {
  return {options.timestep / 2, 1};
}

}  // namespace stiction::detail
