#include "io/hdf5_types.hpp"

#include <utility>

namespace stiction::detail {

Handle::Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}

Handle& Handle::operator=(Handle&& other) noexcept {
  std::swap(id_, other.id_);
  std::swap(close_, other.close_);
  return *this;
}

Handle::~Handle() {
  if (id_ >= 0) close_(id_);
}

QuietErrors::QuietErrors() {
  H5Eget_auto2(H5E_DEFAULT, &function_, &data_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

QuietErrors::~QuietErrors() {
  H5Eset_auto2(H5E_DEFAULT, function_, data_);
}

std::size_t scalar_size(Scalar scalar) {
  switch (scalar) {
    case Scalar::kDouble:
    case Scalar::kInt64:
    case Scalar::kUInt64:
      return 8;
    case Scalar::kInt32:
    case Scalar::kUInt32:
      return 4;
    case Scalar::kBool:
      return 1;
  }
  return 0;
}

Handle memory_type(Scalar scalar) {
  switch (scalar) {
    case Scalar::kDouble:
      return Handle(H5Tcopy(H5T_IEEE_F64LE), H5Tclose);
    case Scalar::kInt32:
      return Handle(H5Tcopy(H5T_STD_I32LE), H5Tclose);
    case Scalar::kInt64:
      return Handle(H5Tcopy(H5T_STD_I64LE), H5Tclose);
    case Scalar::kUInt32:
      return Handle(H5Tcopy(H5T_STD_U32LE), H5Tclose);
    case Scalar::kUInt64:
      return Handle(H5Tcopy(H5T_STD_U64LE), H5Tclose);
    case Scalar::kBool:
      break;
  }
  // The enumeration that h5py reads as NumPy's bool.
  Handle type = Handle(H5Tenum_create(H5T_STD_I8LE), H5Tclose);
  const std::int8_t no = 0, yes = 1;
  H5Tenum_insert(type.get(), "FALSE", &no);
  H5Tenum_insert(type.get(), "TRUE", &yes);
  return type;
}

Handle string_type() {
  Handle type = Handle(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type.get(), H5T_VARIABLE);
  H5Tset_cset(type.get(), H5T_CSET_UTF8);
  return type;
}

}  // namespace stiction::detail
