// Frictional contact problems as plain text, one to a file: `kind local|global`, `dim 2|3`, `nc N`, then
// `matrix NAME rows cols count` with a line `i j value` for each entry (from 0), and `vector NAME count` with a line
// for each value; '#' begins a comment. Matrices and vectors are those of friction_problem.hpp, without equalities.
#pragma once

#include <string>

#include "io/friction_problem.hpp"
#include "io/text_lines.hpp"

namespace stiction::detail {

// Whether the first word of the file is `kind`.
bool is_friction_text(const std::string& path);
// Throws Error with file and line.
FrictionProblem read_friction_text(const std::string& path);

// What follows a line `matrix NAME rows cols count` or `vector NAME count`, at which `lines` stands.
SparseEntries read_matrix(TextLines& lines);
std::vector<double> read_vector(TextLines& lines);

}  // namespace stiction::detail
