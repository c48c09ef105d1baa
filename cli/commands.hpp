// The subcommands of `stiction`. Each adds itself to the program; when it was called, it leaves its exit code:
// 0 all is well, 1 the result is not what was asked for (it says where and how to look), 2 bad usage or bad input.
#pragma once

#include <CLI/CLI.hpp>

#include <stiction/problem.hpp>

namespace stiction::cli {

inline constexpr int kExitGood = 0;
inline constexpr int kExitBad = 1;
inline constexpr int kExitUsage = 2;
inline constexpr int kExitInterrupted = 130;  // Ctrl-C, as shells count it

// Checks of numbers, in words.
CLI::Validator positive_number();
CLI::Validator number_not_negative();

// --preconditioner, --linear-solver and its options, into the settings.
void add_linear_options(CLI::App& command, SolverSettings& settings);
// The settings for one of several solvers: what those options say is left out for solvers that do not use it, unless
// none does.
SolverSettings settings_of(const std::string& solver, const std::vector<std::string>& all,
                           const SolverSettings& settings);

// stiction solve for a linear complementarity problem; solver: a method, all, or nothing for lemke.
int solve_lcp_file(const std::string& file, const std::string& solver, const SolverSettings& settings, bool json);

void add_run(CLI::App& app, int& exit_code);
void add_check(CLI::App& app, int& exit_code);
void add_replay(CLI::App& app, int& exit_code);
void add_solve(CLI::App& app, int& exit_code);
void add_compare(CLI::App& app, int& exit_code);
void add_bench(CLI::App& app, int& exit_code);
void add_convert(CLI::App& app, int& exit_code);
void add_scenes(CLI::App& app, int& exit_code);
void add_mesh(CLI::App& app, int& exit_code);

}  // namespace stiction::cli
