// Dense kernels of the block LU. All rows start at a whole vector and are padded with zeros to whole vectors, so no
// kernel has a remainder along a row. The order of operations is fixed: same input, same bits.
#pragma once

#include "math/lanes.hpp"

namespace stiction::detail {

// Pivots eliminated at a time.
inline constexpr int kPanel = 8;

// A matrix that is only read entry by entry: entry (p, i) is data[p · step + i · stride].
struct Entries {
  const double* data;
  int step, stride;
};

// C(i, j) ← C(i, j) − Σ_p A(p, i) B(p, j) for i < rows, j < columns (a multiple of kLane), p < depth.
void subtract_product(double* C, int C_stride, int rows, int columns, Entries A, const double* B, int B_stride,
                      int depth);

// The same for a symmetric C: the entries with j ≥ i, and some beside the diagonal that are not used.
void subtract_upper_product(double* C, int C_stride, int rows, int columns, Entries A, const double* B, int B_stride,
                            int depth);

// C(i, j) ← Σ_p A(p, i) B(p, j); of a symmetric C the entries with j ≥ i, and some beside the diagonal.
void form_product(double* C, int C_stride, int rows, int columns, Entries A, const double* B, int B_stride, int depth);
void form_upper_product(double* C, int C_stride, int rows, int columns, Entries A, const double* B, int B_stride,
                        int depth);

// LU of the first n ≤ kPanel columns of `panel`, which is kPanel wide, with the largest entry of each column as pivot:
// row c was exchanged with row pivot[c] (within the panel only), inverse[c] = 1 / u_cc. False where |u_cc| ≤ least[c]
// or is not finite.
bool factor_columns(double* panel, int stride, int rows, int n, const double* least, int* pivot, double* inverse);

// The same with the diagonal entries as pivots, for at most kMostTurned rows. False where one is zero or not finite.
inline constexpr int kMostTurned = 128;
bool factor_columns_in_order(double* panel, int stride, int rows, int n, double* inverse);

// LDLᵀ of the n × n block at `corner`, n ≤ kPanel, from its upper triangle: U = D Lᵀ on and above the diagonal, L
// below. inverse[c] = 1 / d_c. False where d_c ≤ least[c] or is not finite.
bool factor_symmetric(double* corner, int stride, int n, const double* least, double* inverse);

// Forward substitution along rows: x_r ← (x_r − Σ_{q<r} T(q, r) x_q) · scale_r for r < n ≤ kPanel and `columns`
// columns; scale may be null (unit diagonal).
void substitute(double* x, int stride, int columns, int n, Entries T, const double* scale);

// y ← U⁻¹ L⁻¹ y with the factor of an n × n matrix, unit diagonal in L; inverse: 1 / u_ii. y is padded with zeros to
// the stride.
void solve_factored(const double* a, int stride, int n, const double* inverse, double* y);

// y_i ← Σ_j a_ij x_j for i < rows, x padded with zeros to the stride.
void multiply(const double* a, int stride, int rows, const double* x, double* y);

// out_j ← Σ_k s_k a_kj for k < count, j < columns, a multiple of kLane.
void combine_rows(double* out, const double* s, int count, const double* a, int stride, int columns);

// Σ_j a_j b_j, Σ_j |a_j| and y_j ← y_j + s a_j for j < columns, a multiple of kLane.
double dot(const double* a, const double* b, int columns);
double absolute_sum(const double* a, int columns);
void add_scaled(double* y, double s, const double* a, int columns);

// y_j ← s a_j.
void copy_scaled(double* y, double s, const double* a, int columns);

void swap_rows(double* a, double* b, int columns);

}  // namespace stiction::detail
