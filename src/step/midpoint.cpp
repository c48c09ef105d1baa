#include "step/midpoint.hpp"

#include "dynamics/held_joints.hpp"
#include "dynamics/kinematics.hpp"

#include <algorithm>

namespace stiction {

void move_to_midpoint(const Model& model, const Options& options, Workspace& w, State& state) {
  if (!detail::is_midpoint(options)) return;
  w.start_q = state.q;
  w.start_u = state.u;
  drift_state(model, detail::half_step(options), w, state);
  compute_poses(model, state.q, w);
  compute_held_joints(model, state.q, w);
  write_held_joints(model, w, state);
}

void return_from_midpoint(const Options& options, const Workspace& w, State& state) {
  if (!detail::is_midpoint(options)) return;
  // Copied, not assigned: users hold views of them.
  std::copy(w.start_q.begin(), w.start_q.end(), state.q.begin());
  std::copy(w.start_u.begin(), w.start_u.end(), state.u.begin());
}

void integrate_step(const Model& model, const Options& options, const State& state, Workspace& w) {
  if (detail::is_midpoint(options))
    integrate(model, detail::half_step(options), state, w.solution.u, w, w.next);
  else
    integrate_changed(model, detail::whole_step(options), state, w.solution.u, w);
}

}  // namespace stiction
