#include "solvers/block_kernels.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace stiction::detail {
namespace {

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

using Lanes = long long __attribute__((vector_size(kAlignment)));

// Lane l becomes that at distance Step.
template <int Step, class Vector, int... L>
inline Vector across(const Vector& x, std::integer_sequence<int, L...>) {
  return __builtin_shufflevector(x, x, (L ^ Step)...);
}

// Lane l holds first + l.
inline Lanes count_from(int first) {
  Lanes out{};
  for (int l = 0; l < kLane; ++l) out[l] = first + l;
  return out;
}

// Each lane with the one at distance Step: the larger of both, of equal ones the earlier.
template <int Step>
inline void take_larger(Pack& largest, Lanes& place) {
  if constexpr (Step > 0) {
    const Pack other = across<Step>(largest, LaneNumbers{});
    const Lanes there = across<Step>(place, LaneNumbers{});
    const Lanes better = (other > largest) | ((other == largest) & (there < place));
    largest = better ? other : largest;
    place = better ? there : place;
    take_larger<Step / 2>(largest, place);
  }
}

// The first of the entries from `first` to the end that are largest in size; `first` where none is a number.
inline int find_largest(const double* x, int first, int end) {
  Pack largest = Pack{} - 1;
  Lanes place = Lanes{} + first;
  const int begin = first - first % kLane;
  Lanes here = count_from(begin);
  for (int i = begin; i < end; i += kLane, here += kLane) {
    const Pack value = *packs(x + i);
    const Pack size = value < 0 ? -value : value;
    const Lanes better = (size > largest) & (here >= first) & (here < end);
    largest = better ? size : largest;
    place = better ? here : place;
  }
  take_larger<kLane / 2>(largest, place);
  return int(place[0]);
}

// Row by row, for any number of rows.
bool factor_rows(double* panel, int stride, int rows, int n, const double* least, int* pivot, double* inverse) {
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

// On its side a column is a row of vectors: the pivot is searched and the columns are updated in whole vectors.
template <bool Search>
bool factor_turned(double* panel, int stride, int rows, int n, const double* least, int* pivot, double* inverse) {
  alignas(kAlignment) double columns[kPanel * kMostTurned];
  const int length = padded(rows, kLane);
  for (int i = 0; i < rows; i += kLane)
    for (int j = 0; j < kPanel; j += kLane)
      turn(panel + std::ptrdiff_t(i) * stride + j, stride, std::min(kLane, rows - i), columns + j * length + i, length,
           kLane);
  for (int c = 0; c < n; ++c) {
    double* own = columns + c * length;
    const int best = Search ? find_largest(own, c, rows) : c;
    const double largest = std::abs(own[best]);
    if (!(largest > least[c]) || !std::isfinite(largest)) return false;
    pivot[c] = best;
    if (best != c)
      for (int k = 0; k < kPanel; ++k) std::swap(columns[k * length + c], columns[k * length + best]);
    inverse[c] = 1 / own[c];
    // L below the diagonal. Zeros in place of the entries above it, and of the pivot, leave the other columns alone
    // there.
    const int begin = c - c % kLane;
    const Lanes below = count_from(begin) > c;
    const Pack scaled = *packs(own + begin) * inverse[c], first = below ? scaled : Pack{};
    *packs(own + begin) = below ? scaled : *packs(own + begin);
    for (int i = begin + kLane; i < length; i += kLane) *packs(own + i) *= inverse[c];
    for (int k = c + 1; k < kPanel; ++k) {
      double* other = columns + k * length;
      const double u = other[c];
      *packs(other + begin) -= u * first;
      for (int i = begin + kLane; i < length; i += kLane) *packs(other + i) -= u * *packs(own + i);
    }
  }
  for (int i = 0; i < rows; i += kLane)
    for (int j = 0; j < kPanel; j += kLane)
      turn(columns + j * length + i, length, kLane, panel + std::ptrdiff_t(i) * stride + j, stride,
           std::min(kLane, rows - i));
  return true;
}

// Σ_j a_rj x_j of kLane rows at a time, in lane r; rows beyond `rows` give zero.
inline Pack row_sums(const double* a, int stride, int rows, int columns, const double* x) {
  Pack sum[kLane] = {};
  if (rows >= kLane) {
    for (int j = 0; j < columns; j += kLane) {
      const Pack known = *packs(x + j);
      for (int r = 0; r < kLane; ++r) sum[r] += *packs(a + std::ptrdiff_t(r) * stride + j) * known;
    }
  } else {
    for (int r = 0; r < rows; ++r)
      for (int j = 0; j < columns; j += kLane) sum[r] += *packs(a + std::ptrdiff_t(r) * stride + j) * *packs(x + j);
  }
  exchange_lanes<1>(sum);
  for (int half = kLane / 2; half > 0; half /= 2)
    for (int r = 0; r < half; ++r) sum[r] += sum[r + half];
  return sum[0];
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

void form_upper_product(double* C, int C_stride, int rows, int columns, Entries A, const double* B, int B_stride,
                        int depth) {
  product<false, true>(C, C_stride, rows, columns, A, B, B_stride, depth);
}

bool factor_columns(double* panel, int stride, int rows, int n, const double* least, int* pivot, double* inverse) {
  if (rows > kMostTurned) return factor_rows(panel, stride, rows, n, least, pivot, inverse);
  return factor_turned<true>(panel, stride, rows, n, least, pivot, inverse);
}

bool factor_columns_in_order(double* panel, int stride, int rows, int n, double* inverse) {
  constexpr double kLeast[kPanel] = {};
  int pivot[kPanel];
  return factor_turned<false>(panel, stride, rows, n, kLeast, pivot, inverse);
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

// kLane rows at a time: products of all of them with what is known, then the triangle beside the diagonal, column by
// column of it.
void solve_factored(const double* a, int stride, int n, const double* inverse, double* y) {
  const Lanes lane = count_from(0);
  Pack column[kLane];
  const auto load_corner = [&](int first, int rows) {
    const double* corner = a + std::ptrdiff_t(first) * (stride + 1);
    for (int r = 0; r < kLane; ++r) column[r] = r < rows ? *packs(corner + std::ptrdiff_t(r) * stride) : Pack{};
    exchange_lanes<1>(column);
  };
  for (int first = 0; first < n; first += kLane) {
    const int rows = std::min(kLane, n - first);
    Pack x = *packs(y + first);
    if (first > 0) x -= row_sums(a + std::ptrdiff_t(first) * stride, stride, rows, first, y);
    load_corner(first, rows);
#pragma GCC unroll 8
    for (int c = 0; c + 1 < kLane; ++c) {
      const Pack lower = lane > c ? column[c] : Pack{};
      x -= lower * x[c];
    }
    *packs(y + first) = x;
  }
  for (int first = padded(n, kLane) - kLane; first >= 0; first -= kLane) {
    const int rows = std::min(kLane, n - first), next = first + kLane;
    Pack x = *packs(y + first);
    if (next < stride) x -= row_sums(a + std::ptrdiff_t(first) * stride + next, stride, rows, stride - next, y + next);
    load_corner(first, rows);
#pragma GCC unroll 8
    for (int c = kLane - 1; c >= 0; --c) {
      if (c >= rows) continue;
      const double value = x[c] * inverse[first + c];
      const Pack upper = lane < c ? column[c] : Pack{};
      x -= upper * value;
      x[c] = value;
    }
    *packs(y + first) = x;
  }
}

void multiply(const double* a, int stride, int rows, const double* x, double* y) {
  for (int i = 0; i < rows; i += kLane) {
    const int count = std::min(kLane, rows - i);
    const Pack sums = row_sums(a + std::ptrdiff_t(i) * stride, stride, count, stride, x);
    for (int r = 0; r < count; ++r) y[i + r] = sums[r];
  }
}

void combine_rows(double* out, const double* s, int count, const double* a, int stride, int columns) {
  for (int j = 0; j < columns; j += kLane) {
    Pack sum = s[0] * *packs(a + j);
    for (int k = 1; k < count; ++k) sum += s[k] * *packs(a + std::ptrdiff_t(k) * stride + j);
    *packs(out + j) = sum;
  }
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
