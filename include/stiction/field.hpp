// How the tables of arrays work. Each struct of data (Model, State, Control, Contacts, ContactProblem, Certificate …)
// names its fields once, in one table macro with a row X(type, name, count, unit, meaning) each. From that row derive
// the member itself, its allocation, saving to HDF5, comparison, the NumPy view and the line in docs/data.md.
//
// An array of Vec3 is one flat block of 3·count doubles: FieldTraits says which scalar and how many per element.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "math/quat.hpp"
#include "math/spatial.hpp"

namespace stiction {

// What a table says about one field.
struct FieldInfo {
  const char* name;
  const char* unit;
  const char* meaning;
};

// A colour for pictures: red, green, blue, alpha in [0, 1].
struct Colour {
  double red = 0.5, green = 0.5, blue = 0.5, alpha = 1;
};

// The ten parameters of an actuator's dynamics, gain or bias; the five coefficients of a polynomial; the five of
// friction (two of sliding, torsion, two of rolling).
using Parameters = std::array<double, 10>;
using Polynomial = std::array<double, 5>;
using PairFriction = std::array<double, 5>;

// Scalar type and number of scalars per element.
template <class T>
struct FieldTraits {
  using Scalar = T;
  static constexpr int kComponents = 1;
};
template <>
struct FieldTraits<Vec3> {
  using Scalar = double;
  static constexpr int kComponents = 3;
};
template <>
struct FieldTraits<Quat> {
  using Scalar = double;
  static constexpr int kComponents = 4;
};
template <>
struct FieldTraits<Colour> {
  using Scalar = double;
  static constexpr int kComponents = 4;
};
template <>
struct FieldTraits<Transform> {
  using Scalar = double;
  static constexpr int kComponents = 7;
};
template <>
struct FieldTraits<Mat3> {
  using Scalar = double;
  static constexpr int kComponents = 9;
};
template <>
struct FieldTraits<Spatial> {
  using Scalar = double;
  static constexpr int kComponents = 6;
};
template <std::size_t n>
struct FieldTraits<std::array<double, n>> {
  using Scalar = double;
  static constexpr int kComponents = n;
};

// Enumerations are stored as 32-bit integers.
template <class T>
requires std::is_enum_v<T>
struct FieldTraits<T> {
  using Scalar = std::int32_t;
  static constexpr int kComponents = 1;
};

// Rows of a table become members …
#define STICTION_DECLARE_ARRAY(type, name, count, unit, meaning) std::vector<type> name;
#define STICTION_DECLARE_SCALAR(type, name, initial, unit, meaning) type name = initial;
#define STICTION_DECLARE_SIZE(name, meaning) int name = 0;
// … lines of allocation (never shrinks the capacity, so a warmed-up struct does not touch the heap) …
#define STICTION_RESIZE_ARRAY(type, name, count, unit, meaning) name.resize(static_cast<std::size_t>(count));
// … and calls of a visitor: f(FieldInfo, member) for scalars and sizes, f(FieldInfo, array) for arrays.
#define STICTION_VISIT_FIELD(type, name, count, unit, meaning) visitor(FieldInfo{#name, unit, meaning}, self.name);
#define STICTION_VISIT_SIZE(name, meaning) visitor(FieldInfo{#name, "1", meaning}, self.name);

}  // namespace stiction
