#include "problem/trial_pose.hpp"

#include "dynamics/kinematics.hpp"
#include "dynamics/tree_kinematics.hpp"

namespace stiction {

Transform TrialPoses::operator()(int body) const {
  const auto b = std::size_t(body);
  const int tree = model.body_tree[b];
  if (!trial || tree < 0) return w.body_pose[b];
  if (!w.tree_free[std::size_t(tree)]) {
    const LinkPose& link = w.trial_links.pose[w.plan.body_link[b]];
    const Transform& placed = w.plan.body_in_link[b];
    return {w.trial_links.origin[w.plan.origin_of(body)] + (link.p + link.R * placed.p), link.q * placed.q};
  }
  const auto root = std::size_t(model.tree_root[std::size_t(tree)]);
  const double* x = trial->data() + model.joint_q[std::size_t(model.body_joint[root])];
  const Transform at{{x[0], x[1], x[2]}, normalized(Quat{x[3], x[4], x[5], x[6]})};
  return at * (inverse(w.body_pose[root]) * w.body_pose[b]);
}

TrialPoses poses_at(const Model& model, const std::vector<double>& q, Workspace& w) {
  for (const int t : w.articulated) tree_positions(w.plan.view(t), q.data(), w.trial_links);
  return {model, w, &q};
}

TrialPoses poses_at_end(const Model& model, const Options& options, const State& state, const std::vector<double>& u,
                        Workspace& w) {
  integrate_changed(model, detail::whole_step(options), state, u, w);
  return poses_at(model, w.next.q, w);
}

}  // namespace stiction
