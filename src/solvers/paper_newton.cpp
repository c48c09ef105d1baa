// Source: Macklin et al. 2019, sections 4 to 7: complementarity functions for normal rows, fixed-point compliance for
// friction (laws/diagonal_newton.hpp), full steps, complementarity preconditioner r. Linear systems are factored, or
// solved without a matrix, then in single precision if the settings say so. They are symmetric once each row is divided
// by its slope a, so that an LDLᵀ does where other methods need an LU.
#include "solvers/paper_newton.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <type_traits>

#include "laws/diagonal_newton.hpp"
#include "solvers/block_law.hpp"
#include "solvers/flat_newton.hpp"
#include "solvers/scratch.hpp"

namespace stiction {
namespace {

constexpr double kLeastForcing = 1e-8;
constexpr int kFloatPatience = 100;  // iterations without a better one, after which rounding has the word

// r of the complementarity functions as it stands before impulses: the paper has r λ beside a gap [m] and beside a
// sliding speed [m/s], with λ = p/h and gap = h v.
template <class T>
BlockScale<T> preconditioner(Preconditioner kind, const BlockScale<T>& mass, double h) {
  if (kind == Preconditioner::kIdentity) return {T(1 / (h * h)), T(1 / h)};
  if (kind == Preconditioner::kStepSquared) return {T(1), T(h)};
  return mass;
}

template <class T>
FlatNewton<T>& flat_newton(SolverScratch& s) {
  const auto kept = [](auto& place) -> FlatNewton<T>& {
    if (place == nullptr) place = std::make_unique<FlatNewton<T>>();
    return *place;
  };
  if constexpr (std::is_same_v<T, float>)
    return kept(s.flat_float);
  else
    return kept(s.flat_double);
}

// Calls write(DiagonalSystem) of block c; `island` is an Island or a FlatIsland.
template <class Map, class T, class AnyIsland, class Write>
void linearise(const AnyIsland& island, int c, const BlockScale<T>& w, const std::vector<T>& velocity,
               const std::vector<T>& impulse, Write&& write) {
  const auto i = std::size_t(c);
  with_rows(island.block_size(c), [&](auto rows) {
    constexpr int N = rows;
    VecN<T, N> v, p;
    for (int k = 0; k < N; ++k) {
      v[k] = velocity[std::size_t(island.row[i] + k)];
      p[k] = impulse[std::size_t(island.row[i] + k)];
    }
    if constexpr (N == 1)
      if (island.law[i] == Law::kBox) return write(diagonal_box<Map>(v, p, island.box[i], w));
    // As for the radius of friction, the derivative of the speed in the normal row is left out.
    if (island.law[i] == Law::kRelaxed) v[0] -= island.friction[i] * tail_norm(v);
    write(diagonal_contact<Map>(v, p, island.friction[i], w));
  });
}

// One step by factorisation; false if it is not finite or none is left.
template <class Map>
bool step_by_factorisation(const SolverSettings& settings, bool symmetric, SolverScratch& s) {
  const double h = s.island.problem->timestep;
  for (int c = 0; c < s.island.nblock; ++c) {
    const BlockScale<double> w = preconditioner(settings.preconditioner, s.scale[std::size_t(c)], h);
    linearise<Map>(s.island, c, w, s.current.v, s.current.p, [&]<int N>(const DiagonalSystem<double, N>& system) {
      const auto square = std::size_t(s.island.square[std::size_t(c)]);
      std::fill_n(s.A.begin() + std::ptrdiff_t(square), N * N, 0.0);
      std::fill_n(s.B.begin() + std::ptrdiff_t(square), N * N, 0.0);
      for (std::size_t k = 0; k < std::size_t(N); ++k) {
        s.A[square + std::size_t(N + 1) * k] = system.a[int(k)];
        s.B[square + std::size_t(N + 1) * k] = system.b[int(k)];
      }
      s.set_rows(s.r, c, system.r);
    });
  }
  if (!factor_system(s, true, symmetric) || !solve_system(s)) return false;
  for (std::size_t i = 0; i < s.current.p.size(); ++i) s.current.p[i] += s.delta_p[i];
  evaluate(s, s.current);
  return true;
}

// One step without a matrix, in T; what it finds goes into s.current as T found it.
template <class Map, class T>
bool step_without_matrix(const SolverSettings& settings, FlatNewton<T>& flat, SolverScratch& s) {
  const double h = s.island.problem->timestep;
  for (int c = 0; c < flat.island.nblock; ++c) {
    const BlockScale<T> w = preconditioner(settings.preconditioner, flat.island.scale[std::size_t(c)], h);
    linearise<Map>(flat.island, c, w, flat.v, flat.p, [&]<int N>(const DiagonalSystem<T, N>& system) {
      for (int k = 0; k < N; ++k) {
        const auto i = std::size_t(flat.island.row[std::size_t(c)] + k);
        flat.linear.a[i] = system.a[k];
        flat.linear.b[i] = system.b[k];
        flat.linear.r[i] = system.r[k];
      }
    });
  }
  ++s.result.sweeps;
  const double residual = s.current.residual / s.island.scale;
  LinearLimits limits{settings.linear_solver, std::min(settings.linear_forcing, std::max(kLeastForcing, residual)),
                      settings.linear_iterations, settings.linear_preconditioner};
  if (s.trace != nullptr) limits.history = &s.trace->linear_residual.emplace_back();
  s.result.linear_iterations += solve_iteratively(flat.island, limits, flat.linear);
  for (std::size_t i = 0; i < flat.p.size(); ++i) flat.p[i] += flat.linear.delta_p[i];
  flat.evaluate();
  flat.write(s.current);
  evaluate_laws(s, s.current);
  return true;
}

template <class Step>
IslandResult iterate(const SolverSettings& settings, int patience, SolverScratch& s, Solution& solution, Step&& step) {
  const double tolerance = settings.tolerance * s.island.scale;
  int waited = 0;
  // A decade below the tolerance: the certificate scales a little differently.
  while (s.current.residual > 0.1 * tolerance && s.result.iterations() < s.max_iterations && waited < patience) {
    if (!step()) break;
    waited = s.current.residual < s.best.residual ? 0 : waited + 1;
    keep_best(s);
    if (!std::isfinite(s.current.residual)) break;
  }
  s.result.solved = s.best.residual <= tolerance;
  finish_island(s, solution);
  return s.result;
}

template <class Map, class T>
IslandResult solve_without_matrix(const SolverSettings& settings, int patience, SolverScratch& s, Solution& solution) {
  FlatNewton<T>& flat = flat_newton<T>(s);
  flat.begin(s.island, s.scale, s.delassus, s.current.p);
  return iterate(settings, patience, s, solution, [&] { return step_without_matrix<Map>(settings, flat, s); });
}

template <class Map>
IslandResult solve(const ContactProblem& problem, int island, const SolverSettings& settings, SolverScratch& s,
                   Solution& solution) {
  const bool may_condense =
      settings.linear_solver == LinearSolver::kAuto || settings.linear_solver == LinearSolver::kDirect;
  const IslandForm form = may_condense ? IslandForm::kContactSpace : IslandForm::kTrees;
  if (!begin_island(problem, island, settings, solution, form, s)) return s.result;
  SolverSettings own = settings;
  if (own.linear_solver == LinearSolver::kAuto) own.linear_solver = choose_linear_solver(s.island, own.precision);
  if (own.linear_solver == LinearSolver::kDirect || own.linear_solver == LinearSolver::kLdlt) {
    const bool symmetric = own.linear_solver == LinearSolver::kLdlt;
    return iterate(own, s.max_iterations, s, solution, [&] { return step_by_factorisation<Map>(own, symmetric, s); });
  }
  if (own.precision == Precision::kFloat) return solve_without_matrix<Map, float>(own, kFloatPatience, s, solution);
  return solve_without_matrix<Map, double>(own, s.max_iterations, s, solution);
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
