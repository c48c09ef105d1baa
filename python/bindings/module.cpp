// The Python module stiction._stiction.
#include "module.hpp"

#include <stiction/error.hpp>
#include <stiction/version.hpp>

namespace nb = nanobind;

NB_MODULE(_stiction, module) {
  module.doc() = "Rigid bodies in exact, certified frictional contact.";
  module.attr("__version__") = stiction::kVersion;
  nb::exception<stiction::Error>(module, "Error", PyExc_ValueError);

  using namespace stiction::python;
  bind_options(module);
  bind_model(module);
  bind_load(module);
  bind_builder(module);
  bind_state(module);
  bind_contacts(module);
  bind_report(module);
  bind_problem(module);
  bind_simulation(module);
  bind_recording(module);
}
