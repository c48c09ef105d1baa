// Linear feasibility: x ≥ 0 with G x + g ≥ 0, or y ≥ 0 with Gᵀ y ≤ 0 and gᵀ y < 0, which says that there is none
// (Farkas). Both come from Lemke's method on the complementarity problem of the linear programme min 0,
//
//   [ 0  −Gᵀ ]       [ 0 ]
//   [ G   0  ] , q = [ g ],
//
// whose matrix is skew-symmetric, hence copositive-plus: the path ends on a solution if and only if there is one.
#pragma once

#include <span>
#include <vector>

#include "lcp/lemke.hpp"

namespace stiction::detail {

class Feasibility {
 public:
  enum class Answer { kFeasible, kInfeasible, kUnknown };
  // G is (size of g) × columns, row-major. point() is x or y.
  Answer solve(std::span<const double> G, std::span<const double> g, int columns);
  std::span<const double> point() const { return point_; }

 private:
  Lemke lemke_;
  std::vector<double> M_, q_, cover_, point_;
};

}  // namespace stiction::detail
