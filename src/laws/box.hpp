// The box law of one row: l ≤ p ≤ u with w = v + c p, and w = 0 inside, w ≥ 0 where p = l, w ≤ 0 where p = u. It holds
// whatever is not contact: equalities (bounds ∓∞), dry friction of joints (∓f), motors with a force range, whose gains
// are the compliance c.
//
// The natural map has the step 1/(W + c), the row's own response, and is multiplied by W: the velocity by which the row
// would still change its own motion. For an equality it is v itself.
//
// For newton-fb and newton-minmap the two bounds are nested in one complementarity function φ,
//   φ(W (p − l), −φ(W (u − p), −w)),
// with the minimum map the median of W (p − l), w and W (p − u). Macklin et al. 2019 have one-sided rows only.
#pragma once

#include <cmath>

#include "laws/block.hpp"
#include "laws/complementarity.hpp"

namespace stiction {

template <class T>
struct BoxBounds {
  T lower{}, upper{};  // l ≤ u [N s]; infinite where there is none
  T compliance{};      // c ≥ 0 [m/s per N s]
};

// φ of a box row as a velocity, with its generalised derivative.
template <class T>
struct BoxComplementarity {
  T value{};    // [m/s]
  T slope_w{};  // ∂φ/∂w [1]
  T slope_p{};  // ∂φ/∂p at fixed w [m/s per N s]
};

struct BoxLaw {
  static constexpr int kRows = 1;

  template <class T>
  static STICTION_HD T clamp(T p, const BoxBounds<T>& box) {
    return p < box.lower ? box.lower : (p > box.upper ? box.upper : p);
  }

  // Nearest admissible impulse.
  template <class T>
  static STICTION_HD VecN<T, 1> project(const VecN<T, 1>& p, const BoxBounds<T>& box) {
    return {clamp(p[0], box)};
  }

  // p − w / (W + c): where the row alone would go if it had no bounds.
  template <class T>
  static STICTION_HD T target(const VecN<T, 1>& v, const VecN<T, 1>& p, const BoxBounds<T>& box,
                              const BlockScale<T>& w) {
    return p[0] - (v[0] + box.compliance * p[0]) / (w.normal + box.compliance);
  }

  // F = W (p − Π(p − w / (W + c))).
  template <class T>
  static STICTION_HD VecN<T, 1> natural_map(const VecN<T, 1>& v, const VecN<T, 1>& p, const BoxBounds<T>& box,
                                            const BlockScale<T>& w) {
    const T aim = target(v, p, box, w);
    if (aim < box.lower) return {w.normal * (p[0] - box.lower)};
    if (aim > box.upper) return {w.normal * (p[0] - box.upper)};
    // Not as a difference of impulses, which would cancel.
    const T share = w.normal / (w.normal + box.compliance);
    return {share * (v[0] + box.compliance * p[0])};
  }

  // kStick inside, kOpen at the lower bound, kSlide at the upper one.
  template <class T>
  static STICTION_HD ContactPiece piece(const VecN<T, 1>& v, const VecN<T, 1>& p, const BoxBounds<T>& box,
                                        const BlockScale<T>& w) {
    const T aim = target(v, p, box, w);
    if (aim < box.lower) return ContactPiece::kOpen;
    return aim > box.upper ? ContactPiece::kSlide : ContactPiece::kStick;
  }

  // Newton's equation on one piece, A δv + B δp = r: p + δp = l or u, or w + δv + c δp = 0, both as velocities.
  template <class T>
  static STICTION_HD BlockSystem<T, 1> linearise(ContactPiece piece, const VecN<T, 1>& v, const VecN<T, 1>& p,
                                                 const BoxBounds<T>& box, const BlockScale<T>& w) {
    BlockSystem<T, 1> out;
    if (piece == ContactPiece::kStick) {
      const T share = w.normal / (w.normal + box.compliance);
      out.A(0, 0) = share;
      out.B(0, 0) = share * box.compliance;
      out.r[0] = -share * (v[0] + box.compliance * p[0]);
    } else {
      out.B(0, 0) = w.normal;
      out.r[0] = w.normal * ((piece == ContactPiece::kOpen ? box.lower : box.upper) - p[0]);
    }
    return out;
  }

  // The same on the piece that the natural map selects: its generalised derivative.
  template <class T>
  static STICTION_HD BlockSystem<T, 1> linearise(const VecN<T, 1>& v, const VecN<T, 1>& p, const BoxBounds<T>& box,
                                                 const BlockScale<T>& w) {
    return linearise(piece(v, p, box, w), v, p, box, w);
  }

  // φ(W (p − l), −φ(W (u − p), −w)); a bound that is infinite drops out.
  template <class Map, class T>
  static STICTION_HD BoxComplementarity<T> complementarity(const VecN<T, 1>& v, const VecN<T, 1>& p,
                                                           const BoxBounds<T>& box, const BlockScale<T>& w) {
    using std::isinf;
    const T scale = w.normal, row = v[0] + box.compliance * p[0];
    BoxComplementarity<T> out{row, T(1), T(0)};
    if (!isinf(box.upper)) {
      const Complementarity<T> phi = Map::evaluate(scale * (box.upper - p[0]), -row);
      out = {-phi.value, phi.slope_b, phi.slope_a * scale};
    }
    if (!isinf(box.lower)) {
      const Complementarity<T> phi = Map::evaluate(scale * (p[0] - box.lower), out.value);
      out = {phi.value, phi.slope_b * out.slope_w, phi.slope_a * scale + phi.slope_b * out.slope_p};
    }
    return out;
  }
};

}  // namespace stiction
