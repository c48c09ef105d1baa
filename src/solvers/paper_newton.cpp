// Source: Macklin et al. 2019, sections 4 to 6: NCP function for the normal row, fixed-point compliance for friction,
// full steps, complementarity preconditioner r. Departures, all from the errata: the factor of the NCP
// function stays out of the force row; a contact with μ p_n ≤ 0 loses its friction at once; the squared speeds of
// eqs. (102) and (104) are speeds. The compliance of friction looks at lengths only, so it serves any number of
// directions.
#include "solvers/paper_newton.hpp"

#include <algorithm>
#include <cmath>

#include "laws/friction_compliance.hpp"
#include "solvers/block_law.hpp"
#include "solvers/linear_solver.hpp"

namespace stiction {
namespace {

// r of the complementarity functions as it stands before impulses: the paper has r λ beside a gap [m] and beside a
// sliding speed [m/s], with λ = p/h and gap = h v.
BlockScale<double> preconditioner(Preconditioner kind, const BlockScale<double>& mass, double h) {
  if (kind == Preconditioner::kIdentity) return {1 / (h * h), 1 / h};
  if (kind == Preconditioner::kStepSquared) return {1, h};
  return mass;
}

// Rows of one block: α δv_n + β W_nn δp_n = −φ_n;  δv_t + C δp_t = −(v_t + C p_t).
template <class Map, int N>
void linearise_contact(const BlockScale<double>& w, SolverScratch& s, int c) {
  const auto i = std::size_t(c);
  const VecN<double, N> p = s.rows<N>(s.current.p, c);
  VecN<double, N> v = s.rows<N>(s.current.v, c);
  // As for the radius of friction, the derivative of the speed in the normal row is left out.
  if (s.island.law[i] == Law::kRelaxed) v[0] -= s.island.friction[i] * tail_norm(v);
  double* A = s.A.data() + s.island.square[i];
  double* B = s.B.data() + s.island.square[i];
  std::fill(A, A + N * N, 0.0);
  std::fill(B, B + N * N, 0.0);
  const Complementarity<double> phi = Map::evaluate(v[0], w.normal * p[0]);
  A[0] = phi.slope_a;
  B[0] = phi.slope_b * w.normal;
  VecN<double, N> r;
  r[0] = -phi.value;
  const double radius = s.island.friction[i] * p[0];
  const bool loaded = radius > 0;
  const double C = loaded ? friction_compliance<Map>(tail_norm(v), tail_norm(p), radius, w.tangent) : w.tangent;
  for (int k = 1; k < N; ++k) {
    A[(N + 1) * k] = loaded ? 1 : 0;
    B[(N + 1) * k] = C;
    r[k] = loaded ? -(v[k] + C * p[k]) : -C * p[k];
  }
  s.set_rows(s.r, c, r);
}

template <class Map>
void linearise(Preconditioner kind, SolverScratch& s, int c) {
  const auto i = std::size_t(c);
  const BlockScale<double> w = preconditioner(kind, s.scale[i], s.island.problem->timestep);
  if (s.island.law[i] != Law::kBox)
    return with_rows(s.island.block_size(c), [&](auto rows) { linearise_contact<Map, rows>(w, s, c); });
  // α (δv + c δp) + β δp = −φ
  const BoxBounds<double>& box = s.island.box[i];
  const BoxComplementarity<double> phi =
      BoxLaw::complementarity<Map>(s.rows<1>(s.current.v, c), s.rows<1>(s.current.p, c), box, w);
  const auto entry = std::size_t(s.island.square[i]);
  s.A[entry] = phi.slope_w;
  s.B[entry] = phi.slope_w * box.compliance + phi.slope_p;
  s.set_normal(s.r, c, -phi.value);
}

bool solve_linear(const SolverSettings& settings, SolverScratch& s) {
  if (settings.linear_solver == LinearSolver::kDirect) return factor_system(s, true) && solve_system(s);
  ++s.result.sweeps;
  return solve_iteratively(settings, s);
}

template <class Map>
IslandResult solve(const ContactProblem& problem, int island, const SolverSettings& settings, SolverScratch& s,
                   Solution& solution) {
  const bool direct = settings.linear_solver == LinearSolver::kDirect;
  const IslandForm form = direct ? IslandForm::kContactSpace : IslandForm::kTrees;
  if (!begin_island(problem, island, settings, solution, form, s)) return s.result;
  const double tolerance = settings.tolerance * s.island.scale;
  // A decade below the tolerance: the certificate scales a little differently.
  while (s.current.residual > 0.1 * tolerance && s.result.iterations() < s.max_iterations) {
    for (int c = 0; c < s.island.nblock; ++c) linearise<Map>(settings.preconditioner, s, c);
    if (!solve_linear(settings, s)) break;
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
