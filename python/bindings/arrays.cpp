#include "arrays.hpp"

#include <cmath>
#include <string_view>

namespace stiction::python {
namespace {

// A new array that owns a copy of the numbers.
template <class Array, std::size_t count>
Array owned(const double* values, std::initializer_list<std::size_t> shape) {
  auto* copy = new double[count];
  std::copy(values, values + count, copy);
  nb::capsule owner(copy, [](void* data) noexcept { delete[] static_cast<double*>(data); });
  return Array(copy, shape.size(), shape.begin(), owner);
}

std::string text_of(nb::handle value) {
  return nb::cast<std::string>(nb::str(value));
}

template <std::size_t count>
std::array<double, count> numbers(nb::handle value, const char* name) {
  const nb::object array = to_array(value, "float64", {count}, name);
  const auto source = nb::cast<nb::ndarray<const double, nb::c_contig, nb::device::cpu>>(array);
  std::array<double, count> result;
  std::copy(source.data(), source.data() + count, result.begin());
  return result;
}

// Whole numbers that the scalar cannot hold would wrap round without a word.
void require_same(const nb::module_& numpy, const nb::object& given, const nb::object& taken, const char* scalar,
                  const std::string& name) {
  const nb::object differ = numpy.attr("argwhere")(numpy.attr("not_equal")(given, taken));
  if (nb::len(differ) == 0) return;
  const nb::list indices(differ[0].attr("tolist")());
  const nb::tuple at(indices);
  const nb::object number = given[at];
  throw Error(name + ": entry " + text_of(at) + " is " + text_of(number) + ", which " + scalar + " cannot hold");
}

}  // namespace

nb::object to_array(nb::handle value, const char* scalar, const std::vector<std::size_t>& shape,
                    const std::string& name) {
  const nb::module_ numpy = nb::module_::import_("numpy");
  nb::object given, array;
  try {
    given = numpy.attr("asarray")(value);
    // Whole numbers become floating-point ones, not the other way round.
    array =
        given.attr("astype")(scalar, nb::arg("order") = "C", nb::arg("casting") = "same_kind", nb::arg("copy") = false);
  } catch (nb::python_error& error) {
    throw Error(name + ": not an array of " + scalar + ": " + nb::cast<std::string>(nb::str(error.value())));
  }
  if (scalar != std::string_view("float64")) require_same(numpy, given, array, scalar, name);
  nb::list wanted;
  for (std::size_t n : shape) wanted.append(n);
  const nb::tuple wanted_shape(wanted);
  if (!array.attr("shape").equal(wanted_shape))
    throw Error(name + " must have the shape " + text_of(wanted_shape) + ", not " + text_of(array.attr("shape")));
  return array;
}

void assign(std::vector<std::string>& target, nb::handle value, const std::string& name) {
  std::vector<std::string> names;
  if (!nb::try_cast(value, names) || names.size() != target.size())
    throw Error(name + " is a sequence of " + std::to_string(target.size()) + " strings");
  target = std::move(names);
}

Vec3 to_vec3(nb::handle value, const char* name) {
  const auto v = numbers<3>(value, name);
  return {v[0], v[1], v[2]};
}

Quat to_quat(nb::handle value, const char* name) {
  const auto v = numbers<4>(value, name);
  const double length = std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2] + v[3] * v[3]);
  if (!(length > 0) || !std::isfinite(length))
    throw Error(std::string(name) + " is a quaternion (w, x, y, z): finite and not zero");
  return {v[0] / length, v[1] / length, v[2] / length, v[3] / length};
}

Array3 from_vec3(const Vec3& v) {
  const double values[3] = {v.x, v.y, v.z};
  return owned<Array3, 3>(values, {3});
}
ConstantArray3 constant_vec3(const Vec3& v) {
  const double values[3] = {v.x, v.y, v.z};
  return owned<ConstantArray3, 3>(values, {3});
}
Array4 from_quat(const Quat& q) {
  const double values[4] = {q.w, q.x, q.y, q.z};
  return owned<Array4, 4>(values, {4});
}
Array33 from_mat3(const Mat3& m) {
  double values[9];
  for (int i = 0; i < 9; ++i) values[i] = m.row[i / 3][i % 3];
  return owned<Array33, 9>(values, {3, 3});
}

}  // namespace stiction::python
