#include "solvers/block_kernels.hpp"

#include <algorithm>
#include <cmath>

namespace stiction::detail {
namespace {

using Pack = double __attribute__((vector_size(kAlignment), may_alias));

Pack* packs(double* p) {
  return reinterpret_cast<Pack*>(p);
}
const Pack* packs(const double* p) {
  return reinterpret_cast<const Pack*>(p);
}

// Halves are added to each other, so that few additions wait for one another.
inline double lane_sum(const Pack& x) {
  double lane[kLane];
  for (int j = 0; j < kLane; ++j) lane[j] = x[j];
  for (int half = kLane / 2; half > 0; half /= 2)
    for (int j = 0; j < half; ++j) lane[j] += lane[j + half];
  return lane[0];
}

// A tile of C that stays in registers: Rows rows, Packs vectors wide.
constexpr int kTileRows = 6, kTilePacks = 2;

template <int Rows, int Packs, bool Subtract>
inline void tile(double* C, int C_stride, Entries A, const double* B, int B_stride, int depth) {
  Pack sum[Rows][Packs];
  for (int i = 0; i < Rows; ++i)
    for (int j = 0; j < Packs; ++j) sum[i][j] = Subtract ? packs(C + std::ptrdiff_t(i) * C_stride)[j] : Pack{};
  for (int p = 0; p < depth; ++p) {
    const double* a = A.data + std::ptrdiff_t(p) * A.step;
    const Pack* b = packs(B + std::ptrdiff_t(p) * B_stride);
    for (int i = 0; i < Rows; ++i) {
      const double s = a[std::ptrdiff_t(i) * A.stride];
      for (int j = 0; j < Packs; ++j) {
        if constexpr (Subtract)
          sum[i][j] -= s * b[j];
        else
          sum[i][j] += s * b[j];
      }
    }
  }
  for (int i = 0; i < Rows; ++i)
    for (int j = 0; j < Packs; ++j) packs(C + std::ptrdiff_t(i) * C_stride)[j] = sum[i][j];
}

template <int Rows, bool Subtract>
void strip(double* C, int C_stride, int columns, Entries A, const double* B, int B_stride, int depth) {
  constexpr int kWidth = kTilePacks * kLane;
  int j = 0;
  for (; j + kWidth <= columns; j += kWidth)
    tile<Rows, kTilePacks, Subtract>(C + j, C_stride, A, B + j, B_stride, depth);
  for (; j < columns; j += kLane) tile<Rows, 1, Subtract>(C + j, C_stride, A, B + j, B_stride, depth);
}

// Upper: only columns from the diagonal on, rounded down to whole vectors.
template <bool Subtract, bool Upper>
void product(double* C, int C_stride, int rows, int all_columns, Entries A, const double* all_B, int B_stride,
             int depth) {
  static_assert(kTileRows == 6);
  for (int i = 0; i < rows; i += kTileRows) {
    const int skipped = Upper ? i / kLane * kLane : 0, columns = all_columns - skipped;
    double* c = C + std::ptrdiff_t(i) * C_stride + skipped;
    const double* B = all_B + skipped;
    const Entries a{A.data + std::ptrdiff_t(i) * A.stride, A.step, A.stride};
    switch (std::min(rows - i, kTileRows)) {
      case 6:
        strip<6, Subtract>(c, C_stride, columns, a, B, B_stride, depth);
        break;
      case 5:
        strip<5, Subtract>(c, C_stride, columns, a, B, B_stride, depth);
        break;
      case 4:
        strip<4, Subtract>(c, C_stride, columns, a, B, B_stride, depth);
        break;
      case 3:
        strip<3, Subtract>(c, C_stride, columns, a, B, B_stride, depth);
        break;
      case 2:
        strip<2, Subtract>(c, C_stride, columns, a, B, B_stride, depth);
        break;
      default:
        strip<1, Subtract>(c, C_stride, columns, a, B, B_stride, depth);
        break;
    }
  }
}

template <int N, bool Scaled>
void substitute_rows(double* x, int stride, int columns, Entries T, const double* scale) {
  for (int j = 0; j < columns; j += kLane) {
    Pack row[N];
    for (int r = 0; r < N; ++r) {
      Pack sum = *packs(x + std::ptrdiff_t(r) * stride + j);
      for (int q = 0; q < r; ++q) sum -= T.data[std::ptrdiff_t(q) * T.step + std::ptrdiff_t(r) * T.stride] * row[q];
      if constexpr (Scaled) sum *= scale[r];
      row[r] = sum;
      *packs(x + std::ptrdiff_t(r) * stride + j) = sum;
    }
  }
}

template <bool Scaled>
void substitute_any(double* x, int stride, int columns, int n, Entries T, const double* scale) {
  static_assert(kPanel == 8);
  switch (n) {
    case 8:
      substitute_rows<8, Scaled>(x, stride, columns, T, scale);
      break;
    case 7:
      substitute_rows<7, Scaled>(x, stride, columns, T, scale);
      break;
    case 6:
      substitute_rows<6, Scaled>(x, stride, columns, T, scale);
      break;
    case 5:
      substitute_rows<5, Scaled>(x, stride, columns, T, scale);
      break;
    case 4:
      substitute_rows<4, Scaled>(x, stride, columns, T, scale);
      break;
    case 3:
      substitute_rows<3, Scaled>(x, stride, columns, T, scale);
      break;
    case 2:
      substitute_rows<2, Scaled>(x, stride, columns, T, scale);
      break;
    default:
      substitute_rows<1, Scaled>(x, stride, columns, T, scale);
      break;
  }
}

}  // namespace

void subtract_product(double* C, int C_stride, int rows, int columns, Entries A, const double* B, int B_stride,
                      int depth) {
  product<true, false>(C, C_stride, rows, columns, A, B, B_stride, depth);
}

void subtract_upper_product(double* C, int C_stride, int rows, int columns, Entries A, const double* B, int B_stride,
                            int depth) {
  product<true, true>(C, C_stride, rows, columns, A, B, B_stride, depth);
}

void form_product(double* C, int C_stride, int rows, int columns, Entries A, const double* B, int B_stride, int depth) {
  product<false, false>(C, C_stride, rows, columns, A, B, B_stride, depth);
}

bool factor_columns(double* panel, int stride, int rows, int n, const double* least, int* pivot, double* inverse) {
  const auto row = [&](int i) { return panel + std::ptrdiff_t(i) * stride; };
  for (int c = 0; c < n; ++c) {
    int best = c;
    double largest = std::abs(row(c)[c]);
    for (int i = c + 1; i < rows; ++i)
      if (const double size = std::abs(row(i)[c]); size > largest) {
        best = i;
        largest = size;
      }
    if (!(largest > least[c]) || !std::isfinite(largest)) return false;
    pivot[c] = best;
    if (best != c) std::swap_ranges(row(c), row(c) + kPanel, row(best));
    inverse[c] = 1 / row(c)[c];

    // Row c right of the diagonal; zeros to its left leave L alone.
    alignas(kAlignment) double upper[kPanel] = {};
    std::copy(row(c) + c + 1, row(c) + kPanel, upper + c + 1);
    for (int i = c + 1; i < rows; ++i) {
      double* a = row(i);
      const double l = a[c] * inverse[c];
      for (int k = 0; k < kPanel; k += kLane) *packs(a + k) -= l * *packs(upper + k);
      a[c] = l;
    }
  }
  return true;
}

bool factor_symmetric(double* corner, int stride, int n, const double* least, double* inverse) {
  const auto row = [&](int i) { return corner + std::ptrdiff_t(i) * stride; };
  for (int c = 0; c < n; ++c) {
    const double pivot = row(c)[c];
    if (!(pivot > least[c]) || !std::isfinite(pivot)) return false;
    inverse[c] = 1 / pivot;
    for (int i = c + 1; i < n; ++i) {
      const double l = row(c)[i] * inverse[c];
      for (int k = i; k < n; ++k) row(i)[k] -= l * row(c)[k];
      row(i)[c] = l;
    }
  }
  return true;
}

void substitute(double* x, int stride, int columns, int n, Entries T, const double* scale) {
  if (scale)
    substitute_any<true>(x, stride, columns, n, T, scale);
  else
    substitute_any<false>(x, stride, columns, n, T, scale);
}

double dot(const double* a, const double* b, int columns) {
  Pack sum{};
  for (int j = 0; j < columns; j += kLane) sum += *packs(a + j) * *packs(b + j);
  return lane_sum(sum);
}

double absolute_sum(const double* a, int columns) {
  Pack sum{};
  for (int j = 0; j < columns; j += kLane) {
    const Pack x = *packs(a + j);
    sum += x < 0 ? -x : x;
  }
  return lane_sum(sum);
}

void add_scaled(double* y, double s, const double* a, int columns) {
  for (int j = 0; j < columns; j += kLane) *packs(y + j) += s * *packs(a + j);
}

void copy_scaled(double* y, double s, const double* a, int columns) {
  for (int j = 0; j < columns; j += kLane) *packs(y + j) = s * *packs(a + j);
}

void swap_rows(double* a, double* b, int columns) {
  std::swap_ranges(a, a + columns, b);
}

}  // namespace stiction::detail
