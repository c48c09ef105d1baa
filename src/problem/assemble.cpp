#include "problem/assemble.hpp"

#include "collide/facets.hpp"
#include "dynamics/kinematics.hpp"
#include "dynamics/tree_factor.hpp"
#include "math/tree_cholesky.hpp"
#include "model/contact_model.hpp"
#include "model/spring_presets.hpp"
#include "problem/contact_frame.hpp"
#include "problem/finish.hpp"
#include "problem/springs.hpp"

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

// Trees of a contact. Two bodies of one tree share one block: the second tree is then none.
struct ContactTrees {
  int a, b;
};

ContactTrees contact_trees(const Model& model, const Contacts& contacts, std::size_t c) {
  const int a = model.body_tree[std::size_t(contacts.body_a[c])], b = model.body_tree[std::size_t(contacts.body_b[c])];
  return {a, a == b ? -1 : b};
}

// J_n u of the first row of a block.
double normal_velocity(const ContactProblem& p, std::size_t block, const std::vector<double>& u) {
  double v = 0;
  for (int side = 0; side < 2; ++side) {
    const int tree = side == 0 ? p.block_tree_a[block] : p.block_tree_b[block];
    if (tree < 0) continue;
    const double* J = p.jacobian.data() + (side == 0 ? p.block_jacobian_a[block] : p.block_jacobian_b[block]);
    const double* x = u.data() + p.tree_dof[std::size_t(tree)];
    v += row_dot(J, x, p.tree_size(tree));
  }
  return v;
}

// A contact with the compliance c = 1/k and the damping d has  λ_n = max(0, −k gap⁺ − d v_n⁺),  gap⁺ = gap + h v_n⁺:
//   w = v_n⁺ + gap / (h + d c) + e λ_n,  e = c / (h + d c).
// Apart, the damper acts only on what is left of the step after touching: the bias is gap / h.
double spring_bias(const Options& options, const Contacts& contacts, std::size_t c) {
  const double gap = contacts.gap[c], lag = contacts.damping[c] * contacts.compliance[c];
  return gap / (gap > 0 ? options.timestep : options.timestep + lag);
}
double normal_compliance(const Options& options, const Contacts& contacts, std::size_t c) {
  return contacts.compliance[c] / (options.timestep + contacts.damping[c] * contacts.compliance[c]);
}

Law friction_law_of(detail::ContactModel model) {
  if (model == detail::ContactModel::kRelaxed) return Law::kRelaxed;
  if (detail::is_compliant(model)) return compliant_law(model);
  const bool pyramid = model == detail::ContactModel::kPyramid || model == detail::ContactModel::kNonconvex;
  return pyramid ? Law::kPyramid : Law::kCoulomb;
}

// Several facets of one vertex are one contact: they get the laws of facets, and biases that differ as their distances
// do, moved by what the nearest of them gets as the only one. They know no restitution.
void join_facets(const Options& options, const Contacts& contacts, ContactProblem& p) {
  const auto n = std::size_t(contacts.ncontact);
  const auto distance = [&](std::size_t c) {
    return std::abs(contacts.gap[c]) <= options.touching_gap ? 0.0 : contacts.gap[c];
  };
  for (std::size_t first = 0, end; first < n; first = end) {
    double gap = distance(first);
    for (end = first + 1; end < n && is_next_facet(contacts, end); ++end) gap = std::max(gap, distance(end));
    if (end == first + 1) continue;
    const double nearest = normal_bias(options, gap, 0, 0, 0);
    for (std::size_t c = first; c < end; ++c) {
      p.block_law[c] = c == first ? Law::kFacet : Law::kNextFacet;
      p.bias[std::size_t(p.block_row[c])] = nearest + (distance(c) - gap) / options.timestep;
    }
  }
}

// Old penetration that is pushed out of rigid contacts and limits, and rebounds: with less of them there is a solution.
// What turning takes from a gap within the step is none of it: given up, it would be new penetration in every step.
// A vertex is as deep in a convex shape as the nearest facet says: what is taken from that moves all its facets.
void mark_push_out(const Contacts& contacts, ContactProblem& p) {
  for (int first = 0, end; first < p.nblock; first = end) {
    end = p.facets_end(first);
    const auto b = std::size_t(first);
    const bool rigid = p.block_law[b] != Law::kBox && !is_compliant(p.block_law[b]) && !(p.block_compliance[b] > 0);
    double largest = -INFINITY;
    for (int f = first; f < end; ++f) largest = std::max(largest, p.bias[std::size_t(p.block_row[std::size_t(f)])]);
    if (first < contacts.ncontact) largest -= contacts.turn[b] / p.timestep;
    std::fill(p.block_push_out.begin() + first, p.block_push_out.begin() + end, rigid ? std::max(0.0, -largest) : 0.0);
  }
}

// Sizes of the rows.
void size_blocks(const Model& model, const Contacts& contacts, Workspace& w, ContactProblem& p) {
  p.nblock = contacts.ncontact;
  p.nrow = 0;
  p.njacobian = 0;
  for (std::size_t c = 0; c < std::size_t(contacts.ncontact); ++c) {
    const int rows = w.frames[c].rows;
    const ContactTrees trees = contact_trees(model, contacts, c);
    p.nrow += rows;
    for (const int tree : {trees.a, trees.b})
      if (tree >= 0) p.njacobian += rows * p.tree_size(tree);
  }
  count_constraint_rows(w, p);
  p.resize();
}

}  // namespace

void prepare_problem(const Model& model, Workspace& w) {
  ContactProblem& p = w.problem;
  w.constraint_rows.limits = LimitList(model, w.mechanism);
  p.nv = model.tree_dofs();
  p.ntree = model.ntree;
  p.ninertia = 0;
  p.tree_dof = model.tree_dof;
  p.tree_inertia.assign(1, 0);
  for (int t = 0; t < model.ntree; ++t) {
    const int n = p.tree_size(t);
    p.ninertia += n * n;
    p.tree_inertia.push_back(p.ninertia);
  }
  p.resize();
}

int compute_free_velocity(const Model& model, const Options& options, const State& state, Workspace& w) {
  ContactProblem& p = w.problem;
  p.timestep = options.timestep;
  p.velocity_floor = norm(options.gravity) * options.timestep;
  for (std::size_t d = 0; d < std::size_t(p.nv); ++d) p.free_velocity[d] = options.timestep * w.force[d];
  for (int t = 0; t < model.ntree; ++t) {
    const int first = p.tree_dof[std::size_t(t)], n = p.tree_size(t), start = p.tree_inertia[std::size_t(t)];
    double *L = p.inertia_factor.data() + start, *x = p.free_velocity.data();
    if (w.tree_free[std::size_t(t)]) {
      if (!factor_tree(p.inertia.data() + start, n, L)) return t;
      solve_tree(L, n, x + first);
    } else {
      const TreeView view = w.plan.view(t);
      if (factor_mass(view, w.mass_rows.data(), x) >= 0) return t;
      scatter_factor(view, w.mass_rows.data(), first, n, L);
      solve_from_root(view, w.mass_rows.data(), x);
    }
  }
  for (std::size_t d = 0; d < std::size_t(p.nv); ++d) p.free_velocity[d] += state.u[d];
  return -1;
}

double normal_bias(const Options& options, double gap, double restitution, double v_before, double v_free) {
  if (std::abs(gap) <= options.touching_gap) gap = 0;
  const double bias = std::max(gap / options.timestep, -options.push_out_speed);
  const bool impact = restitution > 0 && v_before < -options.restitution_speed && gap + options.timestep * v_free < 0;
  return impact ? std::min(bias, restitution * v_before) : bias;
}

void assemble_rows(const Model& model, const Options& options, const State& state, const Contacts& contacts,
                   Workspace& w) {
  ContactProblem& p = w.problem;
  make_frames(contacts, w.frames);
  size_blocks(model, contacts, w, p);
  std::fill(p.jacobian.begin(), p.jacobian.end(), 0.0);
  const Law friction_law = friction_law_of(detail::contact_model(options));
  const double friction_compliance = is_compliant(friction_law) ? 1 / detail::springs(options).friction_damping : 0;
  int row = 0, entry = 0;
  for (std::size_t c = 0; c < std::size_t(contacts.ncontact); ++c) {
    const ContactFrame& frame = w.frames[c];
    const int rows = frame.rows;
    p.block_law[c] = rows > 1 || is_compliant(friction_law) ? friction_law : Law::kUnilateral;
    p.block_friction[c] = frame.friction;
    p.block_lower[c] = p.block_upper[c] = 0;
    p.block_compliance[c] = normal_compliance(options, contacts, c);
    p.block_friction_compliance[c] = friction_compliance;
    p.block_row[c] = row;
    const ContactTrees trees = contact_trees(model, contacts, c);
    const bool same = trees.a >= 0 && trees.b < 0 && model.body_tree[std::size_t(contacts.body_b[c])] == trees.a;
    p.block_tree_a[c] = trees.a;
    p.block_tree_b[c] = trees.b;
    p.block_jacobian_a[c] = entry;
    if (trees.a >= 0) {
      double* J = p.jacobian.data() + entry;
      add_frame_rows(model, w, frame, contacts.body_a[c], contacts.point[c], -1, J);
      if (same) add_frame_rows(model, w, frame, contacts.body_b[c], contacts.point[c], 1, J);
      entry += rows * p.tree_size(trees.a);
    }
    p.block_jacobian_b[c] = entry;
    if (trees.b >= 0) {
      add_frame_rows(model, w, frame, contacts.body_b[c], contacts.point[c], 1, p.jacobian.data() + entry);
      entry += rows * p.tree_size(trees.b);
    }
    const bool bounces = contacts.restitution[c] > 0;
    const double v_before = bounces ? normal_velocity(p, c, state.u) : 0;
    const double v_free = bounces ? normal_velocity(p, c, p.free_velocity) : 0;
    double* bias = p.bias.data() + row;
    frame.surface_velocity(contacts.surface_velocity[c], contacts.surface_spin[c], bias);
    bias[0] = contacts.compliance[c] > 0
                  ? spring_bias(options, contacts, c)
                  : normal_bias(options, contacts.gap[c], contacts.restitution[c], v_before, v_free) +
                        contacts.turn[c] / options.timestep;
    if (is_compliant(friction_law)) bias[0] = std::max(bias[0], -options.push_out_speed);
    row += rows;
  }
  if (detail::contact_model(options) == detail::ContactModel::kNonconvex) join_facets(options, contacts, p);
  write_constraint_rows(w, contacts.ncontact, row, entry, p);
  p.block_row[std::size_t(p.nblock)] = p.nrow;
  mark_push_out(contacts, p);
  connect_islands(p, w.certify_scratch.entries);
}

}  // namespace stiction
