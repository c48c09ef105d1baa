// What a leaf is to the comparison of CPU and GPU: one host-device function of the physics, an input made of scalars,
// an output made of scalars and, for some, integers (counts, feature ids). A descriptor is one short struct:
//
//   struct CoulombProject {
//     static constexpr LeafInfo kInfo{"coulomb project", "laws/coulomb.hpp"};
//     template <class T> struct In { Vec3T<T> p; T mu; };
//     template <class T> struct Out { Vec3T<T> p; };
//     template <class T> static STICTION_HD void evaluate(const In<T>& in, Out<T>& out);
//     static void draw(Random& random, In<double>& in);             // a case in general position
//     static void draw_degenerate(Random& random, In<double>& in);  // optional: zeros, ties, flush faces …
//     static double scale(const In<double>& in);                    // optional: the size that float errors refer to
//     static constexpr int kCodes = 2;  // optional: integers; evaluate then has a third parameter int* codes,
//   };                                  // and may have a fourth, const SurfaceT<T>* library (library_surfaces.hpp)
//
// Cases lie in memory as structures of arrays, scalar k of case i at [k · cases + i], as the Model's arrays do.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "cuda/library_surfaces.hpp"
#include "math/host_device.hpp"
#include "support/random.hpp"

namespace stiction::cuda {

using test::Random;

struct LeafInfo {
  const char* name;
  const char* source;  // header under src/
  // Largest difference of CPU and GPU, in units in the last place of the result's largest component. 0: the same bits;
  // more only where the leaf calls sin and cos, which the two libraries round differently.
  double ulps = 0;
  // 99 % of the cases in general position have a smaller error in float, relative to the scale.
  double float_error = 5e-7;
  // Share of the cases in general position for which float may find other integers than double.
  double float_codes = 0;
};

template <class Leaf>
struct LeafShape {
  static constexpr int kIn = int(sizeof(typename Leaf::template In<double>) / sizeof(double));
  static constexpr int kOut = int(sizeof(typename Leaf::template Out<double>) / sizeof(double));
  static constexpr int kCodes = [] {
    if constexpr (requires { Leaf::kCodes; })
      return Leaf::kCodes;
    else
      return 0;
  }();
  static_assert(sizeof(typename Leaf::template In<float>) == kIn * sizeof(float), "In holds scalars only");
  static_assert(sizeof(typename Leaf::template Out<float>) == kOut * sizeof(float), "Out holds scalars only");
};

// Case i: reads its scalars, evaluates, writes scalars and integers. The same function for the CPU loop and the kernel.
template <class Leaf, class T>
STICTION_HD void evaluate_case(const T* in, T* out, int* codes, const SurfaceT<T>* library, std::size_t cases,
                               std::size_t i) {
  using Shape = LeafShape<Leaf>;
  T scalars_in[Shape::kIn], scalars_out[Shape::kOut];
  for (int k = 0; k < Shape::kIn; ++k) scalars_in[k] = in[std::size_t(k) * cases + i];
  typename Leaf::template In<T> input;
  typename Leaf::template Out<T> output{};
  memcpy(&input, scalars_in, sizeof input);
  int found[Shape::kCodes > 0 ? Shape::kCodes : 1] = {};
#ifdef __CUDA_ARCH__
  const unsigned together = __activemask();
#endif
  if constexpr (requires { Leaf::evaluate(input, output, found, library); })
    Leaf::evaluate(input, output, found, library);
  else if constexpr (Shape::kCodes > 0)
    Leaf::evaluate(input, output, found);
  else
    Leaf::evaluate(input, output);
#ifdef __CUDA_ARCH__
  // The lanes of a warp that took different ways come together before they write (docs/gpu.md).
  __syncwarp(together);
#endif
  for (int k = 0; k < Shape::kCodes; ++k) codes[std::size_t(k) * cases + i] = found[k];
  memcpy(scalars_out, &output, sizeof output);
  for (int k = 0; k < Shape::kOut; ++k) out[std::size_t(k) * cases + i] = scalars_out[k];
}

// Every fourth case is a degenerate one, where the leaf has such.
template <class Leaf>
constexpr bool is_degenerate(std::size_t i) {
  if constexpr (requires { &Leaf::draw_degenerate; })
    return i % 4 == 3;
  else
    return false;
}

template <class Leaf>
struct Cases {
  std::size_t count = 0;
  std::vector<double> in;
  std::vector<double> scale;  // empty where the leaf has none
};

template <class Leaf>
Cases<Leaf> draw_cases(std::size_t count, std::uint64_t seed) {
  constexpr int kIn = LeafShape<Leaf>::kIn;
  Random random(seed);
  Cases<Leaf> cases{count, std::vector<double>(std::size_t(kIn) * count), {}};
  for (std::size_t i = 0; i < count; ++i) {
    typename Leaf::template In<double> input{};
    Leaf::draw(random, input);
    if constexpr (requires { &Leaf::draw_degenerate; })
      if (is_degenerate<Leaf>(i)) Leaf::draw_degenerate(random, input);
    double scalars[kIn];
    std::memcpy(scalars, &input, sizeof input);
    for (int k = 0; k < kIn; ++k) cases.in[std::size_t(k) * count + i] = scalars[k];
    if constexpr (requires { Leaf::scale(input); }) cases.scale.push_back(Leaf::scale(input));
  }
  return cases;
}

template <class T>
struct Results {
  std::size_t cases = 0;
  std::vector<T> values;
  std::vector<int> codes;
};

template <class Leaf, class T>
Results<T> evaluate_on_cpu(const std::vector<T>& in, std::size_t cases) {
  using Shape = LeafShape<Leaf>;
  Results<T> out{cases, std::vector<T>(std::size_t(Shape::kOut) * cases),
                 std::vector<int>(std::size_t(Shape::kCodes) * cases)};
  const SurfaceT<T>* library = library_on_host<T>();
  for (std::size_t i = 0; i < cases; ++i)
    evaluate_case<Leaf>(in.data(), out.values.data(), out.codes.data(), library, cases, i);
  return out;
}

// Descriptors that are compiled and run together.
template <class... Leaf>
struct LeafList {};

}  // namespace stiction::cuda
