// The linearisation of one block's law, the same for every law and method: A δv + B δp = r over the rows of the block.
// Velocities v [m/s], impulses p [N s].
#pragma once

#include "math/vecn.hpp"

namespace stiction {

// Rows of the largest block: normal, two directions of sliding, torsion, two of rolling.
inline constexpr int kMostBlockRows = 6;

template <class T, int N>
struct BlockSystem {
  MatN<T, N> A{};  // [1]
  MatN<T, N> B{};  // [m/s per N s]
  VecN<T, N> r{};  // [m/s]
};

// The smooth pieces of a contact law. A law of one row knows the first two.
enum class ContactPiece : unsigned char { kOpen, kStick, kSlide };

// Inverse effective masses of one block, which turn impulses into velocities: a law's residual is then a velocity.
template <class T>
struct BlockScale {
  T normal{};   // W_nn [1/kg]
  T tangent{};  // the largest W_tt of the other rows [1/kg]
};

// The pieces that contact laws share. Open: p + δp = 0, multiplied by W.
template <class T, int N>
STICTION_HD BlockSystem<T, N> open_system(const VecN<T, N>& p, const BlockScale<T>& w) {
  BlockSystem<T, N> out;
  for (int i = 0; i < N; ++i) {
    const T scale = i == 0 ? w.normal : w.tangent;
    out.B(i, i) = scale;
    out.r[i] = -scale * p[i];
  }
  return out;
}
// Stick: v + δv = 0.
template <class T, int N>
STICTION_HD BlockSystem<T, N> stick_system(const VecN<T, N>& v) {
  BlockSystem<T, N> out;
  for (int i = 0; i < N; ++i) {
    out.A(i, i) = T(1);
    out.r[i] = -v[i];
  }
  return out;
}

// y = W p_t − v_t, what friction is projected from; the first entry is left zero.
template <class T, int N>
STICTION_HD VecN<T, N> tangential_trial(const VecN<T, N>& v, const VecN<T, N>& p, const BlockScale<T>& w) {
  VecN<T, N> out;
  for (int i = 1; i < N; ++i) out[i] = w.tangent * p[i] - v[i];
  return out;
}

}  // namespace stiction
