// Contacts of the models without a law of contact (docs/theory.md, "Other contact models"). What touches at the start
// of the step acts; each of these contacts has box rows (normal, two tangents; none that nothing can move) behind all
// others. They know sliding alone: torsional and rolling friction are left out, and of two coefficients of sliding the
// first holds.
//
//   bilateral        v + b = 0, pulling and beyond the cone if need be. Contacts of a patch are dependent rows, so the
//                    rows carry the proximal term e (λ − λ⁻), and each round of the step takes λ⁻ from the one before
//                    (Carpentier and Le Lidec, course on contact dynamics)
//   spring-explicit  λ_n = max(0, −k gap − d v_n),  λ_t = −μ λ_n v_t / max(‖v_t‖, v_s)       at the start of the step
//   spring-implicit  λ_n = max(0, −k (gap + h v_n⁺) − d v_n⁺),  λ_t = −c v_t⁺ with the c of the explicit law
#pragma once

#include "step/workspace.hpp"

namespace stiction {

// Moves the candidates that touch to `touching` and drops the others. Does nothing for models with a law of contact.
void take_touching(const Options& options, Workspace& workspace);

// Appends the rows of the touching contacts to the candidates of constraint rows.
void add_contact_rows(const Model& model, const Options& options, const State& state, Workspace& workspace);

// After a solve: the proximal terms of the next round. True if the rows are met, or a further round would not help.
bool settle_contact_rows(const Options& options, Workspace& workspace);

// Forces of the rows from those of recorded contacts, with proximal terms that are settled.
void recall_contact_rows(const Options& options, const Contacts& recorded, Workspace& workspace);

// The certificate's worst block, that of a row, as users see it: contacts first, then rows.
void order_worst_block(int touching, const Constraints& constraints, Certificate& certificate);

// Moves forces and velocities of the contact rows, the last of `constraints`, to the contacts.
void report_touching(const Workspace& workspace, Contacts& contacts, Constraints& constraints,
                     Certificate& certificate);

}  // namespace stiction
