// The linearisation of one block's law, the same for every law and method: A δv + B δp = r (3 rows; a law of one row
// uses the first entry). Velocities v [m/s], impulses p [N s].
#pragma once

#include "math/mat3.hpp"

namespace stiction {

template <class T>
struct BlockSystem {
  Mat3T<T> A{};  // [1]
  Mat3T<T> B{};  // [m/s per N s]
  Vec3T<T> r{};  // [m/s]
};

// The smooth pieces of a contact law. A law of one row knows the first two.
enum class ContactPiece : unsigned char { kOpen, kStick, kSlide };

// Inverse effective masses of one block, which turn impulses into velocities: a law's residual is then a velocity.
template <class T>
struct BlockScale {
  T normal{};   // W_nn [1/kg]
  T tangent{};  // the larger of W_t1t1, W_t2t2 [1/kg]
};

}  // namespace stiction
