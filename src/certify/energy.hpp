// The energy ledger of a step, an identity that holds to rounding whatever the solver did:
//
//   ΔE_kin + ΔE_pot + ΔE_el = friction + push-out + normal + equality + actuator − step loss + injected
//
// with work taken at the end velocity u⁺: ½u⁺ᵀMu⁺ − ½uᵀMu = u⁺ᵀM(u⁺ − u) − ½(u⁺ − u)ᵀM(u⁺ − u). The step loss is the
// last term less what weight, springs and Coriolis force f do beyond the change of their energies, h f·u⁺ + ΔE_pot +
// ΔE_el: zero for free bodies, of second order in h for articulated trees, ½ h² u⁺ᵀKu⁺ ≥ 0 for springs of joints. M is
// without what the step adds to its diagonal for springs, dampers and servos, S = h D + h² K; the force of dampers and
// servos at the end of the step, f − S (u⁺ − u) / h, counts as actuators'.
// What the solver injected is what is left over: zero up to the momentum residual.
#pragma once

#include <stiction/report.hpp>
#include <stiction/state.hpp>

#include <span>

namespace stiction {

struct EnergyInput {
  const ContactProblem& problem;
  const Solution& solution;
  std::span<const double> row_velocity;      // J u⁺ of every row
  std::span<const double> velocity_before;   // u
  std::span<const double> applied_force;     // springs, dampers, actuators, applied wrenches; without weight
  std::span<const double> force;             // all of it: with weight and Coriolis force
  std::span<const double> implicit_inertia;  // what the step added to the diagonal of M for springs, dampers, servos
  std::span<const double> added_inertia;     // what it added to the blocks of M for stability; empty if nothing
  const Contacts& contacts;                  // the first blocks …
  const Constraints& constraints;            // … and the others
  double potential_before, potential_after;  // [J]
  double elastic_before, elastic_after;      // [J]
  double spring_work;  // h f·u⁺ of springs, which applied_force and implicit_inertia contain [J]
};

void write_energy_ledger(const EnergyInput& input, std::vector<double>& scratch, Certificate& certificate);

}  // namespace stiction
