#include "step/turning.hpp"

#include "dynamics/kinematics.hpp"
#include "model/contact_model.hpp"
#include "problem/trial_pose.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace stiction {
namespace {

constexpr double kAim = 5e-5;      // of the smaller shape's size: penetration that needs no correction
constexpr double kParallel = 0.5;  // least cosine between the normals of a contact now and at the end of the step
constexpr int kFewTrees = 16;      // of a model whose steps are solved again; of more turning is predicted

// [m] penetration that a pair may end with.
double aim(const Model& model, const Workspace& w, const Contacts& k, std::size_t c) {
  double size = std::numeric_limits<double>::infinity();
  for (const int shape : {k.shape_a[c], k.shape_b[c]})
    if (model.body_tree[std::size_t(model.shape_body[std::size_t(shape)])] >= 0)
      size = std::min(size, 2 * w.shape_reach[std::size_t(shape)]);
  return kAim * size;
}

// [rad/s] of a body at the velocities u; links as compute_link_velocities left them.
double turning_speed(const Model& model, const Workspace& w, int body, const std::vector<double>& u) {
  const int tree = model.body_tree[std::size_t(body)];
  if (tree < 0) return 0;
  if (!w.tree_free[std::size_t(tree)]) return norm(w.links.velocity[w.plan.body_link[std::size_t(body)]].angular);
  const double* x = u.data() + model.tree_dof[std::size_t(tree)];
  return norm(Vec3{x[3], x[4], x[5]});
}

// Facets are deep by themselves where the vertex is beside them: turning is not foreseen for them.
bool has_facets(const Options& options) {
  return detail::contact_model(options) == detail::ContactModel::kNonconvex;
}

// Has a surface whose next face may be met within the step.
bool is_faceted(const Model& model, int shape) {
  const ShapeType type = model.shape_type[std::size_t(shape)];
  return type == ShapeType::kMesh || type == ShapeType::kHeightField;
}

// [m] bound on what a candidate's shapes move towards each other within the step.
double travel(const Options& options, const Workspace& w, std::size_t c) {
  const Contacts& k = w.candidates;
  return options.timestep * (w.shape_speed[std::size_t(k.shape_a[c])] + w.shape_speed[std::size_t(k.shape_b[c])]);
}

// [m] size of what is of second order: h² ω v / 2 with all that turns and moves.
double second_order(const Model& model, const Options& options, const std::vector<double>& u, const Workspace& w,
                    std::size_t c) {
  const Contacts& k = w.candidates;
  const double omega = turning_speed(model, w, k.body_a[c], u) + turning_speed(model, w, k.body_b[c], u);
  return options.timestep * omega * travel(options, w, c) / 2;
}

// Whether what is not linear could matter to a contact; on surfaces of many faces all that moves could.
bool may_turn(const Model& model, const Options& options, const std::vector<double>& u, Workspace& w) {
  compute_link_velocities(u, w);
  const Contacts& k = w.candidates;
  for (std::size_t c = 0; c < std::size_t(k.ncontact); ++c) {
    if (!w.selected[c]) continue;
    const bool faceted = is_faceted(model, k.shape_a[c]) || is_faceted(model, k.shape_b[c]);
    const double most = faceted ? travel(options, w, c) : second_order(model, options, u, w, c);
    if (most > aim(model, w, k, c)) return true;
  }
  return false;
}

TrialPoses collide_at_end(const Model& model, const Options& options, const State& state, const std::vector<double>& u,
                          Workspace& w) {
  const TrialPoses trial = poses_at_end(model, options, state, u, w);
  for (std::size_t s = 0; s < std::size_t(model.nshape); ++s)
    w.end_pose[s] = trial(model.shape_body[s]) * model.shape_pose[s];
  w.collider.collide(options, w.end_pose, w.no_speed, w.end_contacts);
  return trial;
}

// Walks over the contacts at the end of the step with the first candidate of their pair.
template <class Visit>
void for_pairs(const Workspace& w, Visit&& visit) {
  const Contacts &now = w.candidates, &then = w.end_contacts;
  const auto pair_of = [](const Contacts& k, std::size_t c) { return std::pair{k.shape_a[c], k.shape_b[c]}; };
  std::size_t first = 0;
  for (std::size_t k = 0; k < std::size_t(then.ncontact); ++k) {
    while (first < std::size_t(now.ncontact) && pair_of(now, first) < pair_of(then, k)) ++first;
    std::size_t last = first;
    while (last < std::size_t(now.ncontact) && pair_of(now, last) == pair_of(then, k)) ++last;
    visit(k, first, last);
  }
}

// The candidate of [first, last) that contact k at the end of the step belongs to: that of its features, else the
// nearest on body A that faces the same way; -1 if there is none.
int find_candidate(const Workspace& w, const TrialPoses& trial, std::size_t k, std::size_t first, std::size_t last) {
  const Contacts &now = w.candidates, &then = w.end_contacts;
  const Vec3 point = w.body_pose[std::size_t(then.body_a[k])] * (inverse(trial(then.body_a[k])) * then.point[k]);
  int best = -1;
  double nearest = std::numeric_limits<double>::infinity();
  for (std::size_t c = first; c < last; ++c) {
    if (now.key[c] == then.key[k]) return int(c);
    if (dot(now.normal[c], then.normal[k]) < kParallel) continue;
    const double distance = norm_squared(now.point[c] - point);
    if (distance < nearest) nearest = distance, best = int(c);
  }
  return best;
}

}  // namespace

void predict_turning(const Model& model, const Options& options, const State& state, Workspace& w) {
  const std::vector<double>& u = w.problem.free_velocity;
  if (model.ntree <= kFewTrees || has_facets(options) || !may_turn(model, options, u, w)) return;
  collide_at_end(model, options, state, u, w);
  Contacts& now = w.candidates;
  for_pairs(w, [&](std::size_t k, std::size_t first, std::size_t last) {
    for (std::size_t c = first; c < last; ++c) {
      if (now.key[c] != w.end_contacts.key[k] || now.compliance[c] > 0) continue;
      const Vec3 v = point_velocity(model, w, now.body_b[c], now.point[c], u) -
                     point_velocity(model, w, now.body_a[c], now.point[c], u);
      const double turn = w.end_contacts.gap[k] - now.gap[c] - options.timestep * dot(now.normal[c], v);
      if (w.end_contacts.gap[k] > 0 || turn > -aim(model, w, now, c)) continue;
      // Deep in each other, features say little: no more than turning can do.
      now.turn[c] = std::max(turn, -2 * second_order(model, options, u, w, c));
    }
  });
}

bool foresee_turning(const Model& model, const Options& options, const State& state, const std::vector<double>& u,
                     Workspace& w) {
  if (model.ntree > kFewTrees || has_facets(options) || !may_turn(model, options, u, w)) return false;
  const TrialPoses trial = collide_at_end(model, options, state, u, w);
  Contacts& now = w.candidates;
  w.turn_before = now.turn;
  bool changed = false;
  for_pairs(w, [&](std::size_t k, std::size_t first, std::size_t last) {
    const double gap = w.end_contacts.gap[k], most = aim(model, w, w.end_contacts, k);
    if (gap > -most) return;
    const int found = find_candidate(w, trial, k, first, last);
    if (found < 0 || now.compliance[std::size_t(found)] > 0) return;  // a spring may be pressed in
    const auto c = std::size_t(found);
    // Old penetration may stay as far as it is not pushed out.
    const double deficit = gap - std::min(0.0, now.gap[c] + options.timestep * options.push_out_speed);
    if (deficit > -most) return;
    now.turn[c] = std::min(now.turn[c], w.turn_before[c] + deficit);
    changed = true;
  });
  return changed;
}

}  // namespace stiction
