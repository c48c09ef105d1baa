#include "step/passing.hpp"

#include "dynamics/kinematics.hpp"
#include "problem/trial_pose.hpp"
#include "step/seams.hpp"

#include <algorithm>

namespace stiction {
namespace {

class Passing {
 public:
  Passing(const Model& model, const Options& options, const State& state, const std::vector<double>& u, Workspace& w)
      : model_(model), options_(options), state_(state), u_(u), w_(w), k_(w.candidates) {}

  // Candidates first to last are those of one pair.
  void turn(std::size_t first, std::size_t last) {
    const int a = k_.shape_a[first], b = k_.shape_b[first];
    if (is_plane(a) || is_plane(b) || !closes(first, last)) return;
    const Transform &start_a = w_.shape_pose[std::size_t(a)], &start_b = w_.shape_pose[std::size_t(b)];
    const Transform end_a = at_end(a), end_b = at_end(b);
    Vec3 n;
    if (!w_.collider.passing_axis(a, b, start_a, start_b, end_a, end_b, n)) return;
    const Vec3 n_end = rotate(end_b.q, rotate(conjugate(start_b.q), n));
    const double off = w_.collider.standoff(a, b);
    if (!(w_.collider.separation(a, b, start_a, start_b, n) > off)) return;
    if (!(w_.collider.separation(a, b, end_a, end_b, n_end) > off)) return;
    for (std::size_t c = first; c < last; ++c) {
      const SeamPlane plane = seam_plane(model_, w_, c, 1, n);
      k_.normal[c] = plane.normal;
      k_.gap[c] = plane.gap;
      k_.point[c] = plane.point;
      w_.at_seam[c] = kAtSeam;
    }
  }

 private:
  const Model& model_;
  const Options& options_;
  const State& state_;
  const std::vector<double>& u_;
  Workspace& w_;
  Contacts& k_;
  bool moved_ = false, placed_ = false;

  // A plane is the only one that separates it from anything.
  bool is_plane(int shape) const { return model_.shape_type[std::size_t(shape)] == ShapeType::kPlane; }

  // Whether the pair is apart, all of it as it was found, and closes at some of its points.
  bool closes(std::size_t first, std::size_t last) {
    bool closing = false;
    for (std::size_t c = first; c < last; ++c) {
      if (!(k_.gap[c] > options_.touching_gap) || w_.at_seam[c] != kAsFound) return false;
      if (!moved_) compute_link_velocities(u_, w_);
      moved_ = true;
      const Vec3 v = relative_velocity(model_, w_, k_.body_a[c], k_.body_b[c], k_.point[c], u_);
      closing = closing || k_.gap[c] + options_.timestep * dot(k_.normal[c], v) < 0;
    }
    return closing;
  }

  Transform at_end(int shape) {
    if (!placed_) poses_at_end(model_, options_, state_, u_, w_);
    placed_ = true;
    const TrialPoses trial{model_, w_, &w_.next.q};
    return trial(model_.shape_body[std::size_t(shape)]) * model_.shape_pose[std::size_t(shape)];
  }
};

// Turns the candidates that close at the velocity u, of pairs that are apart and pass each other at it.
void turn_at_passing(const Model& model, const Options& options, const State& state, const std::vector<double>& u,
                     Workspace& w) {
  const Contacts& k = w.candidates;
  const auto n = std::size_t(k.ncontact);
  Passing passing(model, options, state, u, w);
  for (std::size_t first = 0, last; first < n; first = last) {
    for (last = first + 1; last < n && k.shape_a[last] == k.shape_a[first] && k.shape_b[last] == k.shape_b[first];)
      ++last;
    passing.turn(first, last);
  }
}

}  // namespace

void turn_at_start(const Model& model, const Options& options, const State& state, Workspace& w) {
  w.at_seam.assign(std::size_t(w.candidates.ncontact), kAsFound);
  turn_at_seams(model, options, w.problem.free_velocity, w);
  if (!chooses_planes(options)) return;
  turn_at_passing(model, options, state, w.problem.free_velocity, w);
  turn_at_passing(model, options, state, state.u, w);
}

}  // namespace stiction
