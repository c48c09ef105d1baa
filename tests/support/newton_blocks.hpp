// Blocks A and B of the Newton system A δv + B δp = r as the methods of contact make them, for tests and benchmarks.
#pragma once

#include <cmath>
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

using Square = MatN<double, kMostBlockRows>;

// n orthonormal rows, by the method of Gram and Schmidt; one row: the number one.
inline Square random_rows(Random& random, int n) {
  Square Q;
  for (int i = 0; i < n; ++i) {
    double size = 0;
    while (size < 0.1) {  // a row that is almost a sum of those before is drawn again
      for (int j = 0; j < n; ++j) Q(i, j) = n == 1 ? 1 : random.uniform(-1, 1);
      for (int k = 0; k < i; ++k) {
        const double along = dot(Q.row[i], Q.row[k]);
        for (int j = 0; j < n; ++j) Q(i, j) -= along * Q(k, j);
      }
      size = norm(Q.row[i]);
    }
    for (int j = 0; j < n; ++j) Q(i, j) /= size;
  }
  return Q;
}

// One block of n rows. w: W_nn [1/kg].
inline void fill_newton_block(Random& random, BlockKind kind, int n, double w, double mu, double* A, double* B) {
  std::fill(A, A + n * n, 0.0);
  std::fill(B, B + n * n, 0.0);
  if (kind == BlockKind::kMixed) kind = BlockKind(random.integer(0, 3));
  if (kind == BlockKind::kSliding && n == 1) kind = BlockKind::kSticking;
  if (kind == BlockKind::kInactive || kind == BlockKind::kSticking) {
    for (int i = 0; i < n; ++i) (kind == BlockKind::kInactive ? B : A)[(n + 1) * i] = 1;
    return;
  }
  if (kind == BlockKind::kSliding) {
    // P: derivative of the projection of p − v / w on the cone's disc. A = P / w, B = 1 − P.
    const double factor = random.uniform(0.05, 0.95);
    const Square Q = random_rows(random, n - 1);  // its first row is the direction d of sliding
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) {
        const double same = i == j ? 1 : 0;
        double P = i == 0 ? same : mu * Q(0, i - 1);
        if (i > 0 && j > 0) P = factor * (same - Q(0, i - 1) * Q(0, j - 1));
        A[n * i + j] = P / w;
        B[n * i + j] = same - P;
      }
    return;
  }
  const bool extreme = kind != BlockKind::kInterior;
  const Square Q = random_rows(random, n);
  double compliance[kMostBlockRows], row_scale[kMostBlockRows];
  std::fill(row_scale, row_scale + n, 1.0);
  for (int i = 0; i < n; ++i) compliance[i] = w * random.log_uniform(extreme ? 1e-12 : 1e-2, extreme ? 1e12 : 1e2);
  const double skew = extreme ? 0.0 : random.uniform(-0.5, 0.5);
  if (kind == BlockKind::kInteriorRows)
    for (int i = 0; i < n; ++i) row_scale[i] = random.log_uniform(1e-6, 1e6);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      if (kind == BlockKind::kInteriorBlock) {
        A[n * i + j] = i == j ? 1 : 0;
        for (int k = 0; k < n; ++k) B[n * i + j] += Q(k, i) * compliance[k] * Q(k, j);
      } else {
        A[n * i + j] = row_scale[i] * (Q(i, j) + (n > 1 ? skew * Q((i + 1) % n, j) : 0.0));
        B[n * i + j] = row_scale[i] * compliance[i] * Q(i, j);
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
    for (auto* list : {&delassus, &A, &B}) list->resize(std::size_t(island.square.back()));
    delassus_diagonal(island, scratch, delassus.data());
    Random random(seed);
    for (int c = 0; c < island.nblock; ++c) {
      const int first = island.square[std::size_t(c)];
      fill_newton_block(random, kind, island.block_size(c), delassus[std::size_t(first)],
                        island.friction[std::size_t(c)], A.data() + first, B.data() + first);
    }
  }
};

}  // namespace stiction::test
