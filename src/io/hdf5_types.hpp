// Handles of HDF5 that close themselves, and the types in which our scalars and texts are stored.
#pragma once

#include <hdf5.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace stiction::detail {

// An open object of HDF5, closed by the function that belongs to its kind.
class Handle {
 public:
  using Close = herr_t (*)(hid_t);
  Handle() = default;
  Handle(hid_t id, Close close) : id_(id), close_(close) {}
  Handle(Handle&& other) noexcept;
  Handle& operator=(Handle&& other) noexcept;
  ~Handle();

  hid_t get() const { return id_; }
  explicit operator bool() const { return id_ >= 0; }

 private:
  hid_t id_ = -1;
  Close close_ = nullptr;
};

// Keeps HDF5 from printing its error stack while it lives; the program's own setting comes back afterwards.
class QuietErrors {
 public:
  QuietErrors();
  ~QuietErrors();
  QuietErrors(const QuietErrors&) = delete;
  QuietErrors& operator=(const QuietErrors&) = delete;

 private:
  H5E_auto2_t function_ = nullptr;
  void* data_ = nullptr;
};

enum class Scalar { kDouble, kInt32, kInt64, kUInt32, kUInt64, kBool };

template <class T>
constexpr Scalar scalar_of() {
  if constexpr (std::is_same_v<T, double>)
    return Scalar::kDouble;
  else if constexpr (std::is_same_v<T, std::int32_t>)
    return Scalar::kInt32;
  else if constexpr (std::is_same_v<T, std::int64_t>)
    return Scalar::kInt64;
  else if constexpr (std::is_same_v<T, std::uint32_t>)
    return Scalar::kUInt32;
  else if constexpr (std::is_same_v<T, std::uint64_t>)
    return Scalar::kUInt64;
  else {
    static_assert(std::is_same_v<T, bool>, "a scalar without a type in HDF5");
    return Scalar::kBool;
  }
}

std::size_t scalar_size(Scalar scalar);
Handle memory_type(Scalar scalar);
Handle string_type();  // variable length, UTF-8

}  // namespace stiction::detail
