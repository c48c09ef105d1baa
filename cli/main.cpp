// The program `stiction`: subcommands in files of their own; errors of the library become one line and exit code 2.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include <stiction/error.hpp>
#include <stiction/version.hpp>

#include "commands.hpp"

namespace {

constexpr char kExamples[] = R"(
Examples:
  stiction scenes                             the shipped scenes
  stiction run stack_10 --out stack.h5        5 s of a shipped scene, certified and recorded
  stiction run robot.xml --steps 100 --json   any MJCF or URDF file, figures as JSON
  stiction check stack.h5                     recompute every certificate from the file
  stiction replay stack.h5                    simulate it again, compare bit by bit
  stiction solve problems.h5 --solver all     stored contact problems with every solver
  stiction compare stack_10 --plot stack.svg  residual of every solver against iterations and time
  stiction bench paper-004 --out paper        the experiments of Macklin et al. 2019 as pictures
  stiction convert hard.h5 hard.hdf5          a stored contact problem for other programs (FCLIB)
  stiction mesh part.stl                      is the mesh closed, what are its volume and faults
)";

// A word where a command is expected.
void require_command(const CLI::App& app, const std::string& word) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  if (std::find(names.begin(), names.end(), word) != names.end()) return;
  throw stiction::Error(fmt::format("there is no command '{}'. Commands: {}", word, fmt::join(names, ", ")));
}

CLI::Validator number_check(const char* name, const char* range, bool zero) {
  const auto check = [range, zero](const std::string& text) {
    double value = 0;
    if (!CLI::detail::lexical_cast(text, value)) return fmt::format("'{}' is not a number", text);
    return std::isfinite(value) && (value > 0 || (zero && value == 0))
               ? std::string()
               : fmt::format("{} is out of range: it must be {}", text, range);
  };
  return {check, name};
}

}  // namespace

CLI::Validator stiction::cli::positive_number() {
  return number_check("POSITIVE", "greater than 0", false);
}

CLI::Validator stiction::cli::number_not_negative() {
  return number_check("NONNEGATIVE", "at least 0", true);
}

void stiction::cli::add_linear_options(CLI::App& command, SolverSettings& settings) {
  command.add_option_function<std::string>(
      "--preconditioner",
      [&settings](const std::string& name) { settings.preconditioner = preconditioner_named(name); },
      "Of newton-fb and newton-minmap: identity, h2, effective-mass");
  command.add_option_function<std::string>(
      "--linear-solver", [&settings](const std::string& name) { settings.linear_solver = linear_solver_named(name); },
      "Of newton-fb and newton-minmap: auto, direct, ldlt, pcr, pcg, jacobi, gauss-seidel");
  command.add_option_function<std::string>(
      "--linear-preconditioner",
      [&settings](const std::string& name) { settings.linear_preconditioner = linear_preconditioner_named(name); },
      "Of an iterative linear solver: diagonal, block-diagonal");
  command.add_option_function<std::string>(
      "--precision", [&settings](const std::string& name) { settings.precision = precision_named(name); },
      "Of an iterative linear solver: double, float");
  command.add_option("--linear-iterations", settings.linear_iterations, "Limit of each iterative linear solve")
      ->check(positive_number())
      ->capture_default_str();
  command.add_option("--linear-forcing", settings.linear_forcing, "Largest share of its residual that it may leave")
      ->check(number_not_negative())
      ->capture_default_str();
}

stiction::SolverSettings stiction::cli::settings_of(const std::string& solver, const std::vector<std::string>& all,
                                                    const SolverSettings& settings) {
  if (uses_linear_settings(solver) || std::none_of(all.begin(), all.end(), uses_linear_settings)) return settings;
  return {.tolerance = settings.tolerance,
          .max_iterations = settings.max_iterations,
          .warm_start = settings.warm_start,
          .threads = settings.threads};
}

int main(int argc, char** argv) {
  int exit_code = stiction::cli::kExitGood;
  CLI::App app{"Rigid bodies in exact, certified frictional contact", "stiction"};
  app.set_version_flag("--version", fmt::format("stiction {}", stiction::kVersion));
  app.footer(kExamples);
  app.require_subcommand(1);
  stiction::cli::add_run(app, exit_code);
  stiction::cli::add_check(app, exit_code);
  stiction::cli::add_replay(app, exit_code);
  stiction::cli::add_solve(app, exit_code);
  stiction::cli::add_scenes(app, exit_code);
  stiction::cli::add_mesh(app, exit_code);
  stiction::cli::add_convert(app, exit_code);
  stiction::cli::add_compare(app, exit_code);
  stiction::cli::add_bench(app, exit_code);
  try {
    if (argc > 1 && argv[1][0] != '-') require_command(app, argv[1]);
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? stiction::cli::kExitGood : stiction::cli::kExitUsage;
  } catch (const stiction::Error& error) {
    fmt::print(stderr, "stiction: {}\n", error.what());
    return stiction::cli::kExitUsage;
  } catch (const std::exception& error) {
    fmt::print(stderr, "stiction: unexpected failure: {}\n", error.what());
    return stiction::cli::kExitUsage;
  }
  return exit_code;
}
