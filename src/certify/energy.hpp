// The energy ledger of a step, an identity that holds to rounding whatever the solver did:
//
//   ΔE_kin + ΔE_pot = friction + push-out + normal + actuator − step loss + injected
//
// with work taken at the end velocity u⁺: ½u⁺ᵀMu⁺ − ½uᵀMu = u⁺ᵀM(u⁺ − u) − ½(u⁺ − u)ᵀM(u⁺ − u). What the solver
// injected is what is left over: zero up to the momentum residual.
#pragma once

#include <stiction/report.hpp>
#include <stiction/state.hpp>

#include <span>

namespace stiction {

struct EnergyInput {
  const ContactProblem& problem;
  const Solution& solution;
  std::span<const double> velocity_before;   // u
  std::span<const double> applied_force;     // generalized force of actuators and applied wrenches, without weight
  std::span<const double> gap;               // of each block
  double potential_before, potential_after;  // [J]
};

void write_energy_ledger(const EnergyInput& input, std::vector<double>& scratch, Certificate& certificate);

}  // namespace stiction
