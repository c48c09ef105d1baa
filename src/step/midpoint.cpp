#include "step/midpoint.hpp"

#include "dynamics/held_joints.hpp"
#include "dynamics/kinematics.hpp"
#include "dynamics/smooth_motion.hpp"
#include "dynamics/tree_integrate.hpp"
#include "math/row_products.hpp"
#include "step/fingerprint.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace stiction {
namespace {

constexpr double kImpact = 2;       // change of velocity by contacts, as a multiple of that by forces …
constexpr double kShare = 0.05;     // … and of the velocity itself
constexpr double kSamePath = 1e-9;  // by which two ways to one midpoint may differ [m or rad]

std::uint64_t mark_of(const Options& options, const Workspace& w, int tree, const State& state) {
  Fingerprint out;
  out.add(&options.timestep, 1);
  const TreeView view = w.plan.view(tree);
  for (int l = view.begin; l < view.end; ++l)
    out.add(state.q.data() + view.link[l].q, std::size_t(positions_of(view.link[l].type)));
  out.add(state.u.data() + view.dof_begin, std::size_t(view.dof_end - view.dof_begin));
  return out.value();
}

// ‖a − s b‖_M of the velocities of a tree.
double distance(const ContactProblem& p, int tree, const double* a, double s, const double* b) {
  const int n = p.tree_size(tree);
  const double* M = p.inertia.data() + p.tree_inertia[std::size_t(tree)];
  double sum = 0;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) sum += (a[i] - s * b[i]) * M[i * n + j] * (a[j] - s * b[j]);
  return std::sqrt(std::max(0.0, sum));
}

// Does the velocity u carry a contact or limit beyond its gap?
bool closes(const ContactProblem& p, std::size_t block, double touching_gap, const std::vector<double>& u) {
  const bool limit = p.block_lower[block] == 0 && p.block_upper[block] == std::numeric_limits<double>::infinity();
  if (p.block_law[block] == Law::kBox && !limit) return false;
  double v = p.bias[std::size_t(p.block_row[block])];
  for (const auto& [tree, entry] : {std::pair{p.block_tree_a[block], p.block_jacobian_a[block]},
                                    std::pair{p.block_tree_b[block], p.block_jacobian_b[block]}})
    if (tree >= 0) v += row_dot(p.jacobian.data() + entry, u.data() + p.tree_dof[std::size_t(tree)], p.tree_size(tree));
  return p.timestep * v < -touching_gap;
}

void copy_velocity(const Workspace& w, int tree, const std::vector<double>& from, std::vector<double>& to) {
  const TreeView view = w.plan.view(tree);
  std::copy(from.begin() + view.dof_begin, from.begin() + view.dof_end, to.begin() + view.dof_begin);
}

}  // namespace

void place_bodies(const Model& model, Workspace& w, State& state) {
  compute_poses(model, state.q, w);
  compute_held_joints(model, state.q, w);
  write_held_joints(model, w, state);
}

bool needs_poses(const Options& options, const State& state, const Workspace& w) {
  return !detail::is_midpoint(options) || !w.held.bodies.empty() || !stored_energy_is_known(options, state, w);
}

bool starts_anew(const Model& model, const Options& options, const State& state, Workspace& w) {
  w.impact.assign(std::size_t(model.ntree), 0);
  if (!detail::is_midpoint(options)) return false;
  w.set_by_hand.assign(std::size_t(model.ntree), 0);
  // As the last step left it, which is told faster than by the marks.
  const State& last = w.last_good;
  const bool marked = model.ntree > 0 && state.step_mark[0] != 0;
  if (marked && state.step_mark == last.step_mark && state.q == last.q && state.u == last.u) return false;
  bool any = false;
  for (int t = 0; t < model.ntree; ++t) {
    const auto i = std::size_t(t);
    w.set_by_hand[i] = state.step_mark[i] != mark_of(options, w, t, state);
    any = any || w.set_by_hand[i];
  }
  return any;
}

Options first_half(const Options& options) {
  Options half = options;
  half.timestep = options.timestep / 2;
  half.integrator = "euler";
  return half;
}

void find_impacts(const Options& options, const State& state, Workspace& w) {
  const ContactProblem& p = w.problem;
  w.impact_velocity = w.solution.u;
  // What is struck by a tree that was set by hand moves on with it; other islands know nothing of it.
  std::vector<char> island_by_hand(std::size_t(p.nisland), 0);
  for (std::size_t t = 0; t < std::size_t(p.ntree); ++t)
    if (w.set_by_hand[t] && p.tree_island[t] >= 0) island_by_hand[std::size_t(p.tree_island[t])] = 1;
  for (std::size_t b = 0; b < std::size_t(p.nblock); ++b) {
    if (!closes(p, b, options.touching_gap, state.u)) continue;
    for (const int tree : {p.block_tree_a[b], p.block_tree_b[b]})
      if (tree >= 0) w.impact[std::size_t(tree)] = 1;
  }
  for (int t = 0; t < p.ntree; ++t) {
    const auto i = std::size_t(t);
    const double *u = state.u.data() + p.tree_dof[i], *free = p.free_velocity.data() + p.tree_dof[i];
    if (p.tree_island[i] < 0) continue;
    if (!w.impact[i]) {
      const double change = distance(p, t, w.solution.u.data() + p.tree_dof[i], 1, free);
      w.impact[i] = change > kImpact * distance(p, t, free, 1, u) && change > kShare * distance(p, t, u, 0, u);
    }
    w.impact[i] = w.impact[i] && island_by_hand[std::size_t(p.tree_island[i])];
  }
}

void move_to_midpoint(const Model& model, const Options& options, Workspace& w, State& state) {
  if (!detail::is_midpoint(options)) return;
  w.start_q = state.q;
  w.start_u = state.u;
  const auto sleeps = [&](std::size_t tree) { return state.sleep_group[tree] != 0 && !w.set_by_hand[tree]; };
  for (int t = 0; t < model.ntree; ++t) {
    const auto i = std::size_t(t);
    if (w.impact[i]) copy_velocity(w, t, w.impact_velocity, state.u);
    // What fell asleep stays where it did.
    if (sleeps(i)) std::fill(state.u.begin() + model.tree_dof[i], state.u.begin() + model.tree_dof[i + 1], 0.0);
  }
  drift_state(model, detail::half_step(options), w, state);
  for (int t = 0; t < model.ntree; ++t)
    if (w.impact[std::size_t(t)] || sleeps(std::size_t(t))) copy_velocity(w, t, w.start_u, state.u);
  place_bodies(model, w, state);
}

void move_back_to_midpoint(const Model& model, const Options& options, const State& next, Workspace& w, State& state) {
  move_to_midpoint(model, options, w, state);
  State back = next;
  drift_state(model, {-options.timestep / 2, 1}, w, back);
  for (int t = 0; t < model.ntree; ++t) {
    const TreeView view = w.plan.view(t);
    bool same = true;
    const auto each_position = [&](auto&& visit) {
      for (int l = view.begin; l < view.end; ++l)
        for (int k = 0; k < positions_of(view.link[l].type); ++k) visit(std::size_t(view.link[l].q + k));
    };
    each_position([&](std::size_t k) { same = same && std::abs(back.q[k] - state.q[k]) <= kSamePath; });
    if (same) continue;
    each_position([&](std::size_t k) { state.q[k] = back.q[k]; });
    copy_velocity(w, t, w.start_u, state.u);
  }
  place_bodies(model, w, state);
}

void return_from_midpoint(const Options& options, const Workspace& w, State& state) {
  if (!detail::is_midpoint(options)) return;
  // Copied, not assigned: users hold views of them.
  std::copy(w.start_q.begin(), w.start_q.end(), state.q.begin());
  std::copy(w.start_u.begin(), w.start_u.end(), state.u.begin());
}

void integrate_step(const Model& model, const Options& options, const Control& control, const State& state,
                    Workspace& w) {
  if (!detail::is_midpoint(options))
    return integrate_changed(model, detail::whole_step(options), state, w.solution.u, w);
  integrate(model, detail::half_step(options), state, w.solution.u, w, w.next);
  move_smoothly(model, options, control, w.start_q, w.start_u, w, w.next);
}

void mark_end(const Options& options, const Workspace& w, State& next) {
  for (int t = 0; t < next.ntree; ++t)
    next.step_mark[std::size_t(t)] = detail::is_midpoint(options) ? mark_of(options, w, t, next) : 0;
}

}  // namespace stiction
