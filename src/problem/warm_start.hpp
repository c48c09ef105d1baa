// Carries contact forces from one step to the next. A contact is recognised by its key (shapes and features); one whose
// feature changed takes the force of the nearest left-over point of the same pair. Forces travel as world vectors.
#pragma once

#include "step/workspace.hpp"

#include <span>

namespace stiction {

// Fills the forces of the contacts from the state's warm-start arrays. Returns how many contacts were recognised.
int read_warm_start(const State& state, Contacts& contacts, Workspace& workspace);
// Factors on the push-out of contacts that are where they were in the step before, as that step left them: a heap at
// rest would otherwise search in every step for a motion that there is not. read_warm_start goes before.
void recall_push_out(const Options& options, const State& state, Contacts& contacts, const Workspace& workspace);

// Multipliers in the frames of the problem's blocks from the contacts' forces.
void multipliers_from_forces(const Contacts& contacts, std::span<const ContactFrame> frames,
                             const ContactProblem& problem, std::vector<double>& lambda);

// Forces and end velocities of the contacts in the world frame from the solution, for the user and the next warm start.
void write_contacts(const Workspace& workspace, Contacts& contacts);

// Stores the forces of this step's contacts in `next`.
void write_warm_start(const Contacts& contacts, const Workspace& workspace, State& next);

}  // namespace stiction
