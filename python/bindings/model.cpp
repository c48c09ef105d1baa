// Model: every size and array of its table as a read-only attribute, look-ups by name, copies with changes.
#include <stiction/model.hpp>

#include <nanobind/stl/shared_ptr.h>

#include "fields.hpp"
#include "module.hpp"

namespace stiction::python {
namespace {

// A copy of the model with some arrays replaced, checked as a whole.
std::shared_ptr<const Model> replace(const Model& model, const nb::kwargs& arrays) {
  auto copy = std::make_shared<Model>(model);
  for (auto [key, value] : arrays) {
    const auto name = nb::cast<std::string>(key);
    bool found = false;
    Model::visit_arrays(*copy, [&, array_value = value](const FieldInfo& field, auto& array) {
      if (name != field.name) return;
      assign(array, array_value, name);
      found = true;
    });
    if (!found) throw Error("a model has no array '" + name + "'; docs/data.md lists them");
  }
  check_model(*copy);
  return copy;
}

std::string repr(const Model& model) {
  return "Model('" + model.name + "', nbody=" + std::to_string(model.nbody) + ", nv=" + std::to_string(model.nv) +
         ", nshape=" + std::to_string(model.nshape) + ")";
}

}  // namespace

void bind_model(nb::module_& module) {
  nb::enum_<JointType>(module, "JointType", nb::is_arithmetic(), "Kind of a joint, as in Model.joint_type.")
      .value("free", JointType::kFree)
      .value("ball", JointType::kBall)
      .value("slide", JointType::kSlide)
      .value("hinge", JointType::kHinge);

  using Bound = Model;
  nb::class_<Model> bound(module, "Model",
                          "The world as it was built, constant during a simulation. Arrays are read-only views; "
                          "element i of body_* belongs to body i, and so on. Units are SI.");
  bound.def_ro("name", &Model::name, "name of the model");
  bound.def_ro("options", &Model::options, "options of the file or the builder; a Simulation can change them");
  STICTION_MODEL_SIZES(STICTION_BIND_SIZE)
  STICTION_MODEL_ARRAYS(STICTION_BIND_ARRAY)
  bound.def("body", &Model::body, nb::arg("name"), "Index of a body; Error with the near names if there is none.");
  bound.def("joint", &Model::joint, nb::arg("name"), "Index of a joint.");
  bound.def("shape", &Model::shape, nb::arg("name"), "Index of a shape.");
  bound.def("site", &Model::site, nb::arg("name"), "Index of a site.");
  bound.def("equality", &Model::equality, nb::arg("name"), "Index of an equality constraint.");
  bound.def("tendon", &Model::tendon, nb::arg("name"), "Index of a tendon.");
  bound.def("sensor", &Model::sensor, nb::arg("name"), "Index of a sensor.");
  bound.def("actuator", &Model::actuator, nb::arg("name"), "Index of an actuator.");
  bound.def("key", &Model::key, nb::arg("name"), "Index of a keyframe.");
  bound.def("replace", &replace, nb::arg("arrays"),
            "A checked copy with some arrays replaced: model.replace(shape_restitution=np.ones(model.nshape)).",
            nb::sig("def replace(self, **arrays: numpy.typing.ArrayLike) -> Model"));
  bound.def("__repr__", &repr);
  module.def(
      "to_maximal", [](const Model& model) { return std::make_shared<const Model>(to_maximal(model)); },
      nb::arg("model"),
      "The same model in maximal coordinates: free bodies, joints as rows of the problem. Free joints come first in "
      "its list of joints; positions and velocities of the others stand behind all others in q and u.");
}

}  // namespace stiction::python
