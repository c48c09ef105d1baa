// The convex relaxation of contact with Coulomb's friction, N rows (n, t1, …, tk):
//   K* ∋ v ⊥ p ∈ K,   K = {‖p_t‖ ≤ μ p_n},   K* = {v_n ≥ μ ‖v_t‖}.
// Source: Carpentier and Le Lidec, course on contact dynamics; Anitescu 2006. It is Coulomb's law without De Saxcé's
// shift μ ‖v_t‖ of the normal velocity: a contact that slides moves apart with v_n = μ ‖v_t‖. In other words
// Coulomb's law holds for v' = (v_n − μ ‖v_t‖, v_t), and the residual is measured so. Newton's method works on the
// natural map of the cone, W p − Π_K(y) with y = W p − v and one W for all rows, which is monotone as the law is.
#pragma once

#include "laws/coulomb.hpp"

namespace stiction {

template <int N>
struct RelaxedLaw {
  static constexpr int kRows = N;
  using Coulomb = CoulombLaw<N>;

  template <class T>
  static STICTION_HD VecN<T, N> project(const VecN<T, N>& p, T mu) {
    return Coulomb::project(p, mu);
  }
  template <class T>
  static STICTION_HD VecN<T, N> project_dual(const VecN<T, N>& v, T mu) {
    return Coulomb::project_dual(v, mu);
  }

  template <class T>
  static STICTION_HD VecN<T, N> natural_map(const VecN<T, N>& v, const VecN<T, N>& p, T mu, const BlockScale<T>& w) {
    return Coulomb::natural_map(shifted(v, mu), p, mu, w);
  }
  // F = y + v − Π_K(y), y = W p − v.
  template <class T>
  static STICTION_HD VecN<T, N> newton_map(const VecN<T, N>& v, const VecN<T, N>& p, T mu, const BlockScale<T>& w) {
    const VecN<T, N> y = trial(v, p, w);
    return y + v - Coulomb::project(y, mu);
  }

  template <class T>
  static STICTION_HD ContactPiece piece(const VecN<T, N>& v, const VecN<T, N>& p, T mu, const BlockScale<T>& w) {
    const VecN<T, N> y = trial(v, p, w);
    const T length = tail_norm(y);
    if (mu * length <= -y[0]) return ContactPiece::kOpen;
    return length <= mu * y[0] ? ContactPiece::kStick : ContactPiece::kSlide;
  }

  // Newton's equation on one piece, A δv + B δp = r with A = Π', B = W (1 − Π'), r = Π(y) − W p. Sliding, with
  // d = y_t/‖y_t‖:
  //   Π_n = (y_n + μ ‖y_t‖)/(1 + μ²),  δΠ_n = (δy_n + μ dᵀδy_t)/(1 + μ²)
  //   Π_t = μ Π_n d,                   δΠ_t = μ d δΠ_n + (μ Π_n/‖y_t‖) (1 − d dᵀ) δy_t
  template <class T>
  static STICTION_HD BlockSystem<T, N> linearise(ContactPiece piece, const VecN<T, N>& v, const VecN<T, N>& p, T mu,
                                                 const BlockScale<T>& w) {
    const T W = scale(w);
    if (piece == ContactPiece::kOpen) return open_system(p, BlockScale<T>{W, W});
    const VecN<T, N> y = trial(v, p, w);
    const T length = tail_norm(y);
    if (piece == ContactPiece::kStick || !(length > T(0))) return stick_system(v);
    BlockSystem<T, N> out;
    const T share = T(1) / (T(1) + mu * mu), normal = share * (y[0] + mu * length), turn = mu * normal / length;
    VecN<T, N> d = y / length;
    d[0] = T(0);
    for (int i = 0; i < N; ++i) {
      // Row i of Π': weight (1, μ d) plus, for a tangential row, the turn of d.
      const T weight = i == 0 ? share : share * mu * d[i];
      for (int j = 0; j < N; ++j) {
        T entry = weight * (j == 0 ? T(1) : mu * d[j]);
        if (i > 0 && j > 0) entry += turn * ((i == j ? T(1) : T(0)) - d[i] * d[j]);
        out.A(i, j) = entry;
        out.B(i, j) = W * ((i == j ? T(1) : T(0)) - entry);
      }
      out.r[i] = (i == 0 ? normal : mu * normal * d[i]) - W * p[i];
    }
    return out;
  }
  template <class T>
  static STICTION_HD BlockSystem<T, N> linearise(const VecN<T, N>& v, const VecN<T, N>& p, T mu,
                                                 const BlockScale<T>& w) {
    return linearise(piece(v, p, mu, w), v, p, mu, w);
  }

 private:
  template <class T>
  static STICTION_HD T scale(const BlockScale<T>& w) {
    return w.normal > w.tangent ? w.normal : w.tangent;
  }
  // y = W p − v
  template <class T>
  static STICTION_HD VecN<T, N> trial(const VecN<T, N>& v, const VecN<T, N>& p, const BlockScale<T>& w) {
    return p * scale(w) - v;
  }
  template <class T>
  static STICTION_HD VecN<T, N> shifted(const VecN<T, N>& v, T mu) {
    VecN<T, N> out = v;
    out[0] -= mu * tail_norm(v);
    return out;
  }
};

}  // namespace stiction
