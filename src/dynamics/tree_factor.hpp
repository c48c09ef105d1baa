// Tree-sparse factor of the mass matrix, M = Lᵀ D L (Featherstone 2008, section 6.5): no entry arises outside the
// pattern of M. Host and device.
//
// Rows run from the root to the diagonal, and the path to an ancestor is the beginning of the path to oneself, so every
// inner loop below runs over neighbouring numbers. In place: row k holds L left of the diagonal and 1/D on it.
#pragma once

#include "dynamics/tree_link.hpp"

#include <cmath>

namespace stiction {

namespace detail {

// Eliminates a chain of degrees of freedom, k − Count + 1 … k, at once: the loops over the ancestors of all of them are
// run through once. Of x, where it is given, the steps of L⁻ᵀ are taken. The numbers are those of one after the other.
// Returns the degree of freedom at which M is not positive definite, or -1.
template <int Count, class T>
STICTION_HD int eliminate_chain(const TreeViewT<T>& tree, int k, T* M, T* x) {
  using std::isfinite;
  const int* ancestor = tree.ancestor + tree.row[k];
  const int depth = tree.row[k + 1] - tree.row[k] - 1;
  T* row[Count];
  T inverse[Count], factor[Count];
  for (int r = 0; r < Count; ++r) row[r] = M + tree.row[k - r];
  for (int r = 0; r < Count; ++r) {
    T& pivot = row[r][depth - r];
    if (!(pivot > T(0)) || !isfinite(pivot)) return k - r;
    pivot = inverse[r] = T(1) / pivot;
    for (int s = r + 1; s < Count; ++s) {
      const int e = depth - s;
      factor[r] = row[r][e] * inverse[r];
      for (int j = 0; j <= e; ++j) row[s][j] -= factor[r] * row[r][j];
      row[r][e] = factor[r];
      if (x) x[k - s] -= factor[r] * x[k - r];
    }
  }
  for (int e = depth - Count; e >= 0; --e) {
    T* above = M + tree.row[ancestor[e]];
    for (int r = 0; r < Count; ++r) factor[r] = row[r][e] * inverse[r];
    for (int j = 0; j <= e; ++j) {
      T sum = above[j];
      for (int r = 0; r < Count; ++r) sum -= factor[r] * row[r][j];
      above[j] = sum;
    }
    for (int r = 0; r < Count; ++r) row[r][e] = factor[r];
    if (!x) continue;
    T& sum = x[ancestor[e]];
    for (int r = 0; r < Count; ++r) sum -= factor[r] * x[k - r];
  }
  return -1;
}

// Whether the two degrees of freedom before k carry it, one the other.
template <class T>
STICTION_HD bool ends_chain_of_three(const TreeViewT<T>& tree, int k) {
  const int last = tree.row[k + 1] - 1;
  return last - tree.row[k] >= 2 && tree.ancestor[last - 1] == k - 1 && tree.ancestor[last - 2] == k - 2;
}

}  // namespace detail

// Returns the first degree of freedom (from the last) at which M is not positive definite, or -1. A vector x becomes
// L⁻ᵀ x on the way.
template <class T>
STICTION_HD int factor_mass(const TreeViewT<T>& tree, T* M, T* x = nullptr) {
  for (int k = tree.dof_end - 1; k >= tree.dof_begin;) {
    const bool three = detail::ends_chain_of_three(tree, k);
    const int bad = three ? detail::eliminate_chain<3>(tree, k, M, x) : detail::eliminate_chain<1>(tree, k, M, x);
    if (bad >= 0) return bad;
    k -= three ? 3 : 1;
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

// x ← L⁻¹ D⁻¹ x.
template <class T>
STICTION_HD void solve_from_root(const TreeViewT<T>& tree, const T* factor, T* x) {
  for (int k = tree.dof_begin; k < tree.dof_end; ++k) {
    const int first = tree.row[k], depth = tree.row[k + 1] - first - 1;
    T sum = x[k] * factor[first + depth];
    for (int e = 0; e < depth; ++e) sum -= factor[first + e] * x[tree.ancestor[first + e]];
    x[k] = sum;
  }
}

// x ← M⁻¹ x = L⁻¹ D⁻¹ L⁻ᵀ x.
template <class T>
STICTION_HD void solve_mass(const TreeViewT<T>& tree, const T* factor, T* x) {
  for (int k = tree.dof_end - 1; k >= tree.dof_begin; --k) {
    const int first = tree.row[k], depth = tree.row[k + 1] - first - 1;
    for (int e = 0; e < depth; ++e) x[tree.ancestor[first + e]] -= factor[first + e] * x[k];
  }
  solve_from_root(tree, factor, x);
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
