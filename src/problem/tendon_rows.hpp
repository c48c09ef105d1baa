// Limits and dry friction of tendons as rows: the row of a tendon's length is its Jacobian row (dynamics/mechanism).
#pragma once

#include "problem/constraint_rows.hpp"

namespace stiction {

// Appends the limits of all tendons, then their frictions. Tendons lie in two trees at most.
void add_tendon_rows(const Model& model, Workspace& workspace);

}  // namespace stiction
