// States and controls sized for a model.
#include <stiction/state.hpp>

#include <algorithm>

namespace stiction {

State make_state(const Model& model) {
  State state;
  state.nq = model.nq;
  state.nv = model.nv;
  state.nactivation = model.nactivation;
  state.ntree = model.ntree;
  state.resize();
  state.q = model.q_reference;
  return state;
}

State make_state(const Model& model, const std::string& key) {
  const auto row = static_cast<std::ptrdiff_t>(model.key(key));
  State state = make_state(model);
  state.time = model.key_time[static_cast<std::size_t>(row)];
  std::copy_n(model.key_q.begin() + row * model.nq, model.nq, state.q.begin());
  std::copy_n(model.key_u.begin() + row * model.nv, model.nv, state.u.begin());
  std::copy_n(model.key_activation.begin() + row * model.nactivation, model.nactivation, state.activation.begin());
  return state;
}

Control make_control(const Model& model) {
  Control control;
  control.nactuator = model.nactuator;
  control.nbody = model.nbody;
  control.nv = model.nv;
  control.nmocap = model.nmocap;
  control.resize();
  for (std::size_t b = 0; b < std::size_t(model.nbody); ++b)
    if (model.body_mocap[b] >= 0) control.mocap_pose[std::size_t(model.body_mocap[b])] = model.body_pose[b];
  return control;
}

Control make_control(const Model& model, const std::string& key) {
  const auto row = static_cast<std::ptrdiff_t>(model.key(key));
  Control control = make_control(model);
  std::copy_n(model.key_control.begin() + row * model.nactuator, model.nactuator, control.input.begin());
  std::copy_n(model.key_mocap_pose.begin() + row * model.nmocap, model.nmocap, control.mocap_pose.begin());
  return control;
}

}  // namespace stiction
