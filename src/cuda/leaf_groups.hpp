// The groups of leaves, one translation unit each, so that they compile side by side.
#pragma once

#include <string_view>

#include "cuda/check_leaf.hpp"

namespace stiction::cuda {

struct RunSettings {
  std::size_t cases = 32768;  // of each leaf
  std::size_t repeats = 16;   // copies of the cases in memory while throughput is measured
  std::uint64_t seed = 1;
  bool on_gpu = true;        // false: only what needs no GPU
  std::string_view skipped;  // name of a leaf to leave out
  std::string_view only;     // name of the leaf to run alone; empty: all
};

using LeafGroup = void(const RunSettings& settings, std::vector<LeafReport>& reports);
LeafGroup run_math, run_laws, run_dynamics, run_trees, run_pairs;

constexpr LeafGroup* kGroups[] = {run_math, run_laws, run_dynamics, run_trees, run_pairs};

}  // namespace stiction::cuda
