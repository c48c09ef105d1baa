// Unilateral contact with a friction pyramid, N rows (n, t1, …, tk): Coulomb's law with the ball ‖p_t‖ ≤ μ p_n replaced
// by the polyhedron ‖p_t‖₁ ≤ μ p_n, whose corners are the directions ±t_i:
//   0 ≤ v_n ⊥ p_n ≥ 0,   p_t = Π_{μ p_n}(p_t − ρ v_t) for any ρ > 0, Π_R the projection on {‖y‖₁ ≤ R}.
// Source: Stewart and Trinkle 1996, Anitescu and Potra 1997. The projection shortens all entries by one threshold τ,
//   y_i → sign(y_i) max(|y_i| − τ, 0),
// so that sliding keeps to the edges: its derivative is 1 − s sᵀ/m over the m entries that are left, s their signs.
#pragma once

#include <cmath>

#include "laws/block.hpp"
#include "laws/complementarity.hpp"

namespace stiction {

template <int N>
struct PyramidLaw {
  static_assert(N > 1 && N <= kMostBlockRows);
  static constexpr int kRows = N;

  // Nearest point of the cone K = {‖p_t‖₁ ≤ μ p_n}.
  template <class T>
  static STICTION_HD VecN<T, N> project(const VecN<T, N>& p, T mu) {
    if (sum_norm(p) <= mu * p[0]) return p;
    if (mu * largest(p) <= -p[0]) return {};
    // p_n grows by μ τ, and what is left of p_t has that length: Σ (|p_i| − τ)⁺ = μ (p_n + μ τ).
    const T tau = threshold(p, mu * p[0], mu * mu);
    VecN<T, N> out = shortened(p, tau);
    out[0] = p[0] + mu * tau;
    return out;
  }

  // Nearest point of the dual cone K* = {v_n ≥ μ max |v_i|}.
  template <class T>
  static STICTION_HD VecN<T, N> project_dual(const VecN<T, N>& v, T mu) {
    return v + project(-v, mu);
  }

  // F_n = min(v_n, W_nn p_n);  F_t = W_tt (p_t − Π_{μ p_n}(p_t − v_t / W_tt)).
  template <class T>
  static STICTION_HD VecN<T, N> natural_map(const VecN<T, N>& v, const VecN<T, N>& p, T mu, const BlockScale<T>& w) {
    return map_with_radius(v, p, mu * p[0], w);
  }
  // The same with the radius μ (p_n − v_n / W_nn).
  template <class T>
  static STICTION_HD VecN<T, N> newton_map(const VecN<T, N>& v, const VecN<T, N>& p, T mu, const BlockScale<T>& w) {
    return map_with_radius(v, p, mu * (p[0] - v[0] / w.normal), w);
  }

  template <class T>
  static STICTION_HD ContactPiece piece(const VecN<T, N>& v, const VecN<T, N>& p, T mu, const BlockScale<T>& w) {
    const T normal = p[0] - v[0] / w.normal;
    if (!(normal > T(0))) return ContactPiece::kOpen;
    return sum_norm(tangential_trial(v, p, w)) <= w.tangent * mu * normal ? ContactPiece::kStick : ContactPiece::kSlide;
  }

  // Newton's equation on one piece, A δv + B δp = r, as for Coulomb's law; sliding:
  //   δF_t = W δp_t − P (W δp_t − δv_t) − (s/m) W μ (δp_n − δv_n/W_nn),   P = 1 − s sᵀ/m on the entries that are left.
  template <class T>
  static STICTION_HD BlockSystem<T, N> linearise(ContactPiece piece, const VecN<T, N>& v, const VecN<T, N>& p, T mu,
                                                 const BlockScale<T>& w) {
    if (piece == ContactPiece::kOpen) return open_system(p, w);
    const VecN<T, N> y = tangential_trial(v, p, w);
    if (piece == ContactPiece::kStick || !(sum_norm(y) > T(0))) return stick_system(v);
    BlockSystem<T, N> out;
    out.A(0, 0) = T(1);
    out.r[0] = -v[0];
    const T normal = p[0] - v[0] / w.normal, radius = normal > T(0) ? w.tangent * mu * normal : T(0);
    const T tau = threshold(y, radius, T(0));
    const VecN<T, N> image = shortened(y, tau);
    int left = 0;
    for (int i = 1; i < N; ++i) left += magnitude(y[i]) > tau;
    for (int i = 1; i < N; ++i) {
      out.r[i] = image[i] - w.tangent * p[i];
      out.B(i, i) = w.tangent;
      if (!(magnitude(y[i]) > tau)) continue;
      const T s = y[i] < T(0) ? T(-1) : T(1);
      out.B(i, 0) = -w.tangent * mu * s / T(left);
      out.A(i, 0) = -out.B(i, 0) / w.normal;
      for (int j = 1; j < N; ++j) {
        if (!(magnitude(y[j]) > tau)) continue;
        const T entry = (i == j ? T(1) : T(0)) - s * (y[j] < T(0) ? T(-1) : T(1)) / T(left);
        out.A(i, j) = entry;
        out.B(i, j) -= w.tangent * entry;
      }
    }
    return out;
  }
  template <class T>
  static STICTION_HD BlockSystem<T, N> linearise(const VecN<T, N>& v, const VecN<T, N>& p, T mu,
                                                 const BlockScale<T>& w) {
    return linearise(piece(v, p, mu, w), v, p, mu, w);
  }

  // Π_R(y) of the tangential entries; the first is left as it is.
  template <class T>
  static STICTION_HD VecN<T, N> project_tangent(const VecN<T, N>& y, T radius) {
    return sum_norm(y) <= radius ? y : shortened(y, threshold(y, radius, T(0)));
  }

 private:
  template <class T>
  static STICTION_HD T magnitude(T x) {
    return x < T(0) ? -x : x;
  }
  template <class T>
  static STICTION_HD T sum_norm(const VecN<T, N>& y) {
    T sum{};
    for (int i = 1; i < N; ++i) sum += magnitude(y[i]);
    return sum;
  }
  template <class T>
  static STICTION_HD T largest(const VecN<T, N>& y) {
    T out{};
    for (int i = 1; i < N; ++i) out = magnitude(y[i]) > out ? magnitude(y[i]) : out;
    return out;
  }

  // τ with Σ (|y_i| − τ)⁺ = R + c τ: of the m largest entries, (Σ − R) / (m + c), for the m at which it fits.
  template <class T>
  static STICTION_HD T threshold(const VecN<T, N>& y, T radius, T c) {
    T sorted[N]{};
    for (int i = 1; i < N; ++i) {
      int at = i - 1;
      for (; at > 0 && sorted[at - 1] < magnitude(y[i]); --at) sorted[at] = sorted[at - 1];
      sorted[at] = magnitude(y[i]);
    }
    T sum{}, tau{};
    for (int m = 1; m < N; ++m) {
      sum += sorted[m - 1];
      tau = (sum - radius) / (T(m) + c);
      if (m + 1 == N || tau >= sorted[m]) break;
    }
    return tau;
  }
  template <class T>
  static STICTION_HD VecN<T, N> shortened(const VecN<T, N>& y, T tau) {
    VecN<T, N> out = y;
    for (int i = 1; i < N; ++i) {
      const T rest = magnitude(y[i]) - tau;
      out[i] = rest > T(0) ? (y[i] < T(0) ? -rest : rest) : T(0);
    }
    return out;
  }

  template <class T>
  static STICTION_HD VecN<T, N> map_with_radius(const VecN<T, N>& v, const VecN<T, N>& p, T reach,
                                                const BlockScale<T>& w) {
    const T radius = reach > T(0) ? w.tangent * reach : T(0);
    const VecN<T, N> y = tangential_trial(v, p, w);
    VecN<T, N> out = v;
    if (!(sum_norm(y) <= radius)) {
      out = shortened(y, threshold(y, radius, T(0)));
      for (int i = 1; i < N; ++i) out[i] = w.tangent * p[i] - out[i];
    }
    out[0] = MinimumMap::evaluate(v[0], w.normal * p[0]).value;
    return out;
  }
};

}  // namespace stiction
