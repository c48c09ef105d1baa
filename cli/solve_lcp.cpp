// stiction solve for linear complementarity problems: each method's verdict with its certificate or its proof.
#include <fmt/format.h>

#include <chrono>
#include <cmath>

#include <stiction/lcp.hpp>
#include <stiction/version.hpp>

#include "commands.hpp"
#include "json.hpp"

namespace stiction::cli {
namespace {

struct Row {
  std::string method;
  LcpResult result;
  double seconds = 0;
};

Row solve_one(const Lcp& problem, const std::string& method, const LcpSettings& settings) {
  Row row{method, {}, 0};
  const auto begin = std::chrono::steady_clock::now();
  row.result = solve_lcp(problem, method, settings);
  row.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return row;
}

JsonObject to_json(const Row& row) {
  const LcpResult& r = row.result;
  JsonObject out;
  out.add("method", row.method)
      .add("status", lcp_status_name(r.status))
      .add("message", r.message)
      .add("iterations", r.iterations)
      .add("seconds", row.seconds)
      .add("z", r.z)
      .add("w", r.w)
      .add("residual", r.certificate.residual())
      .add("certificate", JsonObject()
                              .add("equation", r.certificate.equation)
                              .add("negative_z", r.certificate.negative_z)
                              .add("negative_w", r.certificate.negative_w)
                              .add("complementarity", r.certificate.complementarity));
  if (!r.ray.direction.empty())
    out.add("ray", JsonObject()
                       .add("z", r.ray.z)
                       .add("direction", r.ray.direction)
                       .add("cover", r.ray.cover)
                       .add("z0", r.ray.z0)
                       .add("direction0", r.ray.direction0)
                       .add("residual", r.ray_residual));
  if (!r.farkas.empty())
    out.add("farkas", JsonObject().add("y", r.farkas).add("no_solution_below", r.no_solution_below));
  if (!r.solutions.empty()) out.add("solutions", r.solutions);
  return out;
}

}  // namespace

int solve_lcp_file(const std::string& file, const std::string& solver, const SolverSettings& settings, bool json) {
  const Lcp problem = read_lcp(file);
  const bool limited = settings.max_iterations != SolverSettings{}.max_iterations;
  const LcpSettings limits{settings.tolerance, limited ? settings.max_iterations : 0};
  std::vector<std::string> methods{solver.empty() ? "lemke" : solver};
  if (solver == "all") methods = lcp_methods();
  std::vector<Row> rows;
  rows.reserve(methods.size());
  for (const std::string& method : methods) {
    // Enumeration refuses large problems; asked for by name it says so, among all it is left out.
    if (solver == "all" && method == "enumerate" && problem.n > 20) continue;
    rows.push_back(solve_one(problem, method, limits));
  }
  bool decided = true;
  std::vector<JsonObject> objects;
  objects.reserve(rows.size());
  if (!json)
    fmt::print("{:<14} {:<14} {:>10} {:>10} {:>10}  {}\n", "method", "status", "residual", "iterations", "ms", "");
  for (const Row& row : rows) {
    const LcpStatus status = row.result.status;
    decided = decided && status != LcpStatus::kRay && status != LcpStatus::kNotConverged;
    if (json)
      objects.push_back(to_json(row));
    else
      fmt::print("{:<14} {:<14} {:>10.2e} {:>10} {:>10.3f}  {}\n", row.method, lcp_status_name(status),
                 row.result.certificate.residual(), row.result.iterations, 1e3 * row.seconds, row.result.message);
  }
  if (json)
    fmt::print("{}\n", JsonObject()
                           .add("file", file)
                           .add("version", kVersion)
                           .add("n", problem.n)
                           .add("tolerance", limits.tolerance)
                           .add("methods", objects)
                           .text());
  return decided ? kExitGood : kExitBad;
}

}  // namespace stiction::cli
