#include "step/free_flight.hpp"

#include "collide/shape.hpp"
#include "dynamics/free_body.hpp"
#include "model/contact_model.hpp"
#include "problem/reach.hpp"

#include <algorithm>

namespace stiction {
namespace {

constexpr int kMostAdvances = 512;  // a pair that needs more is not missed

// Pose of a shape after the time t of free flight.
Transform flown(const Model& model, const Workspace& w, int shape, double t) {
  const int body = model.shape_body[std::size_t(shape)], tree = model.body_tree[std::size_t(body)];
  const Transform& pose = w.shape_pose[std::size_t(shape)];
  if (tree < 0) return pose;
  const auto i = std::size_t(tree);
  const Transform& root = w.body_pose[std::size_t(model.tree_root[i])];
  const double* u = w.problem.free_velocity.data() + model.tree_dof[i];
  Vec3 origin = root.p, velocity{u[0], u[1], u[2]}, omega{u[3], u[4], u[5]};
  Quat q = root.q;
  move_free_body(w.free_body(tree), w.tree_inertia_inverse[i], t, origin, q, velocity, omega);
  return Transform{origin, q} * (inverse(root) * pose);
}

bool flies(const Model& model, const Workspace& w, int tree) {
  return tree < 0 || (w.tree_free[std::size_t(tree)] && model.nequality == 0 && model.ntendon == 0);
}

// `gap`: [m] at the start.
bool is_missed(const Model& model, const Options& options, Workspace& w, int a, int b, double gap) {
  const double speed = w.shape_speed[std::size_t(a)] + w.shape_speed[std::size_t(b)];  // [m/s] at which it can close
  const double near = 0.5 * options.contact_margin;
  double t = 0;
  for (int i = 0; i < kMostAdvances; ++i) {
    if (!(gap > near)) return false;
    t += gap / speed;
    if (!(t < options.timestep)) return true;
    // Beyond what is left of the way nothing can be reached.
    const double reach = near + speed * (options.timestep - t);
    gap = w.collider.least_gap(a, b, flown(model, w, a, t), flown(model, w, b, t), reach);
    if (gap >= reach) return true;
  }
  return false;
}

}  // namespace

void drop_missed(const Model& model, const Options& options, Workspace& w) {
  // The relaxed law and that of least energy act on what is passed by, too.
  const detail::ContactModel law = detail::contact_model(options);
  if (law == detail::ContactModel::kRelaxed || law == detail::ContactModel::kCompliantEnergy) return;
  Contacts& k = w.candidates;
  const auto n = std::size_t(k.ncontact);
  if (n == 0 || int(w.articulated.size()) == model.ntree) return;
  w.missed.assign(n, 0);
  w.tree_met.assign(std::size_t(model.ntree), 0);
  const auto tree_of = [&](int body) { return model.body_tree[std::size_t(body)]; };
  const auto same_pair = [&](std::size_t c, std::size_t d) {
    return k.shape_a[c] == k.shape_a[d] && k.shape_b[c] == k.shape_b[d];
  };
  for (std::size_t first = 0, last; first < n; first = last) {
    double gap = k.gap[first];
    for (last = first; last < n && same_pair(first, last); ++last) gap = std::min(gap, k.gap[last]);
    const int tree_a = tree_of(k.body_a[first]), tree_b = tree_of(k.body_b[first]);
    // Shapes that touch in nothing but the ball inside one of them have pierced each other.
    const bool pierced = is_centre_key(k.key[first]);
    const bool missed = !pierced && gap > options.contact_margin && flies(model, w, tree_a) &&
                        flies(model, w, tree_b) &&
                        is_missed(model, options, w, k.shape_a[first], k.shape_b[first], gap);
    for (std::size_t c = first; c < last; ++c) w.missed[c] = missed;
    for (const int tree : {tree_a, tree_b})
      if (tree >= 0 && !missed) w.tree_met[std::size_t(tree)] = 1;
  }
  if (std::none_of(w.missed.begin(), w.missed.end(), [](char missed) { return missed; })) return;
  const auto is_met = [&](int body) { return tree_of(body) >= 0 && w.tree_met[std::size_t(tree_of(body))]; };
  std::size_t to = 0;
  for (std::size_t c = 0; c < n; ++c)
    if (!w.missed[c] || is_met(k.body_a[c]) || is_met(k.body_b[c])) copy_contact(k, c, k, to++);
  k.ncontact = int(to);
  k.resize();
}

}  // namespace stiction
