// Prints docs/data.md from the field tables, or checks that a page is what it would print:
//   print_tables > docs/data.md
//   print_tables --check docs/data.md
#include <fmt/format.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

#include <stiction/simulation.hpp>

namespace {

using stiction::FieldTraits;

std::string page;

void say(const std::string& text) {
  page += text + "\n";
}

template <class Scalar>
std::string scalar_name() {
  if constexpr (std::is_same_v<Scalar, double>)
    return "double";
  else if constexpr (std::is_same_v<Scalar, std::string>)
    return "text";
  else if constexpr (std::is_same_v<Scalar, bool>)
    return "bool";
  else
    return fmt::format("{}int{}", std::is_unsigned_v<Scalar> ? "u" : "", 8 * sizeof(Scalar));
}

// "(nbody, 3) double"
template <class T>
std::string shape(const std::string& count) {
  constexpr int components = FieldTraits<T>::kComponents;
  std::string dims = count;
  if (components > 1) dims += fmt::format("{}{}", count.empty() ? "" : ", ", components);
  return (dims.empty() ? "" : "(" + dims + ") ") + scalar_name<typename FieldTraits<T>::Scalar>();
}

template <class T>
void row(const std::string& name, const std::string& count, const std::string& unit, const std::string& meaning) {
  say(fmt::format("| `{}` | {} | {} | {} |", name, shape<T>(count), unit, meaning));
}

void heading(const std::string& title, const std::string& text) {
  say("\n## " + title + "\n" + text);
}

void table_head() {
  say("\n| name | shape and type | unit | meaning |\n| --- | --- | --- | --- |");
}
void size_head() {
  say("\n| size | meaning |\n| --- | --- |");
}

using stiction::ActuatorBias;
using stiction::ActuatorDynamics;
using stiction::ActuatorGain;
using stiction::ActuatorTarget;
using stiction::Colour;
using stiction::ConstraintKind;
using stiction::EqualityType;
using stiction::JointType;
using stiction::Law;
using stiction::Mat3;
using stiction::PairFriction;
using stiction::Parameters;
using stiction::Polynomial;
using stiction::Quat;
using stiction::SensorObject;
using stiction::SensorType;
using stiction::ShapeType;
using stiction::Spatial;
using stiction::TendonType;
using stiction::Transform;
using stiction::Vec3;
using stiction::WrapType;

#define ARRAY_ROW(type, name, count, unit, meaning) row<type>(#name, #count, unit, meaning);
#define SCALAR_ROW(type, name, initial, unit, meaning) row<type>(#name, "", unit, meaning);
#define SIZE_ROW(name, meaning) say(fmt::format("| `{}` | {} |", #name, meaning));

void print_page() {
  page =
      "# Data\n\n"
      "Every array and number of Stiction with its shape, unit and meaning. This page is printed from the tables that\n"
      "declare them (`build/release/print_tables > docs/data.md`); a test checks that it is current. In HDF5 files "
      "and\n"
      "in Python the names, shapes and types are the same. Vectors are (x, y, z), quaternions (w, x, y, z), poses\n"
      "(x, y, z, w, x, y, z), spatial vectors (angular x, y, z, linear x, y, z), matrices row by row, colours (red,\n"
      "green, blue, alpha).\n";
  heading("Options", "`Options`: what a user can set, by the same names in C++, `--set name=value` and Python.");
  table_head();
  STICTION_OPTIONS(SCALAR_ROW)
  heading("Model", "`Model`: the world as it was built, constant during a simulation.");
  size_head();
  STICTION_MODEL_SIZES(SIZE_ROW)
  table_head();
  STICTION_MODEL_ARRAYS(ARRAY_ROW)
  heading("State", "`State`: what a step changes; also `time` [s] and the number of `steps` taken.");
  table_head();
  STICTION_STATE_ARRAYS(ARRAY_ROW)
  heading("Control", "`Control`: what acts on the world, set between steps.");
  table_head();
  STICTION_CONTROL_ARRAYS(ARRAY_ROW)
  heading("Contacts", "`Contacts`: the contacts of the last step. The normal points from A to B.");
  table_head();
  STICTION_CONTACTS_ARRAYS(ARRAY_ROW)
  heading(
      "Constraints",
      "`Constraints`: the rows of the last step that are not contacts; limits only where they are near or reached.");
  table_head();
  STICTION_CONSTRAINTS_ARRAYS(ARRAY_ROW)
  heading("StepReport", "`StepReport`: what a step says about itself, beside its certificate.");
  table_head();
  STICTION_REPORT(SCALAR_ROW)
  heading("Certificate", "`Certificate`: how far a step is from each law; see [theory.md](theory.md).");
  table_head();
  STICTION_CERTIFICATE(SCALAR_ROW)
  heading("ContactProblem",
          "`ContactProblem`: the problem that a solver gets; also `timestep` [s] and `velocity_floor` [m/s].");
  size_head();
  STICTION_PROBLEM_SIZES(SIZE_ROW)
  table_head();
  STICTION_PROBLEM_ARRAYS(ARRAY_ROW)
  heading("Solution", "`Solution`: what a solver gives back.");
  table_head();
  STICTION_SOLUTION_ARRAYS(ARRAY_ROW)
}

int check(const char* path) {
  std::ifstream file(path);
  const std::string stored{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (stored == page) return 0;
  fmt::print(stderr, "{} is not what the tables say: run print_tables > {}\n", path, path);
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  print_page();
  if (argc == 3 && std::string(argv[1]) == "--check") return check(argv[2]);
  if (argc != 1) {
    fmt::print(stderr, "usage: print_tables [--check FILE]\n");
    return 2;
  }
  fmt::print("{}", page);
  return 0;
}
