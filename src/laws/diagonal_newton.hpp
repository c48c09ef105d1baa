// One step of the Newton method of Macklin et al. 2019 on the rows of one block, a δv + b δp = r row by row: all that
// the method keeps of a law is diagonal. Sections 4 to 6, with the errata: the factor of the complementarity function
// stays out of the force row, and a contact with μ p_n ≤ 0 loses its friction at once.
//
//   α δv_n + β r_n δp_n = −φ(v_n, r_n p_n)         normal row, φ with slopes α, β
//   δv_t + C δp_t       = −(v_t + C p_t)           friction rows, C of friction_compliance.hpp
//
// The compliance of friction looks at lengths only, so it serves any number of directions.
#pragma once

#include "laws/block.hpp"
#include "laws/box.hpp"
#include "laws/friction_compliance.hpp"

namespace stiction {

template <class T, int N>
struct DiagonalSystem {
  VecN<T, N> a, b, r;
};

// w: the scales r of the complementarity functions, as they stand before impulses.
template <class Map, class T, int N>
STICTION_HD DiagonalSystem<T, N> diagonal_contact(const VecN<T, N>& v, const VecN<T, N>& p, T mu,
                                                  const BlockScale<T>& w) {
  DiagonalSystem<T, N> out;
  const Complementarity<T> phi = Map::evaluate(v[0], w.normal * p[0]);
  out.a[0] = phi.slope_a;
  out.b[0] = phi.slope_b * w.normal;
  out.r[0] = -phi.value;
  const T radius = mu * p[0];
  const bool loaded = radius > T(0);
  const T C = loaded ? friction_compliance<Map>(tail_norm(v), tail_norm(p), radius, w.tangent) : w.tangent;
  for (int k = 1; k < N; ++k) {
    out.a[k] = loaded ? T(1) : T(0);
    out.b[k] = C;
    out.r[k] = loaded ? -(v[k] + C * p[k]) : -C * p[k];
  }
  return out;
}

// α (δv + c δp) + β δp = −φ
template <class Map, class T>
STICTION_HD DiagonalSystem<T, 1> diagonal_box(const VecN<T, 1>& v, const VecN<T, 1>& p, const BoxBounds<T>& box,
                                              const BlockScale<T>& w) {
  const BoxComplementarity<T> phi = BoxLaw::complementarity<Map>(v, p, box, w);
  return {{phi.slope_w}, {phi.slope_w * box.compliance + phi.slope_p}, {-phi.value}};
}

}  // namespace stiction
