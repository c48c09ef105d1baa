// Unilateral contact with Coulomb's law, N rows (n, t1, …, tk), k = N − 1 directions of friction:
//   0 ≤ v_n ⊥ p_n ≥ 0,   p_t = Π_{μ p_n}(p_t − ρ v_t) for any ρ > 0, Π_R the projection on the ball of radius R.
// Three rows are sliding friction on a plane. Torsion, rolling and coefficients that differ between directions are the
// same law in rows that are scaled (docs/theory.md), so nothing here knows what a row stands for.
//
// The natural map is the residual of both lines with ρ = 1/W, multiplied by W, so that it is a velocity. Newton's
// method works on the map of Alart and Curnier 1991, whose ball has the radius μ (p_n − v_n/W_nn) instead of μ p_n: the
// same zeros, but a contact that is about to close has friction already. The derivative of the ball with respect to p_n
// and v_n is kept: without it the end phase is not quadratic.
#pragma once

#include <cmath>

#include "laws/block.hpp"
#include "laws/complementarity.hpp"

namespace stiction {

template <int N>
struct CoulombLaw {
  static_assert(N > 1 && N <= kMostBlockRows);
  static constexpr int kRows = N;

  // Nearest point of the cone K = {‖p_t‖ ≤ μ p_n}.
  template <class T>
  static STICTION_HD VecN<T, N> project(const VecN<T, N>& p, T mu) {
    const T length = tail_norm(p);
    if (length <= mu * p[0]) return p;
    if (mu * length <= -p[0]) return {};
    // Foot of the perpendicular on the generator (1, μ p_t/‖p_t‖).
    const T normal = (p[0] + mu * length) / (T(1) + mu * mu);
    return with_normal(normal, p, mu * normal / length);
  }

  // Nearest point of the dual cone K* = {v_n ≥ μ ‖v_t‖}. Moreau: v = Π_K*(v) − Π_K(−v).
  template <class T>
  static STICTION_HD VecN<T, N> project_dual(const VecN<T, N>& v, T mu) {
    return v + project(-v, mu);
  }

  // F_n = min(v_n, W_nn p_n);  F_t = W_tt (p_t − Π_{μ p_n}(p_t − v_t / W_tt)).
  template <class T>
  static STICTION_HD VecN<T, N> natural_map(const VecN<T, N>& v, const VecN<T, N>& p, T mu, const BlockScale<T>& w) {
    return map_with_ball(v, p, mu * p[0], w);
  }

  // The same with the ball μ (p_n − v_n / W_nn).
  template <class T>
  static STICTION_HD VecN<T, N> newton_map(const VecN<T, N>& v, const VecN<T, N>& p, T mu, const BlockScale<T>& w) {
    return map_with_ball(v, p, mu * (p[0] - v[0] / w.normal), w);
  }

  // The smooth piece of the law that Newton's map selects at (v, p).
  template <class T>
  static STICTION_HD ContactPiece piece(const VecN<T, N>& v, const VecN<T, N>& p, T mu, const BlockScale<T>& w) {
    const T normal = p[0] - v[0] / w.normal;
    if (!(normal > T(0))) return ContactPiece::kOpen;
    return tail_norm(tangential_trial(v, p, w)) <= w.tangent * mu * normal ? ContactPiece::kStick
                                                                           : ContactPiece::kSlide;
  }

  // Newton's equation on one piece, A δv + B δp = r:
  //   open:   p + δp = 0
  //   stick:  v + δv = 0
  //   slide:  v_n + δv_n = 0,  F_t = W p_t − R d = 0 with R = W μ (p_n − v_n/W_nn), d = y / ‖y‖, y = W p_t − v_t:
  //           δF_t = W δp_t − W μ d (δp_n − δv_n/W_nn) − (R / ‖y‖) (1 − d dᵀ) (W δp_t − δv_t)
  template <class T>
  static STICTION_HD BlockSystem<T, N> linearise(ContactPiece piece, const VecN<T, N>& v, const VecN<T, N>& p, T mu,
                                                 const BlockScale<T>& w) {
    if (piece == ContactPiece::kOpen) return open_system(p, w);
    VecN<T, N> d = tangential_trial(v, p, w);
    const T length = tail_norm(d);
    if (piece == ContactPiece::kStick || !(length > T(0))) return stick_system(v);
    BlockSystem<T, N> out;
    out.A(0, 0) = T(1);
    out.r[0] = -v[0];
    for (int i = 1; i < N; ++i) d[i] = d[i] / length;
    const T normal = p[0] - v[0] / w.normal;
    const T radius = normal > T(0) ? w.tangent * mu * normal : T(0), factor = radius / length;
    for (int i = 1; i < N; ++i) {
      // 1 − d_i² as the sum of the other squares: it does not cancel.
      T across{};
      for (int j = 1; j < N; ++j)
        if (j != i) across += factor * d[j] * d[j];
      out.A(i, i) = across;
      out.B(i, i) = w.tangent * (T(1) - across);
      out.B(i, 0) = -w.tangent * mu * d[i];
      out.A(i, 0) = -out.B(i, 0) / w.normal;
      out.r[i] = radius * d[i] - w.tangent * p[i];
      for (int j = 1; j < i; ++j) {
        out.A(i, j) = out.A(j, i) = -factor * d[j] * d[i];
        out.B(i, j) = out.B(j, i) = -w.tangent * out.A(i, j);
      }
    }
    return out;
  }

  // The same on the piece that Newton's map selects: its generalised derivative.
  template <class T>
  static STICTION_HD BlockSystem<T, N> linearise(const VecN<T, N>& v, const VecN<T, N>& p, T mu,
                                                 const BlockScale<T>& w) {
    return linearise(piece(v, p, mu, w), v, p, mu, w);
  }

 private:
  // (normal, factor · p_t)
  template <class T>
  static STICTION_HD VecN<T, N> with_normal(T normal, const VecN<T, N>& p, T factor) {
    VecN<T, N> out;
    out[0] = normal;
    for (int i = 1; i < N; ++i) out[i] = factor * p[i];
    return out;
  }

  template <class T>
  static STICTION_HD VecN<T, N> map_with_ball(const VecN<T, N>& v, const VecN<T, N>& p, T ball,
                                              const BlockScale<T>& w) {
    const T normal = MinimumMap::evaluate(v[0], w.normal * p[0]).value;
    const T radius = ball > T(0) ? w.tangent * ball : T(0);
    VecN<T, N> y = tangential_trial(v, p, w);
    const T length = tail_norm(y);
    if (length <= radius) return with_normal(normal, v, T(1));
    const T factor = radius / length;
    for (int i = 1; i < N; ++i) y[i] = w.tangent * p[i] - factor * y[i];
    return with_normal(normal, y, T(1));
  }
};

}  // namespace stiction
