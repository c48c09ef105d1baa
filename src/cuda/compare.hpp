// Two results of the same cases side by side: GPU against CPU in one precision, float against double.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "cuda/leaf.hpp"

namespace stiction::cuda {

// GPU against CPU, the same scalar type.
struct Difference {
  std::size_t equal_cases = 0;  // every value has the same bits (or is NaN on both sides) and every integer is the same
  std::size_t other_codes = 0;  // cases in which an integer differs
  std::size_t unwritten = 0;    // values that still hold the poison of before the launch
  double ulps = 0;              // largest difference of values, in units in the last place of the largest component
};

inline std::uint64_t bits_of(double value) {
  return std::bit_cast<std::uint64_t>(value);
}
inline std::uint32_t bits_of(float value) {
  return std::bit_cast<std::uint32_t>(value);
}

// The poison: all ones, a NaN that no arithmetic makes.
template <class T>
bool is_poison(T value) {
  return bits_of(value) == decltype(bits_of(value))(-1);
}

template <class T>
bool same_bits(T a, T b) {
  return bits_of(a) == bits_of(b) || (std::isnan(a) && std::isnan(b));
}

template <class T>
T largest_component(const Results<T>& results, std::size_t i) {
  T largest = 0;
  for (std::size_t k = i; k < results.values.size(); k += results.cases)
    if (std::isfinite(results.values[k])) largest = std::max(largest, std::abs(results.values[k]));
  return largest;
}

inline bool same_codes(const std::vector<int>& a, const std::vector<int>& b, std::size_t cases, std::size_t i) {
  for (std::size_t k = i; k < a.size(); k += cases)
    if (a[k] != b[k]) return false;
  return true;
}

template <class T>
Difference compare_devices(const Results<T>& cpu, const Results<T>& gpu) {
  Difference out;
  for (std::size_t i = 0; i < cpu.cases; ++i) {
    bool equal = true;
    double most = 0;
    for (std::size_t k = i; k < cpu.values.size(); k += cpu.cases) {
      const T a = cpu.values[k], b = gpu.values[k];
      if (is_poison(b)) ++out.unwritten;
      if (same_bits(a, b)) continue;
      equal = false;
      const double difference = std::abs(double(a) - double(b));
      most = std::isfinite(difference) ? std::max(most, difference) : std::numeric_limits<double>::infinity();
    }
    if (most > 0) {
      const T scale = std::max(largest_component(cpu, i), std::numeric_limits<T>::min());
      out.ulps = std::max(out.ulps, most / (std::ldexp(double(std::numeric_limits<T>::epsilon()), std::ilogb(scale))));
    }
    if (!same_codes(cpu.codes, gpu.codes, cpu.cases, i)) {
      ++out.other_codes;
      equal = false;
    }
    if (equal) ++out.equal_cases;
  }
  return out;
}

// Float against double on the CPU, the same (rounded) inputs, cases in general position.
struct FloatError {
  std::size_t cases = 0;
  std::size_t other_codes = 0;  // float finds another count or another feature: its values are not compared
  double most_cases = 0;        // 99 % of the errors are not larger
  double largest = 0;
};

template <class Leaf>
FloatError compare_precisions(const Results<double>& reference, const Results<float>& rounded,
                              const std::vector<double>& scale) {
  FloatError out;
  std::vector<double> errors;
  for (std::size_t i = 0; i < reference.cases; ++i) {
    if (is_degenerate<Leaf>(i)) continue;
    ++out.cases;
    if (!same_codes(reference.codes, rounded.codes, reference.cases, i)) {
      ++out.other_codes;
      continue;
    }
    double error = 0;
    for (std::size_t k = i; k < reference.values.size(); k += reference.cases)
      error = std::max(error, std::abs(reference.values[k] - double(rounded.values[k])));
    const double size = scale.empty() ? largest_component(reference, i) : scale[i];
    errors.push_back(size > 0 ? error / size : error);
  }
  if (errors.empty()) return out;
  const auto place = errors.begin() + std::ptrdiff_t(0.99 * double(errors.size() - 1));
  std::nth_element(errors.begin(), place, errors.end());
  out.most_cases = *place;
  out.largest = *std::max_element(place, errors.end());
  return out;
}

}  // namespace stiction::cuda
