// kinematics → collide → assemble → solve → certify → integrate. Data flows one way; nothing reaches back.
#include "step/step.hpp"

#include "certify/certify.hpp"
#include "certify/energy.hpp"
#include "dynamics/kinematics.hpp"
#include "model/contact_model.hpp"
#include "problem/adhesion.hpp"
#include "problem/assemble.hpp"
#include "problem/contact_rows.hpp"
#include "problem/equality.hpp"
#include "problem/facets.hpp"
#include "problem/reach.hpp"
#include "problem/springs.hpp"
#include "problem/warm_start.hpp"
#include "step/finite.hpp"
#include "step/free_flight.hpp"
#include "step/midpoint.hpp"
#include "step/passing.hpp"
#include "step/rounds.hpp"
#include "step/sleep.hpp"
#include "step/stopwatch.hpp"

#include <algorithm>

namespace stiction {
namespace {

// The next state becomes the state. q and u are copied, not swapped: users hold views of them.
void accept(State& next, State& state) {
  state.time = next.time;
  state.steps = next.steps;
  std::copy(next.q.begin(), next.q.end(), state.q.begin());
  std::copy(next.u.begin(), next.u.end(), state.u.begin());
  std::copy(next.activation.begin(), next.activation.end(), state.activation.begin());
  std::swap(state.nwarm, next.nwarm);
  state.warm_key.swap(next.warm_key);
  state.warm_point.swap(next.warm_point);
  state.warm_force.swap(next.warm_force);
  state.warm_torque.swap(next.warm_torque);
  state.warm_gap.swap(next.warm_gap);
  state.warm_push_out.swap(next.warm_push_out);
  std::swap(state.nwarmrow, next.nwarmrow);
  state.warm_row_key.swap(next.warm_row_key);
  state.warm_row_force.swap(next.warm_row_force);
  std::copy(next.rest_time.begin(), next.rest_time.end(), state.rest_time.begin());
  std::copy(next.sleep_group.begin(), next.sleep_group.end(), state.sleep_group.begin());
  std::copy(next.sleep_mark.begin(), next.sleep_mark.end(), state.sleep_mark.begin());
  std::copy(next.step_mark.begin(), next.step_mark.end(), state.step_mark.begin());
}

void report_cut_short(const CutShort& found, StepReport& report) {
  report.cut_short_pairs = found.pairs;
  report.cut_short_shape_a = found.shape_a;
  report.cut_short_shape_b = found.shape_b;
  if (found.pairs > 0) report.status |= kStatusSearchCutShort;
}

// Contacts and rows that could act, and which of them enter the problem.
void find_contacts(const Model& model, const Options& options, const Control& control, const State& state, Workspace& w,
                   StepReport& report) {
  hold_sleepers(model, options, w);
  compute_shape_speed(model, state.u, w.problem.free_velocity, w);
  w.collider.collide(options, w.shape_pose, w.shape_speed, w.candidates);
  drop_fixed_facets(model, options, w);
  add_adhesion(model, options, w);
  add_contact_springs(options, w.candidates);
  drop_missed(model, options, w);
  take_touching(options, w);
  report.warm_matched = read_warm_start(state, w.candidates, w);
  recall_push_out(options, state, w.candidates, w);
  w.selected.assign(std::size_t(w.candidates.ncontact), 0);
  turn_at_start(model, options, state, w);
  build_constraint_rows(model, options, control, state, w);
  linearise_equalities(model, options, state, state.u, w);
  read_row_warm_start(state, w.constraint_rows);
  select_closing(model, options, w.problem.free_velocity, w);
}

// Velocities and forces over the step from where the state stands, into w.solution. Returns a tree whose inertia is
// singular, or -1.
int solve_step(const Model& model, const Options& options, const Control& control, const State& state,
               Contacts& contacts, Constraints& constraints, Workspace& w, Stopwatch& watch, StepReport& report) {
  compute_inertia_and_force(model, options, control, state, w);
  if (const int tree = compute_free_velocity(model, options, state, w); tree >= 0) return tree;
  if (detail::is_midpoint(options)) centre_coriolis_force(model, options, state, w);
  begin_sleep(model, options, control, state, w);
  report.kinematics_seconds += watch.lap();
  // Once, and again where a body woke.
  for (bool solved = false; !solved;) {
    find_contacts(model, options, control, state, w, report);
    report.collide_seconds += watch.lap();
    if (wake_touched(model, w)) continue;
    solved = solve_in_rounds(model, options, state, contacts, constraints, w, watch, report);
  }
  return -1;
}

}  // namespace

void step(const Model& model, const Options& options, const Control& control, State& state, Contacts& contacts,
          Constraints& constraints, Workspace& w, StepReport& report) {
  report = {};
  Stopwatch watch;
  // A step that cannot be taken leaves the state as it is.
  const auto refuse = [&](Status bit, int body) {
    report.status |= bit;
    report.bad_body = body;
    contacts.ncontact = constraints.nconstraint = 0;
    contacts.resize();
    constraints.resize();
  };
  if (const int body = find_non_finite(model, state); body >= 0) {
    state = w.last_good;  // written to since the last step
    return refuse(kStatusNonFinite, body);
  }
  if (const int body = find_non_finite(model, control); body >= 0) return refuse(kStatusNonFinite, body);

  w.collider.forget_cut_short();
  w.mocap_pose = control.mocap_pose;
  const bool anew = starts_anew(model, options, state, w);
  if (anew || needs_poses(options, state, w)) place_bodies(model, w, state);
  const StoredEnergy stored_before = stored_energy_before(model, options, state, w);
  int singular = -1;
  if (anew) {
    singular = solve_step(model, first_half(options), control, state, contacts, constraints, w, watch, report);
    if (singular < 0) find_impacts(options, state, w);
  }
  move_to_midpoint(model, options, w, state);
  if (singular < 0) singular = solve_step(model, options, control, state, contacts, constraints, w, watch, report);
  if (singular >= 0) {
    return_from_midpoint(options, w, state);
    return refuse(kStatusSingularInertia, model.tree_root[std::size_t(singular)]);
  }
  report.asleep = w.sleep.count;
  report_cut_short(w.collider.cut_short(), report);

  report.certificate = certify(w.problem, w.solution, w.certify_scratch);
  const bool held = detail::contact_model(options) == detail::ContactModel::kBilateral;
  certify_touching(w.problem, w.solution, {w.touching, constraints, held, options.push_out_speed}, w.certify_scratch,
                   report.certificate);
  add_omitted(w.problem, omitted_violation(model, options, w.solution.u, w), report.certificate);
  if (!(report.certificate.residual() <= options.tolerance)) report.status |= kStatusToleranceMissed;
  if (report.certificate.push_out_reduced > 0) report.status |= kStatusPushOutReduced;
  report.certify_seconds = watch.lap();

  w.next.time = state.time + options.timestep;
  w.next.steps = state.steps + 1;
  integrate_step(model, options, control, state, w);
  keep_sleepers(model, state, w, w.next);
  advance_held_joints(model, w, w.next);
  w.next.activation = w.mechanism.next_activation;
  write_warm_start(contacts, w, w.next);
  // What a step gave up that did not find a solution all the same proves nothing.
  if (report.status & kStatusToleranceMissed) std::fill(w.next.warm_push_out.begin(), w.next.warm_push_out.end(), 1.0);
  write_row_warm_start(constraints, w.next);
  if (const int body = find_non_finite(model, w.next); body >= 0) {
    return_from_midpoint(options, w, state);
    return refuse(kStatusNonFinite, body);
  }

  compute_tree_positions(w.next.q, w);
  report.integrate_seconds = watch.lap();
  const StoredEnergy stored_after = stored_energy_after(model, options, w.next, w);
  write_energy_ledger(
      {w.problem, w.solution, w.certify_scratch.row_velocity, state.u, w.applied_force, w.force,
       w.mechanism.implicit_inertia, w.stiff.added, contacts, constraints, stored_before.potential,
       stored_after.potential, stored_before.elastic, stored_after.elastic, spring_work(model, options.timestep, w)},
      w.certify_scratch.entries, report.certificate);
  report_touching(w, contacts, constraints, report.certificate);
  end_sleep(model, options, state, contacts, w, w.next);
  report.certify_seconds += watch.lap();
  mark_end(options, w, w.next);
  report.contacts = contacts.ncontact;
  report.constraints = constraints.nconstraint;
  report.certificate.joint_drift = w.equality_drift;
  report.certificate.penetration = deepest_penetration(contacts);
  return_from_midpoint(options, w, state);
  for (std::size_t d = 0; d < std::size_t(model.nv); ++d)
    w.acceleration[d] = (w.next.u[d] - state.u[d]) / options.timestep;
  accept(w.next, state);
  w.last_good = state;
  report.integrate_seconds += watch.lap();
}

}  // namespace stiction
