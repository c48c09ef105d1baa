// Phase profiles of motors, for which MJCF has no attribute: <custom><numeric name="phase_profile:ACTUATOR"
// data="advance f₀ f₁ …"/> makes the integrator of an actuator a phase α, and its target f(α) (model/motor.hpp).
#include <fmt/format.h>

#include <string_view>

#include "io/load_parts.hpp"
#include "model/names.hpp"

namespace stiction::detail {

void fill_phase_profiles(const mjModel& m, const ElementNames& names, Model& model) {
  constexpr std::string_view kPrefix = "phase_profile:";
  for (int i = 0; i < static_cast<int>(m.nnumeric); ++i) {
    const char* text = mj_id2name(&m, mjOBJ_NUMERIC, i);
    if (text == nullptr || !std::string_view(text).starts_with(kPrefix)) continue;
    const auto a = std::size_t(
        find_name("actuator", std::string_view(text).substr(kPrefix.size()), model.actuator_name, model.name));
    if (model.actuator_dynamics[a] != ActuatorDynamics::kIntegrator)
      throw Error(
          fmt::format("{}: actuator '{}' has no integrator that could be its phase; write <general "
                      "dyntype=\"integrator\" gainprm=\"1\" biastype=\"affine\" biasprm=\"0 -1e8 -1e5\" …/>",
                      names(mjOBJ_NUMERIC, i), model.actuator_name[a]));
    const double* data = m.numeric_data + m.numeric_adr[i];
    model.actuator_dynamics[a] = ActuatorDynamics::kPhase;
    model.actuator_profile_advance[a] = data[0];
    model.actuator_profile[a] = model.nprofile;
    model.actuator_profile_count[a] = m.numeric_size[i] - 1;
    model.nprofile += model.actuator_profile_count[a];
    model.profile_value.insert(model.profile_value.end(), data + 1, data + m.numeric_size[i]);
  }
}

}  // namespace stiction::detail
