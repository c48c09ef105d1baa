#include "dynamics/smooth_motion.hpp"

#include "dynamics/tree_aba.hpp"
#include "dynamics/tree_integrate.hpp"
#include "model/left_alone.hpp"
#include "step/workspace.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace stiction {
namespace {

// Entry of q of a link where its quaternion begins; −1: it has none.
int quaternion_of(JointType type) {
  return type == JointType::kFree ? 3 : (type == JointType::kBall ? 0 : -1);
}

// q̇: velocities, and of a quaternion ½ q ∘ (0, ω) with ω in the frame of the body.
void position_rate(const Link& link, const double* q, const double* u, double* rate) {
  const double *x = q + link.q, *v = u + link.dof;
  double* out = rate + link.q;
  const int turn = quaternion_of(link.type);
  for (int i = 0; i < (turn < 0 ? 1 : turn); ++i) out[i] = v[i];
  if (turn < 0) return;
  const Quat spin = Quat{x[turn], x[turn + 1], x[turn + 2], x[turn + 3]} * Quat{0, v[turn], v[turn + 1], v[turn + 2]};
  out[turn] = 0.5 * spin.w, out[turn + 1] = 0.5 * spin.x, out[turn + 2] = 0.5 * spin.y, out[turn + 3] = 0.5 * spin.z;
}

void normalise_quaternion(const Link& link, double* q) {
  const int turn = quaternion_of(link.type);
  if (turn < 0) return;
  double* x = q + link.q + turn;
  const Quat unit = normalized(Quat{x[0], x[1], x[2], x[3]});
  x[0] = unit.w, x[1] = unit.x, x[2] = unit.y, x[3] = unit.z;
}

// Whether light links need more inertia than rounding to be held stable.
bool is_held_stable(const Workspace& w, std::size_t tree) {
  if (w.stiff.added.empty()) return false;
  const auto begin = w.problem.tree_inertia[tree], end = w.problem.tree_inertia[tree + 1];
  const auto largest = [&](const std::vector<double>& block) {
    double most = 0;
    for (auto i = std::size_t(begin); i < std::size_t(end); ++i) most = std::max(most, std::abs(block[i]));
    return most;
  };
  return largest(w.stiff.added) > 1e-12 * largest(w.problem.inertia);
}

bool is_smooth(const Workspace& w, int tree) {
  const auto t = std::size_t(tree);
  return w.smooth.alone[t] && !w.smooth.acted_on[t] && w.problem.tree_island[t] < 0 && !is_held_stable(w, t);
}

// aᵢⱼ of the stages; the last row is the end of the step.
constexpr std::array<std::array<double, SmoothMotion::kStages>, SmoothMotion::kStages + 1> kTableau = {{
    {},
    {1.0 / 3},
    {1.0 / 6, 1.0 / 6},
    {1.0 / 8, 0, 3.0 / 8},
    {1.0 / 2, 0, -3.0 / 2, 2},
    {1.0 / 6, 0, 0, 2.0 / 3, 1.0 / 6},
}};

// y = x + h Σ aⱼ kⱼ over the entries `begin` to `end`, of as many rates as there are before the stage.
void add_rates(std::size_t stage, double h, const SmoothMotion::Rates& k, const double* x, int begin, int end,
               double* y) {
  for (auto i = std::size_t(begin); i < std::size_t(end); ++i) {
    double sum = 0;
    for (std::size_t j = 0; j < stage; ++j) sum += kTableau[stage][j] * k[j][i];
    y[i] = x[i] + h * sum;
  }
}

// One tree, from q and u into w.smooth.q and u; false where its inertia is singular on the way.
bool move_tree(const TreeView& view, double h, const Vec3& gravity, const double* q, const double* u, Workspace& w) {
  SmoothMotion& s = w.smooth;
  for (std::size_t stage = 0; stage <= SmoothMotion::kStages; ++stage) {
    for (int l = view.begin; l < view.end; ++l)
      add_rates(stage, h, s.q_rate, q, view.link[l].q, view.link[l].q + positions_of(view.link[l].type), s.q.data());
    add_rates(stage, h, s.u_rate, u, view.dof_begin, view.dof_end, s.u.data());
    if (stage == SmoothMotion::kStages) break;
    for (int l = view.begin; l < view.end; ++l)
      position_rate(view.link[l], s.q.data(), s.u.data(), s.q_rate[stage].data());
    tree_positions(view, s.q.data(), w.trial_links);
    if (tree_aba(view, s.u.data(), w.applied_force.data(), gravity, w.trial_links, s.u_rate[stage].data()) > 0)
      return false;
  }
  for (int l = view.begin; l < view.end; ++l) normalise_quaternion(view.link[l], s.q.data());
  return true;
}

// Trees on which the control acts, or that are near another body.
void mark_disturbed(const Model& model, const Control& control, Workspace& w) {
  std::vector<char>& marked = w.smooth.acted_on;
  std::fill(marked.begin(), marked.end(), 0);
  detail::mark_acted_on(model, control, marked);
  for (std::size_t c = 0; c < std::size_t(w.candidates.ncontact); ++c)
    for (const int shape : {w.candidates.shape_a[c], w.candidates.shape_b[c]})
      if (const int tree = model.body_tree[std::size_t(model.shape_body[std::size_t(shape)])]; tree >= 0)
        marked[std::size_t(tree)] = 1;
}

}  // namespace

void SmoothMotion::prepare(const Model& model, const Workspace& w) {
  alone = detail::trees_left_alone(model);
  for (std::size_t b = 1; b < std::size_t(model.nbody); ++b)
    if (model.body_tree[b] >= 0 && model.body_gravity_compensation[b] != 0) alone[std::size_t(model.body_tree[b])] = 0;
  for (std::size_t t = 0; t < std::size_t(model.ntree); ++t) alone[t] = alone[t] && !w.tree_free[t];
  acted_on.assign(std::size_t(model.ntree), 0);
  q.assign(std::size_t(model.nq), 0);
  u.assign(std::size_t(model.nv), 0);
  for (std::size_t stage = 0; stage < kStages; ++stage) q_rate[stage] = q, u_rate[stage] = u;
}

void move_smoothly(const Model& model, const Options& options, const Control& control, const std::vector<double>& q,
                   const std::vector<double>& u, Workspace& w, State& next) {
  SmoothMotion& s = w.smooth;
  if (options.fluid_density != 0 || options.fluid_viscosity != 0) return;
  if (std::find(s.alone.begin(), s.alone.end(), 1) == s.alone.end()) return;
  mark_disturbed(model, control, w);
  for (const int t : w.articulated) {
    const TreeView view = w.plan.view(t);
    if (!is_smooth(w, t) || !move_tree(view, options.timestep, options.gravity, q.data(), u.data(), w)) continue;
    for (int l = view.begin; l < view.end; ++l) {
      const auto first = s.q.begin() + view.link[l].q;
      std::copy(first, first + positions_of(view.link[l].type), next.q.begin() + view.link[l].q);
    }
    std::copy(s.u.begin() + view.dof_begin, s.u.begin() + view.dof_end, next.u.begin() + view.dof_begin);
  }
}

}  // namespace stiction
