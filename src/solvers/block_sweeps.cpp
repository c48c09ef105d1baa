#include "solvers/block_sweeps.hpp"

#include <algorithm>
#include <cmath>

#include "math/row_products.hpp"
#include "solvers/block_law.hpp"

namespace stiction {
namespace {

constexpr int kBlockSteps = 16;    // on one block
constexpr double kProgress = 0.5;  // of the square of its residual, with which a step of Newton's method is taken
// Any multiple of the tangential scale states the same law; with a small one a contact slides that would else stick.
// The step may lead away at first.
constexpr double kSlip = 0.05, kDetour = 1e4;
// What a block is solved to: this share of the target, below which it is left alone, or of the residual that it had, as
// the others move it again. Of the squares.
constexpr double kShareOfTarget = 0.1, kShareOfResidual = 1e-2;
constexpr int kTrialSweeps = 8;  // before their contraction says anything
// Sweeps that cost as much as a step of Newton's method on all blocks.
constexpr int kSweepsPerStep = 4;

// x ← M⁻¹ x by elimination with the largest entry of each column as pivot. False if M is singular.
template <int N>
bool solve_small(MatN<double, N> M, VecN<double, N>& x) {
  for (int k = 0; k < N; ++k) {
    int pivot = k;
    for (int i = k + 1; i < N; ++i)
      if (std::abs(M(i, k)) > std::abs(M(pivot, k))) pivot = i;
    if (!(std::abs(M(pivot, k)) > 0)) return false;
    std::swap(M.row[k], M.row[pivot]);
    std::swap(x[k], x[pivot]);
    const double inverse = 1 / M(k, k);
    for (int j = k + 1; j < N; ++j) M(k, j) *= inverse;
    x[k] *= inverse;
    for (int i = k + 1; i < N; ++i) {
      for (int j = k + 1; j < N; ++j) M(i, j) -= M(i, k) * M(k, j);
      x[i] -= M(i, k) * x[k];
    }
  }
  for (int k = N - 2; k >= 0; --k)
    for (int j = k + 1; j < N; ++j) x[k] -= M(k, j) * x[j];
  return true;
}

template <int N>
struct BlockPoint {
  VecN<double, N> v, p, map;  // map: the natural map there
  double squared = 0;         // the square of its length
};

// One block with the others held: v = v₀ + W (p − p₀).
template <class BlockLaw, class Parameters>
struct HeldBlock {
  static constexpr int N = BlockLaw::kRows;
  using Point = BlockPoint<N>;
  const SolverScratch& s;
  int c;
  const Parameters& parameters;
  MatN<double, N> W{};

  const BlockScale<double>& scale() const { return s.scale[std::size_t(c)]; }

  void evaluate(Point& at) const {
    at.map = BlockLaw::natural_map(at.v, at.p, parameters, scale());
    at.squared = norm_squared(s.moved(c, at.map));
  }
  void move(const VecN<double, N>& change, Point& at) const {
    at.p += change;
    at.v += W * change;
    evaluate(at);
  }

  // p_n ← max(0, p_n − v_n / W_nn), then p_t ← Π(p_t − v_t / W_tt) with the velocities that follow from it.
  void project(Point& at) const {
    VecN<double, N> change;
    change[0] = -at.map[0] / scale().normal;
    move(change, at);
    if constexpr (N > 1) {
      change[0] = 0;
      for (int i = 1; i < N; ++i) change[i] = -at.map[i] / scale().tangent;
      move(change, at);
    }
  }

  // A step of Newton's method with the tangential scale times slip. False, and nothing changed, where it makes less
  // progress than asked.
  bool newton_step(double slip, double progress, Point& at) const {
    BlockScale<double> w = scale();
    w.tangent *= slip;
    const BlockSystem<double, N> system = BlockLaw::linearise(at.v, at.p, parameters, w);
    MatN<double, N> M = system.B;
    for (int i = 0; i < N; ++i)
      for (int k = 0; k < N; ++k)
        for (int j = 0; j < N; ++j) M(i, j) += system.A(i, k) * W(k, j);
    VecN<double, N> change = system.r;
    if (!solve_small(M, change)) return false;
    Point next = at;
    move(change, next);
    if (!(next.squared < progress * at.squared)) return false;
    at = next;
    return true;
  }

  ContactPiece piece(const Point& at) const { return BlockLaw::piece(at.v, at.p, parameters, scale()); }

  // Newton's method; where it makes no progress, once as if the block would sooner slide, then after projections. far:
  // from a point of which nothing is known.
  void solve(double enough, bool far, Point& at) const {
    if (far) project(at);
    bool slipped = false;
    for (int step = 0; step < kBlockSteps && at.squared > enough; ++step) {
      if (newton_step(1, kProgress, at)) continue;
      if (slipped || !newton_step(kSlip, kDetour, at)) project(at);
      slipped = true;
    }
  }
};

// Calls f(the block with the others held).
template <class Function>
decltype(auto) with_held_block(const SolverScratch& s, int c, Function&& f) {
  return with_law(s.island, c, [&](auto law, const auto& parameters) {
    using Held = HeldBlock<decltype(law), std::decay_t<decltype(parameters)>>;
    Held held{s, c, parameters};
    const int first = s.island.row[std::size_t(c)];
    for (int i = 0; i < Held::N; ++i)
      for (int j = 0; j < Held::N; ++j) held.W(i, j) = s.island.response_row(first + i)[first + j];
    return f(held);
  });
}

// A block that is alone in its island.
bool solve_alone(double target, SolverScratch& s) {
  with_held_block(s, 0, [&](const auto& held) {
    constexpr int N = std::decay_t<decltype(held)>::N;
    BlockPoint<N> at;
    at.v = s.rows<N>(s.current.v, 0);
    at.p = s.rows<N>(s.current.p, 0);
    held.evaluate(at);
    held.solve(target * target, true, at);
    s.set_rows(s.current.p, 0, at.p);
    s.set_rows(s.current.v, 0, at.v);
    s.set_rows(s.current.u, 0, at.v - s.rows<N>(s.island.bias, 0));
    s.current.squared = at.squared;
    s.current.residual = std::isfinite(at.squared) ? std::sqrt(at.squared) : INFINITY;
  });
  keep_best(s);
  return s.current.residual <= target;
}

// The square of the residual that the block had before; settled becomes false where its piece changes.
double sweep_block(double enough, bool far, SolverScratch& s, int c, bool& settled) {
  return with_held_block(s, c, [&](const auto& held) {
    constexpr int N = std::decay_t<decltype(held)>::N;
    const int n = s.island.nrow, first = s.island.row[std::size_t(c)];
    BlockPoint<N> at;
    at.p = s.rows<N>(s.current.p, c);
    at.v = s.rows<N>(s.island.bias, c) + s.rows<N>(s.island.free_velocity, c);
    for (int i = 0; i < N; ++i) at.v[i] += row_dot(s.island.response_row(first + i), s.current.p.data(), n);
    held.evaluate(at);
    const double before = at.squared;
    if (before <= enough) return before;
    held.solve(std::max(enough, kShareOfResidual * before), far, at);
    s.set_rows(s.current.p, c, at.p);
    const ContactPiece piece = held.piece(at);
    settled = settled && piece == s.pieces[std::size_t(c)];
    s.pieces[std::size_t(c)] = piece;
    return before;
  });
}

double power(double x, int n) {
  double out = 1;
  for (; n > 0; n /= 2, x *= x)
    if (n % 2 == 1) out *= x;
  return out;
}

}  // namespace

bool block_sweeps(double target, int sweeps, bool hand_over, SolverScratch& s) {
  const int nblock = s.island.nblock;
  if (nblock == 1) return solve_alone(target, s);
  const double enough = kShareOfTarget * target * target;
  double before = INFINITY;
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    // Forth and back: impulses travel up a stack as fast as down.
    double squared = 0;
    bool settled = sweep > 0;
    for (int k = 0; k < nblock; ++k)
      squared = std::max(squared, sweep_block(enough, sweep == 0, s, sweep % 2 == 0 ? k : nblock - 1 - k, settled));
    const double largest = std::sqrt(squared);  // of what the blocks had before they were solved
    const double rate = largest / before;
    before = largest;
    const bool slow = sweep >= kTrialSweeps && largest * power(rate, sweeps - sweep) > target;
    const bool ready = hand_over && settled && largest * power(rate, kSweepsPerStep) > target;
    const bool last = slow || ready || sweep + 1 == sweeps;
    if (!last && largest > target) continue;
    evaluate(s, s.current);
    keep_best(s);
    if (s.current.residual <= target) return true;
    if (last) break;
  }
  return false;
}

}  // namespace stiction
