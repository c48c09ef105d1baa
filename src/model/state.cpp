// States and controls sized for a model.
#include <stiction/state.hpp>

#include <algorithm>

namespace stiction {

State make_state(const Model& model) {
  State state;
  state.nq = model.nq;
  state.nv = model.nv;
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
  return state;
}

Control make_control(const Model& model) {
  Control control;
  control.nactuator = model.nactuator;
  control.nbody = model.nbody;
  control.nv = model.nv;
  control.resize();
  return control;
}

}  // namespace stiction
