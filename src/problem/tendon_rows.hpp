// Limits and dry friction of tendons as rows: the row of a tendon's length is its Jacobian row (dynamics/mechanism).
#pragma once

#include "problem/constraint_rows.hpp"

namespace stiction {

// A row with sign · J of the tendon.
ConstraintRow tendon_row(const Model& model, ConstraintKind kind, int tendon, int part, double sign,
                         Workspace& workspace);
// Whether a tendon has a degree of freedom that changes its length.
bool tendon_moves(const Mechanism& mechanism, int tendon);

// Appends the limits of all tendons, then their frictions. Tendons lie in two trees at most.
void add_tendon_rows(const Model& model, Workspace& workspace);

}  // namespace stiction
