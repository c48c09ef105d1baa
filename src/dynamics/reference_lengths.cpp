#include "model/reference_lengths.hpp"

#include "dynamics/kinematics.hpp"

namespace stiction::detail {

void fill_reference_lengths(Model& model) {
  if (model.ntendon == 0) return;
  Workspace w(model);
  const State state = make_state(model);
  compute_poses(model, state.q, w);
  compute_tendons(model, state, w);
  model.tendon_reference_length = w.mechanism.tendon_length;
  for (std::size_t t = 0; t < std::size_t(model.ntendon); ++t)
    for (auto* length : {&model.tendon_spring_lower[t], &model.tendon_spring_upper[t]})
      if (*length == -1) *length = model.tendon_reference_length[t];
}

}  // namespace stiction::detail
