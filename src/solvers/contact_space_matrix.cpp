// Newton matrix in contact space: (A W + B) δp = r with the dense Delassus matrix W = J M⁻¹ Jᵀ.
// Redundant contacts make W, and with it A W + B, singular. The factor is therefore taken of A (W + Ε) + B with the
// small compliance Ε, and iterative refinement against A W + B takes Ε out again wherever the system is consistent.
#include <algorithm>
#include <cmath>

#include "solvers/dense_lu.hpp"
#include "solvers/newton_matrix.hpp"

namespace stiction {
namespace {

constexpr int kRefinements = 3;
constexpr double kRefined = 1e-13;  // relative residual below which refinement gains nothing

// Y = J L⁻ᵀ, row by row: W = Y Yᵀ.
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
        for (int d = 0; d < n; ++d) {
          double sum = jacobian[k * n + d];
          for (int e = 0; e < d; ++e) sum -= L[d * n + e] * y[e];
          y[d] = sum / L[d * n + d];
        }
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
  std::vector<double> whitened;  // Y = J L⁻ᵀ, nrow × nv: W = Y Yᵀ
  std::vector<double> delassus;  // W, nrow × nrow
  std::vector<double> shift;     // diagonal of Ε / shift
  std::vector<double> residual, previous, velocity;
  DenseLu lu;

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
  for (auto* list : {&s.residual, &s.previous, &s.velocity}) list->resize(std::size_t(n));

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
      const double* a = s.whitened.data() + i * nv;
      const double* b = s.whitened.data() + j * nv;
      double sum = 0;
      for (int d = 0; d < nv; ++d) sum += a[d] * b[d];
      s.delassus[std::size_t(i * n + j)] = s.delassus[std::size_t(j * n + i)] = sum;
    }
}

bool ContactSpaceMatrix::factor(const double* A, const double* B, double shift) {
  Storage& s = *storage_;
  const Island& island = *s.island;
  s.A = A;
  s.B = B;
  const int n = island.nrow;
  double* matrix = s.lu.resize(n);
  const int stride = s.lu.stride();
  for (int c = 0; c < island.nblock; ++c) {
    const int rows = island.block_size(c), first = island.row[std::size_t(c)], square = island.square[std::size_t(c)];
    for (int i = 0; i < rows; ++i) {
      double* out = matrix + (first + i) * stride;
      std::fill(out, out + n, 0.0);
      for (int k = 0; k < rows; ++k) {
        const double a = A[square + rows * i + k];
        if (a == 0) continue;
        const double* w = s.delassus.data() + (first + k) * n;
        for (int j = 0; j < n; ++j) out[j] += a * w[j];
        out[first + k] += a * shift * s.shift[std::size_t(first + k)];
      }
      for (int k = 0; k < rows; ++k) out[first + k] += B[square + rows * i + k];
    }
  }
  return s.lu.factor();
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
  if (!(size > 0)) return 0;
  double reached = INFINITY;
  for (int pass = 0; pass <= kRefinements && reached > kRefined; ++pass) {
    std::copy(delta_p, delta_p + n, s.previous.begin());
    s.lu.solve(s.residual.data());
    for (int i = 0; i < n; ++i) delta_p[i] += s.residual[std::size_t(i)];
    apply_impulse(island, delta_p, delta_u);
    contact_velocity(island, delta_u, false, s.velocity.data());
    const double error = s.evaluate(r, delta_p) / size;
    if (!(error < reached)) {  // refinement has stopped to gain: keep the better step
      std::copy(s.previous.begin(), s.previous.end(), delta_p);
      apply_impulse(island, delta_p, delta_u);
      break;
    }
    reached = error;
  }
  return reached;
}

void ContactSpaceMatrix::respond(int block, const double* impulse, double* delta_u) {
  Storage& s = *storage_;
  const int rows = s.island->block_size(block), first = s.island->row[std::size_t(block)];
  const double* B = s.B + s.island->square[std::size_t(block)];
  std::fill(s.residual.begin(), s.residual.end(), 0.0);
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < rows; ++j) s.residual[std::size_t(first + i)] += B[rows * i + j] * impulse[j];
  s.lu.solve(s.residual.data());
  apply_impulse(*s.island, s.residual.data(), delta_u);
}

}  // namespace stiction
