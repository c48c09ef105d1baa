// stiction solve: stored contact problems, each by one or all solvers, judged by the certificate.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <memory>

#include <stiction/lcp.hpp>
#include <stiction/recording.hpp>
#include <stiction/version.hpp>

#include "commands.hpp"
#include "json.hpp"
#include "model/solver_names.hpp"
#include "progress.hpp"
#include "solvers/solver.hpp"

namespace stiction::cli {
namespace {

struct SolveArguments {
  std::string file, name, solver;  // no solver: the default of the kind of problem
  SolverSettings settings;
  bool json = false, cold = false;
};

struct Row {
  std::string problem, solver;
  int contacts = 0, rows = 0, dofs = 0, factorisations = 0, iterations = 0, reduced = 0;
  std::vector<int> island_factorisations;
  double residual = 0, seconds = 0;
  bool solved = false;
};

int count_contacts(const ContactProblem& problem) {
  const auto is_contact = [](Law law) { return law != Law::kBox && law != Law::kNextFacet; };
  return int(std::count_if(problem.block_law.begin(), problem.block_law.end(), is_contact));
}

Row solve_one(const std::string& name, const ContactProblem& problem, const ProblemStart& start,
              const std::string& solver, SolverSettings settings) {
  Solution solution;
  settings.warm_start = !start.lambda.empty();
  if (settings.warm_start) solution.lambda = start.lambda;
  const auto begin = std::chrono::steady_clock::now();
  detail::check_solver_settings(solver, settings);
  SolverWorkspace workspace;
  workspace.velocity_before = start.u;
  workspace.push_out_before = start.push_out;
  const SolveStats stats = solve_islands(problem, *find_solver(solver), settings, workspace, solution);
  Row row{.problem = name,
          .solver = solver,
          .contacts = count_contacts(problem),
          .rows = problem.nrow,
          .dofs = problem.nv,
          .factorisations = stats.factorisations,
          .iterations = stats.iterations,
          .island_factorisations = {}};
  for (const IslandResult& island : workspace.results) row.island_factorisations.push_back(island.factorisations);
  row.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  const Certificate certificate = certify(problem, solution);
  row.residual = certificate.residual();
  row.reduced = certificate.push_out_reduced;
  row.solved = row.residual <= settings.tolerance;
  return row;
}

struct Totals {
  int problems = 0, solved = 0, reduced = 0, maximum = 0;
  double mean = 0, median = 0, seconds = 0;
  std::vector<std::string> unsolved;
};

Totals total(const std::vector<Row>& rows, const std::string& solver) {
  Totals out;
  std::vector<int> counts;
  for (const Row& row : rows) {
    if (row.solver != solver) continue;
    counts.push_back(row.factorisations);
    out.solved += row.solved;
    out.reduced += row.solved && row.reduced > 0;
    out.seconds += row.seconds;
    if (!row.solved) out.unsolved.push_back(row.problem);
  }
  std::sort(counts.begin(), counts.end());
  out.problems = int(counts.size());
  for (int count : counts) out.mean += double(count) / out.problems;
  out.median = 0.5 * (counts[(counts.size() - 1) / 2] + counts[counts.size() / 2]);
  out.maximum = counts.back();
  return out;
}

void print_json(const SolveArguments& a, const std::vector<Row>& rows, const std::vector<std::string>& solvers) {
  std::vector<JsonObject> problems, summary;
  for (const Row& row : rows)
    problems.push_back(JsonObject()
                           .add("problem", row.problem)
                           .add("solver", row.solver)
                           .add("contacts", row.contacts)
                           .add("rows", row.rows)
                           .add("dofs", row.dofs)
                           .add("residual", row.residual)
                           .add("factorisations", row.factorisations)
                           .add("island_factorisations", row.island_factorisations)
                           .add("iterations", row.iterations)
                           .add("push_out_reduced", row.reduced)
                           .add("seconds", row.seconds)
                           .add("solved", row.solved));
  for (const std::string& solver : solvers) {
    const Totals t = total(rows, solver);
    summary.push_back(
        JsonObject()
            .add("solver", solver)
            .add("problems", t.problems)
            .add("solved", t.solved)
            .add("solved_share", double(t.solved) / t.problems)
            .add("reduced", t.reduced)
            .add("factorisations", JsonObject().add("mean", t.mean).add("median", t.median).add("max", t.maximum))
            .add("seconds", t.seconds)
            .add("unsolved", t.unsolved));
  }
  fmt::print("{}\n", JsonObject()
                         .add("file", a.file)
                         .add("version", kVersion)
                         .add("tolerance", a.settings.tolerance)
                         .add("summary", summary)
                         .add("problems", problems)
                         .text());
}

void print_text(const std::vector<Row>& rows, const std::vector<std::string>& solvers) {
  fmt::print("{:<14} {:<14} {:>8} {:>6} {:>6} {:>10} {:>14} {:>10} {:>10}  {}\n", "problem", "solver", "contacts",
             "rows", "dofs", "residual", "factorisations", "iterations", "ms", "solved");
  for (const Row& row : rows)
    fmt::print("{:<14} {:<14} {:>8} {:>6} {:>6} {:>10.2e} {:>14} {:>10} {:>10.3f}  {}\n", row.problem, row.solver,
               row.contacts, row.rows, row.dofs, row.residual, row.factorisations, row.iterations, 1e3 * row.seconds,
               !row.solved       ? "NO"
               : row.reduced > 0 ? "yes, push-out reduced"
                                 : "yes");
  for (const std::string& solver : solvers) {
    const Totals t = total(rows, solver);
    fmt::print(
        "{}: {} of {} solved ({:.1f} %), {} of them with reduced push-out; factorisations mean {:.1f}, median "
        "{:g}, at most {}; {:.3g} s\n",
        solver, t.solved, t.problems, 100.0 * t.solved / t.problems, t.reduced, t.mean, t.median, t.maximum, t.seconds);
  }
}

// Why there is no solution, where that can be told.
void explain(const SolveArguments& a, const std::string& name) {
  const ContactProblem problem = read_problem(a.file, name);
  if (const std::vector<int> rows = contradicting_rows(problem, a.settings.tolerance); !rows.empty())
    fmt::print(stderr, "stiction: {}: problem '{}' has no solution: the equalities of rows {} contradict each other\n",
               a.file, name, fmt::join(rows, ", "));
  else if (const std::vector<int> blocks = contradicting_blocks(problem); !blocks.empty())
    fmt::print(stderr, "stiction: {}: problem '{}' has no solution: no motion satisfies the blocks {} at once\n",
               a.file, name, fmt::join(blocks, ", "));
}

int solve_file(const SolveArguments& a) {
  if (is_lcp_file(a.file)) return solve_lcp_file(a.file, a.solver, a.settings, a.json);
  std::vector<std::string> solvers{a.solver.empty() ? "newton" : a.solver};
  if (a.solver == "all") {
    solvers.clear();
    for (const SolverEntry& entry : solver_table()) solvers.emplace_back(entry.name);
  }
  const std::vector<std::string> names = a.name.empty() ? list_problems(a.file) : std::vector{a.name};
  std::vector<Row> rows;
  {
    ProgressBar bar("solve", int(names.size()), true);
    for (std::size_t i = 0; i < names.size(); ++i) {
      const ContactProblem problem = read_problem(a.file, names[i]);
      const ProblemStart start = a.cold ? ProblemStart{} : read_problem_start(a.file, names[i]);
      for (const std::string& solver : solvers)
        rows.push_back(solve_one(names[i], problem, start, solver, settings_of(solver, solvers, a.settings)));
      bar.show(int(i) + 1);
    }
  }
  if (a.json)
    print_json(a, rows, solvers);
  else
    print_text(rows, solvers);
  int unsolved = 0;
  for (const Row& row : rows) {
    if (row.solved) continue;
    ++unsolved;
    fmt::print(stderr, "stiction: {}: problem '{}' was not solved by {}: residual {:.2e}, tolerance {:.0e}\n", a.file,
               row.problem, row.solver, row.residual, a.settings.tolerance);
    explain(a, row.problem);
  }
  return unsolved > 0 ? kExitBad : kExitGood;
}

}  // namespace

void add_solve(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("solve", "Solve stored contact and complementarity problems");
  const auto a = std::make_shared<SolveArguments>();
  command
      ->add_option("problem", a->file,
                   "File with contact problems: ours, FCLIB's or text; or with a linear "
                   "complementarity problem")
      ->required();
  command->add_option("--name", a->name, "Only the problem of this name; default: all in the file");
  command->add_option("--solver", a->solver,
                      "Name of a solver or, for .lcp files, of a method; or all. Default: newton, lemke");
  command->add_option("--tolerance", a->settings.tolerance, "Certified residual, relative to the velocity scale")
      ->check(positive_number())
      ->capture_default_str();
  command->add_option("--max-iterations", a->settings.max_iterations, "Limit per island: factorisations, sweeps")
      ->check(positive_number())
      ->capture_default_str();
  command->add_option("--threads", a->settings.threads, "Threads; 0: all cores")->check(number_not_negative());
  command->add_flag("--cold", a->cold, "Start from zero even if the file holds the start that the step had");
  command->add_flag("--json", a->json, "Print one JSON object and nothing else on standard output");
  add_linear_options(*command, a->settings);
  command->footer(R"(
Exit code 0: all are solved (of .lcp files: solved, or proven to have no solution). 1: some are not; it names them.
2: bad usage or bad input.

Examples:
  stiction solve hard.h5 --solver all
  stiction solve Capsules-i125-1213.hdf5
  stiction solve degenerate.lcp --solver all
  stiction solve problems.h5 --name step_120 --tolerance 1e-10 --json)");
  command->callback([a, &exit_code] { exit_code = solve_file(*a); });
}

}  // namespace stiction::cli
