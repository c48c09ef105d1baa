// Fingerprints of model and options: whether a body that fell asleep would still be at rest is only known while both
// are what they were.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include <stiction/model.hpp>
#include <stiction/options.hpp>

namespace stiction {

// Of any numbers. A change of one of them always changes it: each line maps the numbers of 64 bits one to one.
class Fingerprint {
 public:
  explicit Fingerprint(std::uint64_t start = 0xcbf29ce484222325u) : hash_(start) {}

  // The bytes of `count` values, eight at a time.
  template <class T>
  void add(const T* values, std::size_t count) {
    static_assert(std::is_trivially_copyable_v<T>);
    const auto* bytes = reinterpret_cast<const char*>(values);
    for (std::size_t i = 0, size = count * sizeof(T); i < size; i += sizeof(std::uint64_t)) {
      std::uint64_t word = 0;
      std::memcpy(&word, bytes + i, std::min(sizeof(word), size - i));
      hash_ ^= word;
      hash_ *= 0x9e3779b97f4a7c15u;
      hash_ ^= hash_ >> 32;
    }
  }
  std::uint64_t value() const { return hash_; }

 private:
  std::uint64_t hash_;
};

// All numbers of the model, not its names.
std::uint64_t fingerprint(const Model& model);

// All options but threads, on which nothing depends.
std::uint64_t fingerprint(const Options& options);

}  // namespace stiction
