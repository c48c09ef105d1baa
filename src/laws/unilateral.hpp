// The law 0 ≤ v_n ⊥ p_n ≥ 0 of one row. Only the first component of every vector is used.
#pragma once

#include "laws/block.hpp"
#include "laws/complementarity.hpp"

namespace stiction {

struct UnilateralLaw {
  static constexpr int kRows = 1;

  // Nearest admissible impulse.
  template <class T>
  static STICTION_HD Vec3T<T> project(const Vec3T<T>& p, T /*mu*/) {
    return {p.x > T(0) ? p.x : T(0), T(0), T(0)};
  }

  // Nearest element of the dual cone.
  template <class T>
  static STICTION_HD Vec3T<T> project_dual(const Vec3T<T>& v, T /*mu*/) {
    return {v.x > T(0) ? v.x : T(0), T(0), T(0)};
  }

  // F_n = W_nn (p_n − max(0, p_n − v_n / W_nn)) = min(v_n, W_nn p_n).
  template <class T>
  static STICTION_HD Vec3T<T> natural_map(const Vec3T<T>& v, const Vec3T<T>& p, T /*mu*/, const BlockScale<T>& w) {
    return {MinimumMap::evaluate(v.x, w.normal * p.x).value, T(0), T(0)};
  }

  // The map that Newton's method works on.
  template <class T>
  static STICTION_HD Vec3T<T> newton_map(const Vec3T<T>& v, const Vec3T<T>& p, T mu, const BlockScale<T>& w) {
    return natural_map(v, p, mu, w);
  }

  template <class T>
  static STICTION_HD ContactPiece piece(const Vec3T<T>& v, const Vec3T<T>& p, T /*mu*/, const BlockScale<T>& w) {
    return v.x <= w.normal * p.x ? ContactPiece::kStick : ContactPiece::kOpen;
  }

  // Newton's equation on one piece, A δv + B δp = r: p_n + δp_n = 0 if open, v_n + δv_n = 0 if not.
  template <class T>
  static STICTION_HD BlockSystem<T> linearise(ContactPiece piece, const Vec3T<T>& v, const Vec3T<T>& p, T /*mu*/,
                                              const BlockScale<T>& w) {
    BlockSystem<T> out;
    if (piece == ContactPiece::kOpen) {
      out.B(0, 0) = w.normal;
      out.r.x = -w.normal * p.x;
    } else {
      out.A(0, 0) = T(1);
      out.r.x = -v.x;
    }
    return out;
  }

  // The same on the piece that the natural map selects: its generalised derivative.
  template <class T>
  static STICTION_HD BlockSystem<T> linearise(const Vec3T<T>& v, const Vec3T<T>& p, T mu, const BlockScale<T>& w) {
    return linearise(piece(v, p, mu, w), v, p, mu, w);
  }
};

}  // namespace stiction
