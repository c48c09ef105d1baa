// Tree-sparse factor of the mass matrix, M = Lᵀ D L (Featherstone 2008, section 6.5): no entry arises outside the
// pattern of M. Host and device.
//
// Rows run from the root to the diagonal, and the path to an ancestor is the beginning of the path to oneself, so every
// inner loop below runs over neighbouring numbers. In place: row k holds L left of the diagonal and 1/D on it.
#pragma once

#include "dynamics/tree_link.hpp"

#include <cmath>

namespace stiction {

// Returns the first degree of freedom (from the last) at which M is not positive definite, or -1.
template <class T>
STICTION_HD int factor_mass(const TreeViewT<T>& tree, T* M) {
  using std::isfinite;
  for (int k = tree.dof_end - 1; k >= tree.dof_begin; --k) {
    const int first = tree.row[k], depth = tree.row[k + 1] - first - 1;
    T* row = M + first;
    if (!(row[depth] > T(0)) || !isfinite(row[depth])) return k;
    const T inverse = T(1) / row[depth];
    row[depth] = inverse;
    for (int e = depth - 1; e >= 0; --e) {
      const T factor = row[e] * inverse;
      T* above = M + tree.row[tree.ancestor[first + e]];
      for (int j = 0; j <= e; ++j) above[j] -= factor * row[j];
      row[e] = factor;
    }
  }
  return -1;
}

// Writes D^½ L of one tree into a full matrix that is zero outside of the pattern, 1 / D^½ on its diagonal: the factor
// of math/tree_cholesky.hpp. `first` is the tree's first degree of freedom, n their number.
template <class T>
STICTION_HD void scatter_factor(const TreeViewT<T>& tree, const T* factor, int first, int n, T* block) {
  using std::sqrt;
  for (int k = 0; k < n; ++k) {
    const int begin = tree.row[first + k], end = tree.row[first + k + 1] - 1;
    T* row = block + k * n;
    const T inverse_root = sqrt(factor[end]), root = T(1) / inverse_root;
    for (int e = begin; e < end; ++e) row[tree.ancestor[e] - first] = factor[e] * root;
    row[k] = inverse_root;
  }
}

// x ← M⁻¹ x = L⁻¹ D⁻¹ L⁻ᵀ x.
template <class T>
STICTION_HD void solve_mass(const TreeViewT<T>& tree, const T* factor, T* x) {
  for (int k = tree.dof_end - 1; k >= tree.dof_begin; --k) {
    const int first = tree.row[k], depth = tree.row[k + 1] - first - 1;
    for (int e = 0; e < depth; ++e) x[tree.ancestor[first + e]] -= factor[first + e] * x[k];
  }
  for (int k = tree.dof_begin; k < tree.dof_end; ++k) {
    const int first = tree.row[k], depth = tree.row[k + 1] - first - 1;
    T sum = x[k] * factor[first + depth];
    for (int e = 0; e < depth; ++e) sum -= factor[first + e] * x[tree.ancestor[first + e]];
    x[k] = sum;
  }
}

// y ← D^(−1/2) L⁻ᵀ y for a vector with entries only on the path to the degree of freedom `last`: y[e] belongs to its
// ancestor e. A row j of a Jacobian is such a vector, and j M⁻¹ jᵀ = |y|²; two rows meet in the part that they share.
template <class T>
STICTION_HD void half_solve_path(const TreeViewT<T>& tree, const T* factor, int last, T* y) {
  using std::sqrt;
  const int first = tree.row[last], count = tree.row[last + 1] - first;
  for (int d = count - 1; d >= 0; --d) {
    const T* row = factor + tree.row[tree.ancestor[first + d]];
    for (int e = 0; e < d; ++e) y[e] -= row[e] * y[d];
    y[d] *= sqrt(row[d]);
  }
}

}  // namespace stiction
