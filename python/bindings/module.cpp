// The Python module stiction._stiction.
#include "module.hpp"

#include <stiction/error.hpp>
#include <stiction/version.hpp>

namespace nb = nanobind;

NB_MODULE(_stiction, module) {
  module.doc() = "Rigid bodies in exact, certified frictional contact.";
  module.attr("__version__") = stiction::kVersion;
  const nb::exception<stiction::Error> error(module, "Error", PyExc_ValueError);

  namespace parts = stiction::python;
  parts::bind_options(module);
  parts::bind_model(module);
  parts::bind_load(module);
  parts::bind_builder(module);
  parts::bind_state(module);
  parts::bind_contacts(module);
  parts::bind_constraints(module);
  parts::bind_report(module);
  parts::bind_problem(module);
  parts::bind_simulation(module);
  parts::bind_dynamics(module);
  parts::bind_constrained_dynamics(module);
  parts::bind_recording(module);
  parts::bind_mesh(module);
  parts::bind_query(module);
  parts::bind_lcp(module);
  parts::bind_qp(module);
}
