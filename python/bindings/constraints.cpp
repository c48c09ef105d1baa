// Rows of a step that are not contacts, as arrays with one row each; read-only, kept when the simulation goes on.
#include "constraints.hpp"

#include "fields.hpp"
#include "module.hpp"

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/vector.h>

namespace stiction::python {
namespace {

template <class T>
void bind_rows(nb::class_<ConstraintSet>& bound, const char* name, const std::string& doc,
               std::vector<T> Constraints::*member) {
  const auto get = [member](nb::handle_t<ConstraintSet> self) {
    return view<false>(nb::cast<const ConstraintSet&>(self).constraints.*member, self);
  };
  bound.def_prop_ro(name, get, doc.c_str());
}

std::vector<std::string> names_of(const ConstraintSet& set) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < static_cast<std::size_t>(set.constraints.nconstraint); ++i)
    names.push_back(constraint_name(*set.model, set.constraints.kind[i], set.constraints.element[i]));
  return names;
}

}  // namespace

void bind_constraints(nb::module_& module) {
  nb::class_<ConstraintSet> set(module, "Constraints",
                                "Rows of one step that are not contacts: limits and friction of joints and tendons, "
                                "equalities, servos with a force range, held joints; arrays with one entry per row.");
#define STICTION_BIND_CONSTRAINT(type, name, count, unit, meaning) \
  bind_rows(set, #name, describe_field(unit, meaning).c_str(), &Constraints::name);
  STICTION_CONSTRAINTS_ARRAYS(STICTION_BIND_CONSTRAINT)
#undef STICTION_BIND_CONSTRAINT
  set.def_prop_ro("names", &names_of, "what each row belongs to: \"limit of joint 'knee'\"");
  set.def("__len__", [](const ConstraintSet& self) { return self.constraints.nconstraint; });
}

}  // namespace stiction::python
