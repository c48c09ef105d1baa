// Contacts, limits and equalities in rounds until none that was left out would be violated.
#include "step/rounds.hpp"

#include "problem/assemble.hpp"
#include "problem/contact_rows.hpp"
#include "problem/equality.hpp"
#include "problem/lead.hpp"
#include "problem/reach.hpp"
#include "problem/warm_start.hpp"
#include "step/entering.hpp"
#include "step/progress.hpp"
#include "step/seams.hpp"
#include "step/sleep.hpp"
#include "step/turning.hpp"

#include <algorithm>

namespace stiction {
namespace {

constexpr int kMaxRounds = 30;        // of adding contacts and limits that were left out, and of meeting equalities
constexpr int kMostTurns = 12;        // rounds for the turning of bodies within the step
constexpr double kLeadEnough = 1e-5;  // error with which levers of joints stay as they are [m or rad]

// Work of a round: factorisations add up, the islands are those of the last round; of those that Newton's method alone
// did not solve the most of any round.
void add_stats(const SolveStats& stats, StepReport& report) {
  report.islands = stats.islands;
  report.iterations += stats.iterations_max;
  report.factorisations += stats.factorisations;
  report.warm_islands = stats.warm;
  report.interior_islands = std::max(report.interior_islands, stats.interior);
  report.branched_islands = std::max(report.branched_islands, stats.branched);
  report.proximal_islands = std::max(report.proximal_islands, stats.proximal);
}

}  // namespace

bool solve_in_rounds(const Model& model, const Options& options, const State& state, Contacts& contacts,
                     Constraints& constraints, Workspace& w, Stopwatch& watch, StepReport& report) {
  // Usually one round: another follows where a contact or limit that was left out would close at the velocity found, or
  // where an equality is not met or a contact is too deep at the positions to which it leads.
  w.bias_rounds.start(w.constraint_rows);
  w.last_look.forget();
  w.turns_unforeseen.assign(std::size_t(model.ntree), 0);
  bool changed = true, last = false;
  bool led = false;  // the last round changed levers of joints
  int turns = 0;     // rounds in which a contact was found too deep
  Progress progress;
  for (int round = 0; round < kMaxRounds; ++round) {
    if (changed) {
      gather_selected(w, contacts);
      assemble_rows(model, options, state, contacts, w);
      w.solution.resize_for(w.problem);
      multipliers_from_forces(contacts, w.frames, w.problem, w.solution.lambda);
      multipliers_from_rows(w.constraint_rows, w.problem, w.solution.lambda);
    }
    report.assemble_seconds += watch.lap();

    SolverSettings settings = solver_settings(options);
    settings.warm_start = options.warm_start || round > 0;
    w.solver_workspace.velocity_before = round == 0 ? std::span<const double>(state.u) : std::span<const double>();
    w.solver_workspace.push_out_before = contacts.push_out;
    add_stats(solve_islands(w.problem, *w.solver, settings, w.solver_workspace, w.solution), report);
    write_contacts(w, contacts);
    report_constraints(w.problem, w.solution, w.constraint_rows, constraints);
    // The next round starts from these forces: they go back before the selection changes.
    return_forces(contacts, w);
    forces_from_solution(w.problem, w.solution, w.constraint_rows);
    report.solve_seconds += watch.lap();
    if (round + 1 < kMaxRounds && give_up_turning(model, w)) {
      changed = true;
      continue;
    }
    const bool comparable = !changed || led;
    const bool held_out = hold_out_centres(model, options, state, w.solution.u, w);
    const bool turned = !held_out && turns < kMostTurns && foresee_turning(model, options, state, w.solution.u, w);
    turns += turned;
    const bool levelled = turn_at_seams(model, options, w.solution.u, w) > 0;
    changed = select_closing(model, options, w.solution.u, w) > 0 || held_out || turned || levelled;
    if (wake_touched(model, w)) return false;
    progress.add(linearise_equalities(model, options, state, w.solution.u, w), comparable);
    const bool settled = settle_contact_rows(options, w);
    led = progress.error() > kLeadEnough && lead_joints(model, options, state, w.solution.u, progress.halts(), w);
    if (led) progress.replace(linearise_equalities(model, options, state, w.solution.u, w));
    changed = changed || led;
    const bool met = settled && progress.is_over();
    if (last || round + 1 == kMaxRounds || (!changed && met && progress.aim_is_met())) break;
    w.bias_rounds.next(changed, w.constraint_rows);
    if (!changed && met) {
      // No round helps any more: the best of them is the last one.
      if (!w.bias_rounds.return_to_best(w.constraint_rows)) break;
      last = true;
    }
    if (!changed) write_biases(w.constraint_rows, w.problem);
  }
  return true;
}

}  // namespace stiction
