// Prints what the comparison found: a table for people, JSON for programs.
#pragma once

#include <cstdio>
#include <string>

#include "cuda/leaf_groups.hpp"

namespace stiction::cuda {

struct RunReport {
  std::string device;  // name of the GPU; empty if none was used
  RunSettings settings;
  std::vector<LeafReport> leaves;
};

// Leaves that broke a bound.
int failures(const RunReport& report);

void print_table(const RunReport& report, std::FILE* file);
void print_json(const RunReport& report, std::FILE* file);

}  // namespace stiction::cuda
