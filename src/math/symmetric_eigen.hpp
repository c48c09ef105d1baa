// Eigenvalues and eigenvectors of a symmetric 3×3 matrix by Jacobi's rotations, for host and device.
#pragma once

#include "sym3.hpp"

namespace stiction {

// A = V diag(values) Vᵀ. Sweeps over the three planes end at rounding; they converge quadratically.
template <class T>
STICTION_HD void symmetric_eigen(const Sym3T<T>& a, Vec3T<T>& values, Mat3T<T>& vectors) {
  Mat3T<T> A = a.full(), V = Mat3T<T>::identity();
  for (int sweep = 0; sweep < 12; ++sweep) {
    bool done = true;
    for (int p = 0; p < 2; ++p)
      for (int q = p + 1; q < 3; ++q) {
        const T app = A.row[p][p], aqq = A.row[q][q], apq = A.row[p][q];
        // Below the rounding of the diagonal an entry changes nothing.
        if (fabs(apq) <= T(1e-17) * (fabs(app) + fabs(aqq))) continue;
        done = false;
        // The smaller turn that makes the entry zero: t² + 2 θ t − 1 = 0.
        const T theta = (aqq - app) / (T(2) * apq), size = fabs(theta);
        const T t = (theta < T(0) ? T(-1) : T(1)) / (size + sqrt(size * size + T(1)));
        const T c = T(1) / sqrt(t * t + T(1)), s = t * c;
        for (int k = 0; k < 3; ++k) {
          const T x = A.row[k][p], y = A.row[k][q];
          A.row[k][p] = c * x - s * y;
          A.row[k][q] = s * x + c * y;
        }
        for (int k = 0; k < 3; ++k) {
          const T x = A.row[p][k], y = A.row[q][k];
          A.row[p][k] = c * x - s * y;
          A.row[q][k] = s * x + c * y;
        }
        for (int k = 0; k < 3; ++k) {
          const T x = V.row[k][p], y = V.row[k][q];
          V.row[k][p] = c * x - s * y;
          V.row[k][q] = s * x + c * y;
        }
      }
    if (done) break;
  }
  values = {A.row[0].x, A.row[1].y, A.row[2].z};
  vectors = V;
}

}  // namespace stiction
