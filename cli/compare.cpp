// stiction compare: solvers on the same contact problem, the certified residual against iterations and against time;
// with --models, contact models on the same scene.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <utility>

#include <stiction/stiction.hpp>

#include "commands.hpp"
#include "compare_models.hpp"
#include "json.hpp"
#include "model/solver_names.hpp"
#include "plot.hpp"
#include "scene_files.hpp"
#include "solvers/solver.hpp"

namespace stiction::cli {
namespace {

constexpr char kDefaultKeyframe[] = "start";
// A solver is run again, with the memory of its first run, until these seconds or repeats are used up; the fastest run
// counts. Problems of a few contacts take microseconds, of which a first run spends most on allocation.
constexpr double kRepeatSeconds = 0.05;
constexpr int kRepeats = 200;

struct CompareArguments {
  std::string input, name, plot;
  std::vector<std::string> solvers{"newton", "newton-fb", "newton-minmap", "pgs", "admm"};
  SolverSettings settings;
  int step = 100;
  bool json = false;
  CompareModelsArguments models;
};

struct Run {
  std::string solver;
  SolveStats stats;
  std::vector<Convergence> points;

  // The first moment at which the residual of the problem as given is met; null if there is none.
  const Convergence* reached(double residual) const {
    for (const Convergence& point : points)
      if (point.residual <= residual) return &point;
    return nullptr;
  }
};

// The problem of a step of a scene, or a stored one.
ContactProblem read_input(const CompareArguments& a, std::string& title) {
  const std::string suffix = std::filesystem::path(a.input).extension().string();
  if (std::filesystem::exists(a.input) && suffix != ".xml" && suffix != ".urdf") {
    const std::vector<std::string> names = list_problems(a.input);
    if (a.name.empty() && names.size() > 1)
      throw Error(fmt::format("{}: holds {} problems, the first is '{}': choose with --name", a.input, names.size(),
                              names.front()));
    title = a.name.empty() ? names.front() : a.name;
    return read_problem(a.input, title);
  }
  Simulation simulation(std::make_shared<const Model>(load(find_scene(a.input))));
  for (const std::string& key : simulation.model().key_name)
    if (key == kDefaultKeyframe) simulation.reset(key);
  for (int step = 0; step < a.step; ++step) simulation.step();
  if (simulation.problem().nblock == 0)
    throw Error(fmt::format("{}: nothing touches in step {}: choose another with --step", a.input, a.step));
  title = fmt::format("{}, step {}", std::filesystem::path(a.input).stem().string(), a.step);
  return simulation.problem();
}

Run run_once(const ContactProblem& problem, const std::string& solver, SolverSettings settings,
             SolverWorkspace& workspace) {
  SolveTrace trace;
  settings.trace = &trace;
  settings.warm_start = false;
  Solution solution;
  Run run{solver, solve_islands(problem, *find_solver(solver), settings, workspace, solution), {}};
  run.points = certify_trace(problem, trace, solution);
  return run;
}

Run run_fastest(const ContactProblem& problem, const std::string& solver, const SolverSettings& settings) {
  detail::check_solver_settings(solver, settings);
  SolverWorkspace workspace;
  Run best = run_once(problem, solver, settings, workspace);
  if (best.points.empty()) return best;
  double seconds = best.points.back().seconds;
  for (int repeat = 1; repeat < kRepeats && seconds < kRepeatSeconds; ++repeat) {
    Run run = run_once(problem, solver, settings, workspace);
    seconds += run.points.back().seconds;
    if (run.points.back().seconds < best.points.back().seconds) best = std::move(run);
  }
  return best;
}

std::vector<double> levels(double tolerance) {
  std::vector<double> out;
  for (double level = 1e-2; level > 1.001 * tolerance; level *= 1e-2) out.push_back(level);
  out.push_back(tolerance);
  return out;
}

void print_text(const CompareArguments& a, const ContactProblem& problem, const std::string& title,
                const std::vector<Run>& runs) {
  fmt::print(
      "{}: {} blocks, {} rows, {} degrees of freedom, cold start; iterations and milliseconds until the\n"
      "certified residual is below\n{:<14}",
      title, problem.nblock, problem.nrow, problem.nv, "solver");
  for (double level : levels(a.settings.tolerance)) fmt::print(" {:>17.0e}", level);
  fmt::print(" {:>10}\n", "best");
  for (const Run& run : runs) {
    fmt::print("{:<14}", run.solver);
    for (double level : levels(a.settings.tolerance))
      if (const Convergence* point = run.reached(level))
        fmt::print(" {:>7} {:>9.3f}", point->iterations, 1e3 * point->seconds);
      else
        fmt::print(" {:>17}", "-");
    fmt::print(" {:>10.1e}{}\n", run.points.empty() ? NAN : run.points.back().residual,
               run.stats.reduced > 0 ? "  push-out reduced" : "");
  }
}

void print_json(const CompareArguments& a, const ContactProblem& problem, const std::string& title,
                const std::vector<Run>& runs) {
  std::vector<JsonObject> solvers;
  for (const Run& run : runs) {
    std::vector<int> iterations;
    std::vector<double> seconds, residuals;
    for (const Convergence& point : run.points) {
      iterations.push_back(point.iterations);
      seconds.push_back(point.seconds);
      residuals.push_back(point.residual);
    }
    solvers.push_back(JsonObject()
                          .add("solver", run.solver)
                          .add("solved", run.reached(a.settings.tolerance) != nullptr)
                          .add("push_out_reduced", run.stats.reduced > 0)
                          .add("iterations", iterations)
                          .add("seconds", seconds)
                          .add("residual", residuals));
  }
  fmt::print("{}\n", JsonObject()
                         .add("problem", title)
                         .add("version", kVersion)
                         .add("tolerance", a.settings.tolerance)
                         .add("contacts", problem.nblock)
                         .add("rows", problem.nrow)
                         .add("dofs", problem.nv)
                         .add("solvers", solvers)
                         .text());
}

void draw(const CompareArguments& a, const std::string& title, const std::vector<Run>& runs) {
  Panel iterations{"iterations", "certified residual", {}}, time{"time [s]", "certified residual", {}};
  for (const Run& run : runs) {
    Curve by_iteration{run.solver, {}}, by_time{run.solver, {}};
    for (const Convergence& point : run.points) {
      // A logarithmic axis has no zero: the start is drawn at one iteration.
      by_iteration.points.emplace_back(std::max(1, point.iterations), point.residual);
      by_time.points.emplace_back(std::max(1e-6, point.seconds), point.residual);
    }
    iterations.curves.push_back(by_iteration);
    time.curves.push_back(by_time);
  }
  write_plot(a.plot, title, {iterations, time});
}

int compare(const CompareArguments& a) {
  for (const std::string& solver : a.solvers) detail::check_solver_name(solver);
  std::string title;
  const ContactProblem problem = read_input(a, title);
  std::vector<Run> runs;
  runs.reserve(a.solvers.size());
  for (const std::string& solver : a.solvers)
    runs.push_back(run_fastest(problem, solver, settings_of(solver, a.solvers, a.settings)));
  if (a.json)
    print_json(a, problem, title, runs);
  else
    print_text(a, problem, title, runs);
  if (!a.plot.empty()) draw(a, title, runs);
  const bool any = std::any_of(runs.begin(), runs.end(),
                               [&](const Run& run) { return run.reached(a.settings.tolerance) != nullptr; });
  if (!any) fmt::print(stderr, "stiction: {}: no solver reached {:.0e}\n", title, a.settings.tolerance);
  return any ? kExitGood : kExitBad;
}

}  // namespace

void add_compare(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("compare", "Compare solvers, or contact models, by their certified residuals");
  const auto a = std::make_shared<CompareArguments>();
  command->add_option("input", a->input, "Scene (file or name), or file with a contact problem")->required();
  command->add_option("--solvers", a->solvers, "Names of solvers")->delimiter(',')->capture_default_str();
  command->add_option("--step", a->step, "Step of the scene whose problem is taken")
      ->check(positive_number())
      ->capture_default_str();
  command->add_option("--name", a->name, "Problem of the file");
  command->add_option("--tolerance", a->settings.tolerance, "Certified residual at which a solver stops")
      ->check(positive_number())
      ->capture_default_str();
  command->add_option("--max-iterations", a->settings.max_iterations, "Limit per island: factorisations, sweeps")
      ->check(positive_number())
      ->capture_default_str();
  CLI::Option* models = command
                            ->add_option("--models", a->models.models,
                                         "Contact models instead of solvers: names, or all; the scene is run with each")
                            ->delimiter(',');
  command->add_option("--steps", a->models.steps, "Steps of that run")
      ->check(positive_number())
      ->capture_default_str()
      ->needs(models);
  command->add_option("--set", a->models.settings, "Set an option of that run")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false)
      ->needs(models);
  const auto is_svg = [](const std::string& path) {
    return path.ends_with(".svg") ? std::string() : fmt::format("'{}' does not end in .svg, the format drawn", path);
  };
  command->add_option("--plot", a->plot, "Draw the curves")->check(CLI::Validator(is_svg, "FILE.svg"));
  command->add_flag("--json", a->json, "Print one JSON object with the curves and nothing else");
  add_linear_options(*command, a->settings);
  command->footer(R"(
Every solver starts from zero and runs on one thread, again and again for a twentieth of a second; the fastest run
counts. Exit code 0, also where some solvers did not get there. 1: none did, or a model ended before the last step.
2: bad usage or bad input.

Examples:
  stiction compare stack_10 --plot stack.svg
  stiction compare incline_20 --models all --plot models.svg
  stiction compare hard.h5 --name step_120 --solvers newton,admm --tolerance 1e-10)");
  command->callback([a, &exit_code] {
    a->models.scene = a->input;
    a->models.plot = a->plot;
    a->models.json = a->json;
    exit_code = a->models.models.empty() ? compare(*a) : compare_models(a->models);
  });
}

}  // namespace stiction::cli
