// Recordings: a context manager that writes, and a reader.
#include <stiction/recording.hpp>

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/shared_ptr.h>

#include "contacts.hpp"
#include "fields.hpp"
#include "module.hpp"
#include "simulation.hpp"

namespace stiction::python {
namespace {

// The recorder of one world; empty once it is closed.
struct WorldRecorder {
  WorldRecorder(const std::filesystem::path& path, World& recorded) : world(recorded) {
    world.alone(
        [&](const Simulation& simulation) { recorder = std::make_unique<Recorder>(path.string(), simulation); });
  }

  void add() {
    require_open();
    world.alone([&](const Simulation& simulation) { recorder->add(simulation); });
  }
  void finish() {
    require_open();
    recorder->finish();
    recorder.reset();
  }
  // A block that ends with an exception leaves a recording that is marked as truncated.
  void exit(nb::handle type) {
    if (recorder != nullptr && type.is_none()) finish();
    recorder.reset();
  }

  World& world;
  std::unique_ptr<Recorder> recorder;

 private:
  void require_open() const {
    if (recorder == nullptr) throw Error("the recording is closed");
  }
};

int require_step(const Recording& recording, int step) {
  if (step < 0 || step > recording.steps())
    throw Error("the recording has the steps 0 to " + std::to_string(recording.steps()) + ", not " +
                std::to_string(step));
  return step;
}

}  // namespace

void bind_recording(nb::module_& module) {
  nb::class_<WorldRecorder>(module, "Recorder",
                            "Writes a simulation to an HDF5 file: `with Recorder(path, sim) as recorder:`, then "
                            "recorder.add() after each step.")
      .def(nb::init<const std::filesystem::path&, World&>(), nb::arg("path"), nb::arg("simulation"),
           nb::keep_alive<1, 3>())
      .def("add", &WorldRecorder::add, "Stores the state, the contacts and the report of the last step.")
      .def("finish", &WorldRecorder::finish, "Writes what is left, marks the file as complete and closes it.")
      .def(
          "__enter__", [](nb::handle_t<WorldRecorder> self) { return nb::borrow(self); },
          nb::sig("def __enter__(self) -> Recorder"))
      .def(
          "__exit__", [](WorldRecorder& self, nb::handle type, nb::handle, nb::handle) { self.exit(type); },
          nb::arg("type").none(), nb::arg("value").none(), nb::arg("traceback").none());

  nb::class_<Recording>(module, "Recording", "A recording read back. Step 0 is the state before the first step.")
      .def(
          "__init__", [](Recording* self, const std::filesystem::path& path) { new (self) Recording(path.string()); },
          nb::arg("path"))
      .def_prop_ro("model", &Recording::model, "the model")
      .def_prop_ro("options", &Recording::options, "the options of the run")
      .def_prop_ro("steps", &Recording::steps, "number of steps")
      .def_prop_ro("version", &Recording::version, "version of Stiction that wrote it")
      .def(
          "state", [](const Recording& self, int step) { return self.state(require_step(self, step)); },
          nb::arg("step"), "State after a step.")
      .def(
          "control", [](const Recording& self, int step) { return self.control(require_step(self, step)); },
          nb::arg("step"), "Control that held during a step.")
      .def(
          "contacts",
          [](const Recording& self, int step) {
            return std::make_shared<const ContactSet>(
                ContactSet{self.model(), self.contacts(require_step(self, step))});
          },
          nb::arg("step"), "Contacts of a step.")
      .def(
          "report", [](const Recording& self, int step) { return self.report(require_step(self, step)); },
          nb::arg("step"), "Report of a step.")
      .def("__len__", &Recording::steps);
}

}  // namespace stiction::python
