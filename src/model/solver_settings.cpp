// What solves the contact problem, by name, and which of its settings a solver uses.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include <stiction/error.hpp>
#include <stiction/problem.hpp>

#include "model/named_value.hpp"
#include "model/names.hpp"
#include "model/solver_names.hpp"

namespace stiction {
namespace {

#define STICTION_PRECONDITIONER(text, value, meaning) Preconditioner::value,
#define STICTION_PRECISION(text, value, meaning) Precision::value,
#define STICTION_LINEAR_SOLVER(text, value, meaning) LinearSolver::value,
#define STICTION_LINEAR_PRECONDITIONER(text, value, meaning) LinearPreconditioner::value,

// The name of a value of a table.
template <class Value>
std::string_view name_of(Value value, std::initializer_list<std::string_view> names,
                         std::initializer_list<Value> values) {
  return names.begin()[std::find(values.begin(), values.end(), value) - values.begin()];
}

bool factors(LinearSolver solver) {
  return solver == LinearSolver::kDirect || solver == LinearSolver::kLdlt;
}

// Settings of an iterative linear solver that are not the default; the option's name, or nothing.
std::string_view iterative_setting(const SolverSettings& settings) {
  const SolverSettings usual;
  if (settings.precision != usual.precision) return "precision";
  if (settings.linear_preconditioner != usual.linear_preconditioner) return "linear_preconditioner";
  if (settings.linear_iterations != usual.linear_iterations) return "linear_iterations";
  if (settings.linear_forcing != usual.linear_forcing) return "linear_forcing";
  return {};
}

}  // namespace

void detail::throw_unknown(std::string_view kind, std::string_view title, std::string_view name,
                           const std::vector<std::string>& names) {
  const std::string hint = suggest_names(name, names);
  throw Error(fmt::format("there is no {} '{}'{} {}: {}", kind, name, hint.ends_with('?') ? hint : std::string("."),
                          title, fmt::join(names, ", ")));
}

void detail::require(bool holds, std::string_view name, double value, std::string_view range) {
  if (!holds) throw Error(fmt::format("option {} = {} is out of range: it must be {}", name, value, range));
}

void detail::check_solver_name(std::string_view name) {
  const std::vector<std::string> names = {STICTION_SOLVERS(STICTION_NAME)};
  if (std::find(names.begin(), names.end(), name) == names.end()) throw_unknown("solver", "Solvers", name, names);
}

void detail::check_solver_ranges(const SolverSettings& s) {
  require(std::isfinite(s.tolerance) && s.tolerance > 0, "tolerance", s.tolerance, "greater than 0 and finite");
  require(s.max_iterations >= 1, "max_iterations", s.max_iterations, "at least 1");
  require(s.threads >= 0, "threads", s.threads, "at least 0 (0: all cores)");
  require(s.linear_iterations >= 1, "linear_iterations", s.linear_iterations, "at least 1");
  require(s.linear_forcing >= 0 && s.linear_forcing < 1, "linear_forcing", s.linear_forcing, "at least 0 and below 1");
}

void detail::check_solver_settings(std::string_view solver, const SolverSettings& settings) {
  check_solver_name(solver);
  check_solver_ranges(settings);
  const std::string_view linear = name_of(settings.linear_solver, {STICTION_LINEAR_SOLVERS(STICTION_NAME)},
                                          {STICTION_LINEAR_SOLVERS(STICTION_LINEAR_SOLVER)});
  const std::string_view iterative = iterative_setting(settings);
  if (!uses_linear_settings(solver)) {
    const auto refuse = [&](std::string_view option) {
      throw Error(fmt::format(
          "option {} has no effect with solver '{}': only newton-fb and newton-minmap use it. Leave it out or "
          "choose one of these solvers",
          option, solver));
    };
    if (settings.preconditioner != SolverSettings{}.preconditioner) refuse("preconditioner");
    // direct is what the others do that factor matrices at all.
    if (settings.linear_solver != LinearSolver::kAuto && settings.linear_solver != LinearSolver::kDirect)
      refuse(fmt::format("linear_solver = {}", linear));
    if (!iterative.empty()) refuse(iterative);
  }
  if (factors(settings.linear_solver) && !iterative.empty())
    throw Error(fmt::format(
        "option {} has no effect with linear_solver '{}', which factors its matrix: only auto, pcr, pcg, jacobi and "
        "gauss-seidel use it. Leave it out or choose one of these",
        iterative, linear));
}

bool uses_linear_settings(std::string_view solver) {
  return solver == "newton-fb" || solver == "newton-minmap";
}

Preconditioner preconditioner_named(std::string_view name) {
  return detail::value_named<Preconditioner>("preconditioner", "Preconditioners", name,
                                             {STICTION_PRECONDITIONERS(STICTION_NAME)},
                                             {STICTION_PRECONDITIONERS(STICTION_PRECONDITIONER)});
}

LinearSolver linear_solver_named(std::string_view name) {
  return detail::value_named<LinearSolver>("linear solver", "Linear solvers", name,
                                           {STICTION_LINEAR_SOLVERS(STICTION_NAME)},
                                           {STICTION_LINEAR_SOLVERS(STICTION_LINEAR_SOLVER)});
}

LinearPreconditioner linear_preconditioner_named(std::string_view name) {
  return detail::value_named<LinearPreconditioner>("linear preconditioner", "Linear preconditioners", name,
                                                   {STICTION_LINEAR_PRECONDITIONERS(STICTION_NAME)},
                                                   {STICTION_LINEAR_PRECONDITIONERS(STICTION_LINEAR_PRECONDITIONER)});
}

Precision precision_named(std::string_view name) {
  return detail::value_named<Precision>("precision", "Precisions", name, {STICTION_PRECISIONS(STICTION_NAME)},
                                        {STICTION_PRECISIONS(STICTION_PRECISION)});
}

SolverSettings solver_settings(const Options& options) {
  return {.tolerance = options.tolerance,
          .max_iterations = options.max_iterations,
          .warm_start = options.warm_start,
          .threads = options.threads,
          .preconditioner = preconditioner_named(options.preconditioner),
          .linear_solver = linear_solver_named(options.linear_solver),
          .linear_preconditioner = linear_preconditioner_named(options.linear_preconditioner),
          .linear_iterations = options.linear_iterations,
          .linear_forcing = options.linear_forcing,
          .precision = precision_named(options.precision)};
}

}  // namespace stiction
