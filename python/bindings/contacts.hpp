// The contacts of one step, kept as they were: a snapshot with the model that names their bodies.
#pragma once

#include <memory>

#include <stiction/state.hpp>

namespace stiction::python {

struct ContactSet {
  std::shared_ptr<const Model> model;
  Contacts contacts;
};

}  // namespace stiction::python
