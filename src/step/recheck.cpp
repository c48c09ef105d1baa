#include "step/recheck.hpp"

#include "certify/certify.hpp"
#include "dynamics/kinematics.hpp"
#include "math/tree_cholesky.hpp"
#include "model/contact_model.hpp"
#include "problem/adhesion.hpp"
#include "problem/assemble.hpp"
#include "problem/contact_rows.hpp"
#include "problem/equality.hpp"
#include "problem/facets.hpp"
#include "problem/lead.hpp"
#include "problem/reach.hpp"
#include "problem/springs.hpp"
#include "problem/trial_pose.hpp"
#include "problem/warm_start.hpp"
#include "step/free_flight.hpp"
#include "step/midpoint.hpp"
#include "step/passing.hpp"
#include "step/seams.hpp"
#include "step/sleep.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace stiction {
namespace {

// u⁺ = ũ + h M⁻¹ Jᵀ λ.
void velocity_from_forces(const ContactProblem& p, Solution& s) {
  std::fill(s.u.begin(), s.u.end(), 0.0);
  for (std::size_t b = 0; b < std::size_t(p.nblock); ++b)
    for (int side = 0; side < 2; ++side) {
      const int tree = side == 0 ? p.block_tree_a[b] : p.block_tree_b[b];
      if (tree < 0) continue;
      const int n = p.tree_size(tree);
      const double* J = p.jacobian.data() + (side == 0 ? p.block_jacobian_a[b] : p.block_jacobian_b[b]);
      double* g = s.u.data() + p.tree_dof[std::size_t(tree)];
      for (int k = 0; k < p.block_size(int(b)); ++k)
        for (int d = 0; d < n; ++d) g[d] += p.timestep * J[k * n + d] * s.lambda[std::size_t(p.block_row[b] + k)];
    }
  for (int t = 0; t < p.ntree; ++t)
    solve_tree(p.inertia_factor.data() + p.tree_inertia[std::size_t(t)], p.tree_size(t),
               s.u.data() + p.tree_dof[std::size_t(t)]);
  for (std::size_t d = 0; d < std::size_t(p.nv); ++d) s.u[d] += p.free_velocity[d];
}

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kSameGeometry = 1e-9;  // [m] and of a unit vector: a contact is the one that was found

// Another coefficient of friction is as wrong as a gap of that size.
double compare_surfaces(const Contacts& a, std::size_t i, const Contacts& b, std::size_t k) {
  if (a.compliance[i] != b.compliance[k] || a.damping[i] != b.damping[k]) return kInfinity;
  return std::max({std::abs(a.friction[i] - b.friction[k]), std::abs(a.friction_second[i] - b.friction_second[k]),
                   norm(a.friction_torque[i] - b.friction_torque[k]),
                   norm(a.surface_velocity[i] - b.surface_velocity[k]), norm(a.surface_spin[i] - b.surface_spin[k])});
}

// A turned normal is as wrong as a gap of that size.
double compare_geometry(const Contacts& a, std::size_t i, const Contacts& b, std::size_t k) {
  return std::max({std::abs(a.gap[i] - b.gap[k]), norm(a.point[i] - b.point[k]), norm(a.normal[i] - b.normal[k])});
}

// Contacts at the positions q into w.end_contacts.
void collide_at(const Model& model, const Options& options, const std::vector<double>& q, Workspace& w) {
  const TrialPoses end = poses_at(model, q, w);
  for (std::size_t s = 0; s < std::size_t(model.nshape); ++s)
    w.end_pose[s] = end(model.shape_body[s]) * model.shape_pose[s];
  w.collider.collide(options, w.end_pose, w.shape_speed, w.end_contacts);
}

// A candidate that the step turned at a seam: the plane is its choice, what follows from it is not.
double compare_turned(const Model& model, const Contacts& recorded, std::size_t r, const Workspace& w, std::size_t c) {
  double least = kInfinity;
  for (const int side : {0, 1}) {
    const SeamPlane level = seam_plane(model, w, c, side, side == 0 ? -recorded.normal[r] : recorded.normal[r]);
    least = std::min(least, std::max(std::abs(level.gap - recorded.gap[r]), norm(level.point - recorded.point[r])));
  }
  return least;
}

// A contact that the step added because bodies turn: a plane at its end, of shapes that meet there.
double compare_added(const Contacts& recorded, std::size_t r, const Workspace& w) {
  if (!(recorded.gap[r] >= 0)) return kInfinity;
  const Contacts& then = w.end_contacts;
  for (std::size_t c = 0; c < std::size_t(then.ncontact); ++c)
    if (then.shape_a[c] == recorded.shape_a[r] && then.shape_b[c] == recorded.shape_b[r])
      return compare_surfaces(recorded, r, then, c);
  return kInfinity;
}

// Marks the candidates that were recorded; largest difference of their geometry, ∞ if one could not be a contact.
double compare_contacts(const Model& model, const Contacts& recorded, Workspace& w) {
  double worst = 0;
  std::size_t c = 0;
  for (std::size_t r = 0; r < std::size_t(recorded.ncontact); ++r) {
    while (c < std::size_t(w.candidates.ncontact) && w.candidates.key[c] < recorded.key[r]) ++c;
    const bool known = c < std::size_t(w.candidates.ncontact) && w.candidates.key[c] == recorded.key[r];
    // What turning within the step takes from a gap is the step's own choice, but it only ever takes.
    if (!(recorded.turn[r] <= 0)) return kInfinity;
    if (!known) {
      worst = std::max(worst, compare_added(recorded, r, w));
      continue;
    }
    w.selected[c] = 1;
    w.candidates.turn[c] = recorded.turn[r];
    const double moved = compare_geometry(recorded, r, w.candidates, c);
    worst = std::max(worst, compare_surfaces(recorded, r, w.candidates, c));
    worst = std::max(worst, moved <= kSameGeometry ? moved : std::min(moved, compare_turned(model, recorded, r, w, c)));
  }
  return worst;
}

// Largest difference of the equalities' biases from those in the problem, as a length.
double bias_mismatch(const Options& options, const Workspace& w) {
  double worst = 0;
  std::size_t block = 0;
  for (const ConstraintRow& row : w.constraint_rows.list) block += row.selected;
  block = std::size_t(w.problem.nblock) - block;
  for (const ConstraintRow& row : w.constraint_rows.list) {
    if (!row.selected) continue;
    const double bias = w.problem.bias[std::size_t(w.problem.block_row[block++])];
    if (row.is_linearised()) worst = std::max(worst, options.timestep * std::abs(row.bias - bias));
  }
  return worst;
}

}  // namespace

Recheck recheck_step(const Model& model, const Options& options, const Control& control, const State& before,
                     const Contacts& contacts, const Constraints& constraints, const State& next, Workspace& w) {
  Recheck out;
  w.mocap_pose = control.mocap_pose;
  State state = before;
  compute_poses(model, state.q, w);
  compute_held_joints(model, state.q, w);
  if (starts_anew(model, options, state, w))
    move_back_to_midpoint(model, options, next, w, state);
  else
    move_to_midpoint(model, options, w, state);
  compute_inertia_and_force(model, options, control, state, w);
  compute_free_velocity(model, options, state, w);
  if (detail::is_midpoint(options)) centre_coriolis_force(model, options, state, w);
  recall_sleep(model, options, control, state, next, w);
  hold_sleepers(model, options, w);
  compute_shape_speed(model, state.u, w.problem.free_velocity, w);
  w.collider.collide(options, w.shape_pose, w.shape_speed, w.candidates);
  drop_fixed_facets(model, options, w);
  add_adhesion(model, options, w);
  add_contact_springs(options, w.candidates);
  drop_missed(model, options, w);
  const bool other_model = !detail::has_contact_law(detail::contact_model(options));
  if (!other_model) {
    read_warm_start(state, w.candidates, w);
    turn_at_start(model, options, state, w);
  }
  w.selected.assign(std::size_t(w.candidates.ncontact), 0);
  State end = next;  // of the stretch over which the step looked
  if (detail::is_midpoint(options)) drift_state(model, detail::half_step(options), w, end);
  collide_at(model, options, end.q, w);
  out.contact_mismatch = compare_contacts(model, contacts, w);

  take_touching(options, w);
  build_constraint_rows(model, options, control, state, w);
  if (other_model && w.touching.ncontact != contacts.ncontact) out.contact_mismatch = kInfinity;
  if (!select_recorded(model, options, constraints, w)) out.contact_mismatch = kInfinity;
  recall_leads(model, state, w);
  if (other_model) recall_contact_rows(options, contacts, w);
  const Contacts none;
  const Contacts& blocks = other_model ? none : contacts;  // contacts of other models are rows
  assemble_rows(model, options, state, blocks, w);
  Solution& s = w.solution;
  s.resize_for(w.problem);
  multipliers_from_forces(blocks, w.frames, w.problem, s.lambda);
  multipliers_from_rows(w.constraint_rows, w.problem, s.lambda);
  std::copy(blocks.push_out.begin(), blocks.push_out.end(), s.push_out.begin());
  if (constraints.nconstraint <= s.nblock - blocks.ncontact)
    std::copy(constraints.push_out.begin(), constraints.push_out.end(), s.push_out.begin() + blocks.ncontact);
  velocity_from_forces(w.problem, s);
  out.certificate = certify(w.problem, s, w.certify_scratch);
  if (other_model) {
    Constraints rows;
    report_constraints(w.problem, s, w.constraint_rows, rows);
    const bool held = detail::contact_model(options) == detail::ContactModel::kBilateral;
    certify_touching(w.problem, s, {w.touching, rows, held, options.push_out_speed}, w.certify_scratch,
                     out.certificate);
    order_worst_block(w.touching.ncontact, rows, out.certificate);
  }
  // Equalities were linearised at a trial velocity; at the one that was found they must say the same.
  linearise_equalities(model, options, state, s.u, w);
  out.certificate.joint_drift = w.equality_drift;
  out.contact_mismatch = std::max(out.contact_mismatch, bias_mismatch(options, w));
  add_omitted(w.problem, omitted_violation(model, options, s.u, w), out.certificate);
  out.certificate.penetration = deepest_penetration(contacts);

  integrate_step(model, options, control, state, w);
  keep_sleepers(model, state, w, w.next);
  advance_held_joints(model, w, w.next);
  for (std::size_t i = 0; i < std::size_t(model.nq); ++i)
    out.state_mismatch = std::max(out.state_mismatch, std::abs(next.q[i] - w.next.q[i]) / options.timestep);
  for (std::size_t d = 0; d < std::size_t(model.nv); ++d)
    out.state_mismatch = std::max(out.state_mismatch, std::abs(next.u[d] - w.next.u[d]));
  for (std::size_t i = 0; i < std::size_t(model.nactivation); ++i)
    out.state_mismatch = std::max(out.state_mismatch, std::abs(next.activation[i] - w.mechanism.next_activation[i]));
  return out;
}

}  // namespace stiction
