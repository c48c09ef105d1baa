#include "solvers/interior_box.hpp"

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

constexpr double kSign[2] = {1, -1};  // of y in w, and of δp in dx

}  // namespace

double interior_box_start(const BoxBounds<double>& box, double w, double size) {
  const double distance = std::min(size / w, 0.5 * (box.upper - box.lower));
  return std::max(box.lower + distance, std::min(box.upper - distance, 0.0));
}

InteriorBox interior_box(const BoxBounds<double>& box, double w, double v, double p, double y_lower, double y_upper) {
  InteriorBox b;
  b.w = w;
  b.compliance = box.compliance;
  b.fixed = !(box.lower < box.upper);
  if (b.fixed) {
    b.to_fixed = w * (box.lower - p);
    return b;
  }
  b.finite[0] = std::isfinite(box.lower);
  b.finite[1] = std::isfinite(box.upper);
  b.gap = v + box.compliance * p;
  const double distance[2] = {p - box.lower, box.upper - p}, dual[2] = {y_lower, y_upper};
  for (int side = 0; side < 2; ++side) {
    if (!b.finite[side]) continue;
    b.x[side] = w * distance[side];
    b.y[side] = dual[side];
    b.gap -= kSign[side] * dual[side];
  }
  return b;
}

double InteriorBox::product(double step) const {
  double sum = 0;
  for (int side = 0; side < 2; ++side)
    if (finite[side]) sum += (x[side] + step * dx[side]) * (y[side] + step * dy[side]);
  return sum;
}

double InteriorBox::stiffness() const {
  double sum = 0;
  for (int side = 0; side < 2; ++side)
    if (finite[side]) sum += w * y[side] / x[side];
  return sum;
}

// dy = (τ − x y − dx dy) / x − (y / x) dx: the part that does not depend on the new dx.
double InteriorBox::pull(int side, double tau, bool second) const {
  const double product = second ? dx[side] * dy[side] : 0.0;
  return (tau - x[side] * y[side] - product) / x[side];
}

// δv + c δp + gap = dy_l − dy_u
double InteriorBox::right_side(double tau, bool second) const {
  if (fixed) return to_fixed;
  double sum = -gap;
  for (int side = 0; side < 2; ++side)
    if (finite[side]) sum += kSign[side] * pull(side, tau, second);
  return sum;
}

void InteriorBox::set_step(double delta_v, double delta_p, double tau, bool second) {
  if (pairs() == 0) return;
  double rest = delta_v + compliance * delta_p + gap;
  double step[2] = {0, 0};
  for (int side = 0; side < 2; ++side) {
    if (!finite[side]) continue;
    const double move = kSign[side] * w * delta_p;
    step[side] = pull(side, tau, second) - y[side] / x[side] * move;
    dx[side] = move;
    rest -= kSign[side] * step[side];
  }
  // The row holds to the last digit; what the small compliance of the linear system left goes to the larger dual.
  const int larger = !finite[0] || (finite[1] && y[1] > y[0]) ? 1 : 0;
  step[larger] += kSign[larger] * rest;
  dy[0] = step[0];
  dy[1] = step[1];
}

double InteriorBox::largest_step(double limit) const {
  for (int side = 0; side < 2; ++side) {
    if (!finite[side]) continue;
    if (dx[side] < 0) limit = std::min(limit, -x[side] / dx[side]);
    if (dy[side] < 0) limit = std::min(limit, -y[side] / dy[side]);
  }
  return limit;
}

// As for contacts: of each pair, the variable that shrinks less belongs to the solution.
ContactPiece InteriorBox::predict_piece() const {
  if (fixed) return ContactPiece::kOpen;
  for (int side = 0; side < 2; ++side)
    if (finite[side] && std::abs(1 + dx[side] / x[side]) < std::abs(1 + dy[side] / y[side]))
      return side == 0 ? ContactPiece::kOpen : ContactPiece::kSlide;
  return ContactPiece::kStick;
}

}  // namespace stiction
