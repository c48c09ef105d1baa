// Options: read as attributes, set as keyword arguments through the library's own parser, so that the names, the
// ranges and the words of an error are the same in C++, on the command line and here.
#include "fields.hpp"
#include "module.hpp"

namespace stiction::python {
namespace {

std::string to_text(nb::handle value) {
  const auto text = [](nb::handle item) { return nb::cast<std::string>(nb::str(item)); };
  if (nb::isinstance<nb::str>(value)) return text(value);
  // Vectors: the numbers with spaces between them.
  if (PySequence_Check(value.ptr()) != 0) {
    std::string line;
    for (nb::handle item : value) line += (line.empty() ? "" : " ") + text(item);
    return line;
  }
  std::string word = text(value);  // str() of a float reads back to the same bits
  if (word == "True") return "true";
  if (word == "False") return "false";
  return word;
}

const char* python_type(double) {
  return "float";
}
const char* python_type(int) {
  return "int";
}
const char* python_type(bool) {
  return "bool";
}
const char* python_type(const std::string&) {
  return "str";
}
const char* python_type(const Vec3&) {
  return "numpy.typing.ArrayLike";
}

// Typed, so that the stub file says what each attribute is.
template <class T>
auto option_value(const T& value) {
  if constexpr (std::is_same_v<T, Vec3>)
    return constant_vec3(value);
  else
    return value;
}

}  // namespace

Options change_options(Options options, const nb::kwargs& changes) {
  for (auto [name, value] : changes) set_option(options, nb::cast<std::string>(name), to_text(value));
  return options;
}

std::string option_signature() {
  std::string text;
  const Options defaults;
  Options::visit(defaults, [&](const FieldInfo& field, const auto& value) {
    text += (text.empty() ? "" : ", ") + std::string(field.name) + ": " + python_type(value) + " = ...";
  });
  return text;
}

void bind_options(nb::module_& module) {
  using Bound = Options;
  nb::class_<Options> bound(module, "Options",
                            "What a simulation was told: read here, set as keyword arguments of Simulation.");
#define STICTION_BIND_OPTION(type, name, initial, unit, meaning)                                  \
  bound.def_prop_ro(                                                                              \
      #name, [](const Bound& self) { return option_value(self.name); }, nb::rv_policy::automatic, \
      describe_field(unit, meaning).c_str());
  STICTION_OPTIONS(STICTION_BIND_OPTION)
#undef STICTION_BIND_OPTION
  bound.def("as_dict", &as_dict<Options>, "The options as a dictionary.");
  bound.def("__repr__", [](const Options& self) { return repr_of("Options", self); });
}

}  // namespace stiction::python
