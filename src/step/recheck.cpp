#include "step/recheck.hpp"

#include "certify/certify.hpp"
#include "dynamics/kinematics.hpp"
#include "math/cholesky.hpp"
#include "problem/assemble.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace stiction {
namespace {

// λ in contact frames from the recorded world forces.
void read_forces(const Contacts& contacts, const ContactProblem& p, Solution& s) {
  for (std::size_t c = 0; c < std::size_t(contacts.ncontact); ++c) {
    Vec3 frame[3] = {contacts.normal[c], {}, {}};
    tangent_frame(frame[0], frame[1], frame[2]);
    for (int k = 0; k < p.block_size(int(c)); ++k)
      s.lambda[std::size_t(p.block_row[c] + k)] = dot(frame[k], contacts.force[c]);
    s.push_out[c] = contacts.push_out[c];
  }
}

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
    cholesky_solve(p.inertia_factor.data() + p.tree_inertia[std::size_t(t)], p.tree_size(t),
                   s.u.data() + p.tree_dof[std::size_t(t)]);
  for (std::size_t d = 0; d < std::size_t(p.nv); ++d) s.u[d] += p.free_velocity[d];
}

double compare_contacts(const Contacts& recorded, const Contacts& computed) {
  if (recorded.ncontact != computed.ncontact || recorded.key != computed.key)
    return std::numeric_limits<double>::infinity();
  double worst = 0;
  for (std::size_t c = 0; c < std::size_t(recorded.ncontact); ++c) {
    worst = std::max(worst, std::abs(recorded.gap[c] - computed.gap[c]));
    worst = std::max(worst, norm(recorded.point[c] - computed.point[c]));
    // A turned normal or another coefficient of friction is as wrong as a gap of that size.
    worst = std::max(worst, norm(recorded.normal[c] - computed.normal[c]));
    worst = std::max(worst, std::abs(recorded.friction[c] - computed.friction[c]));
  }
  return worst;
}

}  // namespace

Recheck recheck_step(const Model& model, const Options& options, const Control& control, const State& state,
                     const Contacts& contacts, const State& next, Workspace& w) {
  Recheck out;
  compute_poses(model, state.q, w);
  compute_inertia_and_force(model, options, control, w);
  compute_free_velocity(model, options, state, w);
  compute_shape_speed(model, state.u, w.problem.free_velocity, w);
  Contacts computed;
  w.collider.collide(options, w.shape_pose, w.shape_speed, computed);
  out.contact_mismatch = compare_contacts(contacts, computed);

  assemble_contacts(model, options, state, contacts, w);
  Solution& s = w.solution;
  s.nv = w.problem.nv, s.nrow = w.problem.nrow, s.nblock = w.problem.nblock;
  s.resize();
  read_forces(contacts, w.problem, s);
  velocity_from_forces(w.problem, s);
  out.certificate = certify(w.problem, s, w.certify_scratch);
  for (double gap : contacts.gap) out.certificate.penetration = std::max(out.certificate.penetration, -gap);

  integrate(model, options.timestep, state, s.u, w, w.next);
  for (std::size_t i = 0; i < std::size_t(model.nq); ++i)
    out.state_mismatch = std::max(out.state_mismatch, std::abs(next.q[i] - w.next.q[i]) / options.timestep);
  for (std::size_t d = 0; d < std::size_t(model.nv); ++d)
    out.state_mismatch = std::max(out.state_mismatch, std::abs(next.u[d] - w.next.u[d]));
  return out;
}

}  // namespace stiction
