// The problem of a step, solved in rounds: what was left out of it since it was not expected to act, or was linearised
// at another velocity, is looked at again at the velocity found.
#pragma once

#include "step/stopwatch.hpp"
#include "step/workspace.hpp"

namespace stiction {

// Assembles and solves the contacts and rows that were selected, and again with those that the velocity found calls
// for, into w.solution, contacts and constraints. False where a contact with a sleeping body entered the problem:
// contacts must be found again.
bool solve_in_rounds(const Model& model, const Options& options, const State& state, Contacts& contacts,
                     Constraints& constraints, Workspace& workspace, Stopwatch& watch, StepReport& report);

}  // namespace stiction
