// The two halves of finish_problem, which a step needs apart: ũ asks for the factors before any contact is known.
#pragma once

#include <stiction/problem.hpp>

namespace stiction {

// Factors of the inertia blocks (math/tree_cholesky.hpp). Returns the first tree whose inertia is not positive
// definite, or -1.
int factor_inertia(ContactProblem& problem);

// Islands, their members and their velocity scales.
void connect_islands(ContactProblem& problem, std::vector<double>& scratch);

}  // namespace stiction
