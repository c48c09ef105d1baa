// The certificate of (problem, solution). It shares no code with the solvers or their laws: every formula is written
// out here, in double, from the problem's own arrays. Residuals are velocities [m/s]:
//
//   momentum         ‖r‖_M / √m,  r = (u⁺ − ũ) − h M⁻¹ Jᵀ λ of a tree, m its largest diagonal inertia of a translation
//   complementarity  |min(v_n, h W_nn λ_n)|
//   cone             h W_tt max(0, ‖λ_t‖ − μ max(λ_n, 0))
//   dissipation      ‖h λ_t − Π(h λ_t − v_t / W_tt)‖ W_tt,  Π: projection on the ball of radius μ h max(λ_n, 0)
//   relaxed          the same three with v_n − μ ‖v_t‖ in place of v_n; with v_n itself they tell how far the forces
//                    are from Coulomb's law
//   pyramid          the same with Σ|λ_i| in place of ‖λ_t‖, Π onto {Σ|y_i| ≤ radius}; Coulomb's for comparison
//   facets           of one contact:  complementarity  the largest of max(0, −max v_i), of h W_nn λ_n of all but the
//                    one facet that acts, and of what that one misses, |min(v_n, h W_nn λ_n)| or, where it is not the
//                    nearest, the smaller of h W_nn λ_n and v_j; friction as of a pyramid
//   compliant        what one projected step along the gradient changes (certify/compliant.hpp); of boxes of islands
//   with
//                    such blocks likewise; Coulomb's law for comparison without compliances
//   box              W |h λ − Π(h λ − w / (W + e/h))|,  w = v + e λ,  Π: projection on [h l, h u]
//
// Of a contact with the compliance e, v_n has e λ_n and W_nn has e/h, and what misses is taken times W_nn / (W_nn +
// e/h).
//
// with v = J u⁺ + b, W = J M⁻¹ Jᵀ of the block alone, W_tt its largest tangential entry; t has one to five directions.
#include "certify/certify.hpp"

#include "certify/compliant.hpp"

#include "math/row_sums.hpp"
#include "math/tree_cholesky.hpp"
#include "math/whitened_columns.hpp"

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

constexpr int kMost = 6;  // rows of a block: normal, sliding, torsion, rolling

struct Rows {
  int count = 0;
  double velocity[kMost] = {};  // J u⁺, then with b
  double delassus[kMost] = {};  // diagonal of W, positive
  double spring = 1;            // share of a velocity in the normal row that a compliant contact takes from bodies
};

// Any positive W states the same laws. A direction in which nothing can move has none of its own and gets a share of
// the largest, a block that nothing moves gets 1.
void make_positive(Rows& rows) {
  constexpr double kLeastShare = 1e-3;
  double largest = 0;
  for (int k = 0; k < rows.count; ++k) largest = std::max(largest, rows.delassus[k]);
  for (int k = 0; k < rows.count; ++k)
    rows.delassus[k] = largest > 0 ? std::max(rows.delassus[k], kLeastShare * largest) : 1.0;
}

// A compliant contact: v_n has e λ_n, W_nn has e/h, of which only W_nn itself moves bodies.
void add_spring(const ContactProblem& p, std::size_t block, double lambda, Rows& rows) {
  const double own = rows.delassus[0];
  rows.velocity[0] += p.block_compliance[block] * lambda;
  rows.delassus[0] += p.block_compliance[block] / p.timestep;
  rows.spring = own / rows.delassus[0];
}

// W_kk += ‖L⁻ᵀ J_kᵀ‖² of the rows of one block, which move a tree.
void add_inverse_masses(const double* L, int n, const double* J, int rows, std::vector<double>& whitened, double* out) {
  whitened.assign(J, J + rows * n);
  whiten(L, n, rows, whitened.data());
  for (int k = 0; k < rows; ++k) out[k] += row_dot(whitened.data() + k * n, whitened.data() + k * n, n);
}

// The same of the listed rows.
void add_inverse_masses(const ContactProblem& p, int tree, CertifyScratch& s) {
  if (s.row.empty()) return;
  const int n = p.tree_size(tree), count = int(s.row.size()), stride = detail::padded(count, detail::kLane);
  s.columns.resize(std::size_t(n) * std::size_t(stride));
  detail::gather_columns(s.jacobian.data(), count, n, s.columns.data(), stride);
  detail::whiten_columns(p.inertia_factor.data() + p.tree_inertia[std::size_t(tree)], n, s.columns.data(), stride);
  for (int c = 0; c < stride; c += detail::kLane) {
    detail::Pack sum{};
    for (int d = 0; d < n; ++d) {
      const detail::Pack y = *detail::packs(s.columns.data() + std::ptrdiff_t(d) * stride + c);
      sum += y * y;
    }
    for (int i = c; i < std::min(count, c + detail::kLane); ++i)
      s.inverse_mass[std::size_t(s.row[std::size_t(i)])] += sum[i - c];
  }
  s.row.clear();
  s.jacobian.clear();
}

// W_kk of all rows. Those of one tree that follow each other are taken together, at most so many; not those of free
// bodies, which are few.
void find_inverse_masses(const ContactProblem& p, CertifyScratch& s) {
  constexpr std::size_t kMostTogether = 64;
  constexpr int kFreeBody = 6;
  s.inverse_mass.assign(std::size_t(p.nrow), 0.0);
  for (int row = 0; p.nresponse > 0 && row < p.nrow; ++row)
    s.inverse_mass[std::size_t(row)] = p.response[std::size_t(row) * std::size_t(p.nrow + 1)];
  for (int side = 0, last = -1; side < 2; ++side) {
    for (std::size_t b = 0; b < std::size_t(p.nblock); ++b) {
      const int tree = side == 0 ? p.block_tree_a[b] : p.block_tree_b[b];
      if (tree < 0) continue;
      const double* J = p.jacobian.data() + (side == 0 ? p.block_jacobian_a[b] : p.block_jacobian_b[b]);
      if (const int n = p.tree_size(tree); n <= kFreeBody) {
        const double* L = p.inertia_factor.data() + p.tree_inertia[std::size_t(tree)];
        add_inverse_masses(L, n, J, p.block_size(int(b)), s.entries, s.inverse_mass.data() + p.block_row[b]);
        continue;
      }
      if (tree != last || s.row.size() + std::size_t(kMost) > kMostTogether) add_inverse_masses(p, last, s);
      last = tree;
      for (int row = p.block_row[b]; row < p.block_row[b + 1]; ++row, J += p.tree_size(tree)) {
        s.row.push_back(row);
        s.jacobian.push_back(J);
      }
    }
    add_inverse_masses(p, last, s);
  }
}

// Writes J u⁺ to `along` as well.
Rows evaluate_block(const ContactProblem& p, const Solution& s, int block, const std::vector<double>& inverse_mass,
                    double* along) {
  Rows rows;
  const auto b = std::size_t(block);
  const int count = rows.count = p.block_size(block), first = p.block_row[b];
  for (int side = 0; side < 2; ++side) {
    const int tree = side == 0 ? p.block_tree_a[b] : p.block_tree_b[b];
    if (tree < 0) continue;
    const int n = p.tree_size(tree);
    const double* J = p.jacobian.data() + (side == 0 ? p.block_jacobian_a[b] : p.block_jacobian_b[b]);
    const double* u = s.u.data() + p.tree_dof[std::size_t(tree)];
    for (int k = 0; k < count; ++k) rows.velocity[k] += row_dot(J + k * n, u, n);
  }
  for (int k = 0; k < count; ++k) rows.delassus[k] = inverse_mass[std::size_t(first + k)];
  if (p.nresponse > 0)  // v = W h λ + b
    for (int k = 0; k < count; ++k) {
      const double* W = p.response.data() + std::size_t(first + k) * std::size_t(p.nrow);
      for (int j = 0; j < p.nrow; ++j) rows.velocity[k] += W[j] * p.timestep * s.lambda[std::size_t(j)];
    }
  std::copy(rows.velocity, rows.velocity + count, along);
  make_positive(rows);
  const bool contact = p.block_law[b] != Law::kBox && !is_compliant(p.block_law[b]);
  if (contact && p.block_compliance[b] > 0) add_spring(p, b, s.lambda[std::size_t(first)], rows);
  for (int k = 0; k < count; ++k) {
    const double bias = p.bias[std::size_t(first + k)];
    rows.velocity[k] += k == 0 ? bias + (1 - s.push_out[b]) * push_out_speed(p, b) : bias;
  }
  return rows;
}

void raise(double& worst, double value) {
  // A NaN must not pass for a small residual.
  if (!(value <= worst)) worst = std::isnan(value) ? INFINITY : value;
}

// The step h λ → Π(h λ − w / (W + e/h)) of a box row as a velocity. Inside it is W w / (W + e/h), which does not
// cancel.
double box_residual(const ContactProblem& p, std::size_t block, double lambda, double row, double W) {
  const double h = p.timestep;
  const double change = -row / (W + p.block_compliance[block] / h);  // [N s]
  const double to_lower = h * (p.block_lower[block] - lambda), to_upper = h * (p.block_upper[block] - lambda);
  return W * std::abs(std::min(std::max(change, to_lower), to_upper));
}

// Cone and dissipation of a contact with the forces λ = (n, t1, …, tk).
void friction_residuals(const Rows& rows, double h, double friction, const double* lambda, double& cone,
                        double& dissipation) {
  double W = 0, friction_squared = 0, length_squared = 0, step_squared = 0;
  for (int k = 1; k < rows.count; ++k) W = std::max(W, rows.delassus[k]);
  const double radius = friction * h * std::max(lambda[0], 0.0);
  double trial[kMost] = {};
  for (int k = 1; k < rows.count; ++k) {
    friction_squared += h * lambda[k] * h * lambda[k];
    trial[k] = h * lambda[k] - rows.velocity[k] / W;
    length_squared += trial[k] * trial[k];
  }
  cone = W * std::max(0.0, std::sqrt(friction_squared) - radius);
  const double length = std::sqrt(length_squared), factor = length > radius ? radius / length : 1.0;
  for (int k = 1; k < rows.count; ++k) {
    const double step = h * lambda[k] - factor * trial[k];
    step_squared += step * step;
  }
  dissipation = W * std::sqrt(step_squared);
}

// The same with the pyramid Σ|λ_i| ≤ μ λ_n. Its projection takes one threshold off all entries, found by bisection of
// Σ max(|y_i| − τ, 0) = radius.
void pyramid_residuals(const Rows& rows, double h, double friction, const double* lambda, double& cone,
                       double& dissipation) {
  double W = 0, force = 0, length = 0, highest = 0, step_squared = 0;
  for (int k = 1; k < rows.count; ++k) W = std::max(W, rows.delassus[k]);
  const double radius = friction * h * std::max(lambda[0], 0.0);
  double trial[kMost] = {};
  for (int k = 1; k < rows.count; ++k) {
    force += std::abs(h * lambda[k]);
    trial[k] = h * lambda[k] - rows.velocity[k] / W;
    length += std::abs(trial[k]);
    highest = std::max(highest, std::abs(trial[k]));
  }
  cone = W * std::max(0.0, force - radius);
  double low = 0, high = length > radius ? highest : 0.0;
  for (int i = 0; i < 200 && low < high; ++i) {
    const double middle = 0.5 * (low + high);
    double sum = 0;
    for (int k = 1; k < rows.count; ++k) sum += std::max(std::abs(trial[k]) - middle, 0.0);
    if (middle == low || middle == high) break;
    (sum > radius ? low : high) = middle;
  }
  for (int k = 1; k < rows.count; ++k) {
    const double step = h * lambda[k] - std::copysign(std::max(std::abs(trial[k]) - high, 0.0), trial[k]);
    step_squared += step * step;
  }
  dissipation = W * std::sqrt(step_squared);
}

// What a block misses [m/s], and how far the same forces are from Coulomb's law.
struct BlockResidual {
  double complementarity = 0, cone = 0, dissipation = 0, box = 0;
  double exact_complementarity = 0, exact_cone = 0, exact_dissipation = 0;
  bool other_law = false;  // than Coulomb's
};

// Friction of a facet or of a block with a pyramid, and beside it that of a cone.
void pyramid_friction(const Rows& rows, double h, double friction, const double* lambda, BlockResidual& out) {
  out.other_law = true;
  if (rows.count == 1) return;
  friction_residuals(rows, h, friction, lambda, out.exact_cone, out.exact_dissipation);
  pyramid_residuals(rows, h, friction, lambda, out.cone, out.dissipation);
}

// Of all facets of the contact whose first one is `block`.
BlockResidual facets_residual(const ContactProblem& p, const Solution& s, int block, CertifyScratch& scratch) {
  const double h = p.timestep;
  const auto evaluate = [&](int f) {
    return evaluate_block(p, s, f, scratch.inverse_mass, scratch.row_velocity.data() + p.block_row[std::size_t(f)]);
  };
  const auto forces = [&](int f) { return s.lambda.data() + p.block_row[std::size_t(f)]; };
  const int end = p.facets_end(block);
  const auto size = [&](const Rows& rows, int f) {
    double out = 0;
    for (int k = 0; k < rows.count; ++k) raise(out, h * rows.delassus[k] * std::abs(forces(f)[k]));
    return out;
  };
  int acting = block;
  double most = -1;
  for (int f = block; f < end; ++f)
    if (const double value = size(evaluate(f), f); value > most) most = value, acting = f;
  const Rows rows = evaluate(acting);
  BlockResidual out;
  double farthest = -INFINITY;  // v_n of the facets that do not act
  for (int f = block; f < end; ++f) {
    if (f == acting) continue;
    const Rows idle = evaluate(f);
    raise(out.complementarity, size(idle, f));
    farthest = std::max(farthest, idle.velocity[0]);
  }
  const double force = h * rows.delassus[0] * forces(acting)[0], v = rows.velocity[0];
  raise(out.complementarity, std::max({0.0, -std::max(v, farthest), -force}));
  raise(out.complementarity, std::max(0.0, std::min(force, std::max(std::abs(v), farthest))));
  pyramid_friction(rows, h, p.block_friction[std::size_t(acting)], forces(acting), out);
  out.exact_complementarity = out.complementarity;
  return out;
}

BlockResidual block_residual(const ContactProblem& p, const Solution& s, int block, CertifyScratch& scratch) {
  const auto b = std::size_t(block);
  if (p.block_law[b] == Law::kFacet) return facets_residual(p, s, block, scratch);
  const Rows rows = evaluate_block(p, s, block, scratch.inverse_mass, scratch.row_velocity.data() + p.block_row[b]);
  const double h = p.timestep;
  const double* lambda = s.lambda.data() + p.block_row[b];
  BlockResidual out;
  if (p.block_law[b] == Law::kBox) {
    const bool by_gradient = !scratch.islands.empty() && scratch.islands[std::size_t(p.block_island[b])] > 0;
    const double w = by_gradient ? scratch.gradient[std::size_t(p.block_row[b])]
                                 : rows.velocity[0] + p.block_compliance[b] * lambda[0];
    out.box = box_residual(p, b, lambda[0], w, rows.delassus[0]);
    return out;
  }
  if (is_compliant(p.block_law[b])) {
    const PyramidStep step = pyramid_step(p, s, block, rows.delassus, scratch.gradient.data() + p.block_row[b],
                                          scratch.metric.data() + p.block_row[b]);
    out.complementarity = step.normal;
    out.dissipation = step.tangential;
    out.cone = step.cone;
    out.other_law = true;
    out.exact_complementarity = std::abs(std::min(rows.velocity[0], h * rows.delassus[0] * lambda[0]));
    if (rows.count > 1) friction_residuals(rows, h, p.block_friction[b], lambda, out.exact_cone, out.exact_dissipation);
    return out;
  }
  const bool relaxed = p.block_law[b] == Law::kRelaxed;
  double normal = rows.velocity[0];
  if (relaxed) {
    double squared = 0;
    for (int k = 1; k < rows.count; ++k) squared += rows.velocity[k] * rows.velocity[k];
    normal -= p.block_friction[b] * std::sqrt(squared);
  }
  out.complementarity = rows.spring * std::abs(std::min(normal, h * rows.delassus[0] * lambda[0]));
  if (p.block_law[b] == Law::kPyramid) {
    pyramid_friction(rows, h, p.block_friction[b], lambda, out);
  } else if (has_friction(p.block_law[b])) {
    friction_residuals(rows, h, p.block_friction[b], lambda, out.cone, out.dissipation);
    out.other_law = relaxed;
    out.exact_cone = out.cone;
    out.exact_dissipation = out.dissipation;
  }
  out.exact_complementarity = rows.spring * std::abs(std::min(rows.velocity[0], h * rows.delassus[0] * lambda[0]));
  return out;
}

void certify_block(const ContactProblem& p, const Solution& s, int block, CertifyScratch& scratch, double& largest,
                   Certificate& out) {
  const double scale = p.island_scale[std::size_t(p.block_island[std::size_t(block)])];
  const BlockResidual r = block_residual(p, s, block, scratch);
  if (r.other_law) {
    raise(out.coulomb_complementarity, r.exact_complementarity / scale);
    raise(out.coulomb_cone, r.exact_cone / scale);
    raise(out.coulomb_dissipation, r.exact_dissipation / scale);
  }
  raise(out.complementarity_velocity, r.complementarity);
  raise(out.cone_velocity, r.cone);
  raise(out.dissipation_velocity, r.dissipation);
  raise(out.box_velocity, r.box);
  raise(out.box, r.box / scale);
  raise(out.complementarity, r.complementarity / scale);
  raise(out.cone, r.cone / scale);
  raise(out.dissipation, r.dissipation / scale);
  double relative = largest;
  for (double value : {r.complementarity, r.cone, r.dissipation, r.box}) raise(relative, value / scale);
  if (relative > largest || out.worst_block < 0) {
    largest = relative;
    out.worst_block = block;
  }
}

// Momentum: g = M (u⁺ − ũ) − h Jᵀ λ must vanish. ‖M⁻¹ g‖_M = ‖L⁻ᵀ g‖.
void certify_momentum(const ContactProblem& p, const Solution& s, std::vector<double>& g, std::vector<double>& change,
                      Certificate& out) {
  g.assign(std::size_t(p.nv), 0.0);
  for (int b = 0; b < p.nblock; ++b) {
    const auto i = std::size_t(b);
    for (int side = 0; side < 2; ++side) {
      const int tree = side == 0 ? p.block_tree_a[i] : p.block_tree_b[i];
      if (tree < 0) continue;
      const int n = p.tree_size(tree);
      const double* J = p.jacobian.data() + (side == 0 ? p.block_jacobian_a[i] : p.block_jacobian_b[i]);
      double* out_g = g.data() + p.tree_dof[std::size_t(tree)];
      double impulse[kMost];
      for (int k = 0; k < p.block_size(b); ++k) impulse[k] = -p.timestep * s.lambda[std::size_t(p.block_row[i] + k)];
      detail::add_rows_times(impulse, J, p.block_size(b), n, out_g);
    }
  }
  for (int t = 0; t < p.ntree; ++t) {
    const int n = p.tree_size(t), first = p.tree_dof[std::size_t(t)];
    const double* M = p.inertia.data() + p.tree_inertia[std::size_t(t)];
    double* gt = g.data() + first;
    double mass = 0;
    change.resize(std::size_t(n));
    for (int i = 0; i < n; ++i) {
      mass = std::max(mass, M[i * n + i]);
      change[std::size_t(i)] = s.u[std::size_t(first + i)] - p.free_velocity[std::size_t(first + i)];
    }
    detail::add_rows_times(change.data(), M, n, n, gt);
    whiten(p.inertia_factor.data() + p.tree_inertia[std::size_t(t)], n, gt);
    const double residual = std::sqrt(row_dot(gt, gt, n) / mass);
    const int island = p.tree_island[std::size_t(t)];
    const double scale = island >= 0 ? p.island_scale[std::size_t(island)] : std::max(p.velocity_floor, 1e-9);
    raise(out.momentum_velocity, residual);
    if (!(residual / scale <= out.momentum) || out.worst_tree < 0) out.worst_tree = t;
    raise(out.momentum, residual / scale);
  }
}

}  // namespace

double Certificate::residual() const {
  return std::max({momentum, complementarity, cone, dissipation, box});
}

Certificate certify(const ContactProblem& problem, const Solution& solution, CertifyScratch& scratch) {
  Certificate out;
  scratch.row_velocity.resize(std::size_t(problem.nrow));
  find_inverse_masses(problem, scratch);
  double largest = 0;
  scratch.islands.clear();
  if (has_compliant_blocks(problem))
    compliant_gradient(problem, solution, scratch.islands, scratch.gradient, scratch.metric);
  for (int b = 0; b < problem.nblock; ++b) {
    // Further facets are judged with the first one.
    if (problem.block_law[std::size_t(b)] != Law::kNextFacet)
      certify_block(problem, solution, b, scratch, largest, out);
    out.push_out_reduced += push_out_speed(problem, std::size_t(b)) > 0 &&
                            problem.block_law[std::size_t(b)] != Law::kNextFacet &&
                            solution.push_out[std::size_t(b)] < 1;
  }
  certify_momentum(problem, solution, scratch.entries, scratch.change, out);
  return out;
}

void certify_touching(const ContactProblem& p, const Solution& s, const TouchingContacts& in, CertifyScratch& scratch,
                      Certificate& out) {
  const double h = p.timestep;
  const int end = in.constraints.nconstraint, first_block = p.nblock - end;
  int r = 0;
  while (r < end && in.constraints.kind[std::size_t(r)] != ConstraintKind::kContact) ++r;
  while (r < end) {
    const int c = in.constraints.element[std::size_t(r)];
    const auto i = std::size_t(c);
    const double scale = p.island_scale[std::size_t(p.block_island[std::size_t(first_block + r)])];
    Rows rows;  // of the contact's blocks together, without their biases
    rows.count = 3;
    double lambda[kMost] = {};
    for (; r < end && in.constraints.element[std::size_t(r)] == c; ++r) {
      const int k = in.constraints.part[std::size_t(r)];
      const auto row = std::size_t(p.block_row[std::size_t(first_block + r)]);
      const Rows one = evaluate_block(p, s, first_block + r, scratch.inverse_mass, rows.velocity + k);
      rows.delassus[k] = one.delassus[0];
      lambda[k] = s.lambda[row];
    }
    Vec3 tangent[2];
    tangent_frame(in.contacts.normal[i], tangent[0], tangent[1]);
    for (int k = 1; k < rows.count; ++k) rows.velocity[k] += dot(tangent[k - 1], in.contacts.surface_velocity[i]);
    const double gap = in.contacts.gap[i], push_out = std::max(gap / h, -in.push_out_speed);
    if (in.held) {
      double law = std::abs(rows.velocity[0] + std::min(push_out, 0.0));
      for (int k = 1; k < rows.count; ++k) law = std::max(law, std::abs(rows.velocity[k]));
      raise(out.box_velocity, law);
      raise(out.box, law / scale);
    }
    const double v = rows.velocity[0] + (gap < 0 ? push_out : gap / h);
    raise(out.coulomb_complementarity, std::abs(std::min(v, h * rows.delassus[0] * lambda[0])) / scale);
    if (!(rows.delassus[1] > 0) && !(rows.delassus[2] > 0)) continue;
    double cone = 0, dissipation = 0;
    friction_residuals(rows, h, in.contacts.friction[i], lambda, cone, dissipation);
    raise(out.coulomb_cone, cone / scale);
    raise(out.coulomb_dissipation, dissipation / scale);
  }
}

void add_omitted(const ContactProblem& problem, double violation, Certificate& out) {
  raise(out.complementarity_velocity, violation);
  raise(out.complementarity, violation > 0 ? violation / std::max(problem.velocity_floor, 1e-9) : 0.0);
}

Certificate certify(const ContactProblem& problem, const Solution& solution) {
  check_solution(problem, solution);
  CertifyScratch scratch;
  return certify(problem, solution, scratch);
}

}  // namespace stiction
