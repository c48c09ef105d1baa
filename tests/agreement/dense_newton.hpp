// The Newton system of an island written out as dense matrices: the reference for the sparse one.
#pragma once

// A plain reference: without Eigen's vector code, whose intrinsics some compilers warn about wherever it is used.
#define EIGEN_DONT_VECTORIZE
#include <Eigen/Dense>

#include "support/newton_blocks.hpp"

namespace stiction::test {

struct DenseNewton {
  Eigen::MatrixXd J, MinvJt, A, B;

  explicit DenseNewton(const NewtonBlocks& blocks) {
    const Island& island = blocks.island;
    const int n = island.nrow, nv = island.nv;
    J = Eigen::MatrixXd::Zero(n, nv);
    A = B = Eigen::MatrixXd::Zero(n, n);
    for (int c = 0; c < island.nblock; ++c) {
      const auto k = std::size_t(c);
      const int rows = island.block_size(c), first = island.row[k];
      const auto put = [&](int tree, const double* jacobian) {
        if (tree < 0) return;
        const int dofs = island.tree_size(tree);
        J.block(first, island.dof[std::size_t(tree)], rows, dofs) =
            Eigen::Map<const Eigen::Matrix<double, -1, -1, Eigen::RowMajor>>(jacobian, rows, dofs);
      };
      put(island.tree_a[k], island.jacobian_a[k]);
      put(island.tree_b[k], island.jacobian_b[k]);
      for (int i = 0; i < rows; ++i)
        for (int j = 0; j < rows; ++j) {
          const auto entry = std::size_t(island.square[k] + rows * i + j);
          A(first + i, first + j) = blocks.A[entry];
          B(first + i, first + j) = blocks.B[entry];
        }
    }
    MinvJt = J.transpose();
    for (int i = 0; i < n; ++i) apply_inverse_inertia(island, MinvJt.col(i).data());
  }

  // A W + B
  Eigen::MatrixXd matrix() const { return A * (J * MinvJt) + B; }

  // Oettli and Prager's backward error: the least ω such that δp solves a system whose entries differ by ω relatively,
  // where A, B, J, M⁻¹ Jᵀ and r count as the data: max_i |A W δp + B δp − r|_i / (|A| |J| |M⁻¹Jᵀ| |δp| + |B| |δp| +
  // |r|)_i.
  double backward_error(const Eigen::VectorXd& delta_p, const Eigen::VectorXd& r) const {
    const Eigen::VectorXd residual = A * (J * (MinvJt * delta_p)) + B * delta_p - r;
    const Eigen::VectorXd size = A.cwiseAbs() * (J.cwiseAbs() * (MinvJt.cwiseAbs() * delta_p.cwiseAbs())) +
                                 B.cwiseAbs() * delta_p.cwiseAbs() + r.cwiseAbs();
    double worst = 0;
    for (Eigen::Index i = 0; i < size.size(); ++i)
      if (residual[i] != 0) worst = std::max(worst, std::abs(residual[i]) / size[i]);
    return worst;
  }
};

}  // namespace stiction::test
