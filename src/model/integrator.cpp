#include "model/integrator.hpp"

#include "model/contact_model.hpp"
#include "model/named_value.hpp"

namespace stiction {

void detail::check_integrator_name(std::string_view name) {
  if (name != "auto" && name != "euler" && name != "midpoint")
    throw_unknown("integrator", "Integrators", name, {"auto", "euler", "midpoint"});
}

std::string detail::chosen_integrator(const Model& model, const Options& options) {
  if (options.integrator != "auto") return options.integrator;
  bool held = model.nequality > 0;
  for (int j = 0; j < model.njoint; ++j) held = held || model.is_held(j);
  return held || contact_model(options) != ContactModel::kCoulomb ? "euler" : "midpoint";
}

}  // namespace stiction
