// The law 0 ≤ v_n ⊥ p_n ≥ 0 of one row.
#pragma once

#include "laws/block.hpp"
#include "laws/complementarity.hpp"

namespace stiction {

struct UnilateralLaw {
  static constexpr int kRows = 1;

  // Nearest admissible impulse.
  template <class T>
  static STICTION_HD VecN<T, 1> project(const VecN<T, 1>& p, T /*mu*/) {
    return {p[0] > T(0) ? p[0] : T(0)};
  }

  // Nearest element of the dual cone.
  template <class T>
  static STICTION_HD VecN<T, 1> project_dual(const VecN<T, 1>& v, T /*mu*/) {
    return {v[0] > T(0) ? v[0] : T(0)};
  }

  // F_n = W_nn (p_n − max(0, p_n − v_n / W_nn)) = min(v_n, W_nn p_n).
  template <class T>
  static STICTION_HD VecN<T, 1> natural_map(const VecN<T, 1>& v, const VecN<T, 1>& p, T /*mu*/,
                                            const BlockScale<T>& w) {
    return {MinimumMap::evaluate(v[0], w.normal * p[0]).value};
  }

  // The map that Newton's method works on.
  template <class T>
  static STICTION_HD VecN<T, 1> newton_map(const VecN<T, 1>& v, const VecN<T, 1>& p, T mu, const BlockScale<T>& w) {
    return natural_map(v, p, mu, w);
  }

  template <class T>
  static STICTION_HD ContactPiece piece(const VecN<T, 1>& v, const VecN<T, 1>& p, T /*mu*/, const BlockScale<T>& w) {
    return v[0] <= w.normal * p[0] ? ContactPiece::kStick : ContactPiece::kOpen;
  }

  // Newton's equation on one piece, A δv + B δp = r: p_n + δp_n = 0 if open, v_n + δv_n = 0 if not.
  template <class T>
  static STICTION_HD BlockSystem<T, 1> linearise(ContactPiece piece, const VecN<T, 1>& v, const VecN<T, 1>& p, T /*mu*/,
                                                 const BlockScale<T>& w) {
    BlockSystem<T, 1> out;
    if (piece == ContactPiece::kOpen) {
      out.B(0, 0) = w.normal;
      out.r[0] = -w.normal * p[0];
    } else {
      out.A(0, 0) = T(1);
      out.r[0] = -v[0];
    }
    return out;
  }

  // The same on the piece that the natural map selects: its generalised derivative.
  template <class T>
  static STICTION_HD BlockSystem<T, 1> linearise(const VecN<T, 1>& v, const VecN<T, 1>& p, T mu,
                                                 const BlockScale<T>& w) {
    return linearise(piece(v, p, mu, w), v, p, mu, w);
  }
};

}  // namespace stiction
