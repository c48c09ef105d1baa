// A simulation with a lock: a step runs without the interpreter's lock, so two Python threads can meet here.
#pragma once

#include <mutex>

#include <nanobind/nanobind.h>

#include <stiction/simulation.hpp>

namespace stiction::python {

struct World {
  World(std::shared_ptr<const Model> world_model, const Options& options)
      : model(std::move(world_model)), simulation(model, options) {}

  std::shared_ptr<const Model> model;
  Simulation simulation;
  std::mutex mutex;

  // Calls f(simulation) alone and without the interpreter's lock. Nobody waits for the mutex while holding the
  // interpreter's lock, so f may take that lock for a moment.
  template <class F>
  auto alone(F f) {
    const nanobind::gil_scoped_release unlocked;
    const std::lock_guard<std::mutex> lock(mutex);
    return f(simulation);
  }
};

}  // namespace stiction::python
