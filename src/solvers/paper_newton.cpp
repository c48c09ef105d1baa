// Source: Macklin et al. 2019, sections 4 to 6: NCP function for the normal row, fixed-point compliance for friction,
// full steps, complementarity preconditioner r = effective mass. Departures, all from the errata: the factor of the NCP
// function stays out of the force row; a contact with μ p_n ≤ 0 loses its friction at once; the squared speeds of
// eqs. (102) and (104) are speeds.
#include "solvers/paper_newton.hpp"

#include <algorithm>
#include <cmath>

#include "laws/friction_compliance.hpp"
#include "solvers/scratch.hpp"

namespace stiction {
namespace {

// Rows of one block: α δv_n + β W_nn δp_n = −φ_n;  δv_t + C δp_t = −(v_t + C p_t).
template <class Map>
void linearise(SolverScratch& s, int c) {
  const auto i = std::size_t(c);
  const Vec3 v = s.rows(s.current.v, c), p = s.rows(s.current.p, c);
  const BlockScale<double>& w = s.scale[i];
  double* A = s.A.data() + 9 * c;
  double* B = s.B.data() + 9 * c;
  std::fill(A, A + 9, 0.0);
  std::fill(B, B + 9, 0.0);
  if (s.island.law[i] == Law::kBox) {
    // α (δv + c δp) + β δp = −φ
    const BoxBounds<double>& box = s.island.box[i];
    const BoxComplementarity<double> phi = BoxLaw::complementarity<Map>(v, p, box, w);
    A[0] = phi.slope_w;
    B[0] = phi.slope_w * box.compliance + phi.slope_p;
    s.set_rows(s.r, c, {-phi.value, 0, 0});
    return;
  }
  const Complementarity<double> phi = Map::evaluate(v.x, w.normal * p.x);
  A[0] = phi.slope_a;
  B[0] = phi.slope_b * w.normal;
  Vec3 r{-phi.value, 0, 0};
  if (s.island.block_size(c) == 3) {
    const double radius = s.island.friction[i] * p.x;
    if (radius > 0) {
      const double compliance = friction_compliance<Map>(std::hypot(v.y, v.z), std::hypot(p.y, p.z), radius, w.tangent);
      A[4] = A[8] = 1;
      B[4] = B[8] = compliance;
      r.y = -(v.y + compliance * p.y);
      r.z = -(v.z + compliance * p.z);
    } else {
      B[4] = B[8] = w.tangent;
      r.y = -w.tangent * p.y;
      r.z = -w.tangent * p.z;
    }
  }
  s.set_rows(s.r, c, r);
}

template <class Map>
IslandResult solve(const ContactProblem& problem, int island, const SolverSettings& settings, SolverScratch& s,
                   Solution& solution) {
  if (!begin_island(problem, island, settings, solution, s)) return s.result;
  const double tolerance = settings.tolerance * s.island.scale;
  // A decade below the tolerance: the certificate scales a little differently.
  while (s.current.residual > 0.1 * tolerance && s.may_factor()) {
    for (int c = 0; c < s.island.nblock; ++c) linearise<Map>(s, c);
    if (!factor_system(s, true) || !solve_system(s)) break;
    for (std::size_t i = 0; i < s.current.p.size(); ++i) s.current.p[i] += s.delta_p[i];
    evaluate(s, s.current);
    keep_best(s);
    if (!std::isfinite(s.current.residual)) break;
  }
  s.result.solved = s.best.residual <= tolerance;
  finish_island(s, solution);
  return s.result;
}

}  // namespace

IslandResult solve_newton_fb(const ContactProblem& problem, int island, const SolverSettings& settings,
                             SolverScratch& scratch, Solution& solution) {
  return solve<FischerBurmeister>(problem, island, settings, scratch, solution);
}

IslandResult solve_newton_minmap(const ContactProblem& problem, int island, const SolverSettings& settings,
                                 SolverScratch& scratch, Solution& solution) {
  return solve<MinimumMap>(problem, island, settings, scratch, solution);
}

}  // namespace stiction
