// State and Control: writable views of what a user sets, values of the rest.
#include <stiction/state.hpp>

#include "fields.hpp"
#include "module.hpp"

namespace stiction::python {

void bind_state(nb::module_& module) {
  {
    using Bound = State;
    nb::class_<State> bound(module, "State",
                            "Time, positions, velocities and activations of a world. The arrays are writable views.");
    bound.def_rw("time", &State::time, "time [s]");
    bound.def_ro("steps", &State::steps, "steps taken so far");
    bind_writable_array(bound, "q", "positions, in the order of Model.joint_q [m or rad]", &Bound::q);
    bind_writable_array(bound, "u", "velocities, in the order of Model.joint_dof [m/s or rad/s]", &Bound::u);
    bind_writable_array(bound, "activation",
                        "activations of the actuators that have one, in the order of Model.actuator_activation",
                        &Bound::activation);
    bound.def_prop_ro(
        "warm_force", [](const State& self) { return copy_of(self.warm_force); }, nb::rv_policy::automatic,
        "contact forces of the last step, with which the solver starts; a copy [N]");
    bound.def(
        "copy", [](const State& self) { return State(self); },
        "A state of its own, with the warm start: sim.state = saved continues from it, bit by bit.");
    bound.def("__repr__", [](const State& self) {
      return "State(time=" + std::to_string(self.time) + ", nq=" + std::to_string(self.nq) +
             ", nv=" + std::to_string(self.nv) + ")";
    });
  }
  module.def(
      "to_maximal",
      [](const Model& reduced, const Model& maximal, const State& state) {
        return to_maximal(reduced, maximal, state);
      },
      nb::arg("reduced"), nb::arg("maximal"), nb::arg("state"),
      "The state of a model for the model in maximal coordinates that was made from it.");
  {
    using Bound = Control;
    nb::class_<Control> bound(module, "Control", "What acts on a world. All arrays are writable views.");
    STICTION_CONTROL_ARRAYS(STICTION_BIND_WRITABLE_ARRAY)
  }
}

}  // namespace stiction::python
