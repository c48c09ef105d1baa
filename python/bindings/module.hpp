// The parts of the Python module, one function for each file of bindings.
#pragma once

#include <nanobind/nanobind.h>

#include <stiction/options.hpp>

namespace stiction::python {

void bind_options(nanobind::module_& module);
void bind_model(nanobind::module_& module);
void bind_load(nanobind::module_& module);
void bind_builder(nanobind::module_& module);
void bind_state(nanobind::module_& module);
void bind_contacts(nanobind::module_& module);
void bind_constraints(nanobind::module_& module);
void bind_report(nanobind::module_& module);
void bind_problem(nanobind::module_& module);
void bind_simulation(nanobind::module_& module);
void bind_dynamics(nanobind::module_& module);
void bind_constrained_dynamics(nanobind::module_& module);
void bind_recording(nanobind::module_& module);
void bind_mesh(nanobind::module_& module);
void bind_lcp(nanobind::module_& module);
void bind_qp(nanobind::module_& module);
void bind_query(nanobind::module_& module);

// The options with those of the keyword arguments changed; Error as in set_option.
Options change_options(Options options, const nanobind::kwargs& changes);
// "timestep: float = 0.002, …" for the signature of a function with these keyword arguments.
std::string option_signature();

}  // namespace stiction::python
