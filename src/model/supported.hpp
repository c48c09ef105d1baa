// What a Model can hold and step cannot simulate yet. One list for the loader's report and the Simulation.
#pragma once

#include <stiction/model.hpp>

#include "model/features.hpp"

namespace stiction {

namespace detail {

enum class ElementKind { kBody, kJoint, kShape, kPair, kEquality, kTendon, kActuator };

struct Unsupported {
  Feature feature;
  ElementKind kind;
  int index;
};

std::vector<Unsupported> find_unsupported(const Model& model);

// Can the shape touch anything: by an explicit pair, or by its contact bits against those of all other shapes?
std::vector<bool> shapes_that_collide(const Model& model);

}  // namespace detail

// One line per thing that step would get wrong, with the elements concerned; empty if step can simulate the model.
std::vector<std::string> unsupported_by_step(const Model& model);

}  // namespace stiction
