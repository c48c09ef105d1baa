// Attributes from the tables: one row of a table becomes one property, with its meaning and unit as doc string.
#pragma once

#include <cctype>

#include "arrays.hpp"

namespace stiction::python {

// A scalar of a table as a Python value.
inline nb::object to_python(const Vec3& value) {
  return nb::cast(from_vec3(value));
}
template <class T>
nb::object to_python(const T& value) {
  return nb::cast(value);
}

// {name: value} of a struct whose rows are scalars.
template <class Struct>
nb::dict as_dict(const Struct& self) {
  nb::dict result;
  Struct::visit(self, [&](const FieldInfo& field, const auto& value) { result[field.name] = to_python(value); });
  return result;
}

// "Certificate(momentum=1e-12, …)".
template <class Struct>
std::string repr_of(const char* name, const Struct& self) {
  std::string text = std::string(name) + "(";
  const char* separator = "";
  Struct::visit(self, [&](const FieldInfo& field, const auto& value) {
    text += separator + std::string(field.name) + "=" + nb::cast<std::string>(nb::repr(to_python(value)));
    separator = ", ";
  });
  return text + ")";
}

inline bool is_number(const std::string& factor) {
  return std::isdigit(static_cast<unsigned char>(factor.front())) != 0;
}

// Value of one of the sizes of a struct, or of a number.
template <class Struct>
std::size_t size_named(const Struct& self, const std::string& wanted) {
  if (is_number(wanted)) return std::stoul(wanted);
  int value = 0;
  Struct::visit_sizes(self, [&](const FieldInfo& field, int size) {
    if (wanted == field.name) value = size;
  });
  return static_cast<std::size_t>(value);
}

// "nkey* nq" → {"nkey", "nq"}; "nbody" → {"nbody"}; "3 * nmeshtriangle" → {"nmeshtriangle", "3"}: three for each one.
inline std::vector<std::string> factors(const char* count) {
  std::vector<std::string> result(1);
  for (const char* c = count; *c != '\0'; ++c) {
    if (*c == '*')
      result.emplace_back();
    else if (std::isspace(static_cast<unsigned char>(*c)) == 0)
      result.back() += *c;
  }
  if (is_number(result.front())) std::swap(result.front(), result.back());
  return result;
}

// A read-only property for one array of a table; an array of nkey·nq elements has two indices.
template <class Struct, class T>
void bind_array(nb::class_<Struct>& bound, const char* name, const char* count, const std::string& doc,
                std::vector<T> Struct::*member) {
  using Self = nb::handle_t<Struct>;
  if constexpr (std::is_same_v<T, std::string>) {
    bound.def_prop_ro(
        name, [member](const Struct& self) { return self.*member; }, doc.c_str());
  } else if (const auto sizes = factors(count); sizes.size() == 1) {
    bound.def_prop_ro(
        name, [member](Self self) { return view<false>(nb::cast<const Struct&>(self).*member, self); }, doc.c_str());
  } else {
    constexpr std::size_t components = FieldTraits<T>::kComponents, dims = components == 1 ? 2 : 3;
    const auto get = [member, sizes](Self self) {
      const auto& model = nb::cast<const Struct&>(self);
      const std::size_t shape[3] = {size_named(model, sizes[0]), size_named(model, sizes[1]), components};
      using Scalar = typename FieldTraits<T>::Scalar;
      const auto* data = reinterpret_cast<const Scalar*>((model.*member).data());
      return nb::ndarray<nb::numpy, const Scalar, nb::ndim<dims>>(data, dims, shape, self);
    };
    bound.def_prop_ro(name, get, doc.c_str());
  }
}

// A property that is a writable view; assigning to it copies the values into the same memory.
template <class Struct, class T>
void bind_writable_array(nb::class_<Struct>& bound, const char* name, const std::string& doc,
                         std::vector<T> Struct::*member) {
  using Self = nb::handle_t<Struct>;
  const auto get = [member](Self self) { return view<true>(nb::cast<Struct&>(self).*member, self); };
  const auto set = [member, label = std::string(name)](Struct& self, ArrayLike value) {
    assign(self.*member, value, label);
  };
  bound.def_prop_rw(attribute_name(name).c_str(), get, set, doc.c_str());
}

// Rows of the tables; `Bound` and `bound` are the struct and its nb::class_ at the place of use.
#define STICTION_BIND_SCALAR(type, name, initial, unit, meaning) \
  bound.def_ro(#name, &Bound::name, describe_field(unit, meaning).c_str());
#define STICTION_BIND_SIZE(name, meaning) bound.def_ro(#name, &Bound::name, meaning);
#define STICTION_BIND_ARRAY(type, name, count, unit, meaning) \
  bind_array(bound, #name, #count, describe_field(unit, meaning), &Bound::name);
#define STICTION_BIND_WRITABLE_ARRAY(type, name, count, unit, meaning) \
  bind_writable_array(bound, #name, describe_field(unit, meaning), &Bound::name);

}  // namespace stiction::python
