// Contact problems outside a simulation: read, solve with any solver, certify any solution.
#include <stiction/problem.hpp>

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>

#include <stiction/recording.hpp>

#include "fields.hpp"
#include "module.hpp"
#include "simulation.hpp"
#include "solvers/solver.hpp"

namespace stiction::python {
namespace {

Solution zero_solution(const ContactProblem& problem) {
  Solution solution;
  solution.resize_for(problem);
  return solution;
}

std::pair<Solution, SolveStats> solve_problem(const ContactProblem& problem, const std::string& solver,
                                              double tolerance, int max_iterations, int threads,
                                              const std::string& preconditioner, const std::string& linear_solver,
                                              const std::string& linear_preconditioner, int linear_iterations,
                                              double linear_forcing, const std::string& precision,
                                              const std::optional<Solution>& start) {
  const SolverSettings settings{.tolerance = tolerance,
                                .max_iterations = max_iterations,
                                .warm_start = start.has_value(),
                                .threads = threads,
                                .preconditioner = preconditioner_named(preconditioner),
                                .linear_solver = linear_solver_named(linear_solver),
                                .linear_preconditioner = linear_preconditioner_named(linear_preconditioner),
                                .linear_iterations = linear_iterations,
                                .linear_forcing = linear_forcing,
                                .precision = precision_named(precision)};
  Solution solution = start ? *start : zero_solution(problem);
  if (start) check_solution(problem, *start);
  const nb::gil_scoped_release unlocked;
  const SolveStats stats = solve(problem, solver, settings, solution);
  return {std::move(solution), stats};
}

std::vector<std::tuple<int, double, double>> convergence(const ContactProblem& problem, const std::string& solver,
                                                         double tolerance, int max_iterations) {
  SolveTrace trace;
  const SolverSettings settings{tolerance, max_iterations, false, 1, &trace};
  Solution solution;
  std::vector<std::tuple<int, double, double>> points;
  const nb::gil_scoped_release unlocked;
  solve(problem, solver, settings, solution);
  for (const Convergence& point : certify_trace(problem, trace, solution))
    points.emplace_back(point.iterations, point.seconds, point.residual);
  return points;
}

std::map<std::string, std::string> solvers() {
  std::map<std::string, std::string> result;
  for (const SolverEntry& entry : solver_table()) result.emplace(entry.name, entry.meaning);
  return result;
}

// One problem of a file by its name; the only one if none is given.
ContactProblem read_one(const std::filesystem::path& path, const std::optional<std::string>& name) {
  if (name) return read_problem(path.string(), *name);
  const std::vector<std::string> names = list_problems(path.string());
  if (names.size() != 1)
    throw Error(path.string() + " holds " + std::to_string(names.size()) +
                " problems: give the name of one (list_problems)");
  return read_problem(path.string(), names.front());
}

}  // namespace

void bind_problem(nb::module_& module) {
  const SolverSettings defaults;
  {
    using Bound = ContactProblem;
    nb::class_<ContactProblem> bound(module, "ContactProblem",
                                     "M (u⁺ − ũ) = h Jᵀ λ, v = J u⁺ + b, and a law for each block of rows. Read-only.");
    bound.def_ro("timestep", &Bound::timestep, "length of the step h [s]");
    bound.def_ro("velocity_floor", &Bound::velocity_floor, "g·h, least velocity scale of an island [m/s]");
    STICTION_PROBLEM_SIZES(STICTION_BIND_SIZE)
    STICTION_PROBLEM_ARRAYS(STICTION_BIND_ARRAY)
  }
  {
    using Bound = Solution;
    nb::class_<Solution> bound(module, "Solution", "Velocities and forces that answer a ContactProblem. Writable.");
    bound.def(
        "__init__", [](Solution* self, const ContactProblem& problem) { new (self) Solution(zero_solution(problem)); },
        nb::arg("problem"), "All zero, sized for the problem.");
    STICTION_SOLUTION_ARRAYS(STICTION_BIND_WRITABLE_ARRAY)
  }
  nb::class_<SolveStats>(module, "SolveStats", "What a solver did, summed over the islands.")
      .def_ro("islands", &SolveStats::islands, "islands solved")
      .def_ro("factorisations", &SolveStats::factorisations, "factorisations of a Newton matrix, all islands")
      .def_ro("factorisations_max", &SolveStats::factorisations_max, "of the island that took most")
      .def_ro("iterations", &SolveStats::iterations,
              "factorisations, or the sweeps of pgs or iterations of admm, all islands")
      .def_ro("iterations_max", &SolveStats::iterations_max, "of the island that took most")
      .def_ro("linear_iterations", &SolveStats::linear_iterations, "of iterative linear solvers, all islands")
      .def_ro("warm", &SolveStats::warm, "islands solved by the warm-started Newton alone")
      .def_ro("interior", &SolveStats::interior, "islands that needed interior-point continuation")
      .def_ro("proximal", &SolveStats::proximal, "islands that needed proximal continuation")
      .def_ro("reduced", &SolveStats::reduced,
              "islands whose push-out was reduced: no solution was found with all of it")
      .def_ro("refuted", &SolveStats::refuted,
              "islands in which impulses were found that contradict the demanded velocities")
      .def_ro("failed", &SolveStats::failed, "islands that ended above the tolerance");

  module.def("solvers", &solvers, "The contact solvers by name, with one line on each.");
  module.def("solve", &solve_problem, nb::arg("problem"), nb::arg("solver") = "newton", nb::kw_only(),
             nb::arg("tolerance") = defaults.tolerance, nb::arg("max_iterations") = defaults.max_iterations,
             nb::arg("threads") = defaults.threads, nb::arg("preconditioner") = "effective-mass",
             nb::arg("linear_solver") = "auto", nb::arg("linear_preconditioner") = "diagonal",
             nb::arg("linear_iterations") = defaults.linear_iterations,
             nb::arg("linear_forcing") = defaults.linear_forcing, nb::arg("precision") = "double",
             nb::arg("start") = nb::none(),
             "Solves a contact problem; starts from zero, or from the forces of the solution `start`.");
  module.def("convergence", &convergence, nb::arg("problem"), nb::arg("solver") = "newton", nb::kw_only(),
             nb::arg("tolerance") = defaults.tolerance, nb::arg("max_iterations") = defaults.max_iterations,
             "Solves from zero and returns (iterations, seconds, certified residual) along the way.");
  module.def("certify", nb::overload_cast<const ContactProblem&, const Solution&>(&certify), nb::arg("problem"),
             nb::arg("solution"), "The residuals of any solution; energies and geometry are left at zero.");
  module.def("contradicting_rows", &contradicting_rows, nb::arg("problem"), nb::arg("tolerance") = defaults.tolerance,
             "Rows of equalities that contradict each other, so that no solver can solve the problem.");
  module.def("contradicting_blocks", &contradicting_blocks, nb::arg("problem"),
             "Blocks that no motion can satisfy at once, so that no solver can solve the problem.");
  module.def(
      "list_problems", [](const std::filesystem::path& path) { return list_problems(path.string()); }, nb::arg("path"),
      "Names of the contact problems of a file, in file order.");
  module.def("read_problem", &read_one, nb::arg("path"), nb::arg("name") = nb::none(),
             "A contact problem of a file; without a name the only one.");
  module.def(
      "write_problem",
      [](const std::filesystem::path& path, const std::string& name, const ContactProblem& problem) {
        write_problem(path.string(), name, problem);
      },
      nb::arg("path"), nb::arg("name"), nb::arg("problem"), "Adds a contact problem to a file.");
  module.def(
      "write_step_problem",
      [](const std::filesystem::path& path, const std::string& name, World& world, const State& before) {
        world.alone([&](Simulation& simulation) { write_step_problem(path.string(), name, simulation, before); });
      },
      nb::arg("path"), nb::arg("name"), nb::arg("simulation"), nb::arg("before"),
      "Adds the problem of the last step, which began in the state `before`, and the forces that its solver started "
      "from.");
  module.def(
      "write_fclib_problem",
      [](const std::filesystem::path& path, const ContactProblem& problem, const std::string& form) {
        if (form != "local" && form != "global") throw Error("form '" + form + "' is neither local nor global");
        write_fclib_problem(path.string(), problem, form == "local" ? FclibForm::kLocal : FclibForm::kGlobal);
      },
      nb::arg("path"), nb::arg("problem"), nb::arg("form") = "global",
      "Writes a contact problem as an FCLIB file: form 'local' (W, q) or 'global' (M, H, f, w).");
}

}  // namespace stiction::python
