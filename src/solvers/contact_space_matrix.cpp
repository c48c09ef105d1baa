// Newton matrix in contact space: (A W + B) δp = r with the dense Delassus matrix W = J M⁻¹ Jᵀ.
// Redundant contacts make W, and with it A W + B, singular. The factor is therefore taken of A (W + Ε) + B with the
// small compliance Ε, and iterative refinement against A W + B takes Ε out again wherever the system is consistent.
#include <algorithm>
#include <cmath>

#include "math/row_products.hpp"
#include "solvers/dense_lu.hpp"
#include "solvers/newton_matrix.hpp"

namespace stiction {
namespace {

constexpr int kRefinements = 3;
constexpr double kRefined = 1e-13;  // relative residual below which refinement gains nothing
// Backward error of a factor without exchange of rows above which it is made again with them.
constexpr double kPoor = 1e-9;

// Rows one after the other that W couples, and where they stand among all of these.
struct Run {
  int first = 0, place = 0, length = 0;
  bool operator==(const Run&) const = default;
};

// What a step leaves of a system: of the given one, of that with the shift, and the size of its terms.
struct Left {
  double unshifted = 0, shifted = 0, size = 0;
};

// Whether a row of A is that of v_i + δv_i = 0: all of a contact that sticks, the normal one of another.
bool is_unit(const double* row, int length, int i) {
  for (int k = 0; k < length; ++k)
    if (row[k] != (k == i ? 1.0 : 0.0)) return false;
  return true;
}

// to ← from, without a call: the rows are short. The last vector ends with them.
inline void copy_row(const double* from, int n, double* to) {
  constexpr int kLane = detail::kLane;
  if (n < kLane) {
    for (int j = 0; j < n; ++j) to[j] = from[j];
    return;
  }
  for (int j = 0; j + kLane < n; j += kLane) detail::store_pack(to + j, detail::load_pack(from + j));
  detail::store_pack(to + n - kLane, detail::load_pack(from + n - kLane));
}

// residual = r − A δv − B δp of one block.
template <int Rows>
void leave(const double* a, const double* b, int rows, const double* r, const double* velocity, const double* delta_p,
           const double* shift, double compliance, double* residual, Left& left) {
  const int m = Rows > 0 ? Rows : rows;
  for (int i = 0; i < m; ++i) {
    double e = r[i], added = 0;
    for (int j = 0; j < m; ++j) {
      e -= a[m * i + j] * velocity[j] + b[m * i + j] * delta_p[j];
      added += a[m * i + j] * (shift[j] * delta_p[j]);
    }
    residual[i] = e;
    left.unshifted = std::max(left.unshifted, std::isfinite(e) ? std::abs(e) : INFINITY);
    left.shifted = std::max(left.shifted, std::abs(e - compliance * added));
    left.size = std::max(left.size, std::abs(r[i]) + std::abs(shift[i] * delta_p[i]));
  }
}

}  // namespace

struct ContactSpaceMatrix::Storage {
  const Island* island = nullptr;
  const double* A = nullptr;
  const double* B = nullptr;
  detail::AlignedVector padded;     // a vector as long as a row of W
  std::vector<double> shift;        // diagonal of Ε / shift
  std::vector<Run> runs;            // rows of the blocks that W couples
  std::vector<Run> gathered;        // those of the last factor
  detail::AlignedVector coupled;    // these rows and columns of W, padded
  std::vector<int> place;           // of each of these blocks: its first row among them
  std::vector<double> own_inverse;  // 1 / B_ii of the others; 0 for these
  std::vector<double> residual, packed, velocity, accepted, apart, trial;
  double compliance = 0;   // shift
  bool exchanges = false;  // whether the factor exchanged rows
  DenseLu lu;

  bool is_apart(int block) const;
  void gather_coupled(int count);
  void fill_block(int block, double* out) const;
  bool factor(bool exchange);
  void multiply(const double* x, double* out);
  void solve_shifted(double* x);

  // residual = r − A δv − B δp with δv in velocity.
  Left evaluate(const double* r, const double* delta_p);
};

Left ContactSpaceMatrix::Storage::evaluate(const double* r, const double* delta_p) {
  Left left;
  for (int c = 0; c < island->nblock; ++c) {
    const int first = island->row[std::size_t(c)], rows = island->block_size(c),
              square = island->square[std::size_t(c)];
    const auto each = rows == 3 ? leave<3> : rows == 1 ? leave<1> : leave<0>;
    each(A + square, B + square, rows, r + first, velocity.data() + first, delta_p + first, shift.data() + first,
         compliance, residual.data() + first, left);
  }
  return left;
}

ContactSpaceMatrix::ContactSpaceMatrix() : storage_(std::make_unique<Storage>()) {}
ContactSpaceMatrix::~ContactSpaceMatrix() = default;

void ContactSpaceMatrix::prepare(const Island& island, const double* delassus_blocks) {
  Storage& s = *storage_;
  s.island = &island;
  const auto n = std::size_t(island.nrow);
  s.gathered.clear();
  s.padded.assign(std::size_t(island.response_stride), 0.0);
  s.shift.resize(n);
  for (auto* list : {&s.residual, &s.packed, &s.velocity, &s.accepted, &s.apart, &s.trial, &s.own_inverse})
    list->resize(n);
  for (int c = 0; c < island.nblock; ++c)
    for (int k = 0, rows = island.block_size(c); k < rows; ++k)
      s.shift[std::size_t(island.row[std::size_t(c)] + k)] =
          delassus_blocks[island.square[std::size_t(c)] + (rows + 1) * k];
}

// A block with A = 0 (an open contact) moves by itself: B δp = r. The others are coupled.
bool ContactSpaceMatrix::Storage::is_apart(int block) const {
  const int rows = island->block_size(block), square = island->square[std::size_t(block)];
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < rows; ++j)
      if (A[square + rows * i + j] != 0 || (i != j && B[square + rows * i + j] != 0)) return false;
  return true;
}

// The rows and columns of W that are coupled, where these are not those of the last factor.
void ContactSpaceMatrix::Storage::gather_coupled(int count) {
  if (runs == gathered) return;
  gathered = runs;
  const int length = lu.stride();
  coupled.assign(std::size_t(count) * std::size_t(length), 0.0);
  double* to = coupled.data();
  for (const Run& rows : runs)
    for (int i = rows.first; i < rows.first + rows.length; ++i, to += length)
      for (const Run& columns : runs)
        copy_row(island->response_row(i) + columns.first, columns.length, to + columns.place);
}

// A (W + Ε) + B of a coupled block, its coupled columns.
void ContactSpaceMatrix::Storage::fill_block(int block, double* out) const {
  const auto c = std::size_t(block);
  const int rows = island->block_size(block), first = island->row[c], own = place[c], length = lu.stride();
  const double* a = A + island->square[c];
  const double* b = B + island->square[c];
  const double* from = coupled.data() + std::ptrdiff_t(own) * length;
  for (int i = 0; i < rows; ++i, out += length) {
    if (is_unit(a + rows * i, rows, i))
      copy_row(from + std::ptrdiff_t(i) * length, length, out);
    else
      detail::combine_rows(out, a + rows * i, rows, from, length, length);
    for (int k = 0; k < rows; ++k)
      out[own + k] += a[rows * i + k] * compliance * shift[std::size_t(first + k)] + b[rows * i + k];
  }
}

bool ContactSpaceMatrix::factor(const double* A, const double* B, double shift) {
  Storage& s = *storage_;
  const Island& island = *s.island;
  s.A = A;
  s.B = B;
  s.runs.clear();
  s.place.resize(std::size_t(island.nblock));
  int coupled = 0;
  for (int c = 0; c < island.nblock; ++c) {
    const int rows = island.block_size(c), first = island.row[std::size_t(c)], square = island.square[std::size_t(c)];
    const bool apart = s.is_apart(c);
    for (int i = 0; i < rows; ++i) s.own_inverse[std::size_t(first + i)] = apart ? 1 / B[square + (rows + 1) * i] : 0;
    if (apart) continue;
    if (s.runs.empty() || s.runs.back().first + s.runs.back().length != first) s.runs.push_back({first, coupled, 0});
    s.place[std::size_t(c)] = coupled;
    s.runs.back().length += rows;
    coupled += rows;
  }
  s.compliance = shift;
  s.lu.resize(coupled);
  s.gather_coupled(coupled);
  // Most systems need no exchange of rows; the first solution tells.
  return (coupled <= detail::kMostTurned && s.factor(false)) || s.factor(true);
}

bool ContactSpaceMatrix::Storage::factor(bool exchange) {
  double* out = lu.resize(lu.size());
  for (int c = 0; c < island->nblock; ++c) {
    if (own_inverse[std::size_t(island->row[std::size_t(c)])] != 0) continue;
    fill_block(c, out);
    out += island->block_size(c) * lu.stride();
  }
  exchanges = exchange;
  return exchange ? lu.factor() : lu.factor_in_order();
}

// W x
void ContactSpaceMatrix::Storage::multiply(const double* x, double* out) {
  std::copy(x, x + island->nrow, padded.data());
  detail::multiply(island->response.data(), island->response_stride, island->nrow, padded.data(), out);
}

// x ← (A (W + Ε) + B)⁻¹ x: blocks apart first, then what they do to the coupled ones, then these.
void ContactSpaceMatrix::Storage::solve_shifted(double* x) {
  const int n = island->nrow;
  bool moved = false;
  std::fill(apart.begin(), apart.end(), 0.0);
  for (int i = 0; i < n; ++i) {
    if (own_inverse[std::size_t(i)] == 0) continue;
    apart[std::size_t(i)] = x[i] * own_inverse[std::size_t(i)];
    moved = moved || apart[std::size_t(i)] != 0;
  }
  if (moved) {
    for (const Run& run : runs)
      for (int i = run.first; i < run.first + run.length; ++i)
        velocity[std::size_t(i)] = row_dot(island->response_row(i), apart.data(), n);
    for (int c = 0; c < island->nblock; ++c) {
      const int rows = island->block_size(c), first = island->row[std::size_t(c)];
      if (own_inverse[std::size_t(first)] != 0) continue;
      const double* a = A + island->square[std::size_t(c)];
      for (int i = 0; i < rows; ++i) x[first + i] -= row_dot(a + rows * i, velocity.data() + first, rows);
    }
  }
  for (const Run& run : runs) std::copy_n(x + run.first, run.length, packed.data() + run.place);
  lu.solve(packed.data());
  std::copy(apart.begin(), apart.end(), x);
  for (const Run& run : runs) std::copy_n(packed.data() + run.place, run.length, x + run.first);
}

double ContactSpaceMatrix::solve(const double* r, double enough, double* delta_p, double* delta_u) {
  Storage& s = *storage_;
  const int n = s.island->nrow;
  double size = 0;
  for (int i = 0; i < n; ++i) size = std::max(size, std::abs(r[i]));
  std::copy(r, r + n, s.residual.begin());
  std::fill(delta_p, delta_p + n, 0.0);
  std::fill(s.accepted.begin(), s.accepted.end(), 0.0);
  const double goal = std::max(kRefined * size, enough);
  double reached = size > 0 ? INFINITY : 0.0;
  for (int pass = 0; pass <= kRefinements && reached > goal; ++pass) {
    s.solve_shifted(s.residual.data());
    for (int i = 0; i < n; ++i) s.trial[std::size_t(i)] = delta_p[i] + s.residual[std::size_t(i)];
    s.multiply(s.trial.data(), s.velocity.data());
    const Left left = s.evaluate(r, s.trial.data());
    if (pass == 0 && !s.exchanges && !(left.shifted <= kPoor * left.size)) {
      if (!s.factor(true)) break;
      std::copy(r, r + n, s.residual.begin());
      pass = -1;
      continue;
    }
    const double error = left.unshifted;
    if (!(error < reached)) break;  // refinement has stopped to gain: keep the better step
    std::copy(s.trial.begin(), s.trial.end(), delta_p);
    s.accepted.swap(s.velocity);
    reached = error;
  }
  std::copy(s.accepted.begin(), s.accepted.end(), delta_u);
  return size > 0 ? reached / size : 0.0;
}

const double* ContactSpaceMatrix::velocity() const {
  return storage_->accepted.data();
}

void ContactSpaceMatrix::respond(int block, const double* impulse, double* delta_u) {
  Storage& s = *storage_;
  if (!s.exchanges) s.factor(true);  // nothing here would tell
  const int rows = s.island->block_size(block), first = s.island->row[std::size_t(block)];
  const double* B = s.B + s.island->square[std::size_t(block)];
  std::fill(s.residual.begin(), s.residual.end(), 0.0);
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < rows; ++j) s.residual[std::size_t(first + i)] += B[rows * i + j] * impulse[j];
  s.solve_shifted(s.residual.data());
  s.multiply(s.residual.data(), delta_u);
}

}  // namespace stiction
