#include "io/hdf5_series.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace stiction::detail {
namespace {

constexpr hsize_t kChunkBytes = 65536;     // of rows that are wide or many (contacts)
constexpr hsize_t kScalarChunkRows = 512;  // of one number per step: a short recording stays small

std::size_t row_bytes(Scalar scalar, const Dims& row) {
  std::size_t bytes = scalar_size(scalar);
  for (hsize_t n : row) bytes *= n;
  return bytes;
}

Dims with_rows(hsize_t rows, const Dims& row) {
  Dims dims{rows};
  dims.insert(dims.end(), row.begin(), row.end());
  return dims;
}

// The whole of the rows first … first + count − 1.
void select_rows(hid_t space, hsize_t first, hsize_t count, const Dims& row) {
  const Dims start = with_rows(first, Dims(row.size(), 0)), extent = with_rows(count, row);
  H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, extent.data(), nullptr);
}

}  // namespace

Series::Series(const Group& group, const FieldInfo& field, Scalar scalar, const Dims& row)
    : group_(group), name_(field.name), type_(memory_type(scalar)), row_(row), row_bytes_(row_bytes(scalar, row)) {
  const QuietErrors quiet;
  if (row_bytes_ > 0) chunk_rows_ = row.empty() ? kScalarChunkRows : std::max<hsize_t>(1, kChunkBytes / row_bytes_);
  // HDF5 takes no chunk of length zero, nor one longer than the largest extent.
  Dims most = with_rows(H5S_UNLIMITED, row), chunk = with_rows(chunk_rows_, row);
  for (Dims* dims : {&most, &chunk})
    for (hsize_t& n : *dims) n = std::max<hsize_t>(n, 1);
  const Dims none = with_rows(0, row);
  const Handle space(H5Screate_simple(int(none.size()), none.data(), most.data()), H5Sclose);
  const Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  H5Pset_chunk(properties.get(), int(chunk.size()), chunk.data());
  if (scalar != Scalar::kDouble) {
    H5Pset_shuffle(properties.get());
    H5Pset_deflate(properties.get(), 1);
  }
  dataset_ = group.create_dataset(name_, type_, space, properties);
  group.describe(dataset_, field);
  buffer_.reserve(chunk_rows_ * row_bytes_);
}

void Series::append(const void* rows, std::size_t count) {
  const char* next = static_cast<const char*>(rows);
  if (row_bytes_ == 0) return write(nullptr, count);
  std::size_t left = count * row_bytes_;
  const std::size_t chunk_bytes = chunk_rows_ * row_bytes_;
  while (left > 0) {
    const std::size_t taken = std::min(left, chunk_bytes - buffer_.size());
    buffer_.insert(buffer_.end(), next, next + taken);
    next += taken;
    left -= taken;
    if (buffer_.size() == chunk_bytes) flush();
  }
}

void Series::flush() {
  if (buffer_.empty()) return;
  write(buffer_.data(), buffer_.size() / row_bytes_);
  buffer_.clear();
}

void Series::write(const char* rows, hsize_t count) {
  if (count == 0) return;
  const QuietErrors quiet;
  const Dims extent = with_rows(written_ + count, row_), part = with_rows(count, row_);
  bool good = H5Dset_extent(dataset_.get(), extent.data()) >= 0;
  if (good && row_bytes_ > 0) {
    const Handle space(H5Dget_space(dataset_.get()), H5Sclose);
    const Handle memory(H5Screate_simple(int(part.size()), part.data(), nullptr), H5Sclose);
    select_rows(space.get(), written_, count, row_);
    good = H5Dwrite(dataset_.get(), type_.get(), memory.get(), space.get(), H5P_DEFAULT, rows) >= 0;
  }
  if (!good) group_.fail(name_, "cannot be written: is the disk full?");
  written_ += count;
}

SeriesReader::SeriesReader(const Group& group, const std::string& name, Scalar scalar, hsize_t rows, const Dims& row)
    : group_(group),
      name_(name),
      dataset_(group.open_dataset(name, scalar, with_rows(rows, row))),
      type_(memory_type(scalar)),
      row_(row) {}

void SeriesReader::read(hsize_t first, hsize_t count, void* data) const {
  const Dims part = with_rows(count, row_);
  for (hsize_t n : part)
    if (n == 0) return;
  const QuietErrors quiet;
  const Handle space(H5Dget_space(dataset_.get()), H5Sclose);
  const Handle memory(H5Screate_simple(int(part.size()), part.data(), nullptr), H5Sclose);
  select_rows(space.get(), first, count, row_);
  if (H5Dread(dataset_.get(), type_.get(), memory.get(), space.get(), H5P_DEFAULT, data) < 0)
    group_.fail(name_, fmt::format("cannot be read at row {}: the file is truncated or damaged", first));
}

}  // namespace stiction::detail
