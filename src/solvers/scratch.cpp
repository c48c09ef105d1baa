#include "solvers/scratch.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "solvers/block_law.hpp"
#include "solvers/domain_sweeps.hpp"
#include "solvers/facet_contacts.hpp"
#include "solvers/flat_newton.hpp"
#include "solvers/lemke_contacts.hpp"

namespace stiction {
namespace {

void resize_iterate(const Island& island, Iterate& iterate) {
  iterate.p.assign(std::size_t(island.nrow), 0.0);
  iterate.u.assign(std::size_t(island.nv), 0.0);
  iterate.v.assign(std::size_t(island.nrow), 0.0);
  iterate.residual = iterate.squared = INFINITY;
}

// Any positive scale states the same law. A direction in which no tree can move has W = 0 and gets a share of the
// block's largest, and a block that nothing moves gets 1.
BlockScale<double> block_scale(const double* w, int rows) {
  constexpr double kLeastShare = 1e-3;
  double tangent = 0;
  for (int i = 1; i < rows; ++i) tangent = std::max(tangent, w[(rows + 1) * i]);
  const double largest = std::max(w[0], tangent);
  const double least = largest > 0 ? kLeastShare * largest : 1.0;
  return {std::max(w[0], least), std::max(tangent, least)};
}

void load_warm_start(const SolverSettings& settings, const Solution& solution, SolverScratch& s) {
  const ContactProblem& problem = *s.island.problem;
  if (!settings.warm_start) return;
  for (int c = 0; c < s.island.nblock; ++c) {
    const int from = problem.block_row[std::size_t(s.island.block[std::size_t(c)])], to = s.island.row[std::size_t(c)];
    for (int k = 0; k < s.island.block_size(c); ++k)
      s.current.p[std::size_t(to + k)] = problem.timestep * solution.lambda[std::size_t(from + k)];
  }
  if (!all_finite(s.current.p)) std::fill(s.current.p.begin(), s.current.p.end(), 0.0);
}

// Jᵀ p, or W p of a condensed island.
void impulse_or_response(const Island& island, const std::vector<double>& p, std::vector<double>& out) {
  constexpr int kMost = 256;
  if (!island.condensed || island.response_stride > kMost) return generalized_impulse(island, p.data(), out.data());
  alignas(detail::kAlignment) double padded[kMost];
  std::fill(std::copy(p.begin(), p.end(), padded), padded + island.response_stride, 0.0);
  detail::multiply(island.response.data(), island.response_stride, island.nrow, padded, out.data());
}

void trace(SolverScratch& s, const Iterate& iterate) {
  const auto now = std::chrono::steady_clock::now();
  TracePoint point{s.island.index, s.result.iterations(), std::chrono::duration<double>(now - s.begin).count(),
                   iterate.u, iterate.p};
  if (s.island.condensed) tree_velocity(s.island, iterate.p.data(), point.u);
  for (double& impulse : point.lambda) impulse /= s.island.problem->timestep;
  s.trace->points.push_back(std::move(point));
  s.begin += std::chrono::steady_clock::now() - now;
}

}  // namespace

SolverScratch::SolverScratch() = default;
SolverScratch::~SolverScratch() = default;

bool all_finite(const std::vector<double>& values) {
  for (double x : values)
    if (!std::isfinite(x)) return false;
  return true;
}

void Iterate::copy(const Iterate& other) {
  p = other.p;
  u = other.u;
  v = other.v;
  residual = other.residual;
  squared = other.squared;
}

double SolverScratch::tangential(const std::vector<double>& x, int c) const {
  return with_rows(island.block_size(c), [&](auto n) { return tail_norm(rows<n>(x, c)); });
}

void size_island(SolverScratch& s) {
  const auto nblock = std::size_t(s.island.nblock), nrow = std::size_t(s.island.nrow);
  const auto squares = std::size_t(s.island.square.back());
  s.result = {};
  s.prepared = s.contradicted = false;
  s.least_hint = 1;
  s.delassus.resize(squares);
  s.scale.resize(nblock);
  s.A.assign(squares, 0.0);
  s.B.assign(squares, 0.0);
  for (auto* list : {&s.r, &s.delta_p, &s.delta_v, &s.z, &s.delta_z, &s.free_contact, &s.centre, &s.drift, &s.witness,
                     &s.upper_dual})
    list->resize(nrow);
  s.pieces.assign(nblock, ContactPiece::kOpen);
  s.pieces_before.assign(nblock, ContactPiece::kOpen);
  s.delta_u.resize(std::size_t(s.island.nv));
  for (auto* iterate : {&s.current, &s.trial, &s.best}) resize_iterate(s.island, *iterate);
}

bool reset_island(SolverScratch& s) {
  size_island(s);
  delassus_diagonal(s.island, s.row_scratch, s.delassus.data());
  for (std::size_t c = 0; c < s.scale.size(); ++c) {
    const double* w = s.delassus.data() + s.island.square[c];
    s.scale[c] = block_scale(w, s.island.block_size(int(c)));
    for (int i = 0, rows = s.island.block_size(int(c)); i < rows; ++i)
      if (!std::isfinite(w[(rows + 1) * i])) return false;
  }
  return all_finite(s.island.bias) && all_finite(s.island.free_velocity) && all_finite(s.island.friction);
}

bool begin_island(const ContactProblem& problem, int island, const SolverSettings& settings, const Solution& solution,
                  IslandForm form, SolverScratch& s) {
  s.trace = settings.trace;
  if (s.trace != nullptr) s.begin = std::chrono::steady_clock::now();
  gather_island(problem, island, solution.push_out, s.island);
  if (form == IslandForm::kContactSpace && prefers_contact_space(s.island)) enter_contact_space(s.space, s.island);
  s.max_iterations = settings.max_iterations;
  if (!reset_island(s)) return false;
  load_warm_start(settings, solution, s);
  evaluate(s, s.current);
  if (!std::isfinite(s.current.residual)) return_to_zero(s);
  s.start = s.current.p;
  keep_best(s);
  return std::isfinite(s.current.residual);
}

void restart_island(const Solution& solution, SolverScratch& s) {
  const bool in_contact_space = s.island.condensed;
  gather_island(*s.island.problem, s.island.index, solution.push_out, s.island);
  if (in_contact_space && !s.island.condensed) enter_contact_space(s.space, s.island);
  s.contradicted = false;
  s.least_hint = 1;
  s.current.p = s.start;
  evaluate(s, s.current);
  s.best.copy(s.current);
}

double squared_residual(const SolverScratch& s, const Iterate& iterate, int c) {
  if (is_facet(s.island.law[std::size_t(c)])) {
    const double size = facets_residual(s, iterate, c);
    return size * size;
  }
  return with_law(s.island, c, [&](auto law, const auto& parameters) {
    constexpr int N = decltype(law)::kRows;
    const VecN<double, N> v = s.rows<N>(iterate.v, c), p = s.rows<N>(iterate.p, c);
    return norm_squared(s.moved(c, law.natural_map(v, p, parameters, s.scale[std::size_t(c)])));
  });
}

double block_residual(const SolverScratch& s, const Iterate& iterate, int c) {
  return std::sqrt(squared_residual(s, iterate, c));
}

void response_to(const std::vector<double>& p, SolverScratch& s, std::vector<double>& out) {
  impulse_or_response(s.island, p, s.delta_u);
  apply_inverse_inertia(s.island, s.delta_u.data());
  contact_velocity(s.island, s.delta_u.data(), false, out.data());
  add_compliance(s.island, p.data(), out.data());
}

void evaluate(const SolverScratch& s, Iterate& iterate) {
  const Island& island = s.island;
  impulse_or_response(island, iterate.p, iterate.u);
  apply_inverse_inertia(island, iterate.u.data());
  for (std::size_t i = 0; i < iterate.u.size(); ++i) iterate.u[i] += island.free_velocity[i];
  contact_velocity(island, iterate.u.data(), true, iterate.v.data());
  add_compliance(island, iterate.p.data(), iterate.v.data());
  evaluate_laws(s, iterate);
}

void evaluate_laws(const SolverScratch& s, Iterate& iterate) {
  double largest = 0, sum = 0;
  for (int c = 0; c < s.island.nblock; ++c) {
    const double squared = squared_residual(s, iterate, c);
    sum += squared;
    largest = std::max(largest, squared);
  }
  iterate.squared = sum;
  iterate.residual = std::isfinite(sum) ? std::sqrt(largest) : INFINITY;
}

void return_to_zero(SolverScratch& s) {
  std::fill(s.current.p.begin(), s.current.p.end(), 0.0);
  evaluate(s, s.current);
}

void keep_best(SolverScratch& s) {
  const bool better = s.current.residual < s.best.residual;
  if (s.trace != nullptr && (better || (s.trace->every && std::isfinite(s.current.residual)))) trace(s, s.current);
  if (better) s.best.copy(s.current);
}

bool factor_system(SolverScratch& s, bool may_be_singular, bool symmetric) {
  if (!s.may_factor()) return false;
  if (!s.prepared) s.matrix.prepare(s.island, s.delassus.data());
  s.prepared = true;
  ++s.result.factorisations;
  return s.matrix.factor(s.A.data(), s.B.data(), may_be_singular, symmetric);
}

bool solve_system(SolverScratch& s, double enough) {
  s.matrix.solve(s.r.data(), enough, s.delta_p.data(), s.delta_u.data());
  std::copy_n(s.matrix.velocity(), s.island.nrow, s.delta_v.begin());
  add_compliance(s.island, s.delta_p.data(), s.delta_v.data());
  return all_finite(s.delta_p) && all_finite(s.delta_v);
}

void finish_island(SolverScratch& s, Solution& solution) {
  const Island& island = s.island;
  if (island.condensed) tree_velocity(island, s.best.p.data(), s.best.u);
  const ContactProblem& problem = *island.problem;
  for (int t = 0; t < island.ntree; ++t) {
    const int to = problem.tree_dof[std::size_t(island.tree[std::size_t(t)])];
    const auto from = s.best.u.begin() + island.dof[std::size_t(t)];
    std::copy(from, from + island.tree_size(t), solution.u.begin() + to);
  }
  for (int c = 0; c < island.nblock; ++c) {
    const int to = problem.block_row[std::size_t(island.block[std::size_t(c)])], from = island.row[std::size_t(c)];
    for (int k = 0; k < island.block_size(c); ++k)
      solution.lambda[std::size_t(to + k)] = s.best.p[std::size_t(from + k)] / problem.timestep;
  }
}

}  // namespace stiction
