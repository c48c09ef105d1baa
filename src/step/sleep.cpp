#include "step/sleep.hpp"

#include "model/left_alone.hpp"
#include "step/fingerprint.hpp"
#include "step/workspace.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

namespace stiction {
namespace {

std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

// The coordinates of a free body.
const double* pose_of(const Model& model, int tree, const std::vector<double>& q) {
  return q.data() + model.joint_q[at(model.body_joint[at(model.tree_root[at(tree)])])];
}
constexpr int kPose = 7;

// Of position and velocity of a free body, under the model and the options of the step.
std::uint64_t sleep_mark(const Model& model, const Sleep& s, int tree, const State& state) {
  Fingerprint out(s.circumstances);
  out.add(pose_of(model, tree, state.q), kPose);
  out.add(state.u.data() + model.tree_dof[at(tree)], 6);
  return out.value();
}

// [m/s] bound on the speed of any point of a free body: |v_c| + |ω| reach, v_c = v + R (ω × c).
double speed_of(const Model& model, const Workspace& w, int tree, const std::vector<double>& u) {
  const double* x = u.data() + model.tree_dof[at(tree)];
  const Vec3 linear{x[0], x[1], x[2]}, omega{x[3], x[4], x[5]};
  const Mat3& R = w.body_rotation[at(model.tree_root[at(tree)])];
  return norm(linear + R * cross(omega, w.tree_com[at(tree)])) + norm(omega) * w.sleep.reach[at(tree)];
}

// Marks all trees of a group and ends it.
void wake(int group, Sleep& s) {
  for (std::size_t t = 0; t < s.group.size(); ++t) {
    if (s.group[t] != group) continue;
    s.group[t] = 0;
    s.stirred[t] = 1;
    --s.count;
  }
}

// Wakes the groups of the two bodies of a contact; true if one slept.
bool wake_bodies(const Model& model, int body_a, int body_b, Sleep& s) {
  bool woke = false;
  for (const int body : {body_a, body_b}) {
    const int tree = model.body_tree[at(body)];
    if (tree < 0 || s.group[at(tree)] == 0) continue;
    wake(s.group[at(tree)], s);
    woke = true;
  }
  return woke;
}

// Slow at both ends of the step: at the top of a throw a body is slow at one end only.
void count_rest(const Model& model, const Options& options, const State& state, const Workspace& w, State& next) {
  for (int t = 0; t < model.ntree; ++t) {
    const auto i = at(t);
    next.rest_time[i] = state.rest_time[i];
    if (w.sleep.group[i] != 0) continue;
    const bool slow = w.sleep.able[i] && !w.sleep.stirred[i] && speed_of(model, w, t, state.u) <= options.sleep_speed &&
                      speed_of(model, w, t, next.u) <= options.sleep_speed;
    next.rest_time[i] = slow ? next.rest_time[i] + options.timestep : 0;
  }
}

}  // namespace

void prepare_sleep(const Model& model, Workspace& w) {
  Sleep& s = w.sleep;
  s.model_mark = fingerprint(model);
  s.able.assign(w.tree_free.begin(), w.tree_free.end());
  const std::vector<char> alone = detail::trees_left_alone(model);
  std::transform(alone.begin(), alone.end(), s.able.begin(), s.able.begin(), std::logical_and<>());
  // A body without shapes turns as a ring of its radius of gyration would.
  s.reach.resize(at(model.ntree));
  for (std::size_t t = 0; t < at(model.ntree); ++t) {
    const Mat3& I = w.tree_inertia[t];
    s.reach[t] = std::sqrt((I(0, 0) + I(1, 1) + I(2, 2)) / (2 * w.tree_mass[t]));
  }
  for (std::size_t i = 0; i < at(model.nshape); ++i)
    if (const int tree = model.body_tree[at(model.shape_body[i])]; tree >= 0)
      s.reach[at(tree)] = std::max(s.reach[at(tree)], w.shape_reach[i]);
  s.group.assign(at(model.ntree), 0);
  s.stirred.assign(at(model.ntree), 0);
  s.shape_asleep.assign(at(model.nshape), 0);
}

void begin_sleep(const Model& model, const Options& options, const Control& control, const State& state, Workspace& w) {
  if (options.sleep_time == 0) return;
  Sleep& s = w.sleep;
  s.circumstances = s.model_mark ^ fingerprint(options);
  s.group = state.sleep_group;
  s.count = static_cast<int>(std::count_if(s.group.begin(), s.group.end(), [](int group) { return group != 0; }));
  std::fill(s.stirred.begin(), s.stirred.end(), 0);
  detail::mark_acted_on(model, control, s.stirred);
  for (int t = 0; t < model.ntree; ++t) {
    if (s.group[at(t)] == 0) continue;
    const bool stays = s.able[at(t)] && !s.stirred[at(t)] && sleep_mark(model, s, t, state) == state.sleep_mark[at(t)];
    if (!stays) wake(s.group[at(t)], s);
  }
}

void hold_sleepers(const Model& model, const Options& options, Workspace& w) {
  if (options.sleep_time == 0) return;
  Sleep& s = w.sleep;
  std::vector<double>& u = w.problem.free_velocity;
  s.free_velocity = u;
  for (std::size_t t = 0; t < at(model.ntree); ++t)
    if (s.group[t] != 0) std::fill(u.begin() + model.tree_dof[t], u.begin() + model.tree_dof[t + 1], 0.0);
  for (std::size_t i = 0; i < at(model.nshape); ++i) {
    const int tree = model.body_tree[at(model.shape_body[i])];
    s.shape_asleep[i] = tree >= 0 && s.group[at(tree)] != 0;
  }
  w.collider.set_asleep(s.shape_asleep);
}

bool wake_touched(const Model& model, Workspace& w) {
  Sleep& s = w.sleep;
  if (s.count == 0) return false;
  bool woke = false;
  for (std::size_t c = 0; c < at(w.candidates.ncontact); ++c)
    if (w.selected[c]) woke |= wake_bodies(model, w.candidates.body_a[c], w.candidates.body_b[c], s);
  for (std::size_t c = 0; c < at(w.touching.ncontact); ++c)
    woke |= wake_bodies(model, w.touching.body_a[c], w.touching.body_b[c], s);
  if (woke) w.problem.free_velocity = s.free_velocity;
  return woke;
}

void end_sleep(const Model& model, const Options& options, const State& state, const Contacts& contacts, Workspace& w,
               State& next) {
  if (options.sleep_time == 0) return;
  Sleep& s = w.sleep;
  const ContactProblem& p = w.problem;
  count_rest(model, options, state, w, next);
  const auto settles = [&](int tree) { return next.rest_time[at(tree)] >= options.sleep_time; };
  s.restless.assign(at(p.nisland), 0);
  for (std::size_t t = 0; t < at(model.ntree); ++t)
    if (p.tree_island[t] >= 0 && !settles(static_cast<int>(t))) s.restless[at(p.tree_island[t])] = 1;
  for (std::size_t c = 0; c < at(contacts.ncontact); ++c) {
    const int a = contacts.body_a[c], b = contacts.body_b[c];
    const bool driven = model.body_mocap[at(a)] >= 0 || model.body_mocap[at(b)] >= 0 ||
                        norm(contacts.surface_velocity[c]) > 0 || norm(contacts.surface_spin[c]) > 0;
    const int tree = model.body_tree[at(a)] >= 0 ? model.body_tree[at(a)] : model.body_tree[at(b)];
    if (driven && tree >= 0 && p.tree_island[at(tree)] >= 0) s.restless[at(p.tree_island[at(tree)])] = 1;
  }
  for (int t = 0; t < model.ntree; ++t) {
    const int island = p.tree_island[at(t)];
    int group = s.group[at(t)];
    if (group == 0 && (island < 0 ? settles(t) : !s.restless[at(island)]))
      group = 1 + (island < 0 ? t : p.island_tree_list[at(p.island_tree[at(island)])]);
    next.sleep_group[at(t)] = group;
    next.sleep_mark[at(t)] = group != 0 ? sleep_mark(model, s, t, next) : 0;
  }
}

void recall_sleep(const Model& model, const Options& options, const Control& control, const State& state,
                  const State& next, Workspace& w) {
  begin_sleep(model, options, control, state, w);
  Sleep& s = w.sleep;
  if (s.count == 0) return;
  for (std::size_t t = 0; t < at(model.ntree); ++t)
    if (s.group[t] != 0 && next.sleep_group[t] != s.group[t]) wake(s.group[t], s);
}

void keep_sleepers(const Model& model, const State& state, const Workspace& w, State& next) {
  if (w.sleep.count == 0) return;
  for (int t = 0; t < model.ntree; ++t) {
    if (w.sleep.group[at(t)] == 0) continue;
    const double* pose = pose_of(model, t, state.q);
    std::copy(pose, pose + kPose, next.q.begin() + (pose - state.q.data()));
    std::fill(next.u.begin() + model.tree_dof[at(t)], next.u.begin() + model.tree_dof[at(t) + 1], 0.0);
  }
}

}  // namespace stiction
