// Vectors as wide as the registers of the machine, lists that begin with a whole one, and squares of numbers turned on
// their side.
#pragma once

#include <cstddef>
#include <new>
#include <utility>
#include <vector>

namespace stiction::detail {

// Doubles in a vector register.
#if defined(__AVX512F__)
inline constexpr int kLane = 8;
#elif defined(__AVX__)
inline constexpr int kLane = 4;
#else
inline constexpr int kLane = 2;
#endif
inline constexpr std::size_t kAlignment = sizeof(double) * std::size_t(kLane);

// n rounded up to a multiple.
constexpr int padded(int n, int multiple) {
  return (n + multiple - 1) / multiple * multiple;
}

template <class T>
struct AlignedAllocator {
  using value_type = T;
  AlignedAllocator() = default;
  template <class U>
  AlignedAllocator(const AlignedAllocator<U>&) {}
  T* allocate(std::size_t n) { return static_cast<T*>(::operator new(n * sizeof(T), std::align_val_t(kAlignment))); }
  void deallocate(T* p, std::size_t) { ::operator delete(p, std::align_val_t(kAlignment)); }
  friend bool operator==(const AlignedAllocator&, const AlignedAllocator&) { return true; }
};
using AlignedVector = std::vector<double, AlignedAllocator<double>>;

using Pack = double __attribute__((vector_size(kAlignment), may_alias));
using LoosePack = double __attribute__((vector_size(kAlignment), may_alias, aligned(sizeof(double))));

inline Pack* packs(double* p) {
  return reinterpret_cast<Pack*>(p);
}
inline const Pack* packs(const double* p) {
  return reinterpret_cast<const Pack*>(p);
}
// Anywhere.
inline Pack load_pack(const double* p) {
  return *reinterpret_cast<const LoosePack*>(p);
}
inline void store_pack(double* p, const Pack& x) {
  *reinterpret_cast<LoosePack*>(p) = x;
}

// Halves are added to each other, so that few additions wait for one another.
inline double lane_sum(const Pack& x) {
  double lane[kLane];
  for (int j = 0; j < kLane; ++j) lane[j] = x[j];
  for (int half = kLane / 2; half > 0; half /= 2)
    for (int j = 0; j < half; ++j) lane[j] += lane[j + half];
  return lane[0];
}

using LaneNumbers = std::make_integer_sequence<int, kLane>;

// Of every 2 Step lanes of both vectors the lower half, or the upper half.
template <int Step, bool Upper, int... L>
inline Pack join_halves(const Pack& a, const Pack& b, std::integer_sequence<int, L...>) {
  return __builtin_shufflevector(a, b, (((L & Step) != 0 ? kLane + L - Step : L) + (Upper ? Step : 0))...);
}

// Turns a square of kLane vectors on its side; from Step = 1 on.
template <int Step>
inline void exchange_lanes(Pack* x) {
  if constexpr (Step < kLane) {
    for (int i = 0; i < kLane; ++i) {
      if ((i & Step) != 0) continue;
      const Pack low = x[i], high = x[i + Step];
      x[i] = join_halves<Step, false>(low, high, LaneNumbers{});
      x[i + Step] = join_halves<Step, true>(low, high, LaneNumbers{});
    }
    exchange_lanes<2 * Step>(x);
  }
}

// to ← fromᵀ of one square of kLane lanes; rows of `from` beyond from_rows are zero, those of `to` beyond to_rows are
// left alone.
inline void turn(const double* from, int from_stride, int from_rows, double* to, int to_stride, int to_rows) {
  Pack x[kLane];
  for (int i = 0; i < kLane; ++i) x[i] = i < from_rows ? *packs(from + std::ptrdiff_t(i) * from_stride) : Pack{};
  exchange_lanes<1>(x);
  for (int i = 0; i < to_rows; ++i) *packs(to + std::ptrdiff_t(i) * to_stride) = x[i];
}

}  // namespace stiction::detail
