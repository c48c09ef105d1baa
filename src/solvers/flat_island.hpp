// An island copied into flat arrays of one scalar type, for the methods that need no matrix and run in single precision
// as well as in double. Products as in problem/island.hpp.
#pragma once

#include "laws/block.hpp"
#include "problem/island.hpp"

namespace stiction {

template <class T>
struct FlatIsland {
  int ntree = 0, nblock = 0, nv = 0, nrow = 0;
  bool condensed = false;                                  // v = W p + b with the dense `response`, no trees
  std::vector<int> dof, row, tree_a, tree_b;               // as in Island
  std::vector<int> jacobian_a, jacobian_b, factor_offset;  // where Jacobians of blocks and factors of trees begin
  std::vector<T> jacobian, factor, response;
  std::vector<T> bias, free_velocity, friction, compliance;
  std::vector<BoxBounds<T>> box;
  std::vector<Law> law;
  std::vector<BlockScale<T>> scale;
  std::vector<int> square;   // as in Island
  std::vector<T> own_block;  // W_cc of each block, with its compliance, from entry square[c] on
  std::vector<T> own;        // their diagonals, row by row

  // delassus: the diagonal blocks of W, that of block c from entry square[c] on.
  void gather(const Island& island, const std::vector<BlockScale<double>>& scales, const std::vector<double>& delassus);

  // u = M⁻¹ Jᵀ p (W p where there are no trees).
  void response_to(const T* p, T* u) const;
  // v = J u + e p; with_bias: + b.
  void velocity(const T* u, const T* p, bool with_bias, T* v) const;
  // Row k of block c: J u, and u += M⁻¹ Jᵀ δp, after prepare_rows.
  T row_velocity(int c, int k, const T* u) const;
  void add_row(int c, int k, T impulse, T* u) const;
  // M⁻¹ Jᵀ, row by row, which add_row needs.
  void prepare_rows();

  int block_size(int c) const { return row[std::size_t(c) + 1] - row[std::size_t(c)]; }
  int tree_size(int t) const { return dof[std::size_t(t) + 1] - dof[std::size_t(t)]; }

 private:
  std::vector<T> moved_;  // as jacobian
};

extern template struct FlatIsland<float>;
extern template struct FlatIsland<double>;

}  // namespace stiction
