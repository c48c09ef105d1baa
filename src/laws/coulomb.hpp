// Unilateral contact with Coulomb's law, rows (n, t1, t2):
//   0 ≤ v_n ⊥ p_n ≥ 0,   p_t = Π_{μ p_n}(p_t − ρ v_t) for any ρ > 0, Π_R the projection on the disc of radius R.
// The natural map is the residual of both lines with ρ = 1/W, multiplied by W, so that it is a velocity. Newton's
// method works on the map of Alart and Curnier 1991, whose disc has the radius μ (p_n − v_n/W_nn) instead of μ p_n: the
// same zeros, but a contact that is about to close has friction already. The derivative of the disc with respect to p_n
// and v_n is kept: without it the end phase is not quadratic.
#pragma once

#include <cmath>

#include "laws/block.hpp"
#include "laws/complementarity.hpp"

namespace stiction {

struct CoulombLaw {
  static constexpr int kRows = 3;

  // Nearest point of the cone K = {‖p_t‖ ≤ μ p_n}.
  template <class T>
  static STICTION_HD Vec3T<T> project(const Vec3T<T>& p, T mu) {
    using std::sqrt;
    const T length = sqrt(p.y * p.y + p.z * p.z);
    if (length <= mu * p.x) return p;
    if (mu * length <= -p.x) return {T(0), T(0), T(0)};
    // Foot of the perpendicular on the generator (1, μ p_t/‖p_t‖).
    const T normal = (p.x + mu * length) / (T(1) + mu * mu);
    const T factor = mu * normal / length;
    return {normal, factor * p.y, factor * p.z};
  }

  // Nearest point of the dual cone K* = {v_n ≥ μ ‖v_t‖}. Moreau: v = Π_K*(v) − Π_K(−v).
  template <class T>
  static STICTION_HD Vec3T<T> project_dual(const Vec3T<T>& v, T mu) {
    return v + project(-v, mu);
  }

  // F_n = min(v_n, W_nn p_n);  F_t = W_tt (p_t − Π_{μ p_n}(p_t − v_t / W_tt)).
  template <class T>
  static STICTION_HD Vec3T<T> natural_map(const Vec3T<T>& v, const Vec3T<T>& p, T mu, const BlockScale<T>& w) {
    return map_with_disc(v, p, mu * p.x, w);
  }

  // The same with the disc μ (p_n − v_n / W_nn).
  template <class T>
  static STICTION_HD Vec3T<T> newton_map(const Vec3T<T>& v, const Vec3T<T>& p, T mu, const BlockScale<T>& w) {
    return map_with_disc(v, p, mu * (p.x - v.x / w.normal), w);
  }

  // The smooth piece of the law that Newton's map selects at (v, p).
  template <class T>
  static STICTION_HD ContactPiece piece(const Vec3T<T>& v, const Vec3T<T>& p, T mu, const BlockScale<T>& w) {
    using std::sqrt;
    const T normal = p.x - v.x / w.normal;
    if (!(normal > T(0))) return ContactPiece::kOpen;
    const T y = w.tangent * p.y - v.y, z = w.tangent * p.z - v.z;
    return sqrt(y * y + z * z) <= w.tangent * mu * normal ? ContactPiece::kStick : ContactPiece::kSlide;
  }

  // Newton's equation on one piece, A δv + B δp = r:
  //   open:   p + δp = 0
  //   stick:  v + δv = 0
  //   slide:  v_n + δv_n = 0,  F_t = W p_t − R d = 0 with R = W μ (p_n − v_n/W_nn), d = y / ‖y‖, y = W p_t − v_t:
  //           δF_t = W δp_t − W μ d (δp_n − δv_n/W_nn) − (R / ‖y‖) (1 − d dᵀ) (W δp_t − δv_t)
  template <class T>
  static STICTION_HD BlockSystem<T> linearise(ContactPiece piece, const Vec3T<T>& v, const Vec3T<T>& p, T mu,
                                              const BlockScale<T>& w) {
    using std::sqrt;
    BlockSystem<T> out;
    if (piece == ContactPiece::kOpen) {
      out.B = Mat3T<T>::diagonal({w.normal, w.tangent, w.tangent});
      out.r = {-w.normal * p.x, -w.tangent * p.y, -w.tangent * p.z};
      return out;
    }
    out.A(0, 0) = T(1);
    out.r.x = -v.x;
    const T y = w.tangent * p.y - v.y, z = w.tangent * p.z - v.z;
    const T length = sqrt(y * y + z * z);
    if (piece == ContactPiece::kStick || !(length > T(0))) {
      out.A(1, 1) = out.A(2, 2) = T(1);
      out.r.y = -v.y;
      out.r.z = -v.z;
      return out;
    }
    const T dy = y / length, dz = z / length;
    const T normal = p.x - v.x / w.normal;
    const T radius = normal > T(0) ? w.tangent * mu * normal : T(0), factor = radius / length;
    const T syy = factor * dz * dz, syz = -factor * dy * dz, szz = factor * dy * dy;
    out.A(1, 1) = syy;
    out.A(1, 2) = out.A(2, 1) = syz;
    out.A(2, 2) = szz;
    out.B(1, 0) = -w.tangent * mu * dy;
    out.B(2, 0) = -w.tangent * mu * dz;
    out.A(1, 0) = -out.B(1, 0) / w.normal;
    out.A(2, 0) = -out.B(2, 0) / w.normal;
    out.B(1, 1) = w.tangent * (T(1) - syy);
    out.B(1, 2) = out.B(2, 1) = -w.tangent * syz;
    out.B(2, 2) = w.tangent * (T(1) - szz);
    out.r.y = radius * dy - w.tangent * p.y;
    out.r.z = radius * dz - w.tangent * p.z;
    return out;
  }

  // The same on the piece that Newton's map selects: its generalised derivative.
  template <class T>
  static STICTION_HD BlockSystem<T> linearise(const Vec3T<T>& v, const Vec3T<T>& p, T mu, const BlockScale<T>& w) {
    return linearise(piece(v, p, mu, w), v, p, mu, w);
  }

 private:
  template <class T>
  static STICTION_HD Vec3T<T> map_with_disc(const Vec3T<T>& v, const Vec3T<T>& p, T disc, const BlockScale<T>& w) {
    using std::sqrt;
    const T normal = MinimumMap::evaluate(v.x, w.normal * p.x).value;
    const T radius = disc > T(0) ? w.tangent * disc : T(0);
    const T y = w.tangent * p.y - v.y, z = w.tangent * p.z - v.z;
    const T length = sqrt(y * y + z * z);
    if (length <= radius) return {normal, v.y, v.z};
    const T factor = radius / length;
    return {normal, w.tangent * p.y - factor * y, w.tangent * p.z - factor * z};
  }
};

}  // namespace stiction
