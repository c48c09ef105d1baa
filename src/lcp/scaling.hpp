// Powers of two that bring the rows and columns of M to a largest entry near 1, and q too: complementarity keeps its
// meaning under positive scales, and thresholds for rounding errors get one.
#pragma once

#include <vector>

#include <stiction/lcp.hpp>

namespace stiction::detail {

struct ScaledLcp {
  std::vector<double> M, q;  // R M C and t R q
  std::vector<double> row;   // R
  std::vector<double> column;
  double right = 1;                             // t
  std::vector<double> row_round, column_round;  // of one round; memory that is kept

  // z of the problem from z of the scaled one: C z / t.
  double z(std::size_t i, double scaled) const { return column[i] * scaled / right; }
};

void scale_lcp(const Lcp& problem, ScaledLcp& out);

}  // namespace stiction::detail
