// Datasets that grow by a row at a time: one row per step or per contact. Rows are gathered in memory and written one
// whole chunk after the other, so that recording costs little more than a copy. Integers are compressed (shuffle and
// gzip level 1: to about 2 % at 190 MB/s measured); real numbers are not, since gzip takes off only 10 to 25 % of them
// at 25 MB/s.
#pragma once

#include "io/hdf5_fields.hpp"

namespace stiction::detail {

class Series {
 public:
  // A row has these dims; none: a row is a scalar. A dim may be zero.
  Series(const Group& group, const FieldInfo& field, Scalar scalar, const Dims& row);

  void append(const void* rows, std::size_t count = 1);
  void flush();

 private:
  void write(const char* rows, hsize_t count);

  Group group_;
  std::string name_;
  Handle dataset_, type_;
  Dims row_;
  std::size_t row_bytes_ = 0;
  hsize_t chunk_rows_ = 1, written_ = 0;
  std::vector<char> buffer_;
};

class SeriesReader {
 public:
  // The dataset must have this many rows of these dims.
  SeriesReader(const Group& group, const std::string& name, Scalar scalar, hsize_t rows, const Dims& row);
  void read(hsize_t first, hsize_t count, void* data) const;

 private:
  Group group_;
  std::string name_;
  Handle dataset_, type_;
  Dims row_;
};

// How a field of type T, or an array of them, becomes the row of a series.
template <class T>
Dims row_of_array(const std::vector<T>& array) {
  return element_dims<T>(array.size());
}

// One row per step of every scalar field of a table: Certificate, StepReport.
template <class Table>
class ScalarSeries {
 public:
  explicit ScalarSeries(const Group& group) {
    Table::visit(kExample, [&]<class T>(const FieldInfo& field, const T&) {
      series_.emplace_back(group, field, scalar_of<StoredScalar<T>>(), scalar_dims<T>());
    });
  }
  void append(const Table& table) {
    std::size_t next = 0;
    Table::visit(table, [&](const FieldInfo&, const auto& value) { series_[next++].append(&value); });
  }
  void flush() {
    for (Series& series : series_) series.flush();
  }

 private:
  static inline const Table kExample{};
  std::vector<Series> series_;
};

template <class Table>
class ScalarSeriesReader {
 public:
  ScalarSeriesReader(const Group& group, hsize_t rows) {
    const Table example{};
    Table::visit(example, [&]<class T>(const FieldInfo& field, const T&) {
      series_.emplace_back(group, field.name, scalar_of<StoredScalar<T>>(), rows, scalar_dims<T>());
    });
  }
  void read(hsize_t row, Table& table) const {
    std::size_t next = 0;
    Table::visit(table, [&](const FieldInfo&, auto& value) { series_[next++].read(row, 1, &value); });
  }

 private:
  std::vector<SeriesReader> series_;
};

// Every array of a table as a series. Wide: a row is a whole array (Control). Ragged: a row is one element (Contacts).
enum class Rows { kWide, kRagged };

template <class Table, Rows kRows>
class ArraySeries {
 public:
  ArraySeries(const Group& group, const Table& example) {
    Table::visit_arrays(example, [&]<class T>(const FieldInfo& field, const std::vector<T>& array) {
      series_.emplace_back(group, field, scalar_of<StoredScalar<T>>(),
                           kRows == Rows::kWide ? row_of_array(array) : scalar_dims<T>());
    });
  }
  void append(const Table& table) {
    std::size_t next = 0;
    Table::visit_arrays(table, [&](const FieldInfo&, const auto& array) {
      series_[next++].append(array.data(), kRows == Rows::kWide ? 1 : array.size());
    });
  }
  void flush() {
    for (Series& series : series_) series.flush();
  }

 private:
  std::vector<Series> series_;
};

template <class Table, Rows kRows>
class ArraySeriesReader {
 public:
  ArraySeriesReader(const Group& group, hsize_t rows, const Table& example) {
    Table::visit_arrays(example, [&]<class T>(const FieldInfo& field, const std::vector<T>& array) {
      series_.emplace_back(group, field.name, scalar_of<StoredScalar<T>>(), rows,
                           kRows == Rows::kWide ? row_of_array(array) : scalar_dims<T>());
    });
  }
  // The arrays of the table have their length already.
  void read(hsize_t first, Table& table) const {
    std::size_t next = 0;
    Table::visit_arrays(table, [&](const FieldInfo&, auto& array) {
      series_[next++].read(first, kRows == Rows::kWide ? 1 : array.size(), array.data());
    });
  }

 private:
  std::vector<SeriesReader> series_;
};

}  // namespace stiction::detail
