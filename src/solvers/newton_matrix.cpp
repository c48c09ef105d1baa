#include "solvers/newton_matrix.hpp"

namespace stiction {
namespace {

// Compliance in the linear solve, relative to W_ii: large enough to tell the null space of redundant contacts from
// rounding, small enough that refinement takes it out again in one or two passes.
constexpr double kContactShift = 1e-10;
constexpr double kBodyShift = 1e-9;

}  // namespace

void NewtonMatrix::prepare(const Island& island, const double* delassus_blocks) {
  island_ = &island;
  body_space_ = !island.condensed;
  body_space_ ? body_.prepare(island, delassus_blocks) : contact_.prepare(island, delassus_blocks);
}

bool NewtonMatrix::factor(const double* A, const double* B, bool may_be_singular, bool symmetric) {
  if (body_space_ && island_->compliant) {
    compliant_.assign(B, B + island_->square.back());
    for (int c = 0; c < island_->nblock; ++c) {
      const int first = island_->square[std::size_t(c)], rows = island_->block_size(c);
      for (int k = 0; k < rows; ++k)
        compliant_[std::size_t(first + rows * k)] += A[first + rows * k] * island_->compliance[std::size_t(c)];
    }
    B = compliant_.data();
  }
  if (!may_be_singular) return body_space_ ? body_.factor(A, B, 0, symmetric) : contact_.factor(A, B, 0);
  return body_space_ ? body_.factor(A, B, kBodyShift, symmetric) : contact_.factor(A, B, kContactShift);
}

double NewtonMatrix::solve(const double* r, double enough, double* delta_p, double* delta_u) {
  return body_space_ ? body_.solve(r, enough, delta_p, delta_u) : contact_.solve(r, enough, delta_p, delta_u);
}

void NewtonMatrix::respond(int block, const double* impulse, double* delta_u) {
  body_space_ ? body_.respond(block, impulse, delta_u) : contact_.respond(block, impulse, delta_u);
}

}  // namespace stiction
