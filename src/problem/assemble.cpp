#include "problem/assemble.hpp"

#include "math/cholesky.hpp"
#include "problem/finish.hpp"

#include <algorithm>

namespace stiction {
namespace {

constexpr int kFreeDofs = 6;

// Rows of one side of a contact: sign · (direction, Rᵀ (r × direction)) for each direction of the frame.
void write_rows(const Model& model, const Workspace& w, int tree, const Vec3& point, double sign, const Vec3* frame,
                int rows, double* out) {
  const auto root = std::size_t(model.tree_root[std::size_t(tree)]);
  for (int k = 0; k < rows; ++k)
    free_body_row(w.body_rotation[root], point - w.body_pose[root].p, frame[k] * sign, out + kFreeDofs * k);
}

// J_n u of the first row of a block.
double normal_velocity(const ContactProblem& p, std::size_t block, const std::vector<double>& u) {
  double v = 0;
  for (int side = 0; side < 2; ++side) {
    const int tree = side == 0 ? p.block_tree_a[block] : p.block_tree_b[block];
    if (tree < 0) continue;
    const double* J = p.jacobian.data() + (side == 0 ? p.block_jacobian_a[block] : p.block_jacobian_b[block]);
    const double* x = u.data() + p.tree_dof[std::size_t(tree)];
    for (int d = 0; d < p.tree_size(tree); ++d) v += J[d] * x[d];
  }
  return v;
}

// Sizes of the rows: one row for a frictionless contact, three for a Coulomb contact.
void size_blocks(const Model& model, const Contacts& contacts, ContactProblem& p) {
  p.nblock = contacts.ncontact;
  p.nrow = 0;
  p.njacobian = 0;
  for (std::size_t c = 0; c < std::size_t(contacts.ncontact); ++c) {
    const int rows = contacts.friction[c] > 0 ? 3 : 1;
    const int trees = (model.body_tree[std::size_t(contacts.body_a[c])] >= 0) +
                      (model.body_tree[std::size_t(contacts.body_b[c])] >= 0);
    p.nrow += rows;
    p.njacobian += rows * kFreeDofs * trees;
  }
  p.resize();
}

}  // namespace

void prepare_problem(const Model& model, Workspace& w) {
  ContactProblem& p = w.problem;
  p.nv = model.nv;
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
  if (const int bad = factor_inertia(p); bad >= 0) return bad;
  for (std::size_t d = 0; d < std::size_t(model.nv); ++d) p.free_velocity[d] = options.timestep * w.force[d];
  for (int t = 0; t < model.ntree; ++t) {
    const auto first = std::size_t(p.tree_dof[std::size_t(t)]);
    const double* L = p.inertia_factor.data() + p.tree_inertia[std::size_t(t)];
    cholesky_solve(L, p.tree_size(t), p.free_velocity.data() + first);
  }
  for (std::size_t d = 0; d < std::size_t(model.nv); ++d) p.free_velocity[d] += state.u[d];
  return -1;
}

double normal_bias(const Options& options, double gap, double restitution, double v_before, double v_free) {
  const double bias = gap >= 0 ? gap / options.timestep : std::max(gap / options.timestep, -options.push_out_speed);
  const bool impact = restitution > 0 && v_before < -options.restitution_speed && gap + options.timestep * v_free < 0;
  return impact ? std::min(bias, restitution * v_before) : bias;
}

void assemble_contacts(const Model& model, const Options& options, const State& state, const Contacts& contacts,
                       Workspace& w) {
  ContactProblem& p = w.problem;
  size_blocks(model, contacts, p);
  int row = 0, entry = 0;
  for (std::size_t c = 0; c < std::size_t(contacts.ncontact); ++c) {
    const int rows = contacts.friction[c] > 0 ? 3 : 1;
    p.block_law[c] = rows == 3 ? Law::kCoulomb : Law::kUnilateral;
    p.block_friction[c] = contacts.friction[c];
    p.block_row[c] = row;
    Vec3 frame[3] = {contacts.normal[c], {}, {}};
    tangent_frame(frame[0], frame[1], frame[2]);
    const int tree_a = model.body_tree[std::size_t(contacts.body_a[c])];
    const int tree_b = model.body_tree[std::size_t(contacts.body_b[c])];
    p.block_tree_a[c] = tree_a;
    p.block_tree_b[c] = tree_b;
    p.block_jacobian_a[c] = entry;
    if (tree_a >= 0) {
      write_rows(model, w, tree_a, contacts.point[c], -1, frame, rows, p.jacobian.data() + entry);
      entry += rows * kFreeDofs;
    }
    p.block_jacobian_b[c] = entry;
    if (tree_b >= 0) {
      write_rows(model, w, tree_b, contacts.point[c], 1, frame, rows, p.jacobian.data() + entry);
      entry += rows * kFreeDofs;
    }
    const double v_before = normal_velocity(p, c, state.u), v_free = normal_velocity(p, c, p.free_velocity);
    for (int k = 0; k < rows; ++k) p.bias[std::size_t(row + k)] = 0;
    p.bias[std::size_t(row)] = normal_bias(options, contacts.gap[c], contacts.restitution[c], v_before, v_free);
    row += rows;
  }
  p.block_row[std::size_t(p.nblock)] = row;
  connect_islands(p);
}

}  // namespace stiction
