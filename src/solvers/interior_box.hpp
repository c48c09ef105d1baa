// A box row on the central path of the interior point: l ≤ p ≤ u, w = v + c p = y_l − y_u with
//
//   x_l = W (p − l) > 0,  y_l > 0,  x_l y_l = τ,     x_u = W (u − p) > 0,  y_u > 0,  x_u y_u = τ,
//
// one pair for each finite bound. An equality has none: p is free and w = 0 is solved for as it is. Where l = u the
// impulse is fixed.
#pragma once

#include "laws/box.hpp"

namespace stiction {

struct InteriorBox {
  bool finite[2] = {false, false};  // lower, upper bound
  bool fixed = false;               // l = u
  double w = 0, compliance = 0;     // W [1/kg]; c [m/s per N s]
  double to_fixed = 0;              // W (l − p) where p is fixed [m/s]
  double x[2] = {}, y[2] = {};      // [m/s]
  double dx[2] = {}, dy[2] = {};    // their steps
  double gap = 0;                   // w − (y_l − y_u) [m/s]

  int pairs() const { return int(finite[0]) + int(finite[1]); }
  double product(double step) const;                 // Σ (x + a dx)(y + a dy)
  double stiffness() const;                          // Σ W y / x: B of the row without c [m/s per N s]
  double right_side(double tau, bool second) const;  // of A δv + B δp, with the products of the last step if second
  double largest_step(double limit) const;
  ContactPiece predict_piece() const;
  // dx and dy from the row's δv and δp, for the same right side.
  void set_step(double delta_v, double delta_p, double tau, bool second);

 private:
  double pull(int side, double tau, bool second) const;
};

// The impulse nearest to zero that keeps the distance size / W, or half the range, from either bound [N s].
double interior_box_start(const BoxBounds<double>& box, double w, double size);

// y: dual variables of the two bounds, ignored for a bound that is not there.
InteriorBox interior_box(const BoxBounds<double>& box, double w, double v, double p, double y_lower, double y_upper);

}  // namespace stiction
