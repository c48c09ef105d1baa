// Every struct with a field table comes back from HDF5 bit by bit, whatever numbers and texts it holds: -0.0, the
// smallest and the largest doubles, infinities and NaN included.
#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <random>

#include <stiction/recording.hpp>

#include "io/hdf5_fields.hpp"
#include "io/hdf5_series.hpp"
#include "io/same_bits.hpp"

namespace stiction {
namespace {

using detail::Group;
using Fields = test::FileTest;

// Fills fields of any type with random bits; every tenth double is a special one.
struct Fill {
  std::mt19937_64& random;

  template <class T>
  void operator()(const FieldInfo&, std::vector<T>& array) const {
    for (T& value : array) fill(value);
  }
  template <class T>
  void operator()(const FieldInfo&, T& value) const {
    fill(value);
  }

  template <class T>
  void fill(T& value) const {
    using S = detail::StoredScalar<T>;
    S scalars[FieldTraits<T>::kComponents];
    for (S& s : scalars) scalar(s);
    std::memcpy(static_cast<void*>(&value), scalars, sizeof scalars);
  }
  void fill(std::string& value) const { value = "name é " + std::to_string(random()); }

  void scalar(double& value) const {
    using Limits = std::numeric_limits<double>;
    const double special[] = {-0.0, Limits::denorm_min(), Limits::max(), -Limits::infinity(), Limits::quiet_NaN()};
    value = random() % 10 == 0 ? special[random() % 5] : std::uniform_real_distribution<double>(-1e3, 1e3)(random);
  }
  void scalar(bool& value) const { value = random() % 2 == 0; }
  template <class S>
  void scalar(S& value) const {
    value = S(random());
  }
};

template <class Table>
Table random_table(std::mt19937_64& random) {
  Table table;
  int next = 2;
  Table::visit_sizes(table, [&](const FieldInfo&, int& size) { size = next++ % 7; });
  table.resize();
  Table::visit_arrays(table, Fill{random});
  return table;
}

template <class Table>
void expect_table_round_trip(const std::string& path) {
  std::mt19937_64 random(3);
  const Table written = random_table<Table>(random);
  detail::write_table(Group::create_file(path), written);
  Table read;
  detail::read_table(Group::open_file(path), read);
  test::expect_same_bits(written, read);
}

TEST_F(Fields, model_comes_back_bit_by_bit) {
  expect_table_round_trip<Model>(file("a.h5"));
}
TEST_F(Fields, problem_comes_back_bit_by_bit) {
  expect_table_round_trip<ContactProblem>(file("a.h5"));
}

// Structs whose sizes are plain members.
template <class Table>
void expect_arrays_round_trip(const std::string& path, Table written) {
  std::mt19937_64 random(5);
  written.resize();
  Table::visit_arrays(written, Fill{random});
  Table::visit_arrays(std::as_const(written), detail::WriteArrays{Group::create_file(path)});
  Table read = written;
  Table::visit_arrays(read, [](const FieldInfo&, auto& array) {
    const std::size_t size = array.size();
    array.clear();
    array.resize(size);
  });
  Table::visit_arrays(read, detail::ReadArrays{Group::open_file(path)});
  test::expect_same_bits(written, read);
}

TEST_F(Fields, state_control_contacts_and_solution_come_back_bit_by_bit) {
  State state;
  state.nq = 7, state.nv = 6, state.nwarm = 5;
  expect_arrays_round_trip(file("state.h5"), state);
  Control control;
  control.nactuator = 2, control.nbody = 3, control.nv = 0;
  expect_arrays_round_trip(file("control.h5"), control);
  Contacts contacts;
  contacts.ncontact = 4;
  expect_arrays_round_trip(file("contacts.h5"), contacts);
  Solution solution;
  solution.nv = 6, solution.nrow = 3, solution.nblock = 1;
  expect_arrays_round_trip(file("solution.h5"), solution);
}

template <class Table>
void expect_scalars_round_trip(const std::string& path) {
  std::mt19937_64 random(11);
  Table written, read;
  Table::visit(written, Fill{random});
  Table::visit(std::as_const(written), detail::WriteScalars{Group::create_file(path)});
  Table::visit(read, detail::ReadScalars{Group::open_file(path)});
  test::expect_same_bits(written, read);
}

TEST_F(Fields, options_report_and_certificate_come_back_bit_by_bit) {
  expect_scalars_round_trip<Options>(file("options.h5"));
  expect_scalars_round_trip<StepReport>(file("report.h5"));
  expect_scalars_round_trip<Certificate>(file("certificate.h5"));
}

// Rows cross the borders of chunks (512 numbers, 64 kB of wide rows) and of appends.
TEST_F(Fields, series_come_back_whatever_the_size_of_the_appends) {
  std::mt19937_64 random(17);
  constexpr std::size_t kRows = 5000;
  std::vector<double> numbers(kRows);
  std::vector<Vec3> vectors(kRows);
  const Fill fill{random};
  for (double& x : numbers) fill.fill(x);
  for (Vec3& x : vectors) fill.fill(x);
  {
    const Group root = Group::create_file(file("a.h5"));
    detail::Series number(root, {"number", "1", "n"}, detail::Scalar::kDouble, {});
    detail::Series vector(root, {"vector", "m", "v"}, detail::Scalar::kDouble, {3});
    detail::Series empty(root, {"empty", "m", "e"}, detail::Scalar::kDouble, {0});
    for (std::size_t next = 0; next < kRows;) {
      const std::size_t count = std::min<std::size_t>(random() % 900, kRows - next);
      number.append(&numbers[next], count);
      vector.append(&vectors[next], count);
      empty.append(nullptr, count);
      next += count;
    }
    number.flush();
    vector.flush();
    empty.flush();
  }
  const Group root = Group::open_file(file("a.h5"));
  const detail::SeriesReader number(root, "number", detail::Scalar::kDouble, kRows, {});
  const detail::SeriesReader vector(root, "vector", detail::Scalar::kDouble, kRows, {3});
  const detail::SeriesReader empty(root, "empty", detail::Scalar::kDouble, kRows, {0});
  std::vector<double> numbers_read(kRows);
  std::vector<Vec3> vectors_read(kRows);
  for (std::size_t next = 0; next < kRows;) {
    const std::size_t count = std::min<std::size_t>(1 + random() % 700, kRows - next);
    number.read(next, count, &numbers_read[next]);
    vector.read(next, count, &vectors_read[next]);
    next += count;
  }
  const auto bytes = [](const auto& array) {
    return std::string(reinterpret_cast<const char*>(array.data()), array.size() * sizeof array[0]);
  };
  EXPECT_TRUE(bytes(numbers) == bytes(numbers_read));
  EXPECT_TRUE(bytes(vectors) == bytes(vectors_read));
}

TEST_F(Fields, a_dataset_of_another_shape_or_type_is_refused_by_name) {
  const Group root = Group::create_file(file("a.h5"));
  const std::vector<double> numbers(3, 1.0);
  detail::WriteArrays{root}({"mass", "kg", "m"}, numbers);
  std::vector<double> longer(4);
  const std::string shape = test::error_of([&] { detail::ReadArrays{root}({"mass", "", ""}, longer); });
  EXPECT_NE(shape.find("'/mass' has the shape (3), expected (4)"), std::string::npos) << shape;
  std::vector<int> integers(3);
  const std::string type = test::error_of([&] { detail::ReadArrays{root}({"mass", "", ""}, integers); });
  EXPECT_NE(type.find("'/mass' holds real numbers, expected integers"), std::string::npos) << type;
  std::vector<std::string> texts(3);
  EXPECT_NE(test::error_of([&] { detail::ReadArrays{root}({"mass", "", ""}, texts); }).find("text"), std::string::npos);
}

}  // namespace
}  // namespace stiction
