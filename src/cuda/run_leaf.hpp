// All checks of a list of leaves, on the CPU and on the GPU.
#pragma once

#include "cuda/leaf_groups.hpp"

namespace stiction::cuda {

// One leaf in one precision on the GPU, compared with the CPU's results and timed. Defined in run_leaf.cuh, which is
// included where it is to be compiled: beside its use, or instantiated elsewhere for groups that are slow to compile.
template <class Leaf, class T>
DeviceReport run_on_gpu(const std::vector<T>& in, const Results<T>& cpu, const RunSettings& settings);

template <class Leaf>
LeafReport run_leaf(const RunSettings& settings) {
  CheckedLeaf<Leaf> leaf = check_on_cpu<Leaf>(settings.cases, settings.seed);
  if (settings.on_gpu) {
    leaf.report.on_gpu = true;
    leaf.report.in_double = run_on_gpu<Leaf>(leaf.in_double, leaf.cpu_double, settings);
    leaf.report.in_float = run_on_gpu<Leaf>(leaf.in_float, leaf.cpu_float, settings);
  }
  return leaf.report;
}

template <class... Leaf>
void run_leaves(LeafList<Leaf...>, const RunSettings& settings, std::vector<LeafReport>& reports) {
  const auto run = [&]<class One>() {
    const std::string_view name = One::kInfo.name;
    if (name != settings.skipped && (settings.only.empty() || name == settings.only))
      reports.push_back(run_leaf<One>(settings));
  };
  (run.template operator()<Leaf>(), ...);
}

}  // namespace stiction::cuda
