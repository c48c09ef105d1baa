// What tests do with a contact problem: solve it from zero multipliers, and see why it is refused.
#pragma once

#include <stiction/report.hpp>

#include <exception>
#include <string>

namespace stiction::test {

struct Solved {
  Solution solution;
  SolveStats stats;
  double residual = 0;
};

inline Solved solve_cold(const ContactProblem& problem, const std::string& solver) {
  Solved out;
  SolverSettings settings;
  settings.warm_start = false;
  out.stats = solve(problem, solver, settings, out.solution);
  out.residual = certify(problem, out.solution).residual();
  return out;
}

// What check_problem says; empty if nothing.
inline std::string refusal(const ContactProblem& problem) {
  try {
    check_problem(problem);
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

}  // namespace stiction::test
