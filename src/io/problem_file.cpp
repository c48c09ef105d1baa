// Contact problems in files, in four formats that are told apart by their content.
//
// Ours: one group per problem with every array of the table of ContactProblem, and the start of the solver.
//
// Reduced: groups with the datasets G (rows × k), q (rows), mu (contacts) and the file attribute h. Contact velocity is
// v = G Gᵀ p + q for impulses p, three rows (n, t1, t2) per contact. That is our problem with one tree of k degrees of
// freedom, M = 1, J = G, ũ = 0, b = q; the floor of the velocity scale is zero, so that residuals are relative to the
// largest free contact velocity of the problem. q_n < 0 is the approach and the push-out of old penetration together.
//
// FCLIB's (fclib_file.hpp) and text (friction_text.hpp): one problem to a file, which is named as the file is.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <utility>

#include <stiction/recording.hpp>

#include "dynamics/kinematics.hpp"
#include "io/fclib_file.hpp"
#include "io/file_format.hpp"
#include "io/friction_text.hpp"
#include "io/hdf5_fields.hpp"
#include "problem/warm_start.hpp"

namespace stiction {
namespace {

using detail::Dims;
using detail::Group;
using detail::Scalar;

constexpr FieldInfo kTimestep{"timestep", "s", "length of the step h"};
constexpr FieldInfo kVelocityFloor{"velocity_floor", "m/s", "g·h, least velocity scale of an island"};

constexpr FieldInfo kStart{"start", "N", "multipliers from which the solver of the step started"};
constexpr FieldInfo kStartVelocity{"start_velocity", "m/s, rad/s", "u at the start of the step"};
constexpr FieldInfo kStartPushOut{"start_push_out", "1",
                                  "factors on push-out with which the solver of the step started"};

bool is_reduced(const Group& root) {
  return root.has_attribute("h") && !detail::has_format(root);
}

Group open_problems(const std::string& path) {
  Group root = Group::open_file(path);
  if (!is_reduced(root)) detail::check_format(root, detail::kProblemsKind);
  return root;
}

// Whether the file holds one problem of the literature, which it is then named after.
bool holds_friction_problem(const std::string& path) {
  if (Group::is_hdf5(path)) return detail::is_fclib(Group::open_file(path));
  if (!detail::is_friction_text(path))
    throw Error(
        fmt::format("{}: is not an HDF5 file, and no text problem either: that begins with 'kind local' or "
                    "'kind global'",
                    path));
  return true;
}

std::string stem(const std::string& path) {
  return std::filesystem::path(path).stem().string();
}

detail::FrictionProblem read_friction_problem(const std::string& path) {
  return Group::is_hdf5(path) ? detail::read_fclib(Group::open_file(path)) : detail::read_friction_text(path);
}

ContactProblem read_own(const Group& group) {
  ContactProblem problem;
  const detail::ReadScalars scalars{group};
  scalars(kTimestep, problem.timestep);
  scalars(kVelocityFloor, problem.velocity_floor);
  detail::read_table(group, problem);
  return problem;
}

ContactProblem read_reduced(const Group& root, const Group& group) {
  const Dims G = group.dims("G");
  if (G.size() != 2 || G[0] % 3 != 0) group.fail("G", "should be a matrix with three rows per contact");
  ContactProblem problem;
  problem.timestep = root.read_double_attribute("h");
  problem.nv = int(G[1]);
  problem.ntree = 1;
  problem.ninertia = problem.nv * problem.nv;
  problem.nblock = int(G[0] / 3);
  problem.nrow = int(G[0]);
  problem.njacobian = problem.nrow * problem.nv;
  problem.resize();
  group.read("G", Scalar::kDouble, G, problem.jacobian.data());
  group.read("q", Scalar::kDouble, {G[0]}, problem.bias.data());
  group.read("mu", Scalar::kDouble, {G[0] / 3}, problem.block_friction.data());
  problem.tree_dof = {0, problem.nv};
  problem.tree_inertia = {0, problem.ninertia};
  for (int i = 0; i < problem.nv; ++i) problem.inertia[std::size_t(i * (problem.nv + 1))] = 1;
  for (int b = 0; b <= problem.nblock; ++b) problem.block_row[std::size_t(b)] = 3 * b;
  for (int b = 0; b < problem.nblock; ++b) {
    const auto i = std::size_t(b);
    problem.block_law[i] = Law::kCoulomb;
    problem.block_tree_b[i] = -1;
    problem.block_jacobian_a[i] = 3 * b * problem.nv;
    problem.block_push_out[i] = INFINITY;
  }
  return problem;
}

void require_name(const std::string& path, const std::vector<std::string>& names, const std::string& name) {
  if (std::find(names.begin(), names.end(), name) == names.end())
    throw Error(fmt::format("{}: holds no contact problem '{}'; it holds {}", path, name, fmt::join(names, ", ")));
}

Group open_problem(const Group& root, const std::string& name) {
  require_name(root.file(), root.group_names(), name);
  return root.open_group(name);
}

// Checked, with its derived arrays.
ContactProblem finished(ContactProblem problem) {
  check_problem(problem);
  const int singular = finish_problem(problem);
  if (singular >= 0) throw Error(fmt::format("the inertia of tree {} is not positive definite", singular));
  return problem;
}

}  // namespace

std::vector<std::string> list_problems(const std::string& path) {
  if (holds_friction_problem(path)) return {stem(path)};
  const Group root = open_problems(path);
  std::vector<std::string> names = root.group_names();
  if (names.empty()) throw Error(fmt::format("{}: holds no contact problem", path));
  return names;
}

ContactProblem read_problem(const std::string& path, const std::string& name) {
  if (holds_friction_problem(path)) {
    require_name(path, {stem(path)}, name);
    const detail::FrictionProblem stored = read_friction_problem(path);
    try {
      return finished(detail::contact_problem(stored));
    } catch (const Error& error) {
      throw Error(fmt::format("{}: {}", path, error.what()));
    }
  }
  const Group root = open_problems(path), group = open_problem(root, name);
  ContactProblem problem = is_reduced(root) ? read_reduced(root, group) : read_own(group);
  try {
    return finished(std::move(problem));
  } catch (const Error& error) {
    group.fail("", error.what());
  }
}

ProblemStart read_problem_start(const std::string& path, const std::string& name) {
  if (holds_friction_problem(path)) return {};
  const Group root = open_problems(path), group = open_problem(root, name);
  if (is_reduced(root)) return {};
  ProblemStart start;
  const auto read = [&](const FieldInfo& field, const char* size, std::vector<double>& out) {
    if (!group.has(field.name)) return;
    out.resize(std::size_t(group.read_integer_attribute(size)));
    detail::ReadArrays{group}(field, out);
  };
  read(kStart, "nrow", start.lambda);
  read(kStartVelocity, "nv", start.u);
  read(kStartPushOut, "nblock", start.push_out);
  return start;
}

void write_problem(const std::string& path, const std::string& name, const ContactProblem& problem,
                   const ProblemStart& start) {
  if (name.empty() || name.find('/') != std::string::npos)
    throw Error(fmt::format("'{}' cannot be the name of a contact problem: it must be a word without '/'", name));
  if (!start.lambda.empty() && start.lambda.size() != std::size_t(problem.nrow))
    throw Error(fmt::format("the start of contact problem '{}' has {} entries for {} rows", name, start.lambda.size(),
                            problem.nrow));
  if (!start.u.empty() && start.u.size() != std::size_t(problem.nv))
    throw Error(fmt::format("the start of contact problem '{}' has {} velocities for {} degrees of freedom", name,
                            start.u.size(), problem.nv));
  if (!start.push_out.empty() && start.push_out.size() != std::size_t(problem.nblock))
    throw Error(fmt::format("the start of contact problem '{}' has {} factors on push-out for {} blocks", name,
                            start.push_out.size(), problem.nblock));
  const bool old = std::filesystem::exists(path);
  const Group root = old ? Group::open_file(path, true) : Group::create_file(path);
  if (old)
    detail::check_format(root, detail::kProblemsKind);
  else
    detail::write_format(root, detail::kProblemsKind);
  if (root.has(name)) root.remove(name);
  const Group group = root.create_group(name);
  const detail::WriteScalars scalars{group};
  scalars(kTimestep, problem.timestep);
  scalars(kVelocityFloor, problem.velocity_floor);
  detail::write_table(group, problem);
  if (!start.lambda.empty()) detail::WriteArrays{group}(kStart, start.lambda);
  if (!start.u.empty()) detail::WriteArrays{group}(kStartVelocity, start.u);
  if (!start.push_out.empty()) detail::WriteArrays{group}(kStartPushOut, start.push_out);
  root.flush();
}

void write_fclib_problem(const std::string& path, const ContactProblem& problem, FclibForm form) {
  const detail::FrictionProblem stored =
      form == FclibForm::kLocal ? detail::local_form(problem) : detail::global_form(problem);
  detail::write_fclib(Group::create_file(path), stored);
}

void write_step_problem(const std::string& path, const std::string& name, const Simulation& simulation,
                        const State& before) {
  Workspace workspace(simulation.model());
  compute_poses(simulation.model(), before.q, workspace);
  Contacts contacts = simulation.contacts();
  read_warm_start(before, contacts, workspace);
  ProblemStart start{.lambda = std::vector<double>(std::size_t(simulation.problem().nrow)),
                     .u = before.u,
                     .push_out = std::vector<double>(std::size_t(simulation.problem().nblock), 1.0)};
  std::fill(contacts.push_out.begin(), contacts.push_out.end(), 1.0);
  recall_push_out(simulation.options(), before, contacts, workspace);
  std::copy(contacts.push_out.begin(), contacts.push_out.end(), start.push_out.begin());
  make_frames(contacts, workspace.frames);
  multipliers_from_forces(contacts, workspace.frames, simulation.problem(), start.lambda);
  read_row_warm_start(before, simulation.constraints(), simulation.problem(), start.lambda);
  write_problem(path, name, simulation.problem(), start);
}

}  // namespace stiction
