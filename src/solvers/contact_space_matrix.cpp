// Newton matrix in contact space: (A W + B) δp = r with the dense Delassus matrix W = J M⁻¹ Jᵀ.
// Redundant contacts make W, and with it A W + B, singular. The factor is therefore taken of A (W + Ε) + B with the
// small compliance Ε, and iterative refinement against A W + B takes Ε out again wherever the system is consistent.
#include <algorithm>
#include <cmath>

#include "math/tree_cholesky.hpp"
#include "solvers/dense_lu.hpp"
#include "solvers/newton_matrix.hpp"

namespace stiction {
namespace {

constexpr int kRefinements = 3;
constexpr double kRefined = 1e-13;  // relative residual below which refinement gains nothing

// Y = J L⁻¹, row by row: W = Y Yᵀ.
void whiten_jacobian(const Island& island, double* whitened) {
  for (int c = 0; c < island.nblock; ++c) {
    const auto i = std::size_t(c);
    for (int side = 0; side < 2; ++side) {
      const int tree = side == 0 ? island.tree_a[i] : island.tree_b[i];
      if (tree < 0) continue;
      const double* jacobian = side == 0 ? island.jacobian_a[i] : island.jacobian_b[i];
      const int n = island.tree_size(tree);
      const ContactProblem& problem = *island.problem;
      const double* L =
          problem.inertia_factor.data() + problem.tree_inertia[std::size_t(island.tree[std::size_t(tree)])];
      for (int k = 0; k < island.block_size(c); ++k) {
        double* y = whitened + (island.row[i] + k) * island.nv + island.dof[std::size_t(tree)];
        std::copy(jacobian + k * n, jacobian + (k + 1) * n, y);
        whiten(L, n, y);
      }
    }
  }
}

// δu = M⁻¹ Jᵀ δp
void apply_impulse(const Island& island, const double* delta_p, double* delta_u) {
  generalized_impulse(island, delta_p, delta_u);
  apply_inverse_inertia(island, delta_u);
}

}  // namespace

struct ContactSpaceMatrix::Storage {
  const Island* island = nullptr;
  const double* A = nullptr;
  const double* B = nullptr;
  std::vector<double> whitened;     // Y = J L⁻¹, nrow × nv: W = Y Yᵀ
  std::vector<double> delassus;     // W, nrow × nrow
  std::vector<double> shift;        // diagonal of Ε / shift
  std::vector<int> coupled;         // rows of the blocks that W couples
  std::vector<double> own_inverse;  // 1 / B_ii of the others; 0 for these
  std::vector<double> residual, previous, velocity, apart, trial;
  DenseLu lu;

  bool is_apart(int block) const;
  void solve_shifted(double* x);

  // residual = r − A δv − B δp with δv in velocity; returns its largest entry, infinity if one is not finite.
  double evaluate(const double* r, const double* delta_p);
};

double ContactSpaceMatrix::Storage::evaluate(const double* r, const double* delta_p) {
  double error = 0;
  for (int c = 0; c < island->nblock; ++c) {
    const int first = island->row[std::size_t(c)], rows = island->block_size(c);
    const double* a = A + island->square[std::size_t(c)];
    const double* b = B + island->square[std::size_t(c)];
    for (int i = 0; i < rows; ++i) {
      double e = r[first + i];
      for (int j = 0; j < rows; ++j)
        e -= a[rows * i + j] * velocity[std::size_t(first + j)] + b[rows * i + j] * delta_p[first + j];
      residual[std::size_t(first + i)] = e;
      error = std::isfinite(e) ? std::max(error, std::abs(e)) : INFINITY;
    }
  }
  return error;
}

ContactSpaceMatrix::ContactSpaceMatrix() : storage_(std::make_unique<Storage>()) {}
ContactSpaceMatrix::~ContactSpaceMatrix() = default;

void ContactSpaceMatrix::prepare(const Island& island, const double* delassus_blocks) {
  Storage& s = *storage_;
  s.island = &island;
  const int n = island.nrow, nv = island.nv;
  s.delassus.resize(std::size_t(n) * std::size_t(n));
  s.shift.resize(std::size_t(n));
  for (auto* list : {&s.residual, &s.previous, &s.velocity, &s.apart, &s.trial, &s.own_inverse})
    list->resize(std::size_t(n));

  for (int c = 0; c < island.nblock; ++c)
    for (int k = 0, rows = island.block_size(c); k < rows; ++k)
      s.shift[std::size_t(island.row[std::size_t(c)] + k)] =
          delassus_blocks[island.square[std::size_t(c)] + (rows + 1) * k];
  if (island.condensed) {
    s.delassus = island.response;
    return;
  }
  s.whitened.assign(std::size_t(n) * std::size_t(nv), 0.0);
  whiten_jacobian(island, s.whitened.data());
  for (int i = 0; i < n; ++i)
    for (int j = 0; j <= i; ++j) {
      const double sum = row_dot(s.whitened.data() + i * nv, s.whitened.data() + j * nv, nv);
      s.delassus[std::size_t(i * n + j)] = s.delassus[std::size_t(j * n + i)] = sum;
    }
}

// A block with A = 0 (an open contact) moves by itself: B δp = r. The others are coupled.
bool ContactSpaceMatrix::Storage::is_apart(int block) const {
  const int rows = island->block_size(block), square = island->square[std::size_t(block)];
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < rows; ++j)
      if (A[square + rows * i + j] != 0 || (i != j && B[square + rows * i + j] != 0)) return false;
  return true;
}

bool ContactSpaceMatrix::factor(const double* A, const double* B, double shift) {
  Storage& s = *storage_;
  const Island& island = *s.island;
  s.A = A;
  s.B = B;
  const int n = island.nrow;
  s.coupled.clear();
  for (int c = 0; c < island.nblock; ++c) {
    const int rows = island.block_size(c), first = island.row[std::size_t(c)], square = island.square[std::size_t(c)];
    const bool apart = s.is_apart(c);
    for (int i = 0; i < rows; ++i) {
      s.own_inverse[std::size_t(first + i)] = apart ? 1 / B[square + (rows + 1) * i] : 0;
      if (!apart) s.coupled.push_back(first + i);
    }
  }
  double* out = s.lu.resize(int(s.coupled.size()));
  std::size_t place = 0;  // of a row among the coupled ones
  for (int c = 0; c < island.nblock; ++c) {
    const int rows = island.block_size(c), first = island.row[std::size_t(c)], square = island.square[std::size_t(c)];
    if (place == s.coupled.size() || s.coupled[place] != first) continue;
    for (int i = 0; i < rows; ++i, out += s.lu.stride()) {
      std::fill(s.previous.begin(), s.previous.end(), 0.0);
      for (int k = 0; k < rows; ++k) {
        const double a = A[square + rows * i + k];
        if (a == 0) continue;
        add_row_times(a, s.delassus.data() + (first + k) * n, n, s.previous.data());
        s.previous[std::size_t(first + k)] += a * shift * s.shift[std::size_t(first + k)];
      }
      for (int k = 0; k < rows; ++k) s.previous[std::size_t(first + k)] += B[square + rows * i + k];
      for (std::size_t j = 0; j < s.coupled.size(); ++j) out[j] = s.previous[std::size_t(s.coupled[j])];
    }
    place += std::size_t(rows);
  }
  return s.lu.factor();
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
    for (const int i : coupled) velocity[std::size_t(i)] = row_dot(delassus.data() + i * n, apart.data(), n);
    for (int c = 0; c < island->nblock; ++c) {
      const int rows = island->block_size(c), first = island->row[std::size_t(c)];
      if (own_inverse[std::size_t(first)] != 0) continue;
      const double* a = A + island->square[std::size_t(c)];
      for (int i = 0; i < rows; ++i) x[first + i] -= row_dot(a + rows * i, velocity.data() + first, rows);
    }
  }
  for (std::size_t j = 0; j < coupled.size(); ++j) previous[j] = x[coupled[j]];
  lu.solve(previous.data());
  std::copy(apart.begin(), apart.end(), x);
  for (std::size_t j = 0; j < coupled.size(); ++j) x[coupled[j]] = previous[j];
}

double ContactSpaceMatrix::solve(const double* r, double* delta_p, double* delta_u) {
  Storage& s = *storage_;
  const Island& island = *s.island;
  const int n = island.nrow;
  double size = 0;
  for (int i = 0; i < n; ++i) size = std::max(size, std::abs(r[i]));
  std::copy(r, r + n, s.residual.begin());
  std::fill(delta_p, delta_p + n, 0.0);
  std::fill(delta_u, delta_u + island.nv, 0.0);
  std::fill(s.velocity.begin(), s.velocity.end(), 0.0);
  if (!(size > 0)) return 0;
  double reached = INFINITY;
  for (int pass = 0; pass <= kRefinements && reached > kRefined; ++pass) {
    s.solve_shifted(s.residual.data());
    s.trial.assign(delta_p, delta_p + n);
    add_row_times(1.0, s.residual.data(), n, s.trial.data());
    for (int i = 0; i < n; ++i) s.velocity[std::size_t(i)] = row_dot(s.delassus.data() + i * n, s.trial.data(), n);
    const double error = s.evaluate(r, s.trial.data()) / size;
    if (!(error < reached)) break;  // refinement has stopped to gain: keep the better step
    std::copy(s.trial.begin(), s.trial.end(), delta_p);
    reached = error;
  }
  apply_impulse(island, delta_p, delta_u);
  contact_velocity(island, delta_u, false, s.velocity.data());
  return reached;
}

const double* ContactSpaceMatrix::velocity() const {
  return storage_->velocity.data();
}

void ContactSpaceMatrix::respond(int block, const double* impulse, double* delta_u) {
  Storage& s = *storage_;
  const int rows = s.island->block_size(block), first = s.island->row[std::size_t(block)];
  const double* B = s.B + s.island->square[std::size_t(block)];
  std::fill(s.residual.begin(), s.residual.end(), 0.0);
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < rows; ++j) s.residual[std::size_t(first + i)] += B[rows * i + j] * impulse[j];
  s.solve_shifted(s.residual.data());
  apply_impulse(*s.island, s.residual.data(), delta_u);
}

}  // namespace stiction
