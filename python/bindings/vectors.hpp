// Vectors of numbers in and arrays out, for functions that are called with both.
#pragma once

#include <memory>
#include <span>

#include "arrays.hpp"

namespace stiction::python {

using Vector = nb::ndarray<nb::numpy, double, nb::ndim<1>>;
using Matrix = nb::ndarray<nb::numpy, double, nb::ndim<2>>;

// A user's vector of `count` numbers; Error with its name otherwise.
class Input {
 public:
  Input(const ArrayLike& value, int count, const char* name)
      : array_(nb::cast<Contiguous>(to_array(value, "float64", {std::size_t(count)}, name))) {}
  operator std::span<const double>() const { return {array_.data(), array_.size()}; }

 private:
  using Contiguous = nb::ndarray<const double, nb::c_contig, nb::device::cpu>;
  Contiguous array_;
};

// A user's array of that shape, row by row; Error with its name otherwise.
inline std::vector<double> to_vector(const ArrayLike& value, const std::vector<std::size_t>& shape, const char* name) {
  const auto array =
      nb::cast<nb::ndarray<const double, nb::c_contig, nb::device::cpu>>(to_array(value, "float64", shape, name));
  return {array.data(), array.data() + array.size()};
}
// How many numbers it holds.
inline std::size_t size_of(const ArrayLike& value) {
  const nb::object array = nb::module_::import_("numpy").attr("asarray")(value, nb::arg("dtype") = "float64");
  return std::size_t(nb::cast<Py_ssize_t>(array.attr("size")));
}

// Hands memory of its own to NumPy, filled by `fill`.
template <class Array, class Fill>
Array filled(const std::vector<std::size_t>& shape, Fill fill) {
  std::size_t size = 1;
  for (const std::size_t n : shape) size *= n;
  auto memory = std::make_unique<double[]>(size);
  fill(std::span<double>(memory.get(), size));
  double* data = memory.release();
  const nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<double*>(p); });
  return Array(data, shape.size(), shape.data(), owner);
}

}  // namespace stiction::python
