// Simulation. Steps run with the interpreter's lock released; state and control are views, everything that a step
// writes anew (contacts, report, problem, solution) is given as it was at the time of asking.
#include "simulation.hpp"

#include <chrono>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/variant.h>

#include "constraints.hpp"
#include "contacts.hpp"
#include "fields.hpp"
#include "module.hpp"

namespace stiction::python {
namespace {

constexpr std::chrono::milliseconds kSignalInterval{50};  // how long Ctrl-C may wait

// Raises what a signal handler raised (KeyboardInterrupt).
void check_signals() {
  const nb::gil_scoped_acquire locked;
  if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

StepReport step(World& world, int count) {
  if (count < 1) throw Error("step(n): n is the number of steps, at least 1, not " + std::to_string(count));
  return world.alone([&](Simulation& simulation) {
    auto checked = std::chrono::steady_clock::now();
    for (int i = 0; i < count; ++i) {
      if (!simulation.step().ok()) break;
      if (const auto now = std::chrono::steady_clock::now(); now - checked > kSignalInterval) {
        check_signals();
        checked = now;
      }
    }
    return simulation.report();
  });
}

using BodyName = std::variant<std::string, int>;

Transform body_pose(World& world, const BodyName& body) {
  const int index =
      std::holds_alternative<int>(body) ? std::get<int>(body) : world.model->body(std::get<std::string>(body));
  return world.alone([&](Simulation& simulation) { return simulation.body_pose(index); });
}

void set_state(World& world, const State& state) {
  const State& old = world.simulation.state();
  const auto sizes = [](const State& s) {
    return "nq = " + std::to_string(s.nq) + ", nv = " + std::to_string(s.nv) +
           ", nactivation = " + std::to_string(s.nactivation);
  };
  if (sizes(state) != sizes(old)) throw Error("the state has " + sizes(state) + ", the model " + sizes(old));
  // Vectors of equal length keep their memory, so views of q and u stay views.
  world.alone([&](Simulation& simulation) { simulation.state() = state; });
}

void reset(World& world, const std::optional<std::string>& key) {
  world.alone([&](Simulation& simulation) { key ? simulation.reset(*key) : simulation.reset(); });
}

void bind_transform(nb::module_& module) {
  nb::class_<Transform>(module, "Transform", "Pose of a frame in another.")
      .def_prop_ro(
          "position", [](const Transform& self) { return from_vec3(self.p); }, nb::rv_policy::automatic,
          "origin of the frame [m]")
      .def_prop_ro(
          "quaternion", [](const Transform& self) { return from_quat(self.q); }, nb::rv_policy::automatic,
          "rotation as (w, x, y, z)")
      .def_prop_ro(
          "rotation", [](const Transform& self) { return from_mat3(rotation_matrix(self.q)); },
          nb::rv_policy::automatic, "rotation as a matrix: its columns are the axes of the frame");
}

void bind_views(nb::class_<World>& bound) {
  bound.def_prop_ro(
      "model", [](const World& self) { return self.model; }, "the model");
  bound.def_prop_ro(
      "options", [](const World& self) { return self.simulation.options(); }, "the options in force");
  bound.def_prop_rw(
      "state", [](World& self) -> State& { return self.simulation.state(); }, &set_state,
      nb::rv_policy::reference_internal,
      "time, positions and velocities: views, so writing to sim.state.u[…] acts on the next step");
  bound.def_prop_ro(
      "control", [](World& self) -> Control& { return self.simulation.control(); }, nb::rv_policy::reference_internal,
      "actuator inputs and applied forces, kept until changed: views");
  bound.def_prop_ro(
      "contacts",
      [](World& self) {
        return self.alone([&](Simulation& simulation) {
          return std::make_shared<const ContactSet>(ContactSet{self.model, simulation.contacts()});
        });
      },
      "the contacts of the last step, as they were");
  bound.def_prop_ro(
      "constraints",
      [](World& self) {
        return self.alone([&](Simulation& simulation) {
          return std::make_shared<const ConstraintSet>(ConstraintSet{self.model, simulation.constraints()});
        });
      },
      "the rows of the last step that are not contacts (limits, joint friction, equalities, servos), as they were");
  bound.def_prop_ro(
      "sensor_data",
      [](World& self) { return copy_of(self.alone([](Simulation& simulation) { return simulation.sensor_data(); })); },
      nb::rv_policy::automatic, "all sensors at the current state, in the order of Model.sensor_data; a copy");
  bound.def_prop_ro(
      "passive_force",
      [](World& self) {
        return copy_of(self.alone([](Simulation& simulation) { return simulation.passive_force(); }));
      },
      nb::rv_policy::automatic,
      "force of springs, dampers, fluid and carried weight on each degree of freedom at the current state; a copy");
  bound.def_prop_ro(
      "actuator_joint_force",
      [](World& self) {
        return copy_of(self.alone([](Simulation& simulation) { return simulation.actuator_joint_force(); }));
      },
      nb::rv_policy::automatic,
      "force of actuators on each degree of freedom at the current state and control; a copy");
  bound.def_prop_ro(
      "report", [](World& self) { return self.alone([](Simulation& s) { return s.report(); }); },
      "the report of the last step");
  bound.def_prop_ro(
      "problem", [](World& self) { return self.alone([](Simulation& s) { return s.problem(); }); },
      "a copy of the contact problem of the last step");
  bound.def_prop_ro(
      "solution", [](World& self) { return self.alone([](Simulation& s) { return s.solution(); }); },
      "a copy of the solution of the last step");
}

}  // namespace

void bind_simulation(nb::module_& module) {
  bind_transform(module);
  nb::class_<World> bound(module, "Simulation",
                          "One world in motion. Options are keyword arguments by the names of Options.");
  const std::string signature = "def __init__(self, model: Model, *, " + option_signature() + ") -> None";
  bound.def(
      "__init__",
      [](World* self, std::shared_ptr<const Model> model, const nb::kwargs& options) {
        const Options changed = change_options(model->options, options);
        new (self) World(std::move(model), changed);
      },
      nb::arg("model"), nb::arg("options"), nb::sig(signature.c_str()));
  bound.def("step", &step, nb::arg("n") = 1,
            "Takes n steps and returns the report of the last one; stops early after a step that is not ok. Never "
            "raises for the physics: a bad step sets status bits and keeps the last good state.");
  bound.def("body_pose", &body_pose, nb::arg("body"), "Pose of a body (name or index) in the world.");
  bound.def(
      "sensor",
      [](World& self, const std::string& name) {
        return copy_of(self.alone([&](Simulation& simulation) { return simulation.sensor(name); }));
      },
      nb::arg("name"), nb::rv_policy::automatic,
      "The numbers of a sensor at the current state, a copy; contact forces and accelerations are those of the last "
      "step.");
  bound.def("reset", &reset, nb::arg("key") = nb::none(),
            "Back to the reference configuration at rest, or to a keyframe.");
  bound.def(
      "describe", [](World& self) { return self.alone([](Simulation& s) { return s.describe(); }); },
      "The last step in words: what happened, at which contact, what to do.");
  bind_views(bound);
}

}  // namespace stiction::python
