// From a row of a field table to a dataset and back. An array of Vec3 becomes a dataset (n, 3), an array of numbers
// (n), an array of text (n) of variable-length strings; a scalar field becomes a scalar dataset (a Vec3: (3)).
// Sizes become attributes of the group.
#pragma once

#include <exception>

#include "io/hdf5_group.hpp"

namespace stiction::detail {

template <class T>
using StoredScalar = typename FieldTraits<T>::Scalar;

// Dims of n elements of type T.
template <class T>
Dims element_dims(hsize_t n) {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) == FieldTraits<T>::kComponents * sizeof(StoredScalar<T>),
                "a field must be a flat block of scalars");
  if constexpr (FieldTraits<T>::kComponents == 1)
    return {n};
  else
    return {n, hsize_t(FieldTraits<T>::kComponents)};
}

template <class T>
Dims scalar_dims() {
  if constexpr (FieldTraits<T>::kComponents == 1)
    return {};
  else
    return {hsize_t(FieldTraits<T>::kComponents)};
}

// Visitor of const arrays.
struct WriteArrays {
  const Group& group;
  template <class T>
  void operator()(const FieldInfo& field, const std::vector<T>& array) const {
    group.write(field, scalar_of<StoredScalar<T>>(), element_dims<T>(array.size()), array.data());
  }
  void operator()(const FieldInfo& field, const std::vector<std::string>& array) const {
    group.write(field, {array.size()}, array);
  }
};

// Visitor of arrays that already have the length that the sizes ask for: the dataset must have the same.
struct ReadArrays {
  const Group& group;
  template <class T>
  void operator()(const FieldInfo& field, std::vector<T>& array) const {
    group.read(field.name, scalar_of<StoredScalar<T>>(), element_dims<T>(array.size()), array.data());
  }
  void operator()(const FieldInfo& field, std::vector<std::string>& array) const {
    group.read(field.name, {array.size()}, array);
  }
};

// Visitor of scalar fields.
struct WriteScalars {
  const Group& group;
  template <class T>
  void operator()(const FieldInfo& field, const T& value) const {
    group.write(field, scalar_of<StoredScalar<T>>(), scalar_dims<T>(), &value);
  }
  void operator()(const FieldInfo& field, const std::string& value) const { group.write(field, {}, {&value, 1}); }
};

struct ReadScalars {
  const Group& group;
  template <class T>
  void operator()(const FieldInfo& field, T& value) const {
    group.read(field.name, scalar_of<StoredScalar<T>>(), scalar_dims<T>(), &value);
  }
  void operator()(const FieldInfo& field, std::string& value) const { group.read(field.name, {}, {&value, 1}); }
};

// Visitor of sizes.
struct WriteSizes {
  const Group& group;
  void operator()(const FieldInfo& field, const int& value) const {
    group.write_attribute(field.name, std::int64_t(value));
  }
};

struct ReadSizes {
  const Group& group;
  void operator()(const FieldInfo& field, int& value) const {
    const std::int64_t stored = group.read_integer_attribute(field.name);
    if (stored < 0 || stored > INT32_MAX) group.fail("@" + std::string(field.name), "is not a size");
    value = int(stored);
  }
};

// A struct with sizes and arrays: Model, ContactProblem.
template <class Table>
void write_table(const Group& group, const Table& table) {
  Table::visit_sizes(table, WriteSizes{group});
  Table::visit_arrays(table, WriteArrays{group});
}

template <class Table>
void read_table(const Group& group, Table& table) {
  Table::visit_sizes(table, ReadSizes{group});
  try {
    table.resize();
  } catch (const std::exception&) {  // sizes that no memory holds
    group.fail("", "has sizes that cannot be: the file is damaged");
  }
  Table::visit_arrays(table, ReadArrays{group});
}

}  // namespace stiction::detail
