// Blocks A and B of the Newton system A δv + B δp = r as the methods of contact make them, for tests and benchmarks.
#pragma once

#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "problem/island.hpp"
#include "support/random.hpp"

namespace stiction::test {

enum class BlockKind {
  kInactive,       // δp = …
  kSticking,       // δv = …
  kSliding,        // natural map on the boundary of the cone: unsymmetric, [A B] of full rank, A and B of lower rank
  kInterior,       // both regular, compliances B between 1e-2 and 1e2 of W_nn, with a skew part
  kInteriorRows,   // rows with compliances between 1e-12 and 1e12 of W_nn, each row scaled by 1e-6 to 1e6
  kInteriorBlock,  // A = 1, eigenvalues of B between 1e-12 and 1e12 of W_nn: the small ones are rounding errors of B
  kMixed,          // one of the first four, block by block
};
inline constexpr BlockKind kBlockKinds[] = {BlockKind::kInactive, BlockKind::kSticking,     BlockKind::kSliding,
                                            BlockKind::kInterior, BlockKind::kInteriorRows, BlockKind::kInteriorBlock,
                                            BlockKind::kMixed};

inline const char* name_of(BlockKind kind) {
  static constexpr const char* kNames[] = {"inactive",       "sticking",        "sliding", "interior",
                                           "interior, rows", "interior, block", "mixed"};
  return kNames[int(kind)];
}

// Three orthonormal rows; one row: the number one.
inline Mat3 random_rows(Random& random, int n) {
  if (n == 1) return Mat3::identity();
  const Vec3 a = random.direction(), b = normalized(cross(a, random.direction()));
  return {{a, b, cross(a, b)}};
}

// One block of n rows. w: W_nn [1/kg].
inline void fill_newton_block(Random& random, BlockKind kind, int n, double w, double mu, double* A, double* B) {
  std::fill(A, A + 9, 0.0);
  std::fill(B, B + 9, 0.0);
  if (kind == BlockKind::kMixed) kind = BlockKind(random.integer(0, 3));
  if (kind == BlockKind::kSliding && n == 1) kind = BlockKind::kSticking;
  if (kind == BlockKind::kInactive || kind == BlockKind::kSticking) {
    for (int i = 0; i < n; ++i) (kind == BlockKind::kInactive ? B : A)[4 * i] = 1;
    return;
  }
  if (kind == BlockKind::kSliding) {
    // P: derivative of the projection of p − v / w on the cone's disc. A = P / w, B = 1 − P.
    const double angle = random.uniform(0, 2 * std::numbers::pi), c = std::cos(angle), s = std::sin(angle);
    const double k = random.uniform(0.05, 0.95);
    const double P[9] = {1, 0, 0, mu * c, k * s * s, -k * s * c, mu * s, -k * s * c, k * c * c};
    for (int i = 0; i < 9; ++i) {
      A[i] = P[i] / w;
      B[i] = (i % 4 == 0 ? 1 : 0) - P[i];
    }
    return;
  }
  const bool extreme = kind != BlockKind::kInterior;
  const Mat3 Q = random_rows(random, n);
  Vec3 compliance, row_scale{1, 1, 1};
  for (int i = 0; i < 3; ++i) compliance[i] = w * random.log_uniform(extreme ? 1e-12 : 1e-2, extreme ? 1e12 : 1e2);
  const double skew = extreme ? 0.0 : random.uniform(-0.5, 0.5);
  if (kind == BlockKind::kInteriorRows)
    for (int i = 0; i < 3; ++i) row_scale[i] = random.log_uniform(1e-6, 1e6);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      if (kind == BlockKind::kInteriorBlock) {
        A[3 * i + j] = i == j ? 1 : 0;
        for (int k = 0; k < n; ++k) B[3 * i + j] += Q(k, i) * compliance[k] * Q(k, j);
      } else {
        A[3 * i + j] = row_scale[i] * (Q(i, j) + (n == 3 ? skew * Q((i + 1) % 3, j) : 0.0));
        B[3 * i + j] = row_scale[i] * compliance[i] * Q(i, j);
      }
    }
}

// An island of a problem with its W_cc and with blocks A and B of one kind.
struct NewtonBlocks {
  ContactProblem problem;
  Island island;  // points into the problem
  std::vector<double> delassus, A, B, scratch;

  NewtonBlocks(const NewtonBlocks&) = delete;
  NewtonBlocks& operator=(const NewtonBlocks&) = delete;
  NewtonBlocks(ContactProblem from, BlockKind kind, std::uint64_t seed) : problem(std::move(from)) {
    const std::vector<double> push_out(std::size_t(problem.nblock), 1.0);
    gather_island(problem, 0, push_out, island);
    for (auto* list : {&delassus, &A, &B}) list->resize(9 * std::size_t(island.nblock));
    delassus_diagonal(island, scratch, delassus.data());
    Random random(seed);
    for (int c = 0; c < island.nblock; ++c)
      fill_newton_block(random, kind, island.block_size(c), delassus[std::size_t(9 * c)],
                        island.friction[std::size_t(c)], A.data() + 9 * c, B.data() + 9 * c);
  }
};

}  // namespace stiction::test
