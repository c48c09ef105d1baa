// A loop closes if Newton's method on C(q) = 0, in the metric of M, finds a zero from the reference configuration:
//   δ = −M⁻¹ Jᵀ (J M⁻¹ Jᵀ + ε)⁻¹ C,   q ← q ⊕ s δ, s halved until the largest error shrinks.
// Where no s does and errors are left, the model has no such configuration nearby: it was given wrong lengths.
#include "step/check_start.hpp"

#include "dynamics/kinematics.hpp"
#include "math/cholesky.hpp"
#include "math/tree_cholesky.hpp"
#include "problem/assemble.hpp"
#include "problem/equality.hpp"
#include "problem/held_rows.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace stiction {
namespace {

constexpr double kClosed = 1e-6;     // error of a closed loop, numbers in files are rounded [m or rad]
constexpr double kOpen = 1e-3;       // error that is called open [m or rad]
constexpr int kMostIterations = 60;  // of Newton's method
constexpr double kDamping = 1e-9;    // ε, relative to the diagonal

void check_inertia(const Model& model, const Workspace& w) {
  const ContactProblem& p = w.problem;
  for (int d = 0; d < model.tree_dofs(); ++d) {
    const int tree = model.body_tree[std::size_t(model.dof_body[std::size_t(d)])];
    const int n = p.tree_size(tree), i = d - p.tree_dof[std::size_t(tree)];
    const double inertia = p.inertia[std::size_t(p.tree_inertia[std::size_t(tree)] + i * n + i)];
    if (inertia > w.mechanism.implicit_inertia[std::size_t(d)]) continue;
    const auto joint = std::size_t(model.dof_joint[std::size_t(d)]);
    throw Error(
        fmt::format("model '{}', joint '{}': what it moves has no inertia along it: give body '{}', or what it "
                    "carries, mass away from the axis or principal moments, or the joint armature",
                    model.name, model.joint_name[joint], model.body_name[std::size_t(model.joint_body[joint])]));
  }
}

// Largest error of all equalities at q ⊕ h u [m or rad].
double error_at(const Model& model, const Options& options, const State& state, const std::vector<double>& u,
                Workspace& w) {
  linearise_equalities(model, options, state, u, w);
  return w.equality_drift;
}

// L⁻ᵀ Jᵀ of every row over all degrees of freedom.
std::vector<double> whitened_rows(const ContactProblem& p, const ConstraintRows& rows) {
  const auto nv = std::size_t(p.nv);
  std::vector<double> Y(rows.list.size() * nv);
  for (std::size_t r = 0; r < rows.list.size(); ++r) {
    const ConstraintRow& row = rows.list[r];
    for (const auto& [tree, first] : {std::pair{row.tree_a, row.jacobian_a}, std::pair{row.tree_b, row.jacobian_b}}) {
      if (tree < 0) continue;
      double* y = Y.data() + r * nv + std::size_t(p.tree_dof[std::size_t(tree)]);
      std::copy_n(rows.jacobian.begin() + first, p.tree_size(tree), y);
      whiten(p.inertia_factor.data() + p.tree_inertia[std::size_t(tree)], p.tree_size(tree), y);
    }
  }
  return Y;
}

// δ of Newton's method at the state, as a velocity δ / h.
std::vector<double> closing_velocity(const Model& model, const Options& options, const State& state, Workspace& w) {
  const ContactProblem& p = w.problem;
  const auto nv = std::size_t(p.nv);
  w.constraint_rows.list.clear();
  w.constraint_rows.jacobian.clear();
  add_equality_rows(model, options, state, w);
  add_held_joint_rows(model, options, w);
  const std::vector<ConstraintRow>& rows = w.constraint_rows.list;
  const std::vector<double> Y = whitened_rows(p, w.constraint_rows);
  const std::size_t n = rows.size();
  std::vector<double> A(n * n), x(n), u(nv);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t k = 0; k < nv; ++k) A[i * n + j] += Y[i * nv + k] * Y[j * nv + k];
    A[i * n + i] *= 1 + kDamping;
    x[i] = -rows[i].gap / options.timestep;
  }
  std::vector<double> L(n * n);
  if (!cholesky_factor(A.data(), int(n), L.data())) return u;
  cholesky_solve(L.data(), int(n), x.data());
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k < nv; ++k) u[k] += Y[i * nv + k] * x[i];
  for (int t = 0; t < p.ntree; ++t)
    unwhiten(p.inertia_factor.data() + p.tree_inertia[std::size_t(t)], p.tree_size(t),
             u.data() + p.tree_dof[std::size_t(t)]);
  return u;
}

// Held joints share the error of the loop that they cannot close: the equality is to be named.
[[noreturn]] void refuse_loop(const Model& model, const State& state, Workspace& w, double error) {
  int worst = 0;
  double largest = -1;
  for (int e = 0; e < model.nequality; ++e) {
    if (!model.equality_active[std::size_t(e)]) continue;
    const double size = equality_size(model, e, state, w);
    if (size > largest) worst = e, largest = size;
  }
  throw Error(
      fmt::format("model '{}', {}: it cannot be met: the best configuration found leaves an error of "
                  "{:.3g} m or rad; check lengths and anchors, or begin nearer to a configuration that meets it",
                  model.name, constraint_name(model, ConstraintKind::kEquality, worst), error));
}

}  // namespace

void check_start(const Model& model, const Options& options, Workspace& w) {
  State state = make_state(model);
  const Control control = make_control(model);
  const std::vector<double> rest(std::size_t(model.nv));
  double error = 0;
  for (int iteration = 0; iteration < kMostIterations; ++iteration) {
    w.mocap_pose = control.mocap_pose;
    compute_poses(model, state.q, w);
    compute_held_joints(model, state.q, w);
    compute_inertia_and_force(model, options, control, state, w);
    if (iteration == 0) check_inertia(model, w);
    const bool loops = std::any_of(model.equality_active.begin(), model.equality_active.end(), [](int a) { return a; });
    if (!loops || compute_free_velocity(model, options, state, w) >= 0) return;
    if (iteration == 0) error = error_at(model, options, state, rest, w);
    if (error <= kClosed) return;
    std::vector<double> u = closing_velocity(model, options, state, w);
    double trial = error_at(model, options, state, u, w);
    for (int half = 0; half < 20 && !(trial < error); ++half) {
      for (double& velocity : u) velocity *= 0.5;
      trial = error_at(model, options, state, u, w);
    }
    if (!(trial < error * (1 - 1e-9))) {
      if (error > kOpen) refuse_loop(model, state, w, error);
      return;
    }
    error = trial;
    integrate(model, detail::whole_step(options), state, u, w, w.next);
    advance_held_joints(model, w, w.next);
    state.q = w.next.q;
  }
}

}  // namespace stiction
