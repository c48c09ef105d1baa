// LU factorisation of a dense matrix with row scaling and partial pivoting, in memory that is kept between calls, by
// the kernels of the sparse one. Own code rather than Eigen's for two reasons: Eigen allocates packing buffers inside a
// factorisation, which a step must not do, and the order of operations here is fixed, so results do not depend on
// Eigen's version.
#pragma once

#include <vector>

#include "solvers/block_kernels.hpp"

namespace stiction {

class DenseLu {
 public:
  // Memory for an n × n matrix, row-major with row length stride(); fill it, then call factor.
  double* resize(int n);
  int stride() const { return stride_; }
  int size() const { return n_; }

  // False if a pivot vanishes or is not finite.
  bool factor();
  // The same without scaling and exchange of rows, at half the price: good where no pivot is small beside what is
  // eliminated by it, which the residual of a solution tells. At most detail::kMostTurned rows, padded with zeros to
  // the stride.
  bool factor_in_order();
  // x ← A⁻¹ x.
  void solve(double* x);

 private:
  bool scale_rows();
  bool eliminate(int first);
  void update(int first, int n);

  int n_ = 0, stride_ = 0;
  bool in_order_ = false;
  detail::AlignedVector matrix_, x_;
  std::vector<double> row_scale_, inverse_;  // inverse_: 1 / u_kk
  std::vector<int> pivot_;
};

}  // namespace stiction
