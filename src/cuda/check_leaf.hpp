// The checks of one leaf that need no GPU, and what is known of it in the end.
#pragma once

#include "cuda/compare.hpp"

namespace stiction::cuda {

// Millions of evaluations per second from and to device memory, and the bytes that move.
struct Rate {
  double millions = 0;
  double gigabytes = 0;  // [GB/s]
};

// What the GPU did in one precision.
struct DeviceReport {
  Difference difference;
  Rate rate;
};

struct LeafReport {
  LeafInfo info{};
  std::size_t cases = 0, degenerate = 0;
  std::size_t not_finite = 0;  // double values on the CPU that are not finite, degenerate cases included
  double hits = 1;             // share of the cases whose first integer is not zero: pairs that touch
  FloatError float_error;
  bool on_gpu = false;
  DeviceReport in_double, in_float;
};

// Empty if all bounds hold, otherwise the first one that does not.
inline const char* broken_bound(const LeafReport& report) {
  const LeafInfo& info = report.info;
  const FloatError& error = report.float_error;
  if (report.not_finite > 0) return "a result is not finite";
  if (report.hits < 0.05) return "fewer than 5 % of the cases touch: nothing is tested";
  if (!(error.most_cases <= info.float_error)) return "the float error is above its bound";
  if (double(error.other_codes) > info.float_codes * double(error.cases)) return "float finds other integers too often";
  if (!report.on_gpu) return "";
  for (const DeviceReport* device : {&report.in_double, &report.in_float}) {
    const Difference& difference = device->difference;
    if (difference.unwritten > 0) return "the kernel left values unwritten";
    if (!(difference.ulps <= info.ulps)) return "CPU and GPU differ by more than the bound";
    if (difference.other_codes > 0) return "CPU and GPU find other integers";
    if (info.ulps == 0 && difference.equal_cases != report.cases) return "CPU and GPU differ in their bits";
  }
  return "";
}

// Everything that a comparison needs of one leaf: cases in both precisions and the CPU's results.
template <class Leaf>
struct CheckedLeaf {
  std::vector<double> in_double;
  std::vector<float> in_float;
  Results<double> cpu_double;
  Results<float> cpu_float;
  LeafReport report;
};

template <class Leaf>
CheckedLeaf<Leaf> check_on_cpu(std::size_t cases, std::uint64_t seed) {
  CheckedLeaf<Leaf> out;
  Cases<Leaf> drawn = draw_cases<Leaf>(cases, seed);
  out.in_double = std::move(drawn.in);
  out.in_float.assign(out.in_double.begin(), out.in_double.end());
  out.cpu_double = evaluate_on_cpu<Leaf>(out.in_double, cases);
  out.cpu_float = evaluate_on_cpu<Leaf>(out.in_float, cases);

  LeafReport& report = out.report;
  report.info = Leaf::kInfo;
  report.cases = cases;
  for (std::size_t i = 0; i < cases; ++i) report.degenerate += is_degenerate<Leaf>(i) ? 1u : 0u;
  for (const double value : out.cpu_double.values) report.not_finite += std::isfinite(value) ? 0u : 1u;
  if (!out.cpu_double.codes.empty()) {
    const auto first = out.cpu_double.codes.begin();
    report.hits = 1 - double(std::count(first, first + std::ptrdiff_t(cases), 0)) / double(cases);
  }
  // The error of the arithmetic, not of the inputs: double sees the rounded inputs too.
  const std::vector<double> rounded(out.in_float.begin(), out.in_float.end());
  report.float_error = compare_precisions<Leaf>(evaluate_on_cpu<Leaf>(rounded, cases), out.cpu_float, drawn.scale);
  return out;
}

}  // namespace stiction::cuda
