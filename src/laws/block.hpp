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

}  // namespace stiction
