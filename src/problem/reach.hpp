// Which candidate contacts enter the problem. Collision hands over every pair of features that could meet if either
// body were stopped or thrown; most of them stay apart. A contact enters if it is near (gap ≤ contact_margin) or closes
// within the step at the velocity in question: first at ũ, with room for what impacts do, then, after each solve, at
// u⁺. Once none is left that closes, the solution solves the problem with all candidates, because λ = 0 is right for
// each one left out. All points of a pair enter together: a patch with points missing turns over the next one, which
// then comes in.
#pragma once

#include "step/workspace.hpp"

namespace stiction {

// Selects all candidates that close at the velocity u or are near, the points of a pair together, and limits of joints
// and tendons alike; returns how many are new.
int select_closing(const Model& model, const Options& options, const std::vector<double>& u, Workspace& workspace);

// Largest speed with which a candidate or limit that was left out closes beyond touch at the velocity u [m/s]; 0 if
// none does.
double omitted_violation(const Model& model, const Options& options, const std::vector<double>& u,
                         Workspace& workspace);

// Row `at` of `to` becomes that row of `from`, in every array.
void copy_contact(const Contacts& from, std::size_t row, Contacts& to, std::size_t at);
// That row becomes a new one before row `at`; of `to` itself it is one of those before.
void insert_contact(const Contacts& from, std::size_t row, Contacts& to, std::size_t at);
// Rows from `first` on and before `last` at the end of another list.
void append_contacts(const Contacts& from, std::size_t first, std::size_t last, Contacts& to);
void erase_contact(std::size_t row, Contacts& from);
// The selected candidates, in order, with their forces; and the forces, and factors on push-out, back after a solve.
void gather_selected(const Workspace& workspace, Contacts& contacts);
void return_forces(const Contacts& contacts, Workspace& workspace);

}  // namespace stiction
