// NumPy arrays on the memory of the tables' vectors, and the way back: from what a user assigns into a vector.
#pragma once

#include <array>
#include <string>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <stiction/error.hpp>
#include <stiction/field.hpp>

namespace stiction::python {

namespace nb = nanobind;

// Anything that numpy.asarray takes.
class ArrayLike : public nb::object {
  static bool any(PyObject*) { return true; }

 public:
  NB_OBJECT_DEFAULT(ArrayLike, nb::object, "numpy.typing.ArrayLike", any)
};

// The doc string of a field: its meaning, and its unit where it has one.
inline std::string describe_field(const std::string& unit, const std::string& meaning) {
  return unit.empty() || unit == "1" ? meaning : meaning + " [" + unit + "]";
}

// A field as an attribute: Python reserves the word lambda and writes such names with an underscore.
inline std::string attribute_name(const std::string& field) {
  return field == "lambda" ? "lambda_" : field;
}

// One element per row: (n) for scalars and enumerations, (n, 3) for Vec3, (n, 6) for Spatial …
template <class T, bool writable>
struct ViewOf {
  using Traits = FieldTraits<T>;
  using Plain = typename Traits::Scalar;
  using Scalar = std::conditional_t<writable, Plain, const Plain>;
  using Type = std::conditional_t<Traits::kComponents == 1, nb::ndarray<nb::numpy, Scalar, nb::ndim<1>>,
                                  nb::ndarray<nb::numpy, Scalar, nb::shape<-1, Traits::kComponents>>>;
};

// A view without a copy; it keeps `owner`, the Python object that holds the vector, alive.
template <bool writable, class Vector>
auto view(Vector& vector, nb::handle owner) {
  using T = typename std::remove_const_t<Vector>::value_type;
  using View = ViewOf<T, writable>;
  static_assert(sizeof(T) == sizeof(typename View::Plain) * View::Traits::kComponents);
  const std::size_t shape[2] = {vector.size(), View::Traits::kComponents};
  return typename View::Type(vector.data(), View::Traits::kComponents == 1 ? 1 : 2, shape, owner);
}

// One element of a vector: a number, or a view of its components.
template <class T>
auto view_element(const std::vector<T>& vector, std::size_t i, nb::handle owner) {
  using Traits = FieldTraits<T>;
  if constexpr (Traits::kComponents == 1) {
    return static_cast<typename Traits::Scalar>(vector[i]);
  } else {
    const std::size_t shape[1] = {Traits::kComponents};
    return nb::ndarray<nb::numpy, const double, nb::shape<Traits::kComponents>>(&vector[i], 1, shape, owner);
  }
}

// value as a contiguous array of the wanted scalar and shape; Error with the name of the field otherwise.
nb::object to_array(nb::handle value, const char* scalar, const std::vector<std::size_t>& shape,
                    const std::string& name);

template <class Scalar>
constexpr const char* numpy_name() {
  if constexpr (std::is_same_v<Scalar, double>)
    return "float64";
  else if constexpr (std::is_same_v<Scalar, std::uint64_t>)
    return "uint64";
  else
    return "int32";
}

// Copies a value of the same shape into the vector; the memory stays where it is.
template <class T>
void assign(std::vector<T>& target, nb::handle value, const std::string& name) {
  using Traits = FieldTraits<T>;
  using Scalar = typename Traits::Scalar;
  std::vector<std::size_t> shape{target.size()};
  if (Traits::kComponents > 1) shape.push_back(Traits::kComponents);
  const nb::object array = to_array(value, numpy_name<Scalar>(), shape, name);
  const auto source = nb::cast<nb::ndarray<const Scalar, nb::c_contig, nb::device::cpu>>(array);
  if (target.empty()) return;
  std::memmove(static_cast<void*>(target.data()), source.data(), target.size() * sizeof(T));
}
void assign(std::vector<std::string>& target, nb::handle value, const std::string& name);

// Three numbers (a vector) or four (a quaternion w x y z, normalised here); Error with the argument's name otherwise.
Vec3 to_vec3(nb::handle value, const char* name);
Quat to_quat(nb::handle value, const char* name);

// Small values as arrays of their own.
using Array3 = nb::ndarray<nb::numpy, double, nb::shape<3>>;
using Array4 = nb::ndarray<nb::numpy, double, nb::shape<4>>;
using Array33 = nb::ndarray<nb::numpy, double, nb::shape<3, 3>>;
// An array of its own with the values as they are now.
template <class T>
auto copy_of(const std::vector<T>& values) {
  auto* copy = new std::vector<T>(values);
  nb::capsule owner(copy, [](void* data) noexcept { delete static_cast<std::vector<T>*>(data); });
  return view<true>(*copy, owner);
}

Array3 from_vec3(const Vec3& v);
// Where a change would have no effect: NumPy refuses it.
using ConstantArray3 = nb::ndarray<nb::numpy, const double, nb::shape<3>>;
ConstantArray3 constant_vec3(const Vec3& v);
Array4 from_quat(const Quat& q);
Array33 from_mat3(const Mat3& m);

}  // namespace stiction::python
