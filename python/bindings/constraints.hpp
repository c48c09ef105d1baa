// The rows of one step that are not contacts, kept as they were: a snapshot with the model that names their elements.
#pragma once

#include <memory>

#include <stiction/state.hpp>

namespace stiction::python {

struct ConstraintSet {
  std::shared_ptr<const Model> model;
  Constraints constraints;
};

}  // namespace stiction::python
